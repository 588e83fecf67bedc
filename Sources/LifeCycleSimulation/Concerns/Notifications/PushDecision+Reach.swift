import LifeCycleModel
import LifeCyclePolicy

extension PushDecision: SimulatedReason {
    static let samples: [PushDecision] = everyKind(from: .asked(.sample, true)) { decision in
        let app = LaunchID.sample.app
        return switch decision {
        case .asked: ([true, false].map { .asked(.sample, $0) }, next: .registered(app, true))
        case .registered: ([true, false].map { .registered(app, $0) }, next: .notRegistered(app))
        case .notRegistered: ([decision], next: .delivered(PushID(app: app, number: 1)))
        case .delivered: ([decision], next: .held(app, .throttled, replacing: true))
        case .held: ([decision] + holds.map { .held(app, $0, replacing: false) }, next: .dropped(app, .killed))
        case .dropped: (losses.map { .dropped(app, $0) }, next: .visible(app, nil))
        case .visible:
            ([nil, .refused(.modeNotDeclared), .newsstandThrottled].map { .visible(app, $0) }, next: nil)
        }
    }

    /// A push rarely arrives during a shutdown.
    private static let holds: [PushHold] = [.throttled, .lowPowerMode, .battery, .notUnlockedSinceStart, .ending]
    private static let losses: [PushLoss] = [
        .refused(.modeNotDeclared), .forceQuit, .killed, .unregistered, .newsstandThrottled,
    ]

    var name: String {
        switch self {
        case .asked(_, let isWanted): isWanted ? "pushes asked for" : "pushes no longer asked for"
        case .registered(_, let isDone): isDone ? "device token made" : "device token not made"
        case .notRegistered: "push without registration"
        case .delivered: "push delivered"
        case .held(_, _, replacing: true): "push held, another before it"
        case .held(_, let hold, replacing: false): "push held: \(hold)"
        case .dropped(_, .refused): "push refused"
        case .dropped(_, let loss): "push dropped: \(loss)"
        case .visible(_, nil): "visible push"
        case .visible(_, .refused): "visible push, and its app refused"
        case .visible(_, let loss?): "visible push, and its app not woken: \(loss)"
        }
    }

    var isOwnWake: Bool { if case .delivered = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        if case .delivered(let push) = self { push.app == app && reason == rules.pushReason(app) } else { false }
    }
}
