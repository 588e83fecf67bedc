import Foundation
import Glibc
import LifeCycleModel

/// The example apps, built once for all tests.
enum Examples {
    /// The directory with the bundles: `ROOST_EXAMPLES`, or otherwise the directory of the package of examples. The
    /// package is built if the directory is missing or older than its sources.
    static func directory() throws -> String { try built.get() }

    private static let built = Result<String, any Error> {
        if let named = ProcessInfo.processInfo.environment["ROOST_EXAMPLES"], !named.isEmpty { return named }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let apps = root.appendingPathComponent("Examples/.build/apps").path
        let sources = ["RoostKit", "AppCore", "RoostWire", "LifeCycleModel", "CRoostNote"].map { "Sources/\($0)" }
        let newest = (sources + ["Examples/Sources", "Examples/Clock"])
            .compactMap { newestChange(below: root.appendingPathComponent($0).path) }.max()
        if let newest, let made = change(of: apps + "/Counter.app/Counter"), made > newest { return apps }
        try build(root.appendingPathComponent("Examples/build").path)
        return apps
    }

    private static func build(_ script: String) throws {
        let log = NSTemporaryDirectory() + "roost-examples-\(getpid()).log"
        let child = try ChildProcess(
            ["sh", script], environment: ProcessInfo.processInfo.environment, output: log)
        let exit = try child.exit(within: 1200)
        let said = Kernel.text(log) ?? ""
        try? FileManager.default.removeItem(atPath: log)
        guard exit == .code(0) else {
            throw TestFailure(
                description: "Examples/build failed (\(exit)); the end of its output:\n\(said.suffix(2000))")
        }
    }

    private static func change(of path: String) -> Date? {
        try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    private static func newestChange(below folder: String) -> Date? {
        FileManager.default.enumerator(atPath: folder)?.compactMap { ($0 as? String).map { folder + "/" + $0 } }
            .compactMap(change).max()
    }
}

/// The identifiers of the examples.
extension BundleIdentifier {
    static let counter = named("org.roost.example.Counter")
    static let notepad = named("org.roost.example.Notepad")
    static let optOut = named("org.roost.example.OptOut")
    static let endlessLoop = named("org.roost.example.EndlessLoop")
    static let clock = named("org.roost.example.Clock")
    /// Further copies of Counter.
    static let second = named("org.roost.test.Second")
    static let third = named("org.roost.test.Third")

    static func named(_ text: String) -> BundleIdentifier {
        guard let identifier = BundleIdentifier(text) else { preconditionFailure("\(text) is not a bundle identifier") }
        return identifier
    }
}
