import LifeCycleModel
import LifeCyclePolicy

/// Remote notifications go to apps that have registered; silent ones wake each no more often than the policy says, the
/// newest is what is held back, and none is handed over twice.
struct PushesKeepTheRules: Sendable {
    private var registered: Set<AppID> = []
    private var held: [AppID: RemoteNotification] = [:]
    /// When silent ones woke an app that was not in front, on the wall clock.
    private var wakes: [AppID: [Nanoseconds]] = [:]
    private var inFront: Set<AppID> = []

    init() {}

    init(_ device: Device) {
        for snapshot in device.snapshots {
            let app = snapshot.record.app
            if device.deviceToken(of: app) != nil { registered.insert(app) }
            if snapshot.state.isForeground { inFront.insert(app) }
        }
    }

    mutating func check(
        _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], policy: Policy, wall: Nanoseconds
    ) -> String? {
        defer { inFront = Set(snapshots.filter(\.state.isForeground).map(\.record.app)) }
        // What was before the clock was set is in the future, or long ago, and counts for nothing.
        wakes = wakes.mapValues { $0.filter { $0 <= wall && wall < $0 + policy.silentPushPeriod } }
        for effect in effects {
            switch effect {
            case .store(.push(let record)):
                if record.token == nil { registered.remove(record.app) } else { registered.insert(record.app) }
                held[record.app] = record.held
            case .store(.appRemoved(let app)):
                registered.remove(app)
                held[app] = nil
            case .decided(.push(.held(let app, _, _))):
                guard case .pushArrived(app, let newest) = event else { break }
                if held[app] != newest { return "\(app) has another push held back than the newest" }
            case .decided(.push(.delivered(let app, let notification))):
                if let finding = delivered(notification, to: app, policy, wall) { return finding }
            default: break
            }
        }
        return nil
    }

    private mutating func delivered(
        _ notification: RemoteNotification, to app: AppID, _ policy: Policy, _ wall: Nanoseconds
    ) -> String? {
        if !registered.contains(app) { return "\(app) gets a push, and has not registered" }
        if held[app] == notification { return "\(app) gets a push that is still held back" }
        guard !notification.isForPeople, !inFront.contains(app) else { return nil }
        if !notification.isContentAvailable { return "\(app) is woken by a push that has nothing for it" }
        wakes[app, default: []].append(wall)
        let count = wakes[app]?.count ?? 0
        return count > policy.silentPushes ? "\(app) is woken by \(count) silent pushes" : nil
    }

    /// What apps were in front of the system's restart does not count for what is told after it.
    mutating func systemRestarted() { inFront = [] }
}

extension Effect {
    /// Whether a push is handed to this app.
    func isPush(to app: AppID) -> Bool {
        if case .decided(.push(.delivered(app, _))) = self { true } else { false }
    }
}
