import LifeCycleModel
import LifeCyclePolicy

/// Remote notifications reach only apps that have registered.
/// - Silent pushes wake an app at most as often as the policy says. Only the newest is held, and no push is delivered
///   twice.
/// - A visible push is displayed, or a decision says why not, unless its app is in the foreground.
/// - A Newsstand app is woken once a day.
struct PushesKeepTheRules: Invariant {
    static let name = "pushes keep the rules"

    private var registered: Set<AppID> = []
    /// Apps whose new token is not persisted yet, and could still be lost. An app is registered once its token is
    /// persisted.
    private var unpersisted: Set<AppID> = []
    private var held: [AppID: PushID] = [:]
    /// The pushes that arrived, by the ids that the brain gave them. Below: the newest number, and the ids of the
    /// persisted pushes.
    private var came: [PushID: RemoteNotification] = [:]
    private var newest: Int64 = 0
    private var persisted: Set<PushID> = []
    /// When silent pushes woke each app while it was not in the foreground, on the wall clock.
    private var wakes: [AppID: [Nanoseconds]] = [:]
    private var inForeground: Set<AppID> = []
    /// Newsstand apps that do not declare remote notifications, when each was last woken, and the apps that lift the
    /// limit.
    private var newsstand: Set<AppID> = []
    private var newsstandWakes: [AppID: Nanoseconds] = [:]
    private var lifted: Set<AppID> = []

    init() {}

    init(_ device: Device) {
        for snapshot in device.snapshots {
            let app = snapshot.record.app
            if device.deviceToken(of: app) != nil { registered.insert(app) }
            if snapshot.state.isForeground { inForeground.insert(app) }
        }
        for record in device.remoteNotifications { came[record.id] = record.notification }
        persisted = Set(came.keys)
        newest = came.keys.map(\.number).max() ?? 0
    }

    mutating func check(_ turn: Observation) -> String? {
        let (snapshots, foregroundApp) = (turn.snapshots, turn.foregroundApp)
        let (policy, wall) = (turn.policy, turn.moment.wall)
        newsstand = Set(snapshots.filter { $0.record.manifest.isOfNewsstandAlone }.map(\.record.app))
        let foreground = Set(snapshots.filter(\.state.isForeground).map(\.record.app))
        defer { inForeground = foreground }
        if let finding = name(turn.event, turn.effects, turn.device) { return finding }
        if let finding = checkShown(turn.event, turn.effects, snapshots, foregroundApp: foregroundApp) {
            return finding
        }
        // An app that comes to the foreground receives its held push, which does not count as a wake.
        inForeground.formUnion(foreground)
        if let foregroundApp { inForeground.insert(foregroundApp) }
        // After the clock was set, earlier wakes may be in the future or long ago. They do not count.
        wakes = wakes.mapValues {
            $0.filter { $0 <= wall && wall < $0 + policy.silentPushPeriod - policy.clockTolerance }
        }
        for effect in turn.effects {
            switch effect {
            case .store(.concern(.push(let record))):
                if record.token == nil { registered.remove(record.app) } else { registered.insert(record.app) }
                if record.token == nil { unpersisted.remove(record.app) }
                held[record.app] = record.held
                if record.liftsNewsstandThrottle == true {
                    lifted.insert(record.app)
                } else {
                    lifted.remove(record.app)
                }
            case .store(.appRemoved(let app)):
                registered.remove(app)
                (held[app], newsstandWakes[app]) = (nil, nil)
            case .concern(.notification(.confirmToken(let app))): unpersisted.insert(app)
            case .decided(.concern(.push(.registered(let app, _)))): unpersisted.remove(app)
            case .decided(.concern(.push(.held(let app, _, _)))):
                guard case .concern(.notification(.pushArrived(app, let newest))) = turn.event else { break }
                let isNewest = held[app].map { came[$0] == newest && $0.number == self.newest } ?? false
                if !isNewest { return "\(app) has another push held back than the newest" }
            case .decided(.concern(.push(.delivered(let push)))):
                if let finding = delivered(push, policy, wall) { return finding }
            default: break
            }
        }
        return nil
    }

