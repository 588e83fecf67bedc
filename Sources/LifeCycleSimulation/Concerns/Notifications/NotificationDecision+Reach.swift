import LifeCycleModel
import LifeCyclePolicy

extension NotificationDecision: SimulatedReason {
    private static let id = NotificationID(app: LaunchID.sample.app, number: 1)

    static let samples: [NotificationDecision] = everyKind(from: .scheduled(id, at: nil)) {
        decision in
        switch decision {
        case .scheduled: ([nil, .zero].map { .scheduled(id, at: $0) }, next: .discarded(id))
        case .discarded: ([decision], next: .zoneUnknown(id))
        case .zoneUnknown: ([decision], next: .canceled(id.app, 1))
        case .canceled: ([decision], next: .fired(id, late: .zero))
        case .fired: ([.zero, .seconds(1)].map { .fired(id, late: $0) }, next: .shown(id, .all))
        case .shown: ([decision], next: .notShown(id, .notRegistered))
        case .notShown: (NotShownReason.allCases.map { .notShown(id, $0) }, next: .soundReplaced(id, .missing))
        case .soundReplaced: (SoundFault.allCases.map { .soundReplaced(id, $0) }, next: .answered(id, .tapped))
        case .answered: (NotificationAnswer.allCases.map { .answered(id, $0) }, next: .badge(id.app, 1))
        case .badge: ([decision], next: .badgeRefused(id.app))
        case .badgeRefused: ([decision], next: .registered(id.app, .all))
        case .registered: ([decision], next: .allowed(id.app, true))
        case .allowed: ([true, false].map { .allowed(id.app, $0) }, next: nil)
        }
    }

    var name: String {
        switch self {
        case .scheduled(_, let due): due == nil ? "notification scheduled for whenever" : "notification scheduled"
        case .discarded: "notification discarded"
        case .zoneUnknown: "notification in no zone"
        case .canceled: "notifications canceled"
        case .fired(_, let late): late == .zero ? "notification fired" : "notification fired late"
        case .shown: "notification shown"
        case .notShown(_, let reason): "notification not shown: \(reason.rawValue)"
        case .soundReplaced(_, let fault): "sound replaced: \(fault.rawValue)"
        case .answered(_, let answer): "notification \(answer.rawValue)"
        case .badge: "badge set"
        case .badgeRefused: "badge refused"
        case .registered: "notifications registered for"
        case .allowed(_, let isAllowed): isAllowed ? "notifications allowed" : "notifications forbidden"
        }
    }

    var isOwnWake: Bool { if case .fired = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        false
    }
}
