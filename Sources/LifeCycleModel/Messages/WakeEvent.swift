/// An event delivered with a completion handler, which the app calls with a `BackgroundFetchResult`.
public enum WakeEvent: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// An opportunity to fetch new content: `application(_:performFetchWithCompletionHandler:)`.
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

/// The result of an event, as the app reports it: `UIBackgroundFetchResult`.
public enum BackgroundFetchResult: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app found new content.
    case newData
    /// There is no new content.
    case noData
    /// The app could not look for new content.
    case failed
}

/// A delivered event whose completion handler the app has not called.
public struct OpenEvent: Hashable, Sendable, Codable {
    /// The most open events that are remembered of an app. Beyond that number, the oldest are forgotten.
    public static let most = 64

    /// The callback that delivered the event.
    public let callback: CallbackID
    /// A background fetch or a remote notification.
    public let kind: WakeEvent

    /// Created when the callback is delivered, and when a reconnected app's report is read.
    public init(callback: CallbackID, kind: WakeEvent) {
        self.callback = callback
        self.kind = kind
    }
}
