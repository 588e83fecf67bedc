/// An event for which an app gets a completion handler, to be called with a `BackgroundFetchResult`.
public enum WakeEvent: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// An opportunity to look for new content: `application(_:performFetchWithCompletionHandler:)`.
    case backgroundFetch
    /// A remote notification: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    case remoteNotification

    /// In the order of the names.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The name of the delegate method that is called, for logs and reports.
    public var name: String {
        switch self {
        case .backgroundFetch: "performFetch"
        case .remoteNotification: "didReceiveRemoteNotification"
        }
    }
}

/// A completion handler that an app gets with a call of a concern.
public enum CompletionHandler: Hashable, Sendable, Codable {
    /// The handler of `handleEventsForBackgroundURLSession`.
    case session(SessionIdentifier)
    /// The handler of an event.
    case event(OpenEvent)
}

/// The result of an event, as the app tells it: `UIBackgroundFetchResult`.
public enum BackgroundFetchResult: String, Hashable, Sendable, Codable, CaseIterable {
    /// New content was found.
    case newData
    /// There was none.
    case noData
    /// It could not be looked for.
    case failed
}

/// An event an app was handed, whose completion handler it has not called.
public struct OpenEvent: Hashable, Sendable, Codable {
    /// So many are remembered of an app that calls none: the oldest go.
    public static let most = 64

    /// The callback it came with.
    public let callback: CallbackID
    /// The event.
    public let kind: WakeEvent

    /// An event of this kind, handed over by this callback.
    public init(callback: CallbackID, kind: WakeEvent) {
        self.callback = callback
        self.kind = kind
    }
}
