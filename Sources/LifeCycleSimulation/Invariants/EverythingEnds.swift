import LifeCycleModel
import LifeCyclePolicy

/// At rest nothing is pending. Every request is done, every callback is acknowledged, every app that had to end has
/// ended, and no deadline is left. The check uses events and effects, not the brain's own account.
struct EverythingEnds: Hashable, Sendable {
    /// Everything that is pending. The order does not matter: the collections are for look-up, and of the remaining
    /// launches the first is reported.
    private var starts: Set<LaunchID> = []
    private var callbacks: [LaunchID: CallbackID] = [:]
    private var freezes: [LaunchID: Int32] = [:]
    private var exits: Set<LaunchID> = []
    private var kills: Set<LaunchID> = []
    private var measurements: [LaunchID: Int] = [:]
    private var removals: Set<AppID> = []
    private var isKeptAwake = false
    private(set) var isShutDown = false

    /// The new system repeats the pending work or drops it. A pending removal of an app remains.
    mutating func systemRestarted() {
        let kept = removals
        self = EverythingEnds()
        removals = kept
    }

    mutating func note(_ event: Event, _ effects: [Effect]) {
        switch event {
        case .process(let launch, .started): starts.remove(launch)
        case .app(let launch, .requested(.acknowledge(let id, _))):
            if callbacks[launch] == id { callbacks[launch] = nil }
        case .app(let launch, .attached(let attachment)):
            if let id = callbacks[launch], attachment.lastCallback >= id { callbacks[launch] = nil }
        case .process(let launch, .froze(let attempt, _)), .process(let launch, .freezeFailed(let attempt, _)):
            if freezes[launch] == attempt { freezes[launch] = nil }
        case .process(let launch, .containerMeasured(_)): measurements[launch]? -= 1
        case .device(.appUninstalled(let app)): removals.insert(app)
        case .device(.appInstalled(let app, _)): removals.remove(app)
        default: break
        }
        for effect in effects { note(effect) }
    }

    private mutating func note(_ effect: Effect) {
        switch effect {
        case .launch(let launch, .start(_)), .launch(let launch, .prewarm): starts.insert(launch)
        case .launch(let launch, .send(.callback(let id, _))): callbacks[launch] = id
        case .launch(let launch, .freeze(let attempt)): freezes[launch] = attempt
        case .launch(let launch, .thaw): freezes[launch] = nil
        case .launch(let launch, .requestExit): exits.insert(launch)
        case .launch(let launch, .measureContainer): measurements[launch, default: 0] += 1
        case .launch(let launch, .kill(_)):
            callbacks[launch] = nil
            freezes[launch] = nil
            kills.insert(launch)
        case .device(.keepAwake(let isKept)): isKeptAwake = isKept
        case .device(.removeFiles(let app)), .decided(.app(let app, .unknown)): removals.remove(app)
        case .device(.finishShutdown): isShutDown = true
        case .decided(.launch(let launch, .ended(_, _))): forget(launch)
        case .launch, .concern, .store, .decided:
            break
        }
    }

    private mutating func forget(_ launch: LaunchID) {
        starts.remove(launch)
        callbacks[launch] = nil
        freezes[launch] = nil
        exits.remove(launch)
        kills.remove(launch)
        measurements[launch] = nil
    }

    /// The first thing that is still pending. No wake lock may be left for finished work. A foreground app may remain.
    func check(_ device: Device) -> String? {
        if let launch = starts.min() { return "\(launch) was to start and has not" }
        if let launch = callbacks.keys.min() { return "\(launch) has not answered its callback" }
        if let launch = freezes.keys.min() { return "\(launch) was to freeze and has not" }
        if let launch = exits.min() { return "\(launch) was asked to exit and is there" }
        if let launch = kills.min() { return "\(launch) was killed and is there" }
        if let launch = measurements.filter({ $0.value > 0 }).keys.min() { return "\(launch) is not measured" }
        if let app = removals.sorted().first(where: { device.snapshot(of: $0) != nil }) {
            return "\(app) was uninstalled and is there"
        }
        if isKeptAwake { return "a wake lock is leaked" }
        if let deadline = device.nextLifeCycleDeadline { return "\(deadline.reason) is still waited for" }
        for app in device.snapshots {
            if let finding = Self.check(app) { return "\(app.record.app) \(finding)" }
        }
        return nil
    }

    private static func check(_ app: AppSnapshot) -> String? {
        if app.isEnding { return "is still to end" }
        if app.isBeingUninstalled { return "is still to be removed" }
        if !app.openTasks.isEmpty, !app.state.isForeground, !app.isKeptRunning {
            return "has tasks open: \(app.openTasks)"
        }
        if app.backgroundTimeUntil != nil { return "has a clock running" }
        let held = app.assertions.filter { assertion in
            switch assertion {
            case .task: !app.state.isForeground && !app.isKeptRunning
            // The app may use its location, play, and have calls for as long as it likes.
            case .foreground, .location, .locationWithIndicator, .audio, .call: false
            default: true
            }
        }
        if !held.isEmpty { return "is held by \(held)" }
        if app.assertions.contains(.foreground), !app.state.isForeground { return "is held as a foreground app" }
        switch app.state {
        case .background: return app.isKeptRunning ? nil : "is in the background, and held by nothing"
        case .notRunning, .inactive, .active, .suspended: return nil
        }
    }
}

extension AppSnapshot {
    /// Whether location updates, sound or a call keep the app running without a time limit.
    var isKeptRunning: Bool {
        assertions.contains { [.location, .locationWithIndicator, .audio, .call].contains($0) }
    }
}
