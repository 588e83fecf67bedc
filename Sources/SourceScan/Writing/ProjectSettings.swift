/// What an Xcode project says of how its Swift is compiled.
public struct ProjectSettings: Hashable, Sendable {
    /// Whether all of it is in Swift 6 mode.
    public let isSwift6: Bool
    /// Whether what says nothing else is on the main actor.
    public let isMainActorByDefault: Bool

    /// Reads the texts of `project.pbxproj` files; without any it is Swift 5 mode, as most old apps are in.
    public init(projects: [String]) {
        let settings = projects.flatMap { project in
            project.split { $0 == "\n" || $0 == "\r\n" }.map { line in line.filter { !$0.isWhitespace && $0 != "\"" } }
        }
        let modes = settings.filter { $0.hasPrefix("SWIFT_VERSION=") }.map { $0.dropFirst("SWIFT_VERSION=".count) }
        isSwift6 = !modes.isEmpty && modes.allSatisfy { $0.hasPrefix("6") }
        isMainActorByDefault = settings.contains("SWIFT_DEFAULT_ACTOR_ISOLATION=MainActor;")
    }
}
