/// The Swift settings of an Xcode project.
public struct ProjectSettings: Hashable, Sendable {
    /// Whether everything is in Swift 6 mode.
    public let isSwift6: Bool
    /// Whether declarations are on the main actor by default.
    public let isMainActorByDefault: Bool

    /// Reads the texts of `project.pbxproj` files. Without a file, assumes Swift 5 mode, which most old apps use.
    public init(projects: [String]) {
        let settings = projects.flatMap { project in
            project.split { $0 == "\n" || $0 == "\r\n" }.map { line in line.filter { !$0.isWhitespace && $0 != "\"" } }
        }
        let modes = settings.filter { $0.hasPrefix("SWIFT_VERSION=") }.map { $0.dropFirst("SWIFT_VERSION=".count) }
        isSwift6 = !modes.isEmpty && modes.allSatisfy { $0.hasPrefix("6") }
        isMainActorByDefault = settings.contains("SWIFT_DEFAULT_ACTOR_ISOLATION=MainActor;")
    }
}