    /// Checks the ids of pushes. An id is new when its push arrives. It names that push as long as the device has it.
    private mutating func name(_ event: Event, _ effects: [Effect], _ device: Device) -> String? {
        let named = effects.flatMap(\.pushes)
        if case .concern(.notification(.pushArrived(let app, let push))) = event,
            let new = named.filter({ $0.app == app && came[$0] == nil }).max()
        {
            if new.number <= newest { return "push \(new) comes after push \(newest)" }
            newest = new.number
            if came.count > 100 {
                came = came.filter { device.remoteNotification($0.key) != nil || named.contains($0.key) }
            }
            came[new] = push
        }
        for case .store(let record) in effects {
            switch record {
            case .concern(.notification(.remote(let record))): persisted.insert(record.id)
            case .concern(.notification(.remoteRemoved(let id))): persisted.remove(id)
            case .appRemoved(let app): persisted = persisted.filter { $0.app != app }
            default: break
            }
        }
        return named.first { came[$0] == nil }.map { "push \($0) has not come" }
    }

    /// Checks that a visible push is displayed or that a decision says why not. A foreground app receives it instead.
    private func checkShown(
        _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], foregroundApp: AppID?
    ) -> String? {
        guard case .concern(.notification(.pushArrived(let app, let push))) = event, push.isVisible,
            registered.contains(app), !unpersisted.contains(app),
            let snapshot = snapshots.first(where: { $0.record.app == app }), !snapshot.isBeingUninstalled
        else { return nil }
        if foregroundApp == app, snapshot.launch != nil, !snapshot.isEnding {
            let isShown = effects.contains { effect in
                guard case .store(.concern(.notification(.delivered(let record)))) = effect else { return false }
                return record.push.map { came[$0] == push } ?? false && record.stage == .shown
            }
            return isShown ? "a push for \(app) is shown, although it is in the foreground" : nil
        }
        let isExplained = effects.contains { effect in
            switch effect {
            case .decided(.concern(.notification(.shown(let id, _)))),
                .decided(.concern(.notification(.notShown(let id, _)))),
                .concern(.notification(.examineSound(let id, _))):
                id.app == app
            default: false
            }
        }
        return isExplained ? nil : "a push for \(app) is not shown, and it is not said why"
    }

    private mutating func delivered(
        _ push: PushID, _ policy: Policy, _ wall: Nanoseconds
    ) -> String? {
        let app = push.app
        guard let notification = came[push] else { return "push \(push) has not come" }
        if !registered.contains(app) { return "\(app) gets a push, and has not registered" }
        if held[app] == push { return "\(app) gets a push that is still held back" }
        // A push also does not wake an app that the user has just opened and that is on its way to the foreground
        //
        if newsstand.contains(app), !inForeground.contains(app) {
            let last = newsstandWakes.updateValue(wall, forKey: app)
            guard let last, last <= wall, !(policy.liftsNewsstandThrottle && lifted.contains(app)) else { return nil }
            return wall < last + policy.newsstandPeriod - policy.clockTolerance
                ? "\(app) is woken for Newsstand \(wall - last) after the last time" : nil
        }
        guard !notification.isVisible, !inForeground.contains(app) else { return nil }
        if !notification.isContentAvailable { return "\(app) is woken by a push that has nothing for it" }
        wakes[app, default: []].append(wall)
        let count = wakes[app]?.count ?? 0
        return count > policy.silentPushes ? "\(app) is woken by \(count) silent pushes" : nil
    }

    /// The apps that were in the foreground before a restart do not count after it.
    mutating func systemRestarted() {
        (inForeground, unpersisted) = ([], [])
        // Numbers continue after the newest persisted id.
        came = came.filter { persisted.contains($0.key) }
        newest = came.keys.map(\.number).max() ?? 0
    }
}

extension AppManifest {
    /// Whether pushes wake the app only for Newsstand downloads.
    fileprivate var isOfNewsstandAlone: Bool {
        backgroundModes.contains(.newsstandContent) && !backgroundModes.contains(.remoteNotification)
    }
}

extension Effect {
    /// Whether the effect delivers a push to this app.
    func isPush(to app: AppID) -> Bool {
        if case .decided(.concern(.push(.delivered(let push)))) = self { push.app == app } else { false }
    }

    /// The ids of remote notifications in the effect.
    fileprivate var pushes: [PushID] {
        switch self {
        case .decided(.concern(.push(.delivered(let push)))),
            .launch(_, .send(.callback(_, .concern(.notification(.receivedRemote(.of(let push))))))),
            .launch(_, .send(.concern(.notification(.launchedByRemote(.of(let push)))))):
            [push]
        case .store(.concern(.push(let record))): [record.held].compactMap(\.self)
        case .store(.concern(.notification(.delivered(let record)))): [record.push].compactMap(\.self)
        case .store(.concern(.notification(.remote(let record)))): [record.id]
        default: []
        }
    }
}
