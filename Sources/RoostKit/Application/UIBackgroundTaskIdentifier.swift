/// The identifier of a background task, unique within a launch. `beginBackgroundTask` returns it, and
/// `endBackgroundTask(_:)` takes it.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number itself.
    public let rawValue: Int

    /// Creates an identifier with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The identifier returned if the app cannot run in the background (R-35, K079), or has too many open tasks.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
