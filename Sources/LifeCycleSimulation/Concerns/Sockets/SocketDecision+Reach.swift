import LifeCycleModel
import LifeCyclePolicy

extension SocketDecision: SimulatedReason {
    static let samples: [SocketDecision] = everyKind(from: .kept(.sample, .sample)) { decision in
        let (launch, app) = (LaunchID.sample, LaunchID.sample.app)
        return switch decision {
        case .kept: ([decision], next: .notKept(launch, .sample, .tooMany))
        case .notKept: (SocketFailure.allCases.map { .notKept(launch, .sample, $0) }, next: .dropped(launch, .sample))
        case .dropped: ([decision], next: .readable(launch, .sample, isOver: true))
        case .readable:
            ([true, false].map { .readable(launch, .sample, isOver: $0) }, next: .keepAliveSet(launch, nil))
        case .keepAliveSet: ([decision, .keepAliveSet(launch, .seconds(600))], next: .keepAliveDue(launch))
        case .keepAliveDue: ([decision], next: .launchedAgain(app))
        case .launchedAgain: ([decision], next: .endedTooOften(app))
        case .endedTooOften: ([decision], next: nil)
        }
    }

    var name: String {
        switch self {
        case .kept: "socket kept"
        case .notKept(_, _, let failure): "socket not kept: \(failure)"
        case .dropped: "socket dropped"
        case .readable(_, _, let isOver): isOver ? "socket over" : "socket readable"
        case .keepAliveSet(_, let interval): interval == nil ? "keep-alive handler removed" : "keep-alive handler set"
        case .keepAliveDue: "keep-alive due"
        case .launchedAgain: "launched again after an end"
        case .endedTooOften: "ended too often to be launched again"
        }
    }

    var isOwnWake: Bool {
        switch self {
        case .readable, .keepAliveDue, .launchedAgain: true
        case .kept, .notKept, .dropped, .keepAliveSet, .endedTooOften: false
        }
    }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        reason == .voip && self == .launchedAgain(app)
    }
}
