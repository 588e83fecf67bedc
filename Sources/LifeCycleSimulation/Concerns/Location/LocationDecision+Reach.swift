import LifeCycleModel
import LifeCyclePolicy

extension LocationDecision: SimulatedReason {
    static let samples: [LocationDecision] = everyKind(from: .updates(.sample, nil)) { decision in
        let (launch, app) = (LaunchID.sample, LaunchID.sample.app)
        return switch decision {
        case .updates:
            ([decision, .updates(launch, StandardUpdates())], next: .session(launch, true))
        case .session: ([decision, .session(launch, false)], next: .paused(launch, true))
        case .paused: ([decision, .paused(launch, false)], next: .monitoring(launch, true))
        case .monitoring: ([decision, .monitoring(launch, false)], next: .asked(launch, always: true))
        case .asked: ([decision, .asked(launch, always: false)], next: .askedInVain(launch, .deny))
        case .askedInVain:
            (
                [LocationPermission.deny, .whenInUse, .always].map { .askedInVain(launch, $0) },
                next: .permitted(app, .ask)
            )
        case .permitted: (LocationPermission.allCases.map { .permitted(app, $0) }, next: .denied(launch))
        case .denied: ([decision], next: .changed(app, by: nil))
        case .changed: ([decision, .changed(app, by: 0)], next: .held(app, .ending))
        case .held:
            (
                [
                    WakeRefusal.forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh, .notUnlockedSinceStart,
                    .noScenes,
                ]
                .map { .held(app, $0) }, next: .receiverOn(app)
            )
        case .receiverOn: ([decision], next: .receiverOff(app))
        case .receiverOff: ([decision], next: .receiverEnded(app, ""))
        case .receiverEnded: ([decision], next: nil)
        }
    }

    var name: String {
        switch self {
        case .updates(_, let options): options == nil ? "location updates ended" : "location updates begun"
        case .session(_, let isOn): isOn ? "location session begun" : "location session ended"
        case .paused(_, let isPaused): isPaused ? "location updates paused" : "location updates resumed"
        case .monitoring(_, let isWanted): isWanted ? "location changes monitored" : "location changes not monitored"
        case .asked(_, let always): always ? "location asked for, always" : "location asked for, in use"
        case .askedInVain(_, let permission): "location asked for in vain: \(permission.rawValue)"
        case .permitted(_, let permission): "location permitted: \(permission.rawValue)"
        case .denied: "location denied"
        case .changed(_, let distance): distance == nil ? "location known" : "location changed"
        case .held(_, let refusal): "location change held: \(refusal.rawValue)"
        case .receiverOn: "location receiver on"
        case .receiverOff: "location receiver off"
        case .receiverEnded: "location receiver ended"
        }
    }

    var isOwnWake: Bool { if case .changed = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        if case .changed(app, _) = self { reason == .locationMonitoring } else { false }
    }
}
