/// Something that happened for an app, which it has to handle and to say so, by the completion handler it is given
///
public enum WakeEvent: Hashable, Sendable, Codable {
    /// An opportunity to look for new content: `application(_:performFetchWithCompletionHandler:)`.
    case backgroundFetch
    /// A remote notification: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    indirect case remoteNotification(RemoteNotification)

    /// What sort of event it is, without what came with it.
    public enum Kind: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
        case backgroundFetch, remoteNotification

        /// In the order of the names.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Its sort.
    public var kind: Kind {
        switch self {
        case .backgroundFetch: .backgroundFetch
        case .remoteNotification: .remoteNotification
        }
    }

    /// Why an app is launched, or woken, for it.
    public var reason: LaunchReason {
        switch self {
        case .backgroundFetch: .backgroundFetch
        case .remoteNotification: .remoteNotification
        }
    }

    /// Whether a second one says no more than the first, as long as that was not handed over.
    public var isOnlyOnce: Bool { self == .backgroundFetch }

    /// The name of the delegate method that is called with it, for logs and reports.
    public var name: String { kind.name }
}

extension WakeEvent.Kind {
    /// The name of the delegate method that is called with it, for logs and reports.
    public var name: String {
        switch self {
        case .backgroundFetch: "performFetch"
        case .remoteNotification: "didReceiveRemoteNotification"
        }
    }
}

/// What an app says an event has brought, as `UIBackgroundFetchResult`.
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
    /// Which sort of event.
    public let kind: WakeEvent.Kind

    /// An event of this kind, handed over by this callback.
    public init(callback: CallbackID, kind: WakeEvent.Kind) {
        self.callback = callback
        self.kind = kind
    }
}
