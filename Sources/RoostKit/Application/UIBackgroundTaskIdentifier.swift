/// What `beginBackgroundTask` returns, and `endBackgroundTask(_:)` takes: unique in a launch.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number itself.
    public let rawValue: Int

    /// Wraps a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Returned where the app cannot run in the background (R-35, K079).
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
