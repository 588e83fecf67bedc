import LifeCycleModel
import LifeCyclePolicy

extension LocationDecision: SimulatedReason {
    static let samples: [LocationDecision] = everyKind(from: .updates(.sample, nil)) { decision in
        let (launch, app) = (LaunchID.sample, LaunchID.sample.app)
        return switch decision {
        case .updates:
            ([decision, .updates(launch, StandardUpdates())], next: .requested(launch, true))
        case .requested: ([decision, .requested(launch, false)], next: .located(launch, isKnown: true))
        case .located: ([decision, .located(launch, isKnown: false)], next: .session(launch, true))
        case .session: ([decision, .session(launch, false)], next: .activity(launch, true))
        case .activity: ([decision, .activity(launch, false)], next: .activityRefused(launch))
        case .activityRefused: ([decision], next: .continued(app))
        case .continued: ([decision], next: .paused(launch, true))
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
                Self.obstacles.map { .held(app, $0) }, next: .regionMonitored(launch, .sample)
            )
        case .regionMonitored: ([decision], next: .regionEnded(launch, ""))
        case .regionEnded: ([decision], next: .regionRefused(launch, ""))
        case .regionRefused: ([decision], next: .crossed(app, "", isInside: true))
        case .crossed: ([decision, .crossed(app, "", isInside: false)], next: .crossingHeld(app, .ending))
        case .crossingHeld: (Self.obstacles.map { .crossingHeld(app, $0) }, next: .receiverOn(app))
        case .receiverOn: ([decision], next: .receiverOff(app))
        case .receiverOff: ([decision], next: .receiverEnded(app, ""))
        case .receiverEnded: ([decision], next: nil)
        }
    }

    private static let obstacles: [WakeRefusal] = [
        .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh, .notUnlockedSinceStart, .noScenes,
    ]

    var name: String {
        switch self {
        case .updates(_, let options): options == nil ? "location updates ended" : "location updates begun"
        case .requested(_, let isWanted): isWanted ? "location requested" : "location request canceled"
        case .located(_, let isKnown): isKnown ? "requested location known" : "requested location unknown"
        case .session(_, let isOn): isOn ? "location session begun" : "location session ended"
        case .activity(_, let isOn): isOn ? "background activity begun" : "background activity ended"
        case .activityRefused: "background activity refused"
        case .continued: "background activity continued"
        case .paused(_, let isPaused): isPaused ? "location updates paused" : "location updates resumed"
        case .monitoring(_, let isWanted): isWanted ? "location changes monitored" : "location changes not monitored"
        case .asked(_, let always): always ? "location asked for, always" : "location asked for, in use"
        case .askedInVain(_, let permission): "location asked for in vain: \(permission.rawValue)"
        case .permitted(_, let permission): "location permitted: \(permission.rawValue)"
        case .denied: "location denied"
        case .changed(_, let distance): distance == nil ? "location known" : "location changed"
        case .held(_, let refusal): "location change held: \(refusal.rawValue)"
        case .regionMonitored: "region monitored"
        case .regionEnded: "region not monitored any longer"
        case .regionRefused: "region refused"
        case .crossed(_, _, let isInside): isInside ? "region entered" : "region left"
        case .crossingHeld(_, let refusal): "region crossing held: \(refusal.rawValue)"
        case .receiverOn: "location receiver on"
        case .receiverOff: "location receiver off"
        case .receiverEnded: "location receiver ended"
        }
    }

    var isOwnWake: Bool {
        switch self {
        case .changed, .crossed, .continued: true
        default: false
        }
    }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        switch self {
        case .changed(app, _), .crossed(app, _, _): reason == .locationMonitoring
        case .continued(app): reason == .locationUpdate
        default: false
        }
    }
}
