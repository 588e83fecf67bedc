import Foundation

/// Packages that tests make and build, all in one folder, so that Roost is built for them only once.
enum OtherPackage {
    /// The repository's top.
    static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let scratch = checkout + "/.build/new-app"

    /// The first build includes Roost, which takes minutes on a slow machine.
    private static let patience = 900.0

    /// Builds a package and runs its tests.
    static func test(_ package: String, in system: TestSystem) throws -> (exit: Exit, out: String, err: String) {
        let command = ["swift", "test", "--package-path", package, "--scratch-path", scratch]
        // Removes the build plan of the package that was built here before. The plan is made again only if the files of
        // that package have changed.
        try? FileManager.default.removeItem(atPath: scratch + "/debug.yaml")
        let built = try system.run(command, within: patience)
        if built.exit == .code(0) || built.out.contains("Test run started") { return built }
        // The compiler caches C modules, and does not notice new headers in them.
        try FileManager.default.removeItem(atPath: scratch)
        return try system.run(command, within: patience)
    }
}
