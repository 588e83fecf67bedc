import LifeCycleModel
import LifeCyclePolicy

/// Decisions about kept sockets, keep-alive handlers and launches after an end as sentences.
extension SocketDecision: ReasonText {
    static var kind: String { "socket" }

    var launch: LaunchID? {
        switch self {
        case .launchedAgain, .endedTooOften: nil
        case .kept(let launch, _), .notKept(let launch, _, _), .dropped(let launch, _), .readable(let launch, _, _),
            .keepAliveSet(let launch, _), .keepAliveDue(let launch):
            launch
        }
    }

    var rule: String? {
        switch self {
        case .notKept(_, _, .tooMany), .readable: "R-168"
        case .kept, .notKept, .dropped: "R-167"
        case .keepAliveSet, .keepAliveDue: "R-170"
        case .launchedAgain, .endedTooOften: "R-175"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .kept(_, let id): "keeps socket \(id): the system watches it while the app is suspended"
        case .notKept(_, let id, let failure): "does not keep socket \(id): \(Self.text(failure))"
        case .dropped(_, let id): "no longer keeps socket \(id)"
        case .readable(_, let id, isOver: false): "data has arrived on socket \(id)"
        case .readable(_, let id, isOver: true): "the connection of socket \(id) has ended"
        case .keepAliveSet(_, let interval?): "has a keep-alive handler, to be called every \(interval)"
        case .keepAliveSet(_, nil): "no longer has a keep-alive handler"
        case .keepAliveDue: "its keep-alive handler is due"
        case .launchedAgain: "is launched again: it ended in the background, and UIBackgroundModes declares voip"
        case .endedTooOften: "is not launched again yet: it has ended too often"
        }
    }

    private static func text(_ failure: SocketFailure) -> String {
        switch failure {
        case .modeNotDeclared: "UIBackgroundModes does not declare voip"
        case .tooMany: "the app, or all apps together, keep as many sockets as the policy allows"
        case .notOpen: "its descriptor is closed or belongs to another socket"
        case .notTCP: "it is no TCP socket"
        case .notConnected: "it is not connected"
        case .unavailable: "the system could not get a descriptor of it"
        }
    }
}
