public import LifeCycleModel

/// A decision about an app's kept sockets, its keep-alive handler, or its launch after its end.
public enum SocketDecision: Hashable, Sendable, Codable {
    /// The system watches the socket from now on, while the app is suspended.
    case kept(LaunchID, SocketID)
    /// The system does not watch the socket, or not any longer.
    case notKept(LaunchID, SocketID, SocketFailure)
    /// The app does not need the socket any longer.
    case dropped(LaunchID, SocketID)
    /// The socket of a suspended app can be read. With `isOver`, its connection has ended, and the system closes its
    /// descriptor as soon as the app runs.
    case readable(LaunchID, SocketID, isOver: Bool)
    /// The app has set the time between two calls of its keep-alive handler, or has no handler any longer.
    case keepAliveSet(LaunchID, Nanoseconds?)
    /// The app's keep-alive handler is called.
    case keepAliveDue(LaunchID)
    /// The app has ended by itself or was killed in the background, and is launched again.
    case launchedAgain(AppID)
    /// The app has ended too often to be launched again now. It is launched later.
    case endedTooOften(AppID)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .kept(let launch, _), .notKept(let launch, _, _), .dropped(let launch, _), .readable(let launch, _, _),
            .keepAliveSet(let launch, _), .keepAliveDue(let launch):
            launch.app
        case .launchedAgain(let app), .endedTooOften(let app): app
        }
    }
}

extension DeadlineReason {
    /// A keep-alive handler is to be called.
    public static var keepAlive: DeadlineReason { .concern("keepAlive") }
    /// An app that has ended too often is launched again.
    public static var voipLaunch: DeadlineReason { .concern("voipLaunch") }
}

extension SocketDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .socket(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool { false }
}
