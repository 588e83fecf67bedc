import LifeCycleModel
import LifeCyclePolicy

/// A wake runs an app if and only if its manifest, the user and the system allow it. Only a wake or the user makes an
/// app run.
struct WakesFollowTheRules: Sendable {
    /// For look-up only, so the order does not matter.
    private var manifests: [AppID: AppManifest] = [:]
    private var forceQuit: Set<AppID> = []
    private var ending: Set<LaunchID> = []
    private var alive: [AppID: LaunchID] = [:]
    private var prewarmed: Set<LaunchID> = []
    private var isShuttingDown = false
    private var taskSchedulerEndsFetch = true
    private var (forceQuitBarsWakes, forceQuitBarsLocation) = (true, false)
    private var pushKitOvercomesForceQuit = true
    /// The device's settings after the events so far.
    private var settings = DeviceSettings()
    private var wasUnlocked = true
    private var unrefreshed: Set<AppID> = []
    /// The sessions of Newsstand downloads, whose wakes need their mode.
    private(set) var newsstand: Set<TransferSessionID> = []
    /// Apps for which VoIP pushes may wait. They are launched for that, some only after their present launch.
    private var awaited: Set<AppID> = []

    /// A prewarmed launch has no record.
    mutating func systemRestarted() {
        alive = alive.filter { !prewarmed.contains($0.value) }
        ending.subtract(prewarmed)
        prewarmed = []
        awaited = []
    }

    /// For a device that has no apps yet.
    init() {}

    /// For the device at the start of a journal.
    init(_ device: Device) {
        settings = device.record.settings
        newsstand = Set(device.sessionRecords.filter { $0.identifier == .newsstand }.map(\.id))
        wasUnlocked = device.record.wasUnlockedSinceStart
        for app in device.snapshots {
            manifests[app.record.app] = app.record.manifest
            if app.record.isForceQuit { forceQuit.insert(app.record.app) }
            if !app.record.allowsBackgroundRefresh { unrefreshed.insert(app.record.app) }
            alive[app.record.app] = app.launch
            if let launch = app.launch, app.isEnding { ending.insert(launch) }
        }
    }

    mutating func check(_ event: Event, _ effects: [Effect], policy: Policy) -> String? {
        note(event, effects)
        let scenes = policy.scenes
        taskSchedulerEndsFetch = policy.taskSchedulerEndsFetch
        (forceQuitBarsWakes, forceQuitBarsLocation) = (policy.forceQuitBarsWakes, policy.forceQuitBarsLocation)
        pushKitOvercomesForceQuit = policy.pushKitOvercomesForceQuit
        if let finding = checkSessions(effects, scenes) ?? checkFetches(effects, scenes)
            ?? checkPushes(effects, scenes) ?? checkVoIPPushes(effects, scenes) ?? checkSockets(effects, scenes)
        {
            return finding
        }
        if case .device(.wakeOccurred(let app, let reason, _)) = event {
            if let manifest = manifests[app] {
                if let finding = check(app, reason, manifest, effects, scenes) { return finding }
            } else if !Self.isAlone(.app(app, .unknown), in: effects) {
                return "\(app) is not installed, and is woken"
            }
        }
        for effect in effects {
            switch effect {
            case .launch(let launch, .prewarm):
                alive[launch.app] = launch
                prewarmed.insert(launch)
            case .decided(.launch(let launch, .launched(_))): prewarmed.remove(launch)
            case .launch(let launch, .start(let reason)):
                alive[launch.app] = launch
                if reason == .user { continue }
                let isAwaited = reason == .voipPush && awaited.contains(launch.app)
                guard isAwaited || Self.isCause(event, of: launch, reason) || isOfItself(launch.app, reason, effects)
                else {
                    return "\(launch) is launched for \(reason), which did not occur"
                }
            case .decided(.launch(let launch, .terminating(_, _))): ending.insert(launch)
            default: break
            }
        }
        return nil
    }

    /// Whether the decision is the event's only effect, apart from effects on transfers and on apps that are woken for
    /// them. The passage of time causes those effects.
    private static func isAlone(_ decision: Decision, in effects: [Effect]) -> Bool {
        if effects.contains(where: \.isOwnWake) { return true }
        guard let index = effects.firstIndex(of: .decided(decision)) else { return false }
        var others = effects
        others.remove(at: index)
        return others.allSatisfy { $0.isOfTransfers || isRefusalOverTime($0) }
    }

    /// Whether an app was refused a wake for a finished session or its keep-alive handler. The passage of time causes
    /// that.
    private static func isRefusalOverTime(_ effect: Effect) -> Bool {
        guard case .decided(.app(_, .wakeRefused(let reason, _))) = effect else { return false }
        return [.urlSession, .newsstand, .voip].contains(reason)
    }

    /// Whether the system itself decided to wake the app for this reason.
    private func isOfItself(_ app: AppID, _ reason: LaunchReason, _ effects: [Effect]) -> Bool {
        effects.contains {
            if case .decided(.concern(let decision)) = $0 {
                decision.simulated.wakes(app, for: reason, by: self)
            } else {
                false
            }
        }
    }

    /// A fetch follows all rules of a wake.
    private func checkFetches(_ effects: [Effect], _ scenes: SceneRequirement) -> String? {
        for case .decided(.concern(.fetch(.offered(let app, _)))) in effects {
            guard let manifest = manifests[app] else { return "\(app) is not installed, and is to fetch" }
            var obstacles = obstacles(app, .backgroundFetch, manifest)
            if scenes == .required, !manifest.usesScenes { obstacles.append(.noScenes) }
            if manifest.isAdopted { return "\(app) is adopted, and knows no fetches" }
            if let obstacle = obstacles.first { return "\(app) is to fetch in spite of \(obstacle)" }
        }
        return nil
    }

    /// The reason for which a push may wake an app. If a Newsstand app does not declare pushes, the push wakes it for a
    /// download.
    func pushReason(_ app: AppID) -> LaunchReason {
        let modes = manifests[app]?.backgroundModes ?? []
        return !modes.contains(.remoteNotification) && modes.contains(.newsstandContent)
            ? .newsstand : .remoteNotification
    }

    /// A launch for a remote notification follows all rules of a wake.
    private func checkPushes(_ effects: [Effect], _ scenes: SceneRequirement) -> String? {
        for case .launch(let launch, .start(let reason)) in effects where reason == pushReason(launch.app) {
            guard effects.contains(where: { $0.isPush(to: launch.app) }) else { continue }
            guard let manifest = manifests[launch.app] else { return "\(launch.app) is not installed, and is woken" }
            var obstacles = obstacles(launch.app, reason, manifest)
            if scenes == .required, !manifest.usesScenes { obstacles.append(.noScenes) }
            if let obstacle = obstacles.first { return "\(launch.app) is woken by a push in spite of \(obstacle)" }
        }
        return nil
    }

    /// A VoIP push launches and wakes an app by all rules of a wake.
    private func checkVoIPPushes(_ effects: [Effect], _ scenes: SceneRequirement) -> String? {
        for case .decided(.launch(let launch, let decision)) in effects
        where decision == .launched(.voipPush) || decision == .woken(.voipPush) {
            guard let manifest = manifests[launch.app] else { return "\(launch.app) is not installed, and is woken" }
            var obstacles = obstacles(launch.app, .voipPush, manifest).filter { $0 != .notAWake }
            if scenes == .required, !manifest.usesScenes, !manifest.isAdopted { obstacles.append(.noScenes) }
            if let obstacle = obstacles.first { return "\(launch.app) is woken by a VoIP push in spite of \(obstacle)" }
        }
        return nil
    }

    /// The call of a keep-alive handler, and a launch after an end, follow all rules of a wake.
    private func checkSockets(_ effects: [Effect], _ scenes: SceneRequirement) -> String? {
        for case .decided(.concern(.socket(let decision))) in effects {
            switch decision {
            case .keepAliveDue, .launchedAgain: break
            case .kept, .notKept, .dropped, .readable, .keepAliveSet, .endedTooOften: continue
            }
            let app = decision.app
            guard let manifest = manifests[app] else { return "\(app) is not installed, and is to run" }
            var obstacles = obstacles(app, .voip, manifest)
            if scenes == .required, !manifest.usesScenes, !manifest.isAdopted { obstacles.append(.noScenes) }
            if let obstacle = obstacles.first { return "\(app) is to run in spite of \(obstacle)" }
        }
        return nil
    }

    /// A wake for a background session needs no mode, except in Newsstand, and follows all other rules (R-56, R-60,
    ///
    private func checkSessions(_ effects: [Effect], _ scenes: SceneRequirement) -> String? {
        for case .decided(.concern(.transfer(.sessionWakes(let id)))) in effects {
            guard let manifest = manifests[id.app] else { return "\(id.app) is not installed, and is woken" }
            let reason: LaunchReason = newsstand.contains(id) ? .newsstand : .urlSession
            var obstacles = obstacles(id.app, reason, manifest).filter { $0 != .notAWake }
            if scenes == .required, !manifest.usesScenes { obstacles.append(.noScenes) }
            if !settings.backgroundRefresh || unrefreshed.contains(id.app) { obstacles.append(.backgroundRefresh) }
            if manifest.isAdopted { return "\(id.app) is adopted, and has no sessions" }
            if let obstacle = obstacles.first { return "\(id.app) is woken for \(id) in spite of \(obstacle)" }
        }
        return nil
    }

    /// Whether the event causes the launch. A VoIP app is launched at the device's start, or at the first unlock after
    /// it (T27, R-124).
    private static func isCause(_ event: Event, of launch: LaunchID, _ reason: LaunchReason) -> Bool {
        switch event {
        case .device(.wakeOccurred(launch.app, reason, _)): true
        case .device(.deviceStarted), .device(.deviceUnlocked): reason == .voip
        default: false
        }
    }

    private mutating func note(_ event: Event, _ effects: [Effect]) {
        for case .decided(.device(.unlocked)) in effects { wasUnlocked = true }
        for case .store(.concern(.transfer(.session(let record)))) in effects where record.identifier == .newsstand {
            newsstand.insert(record.id)
        }
        for case .decided(.concern(.voip(let decision))) in effects {
            switch decision {
            case .waits(let app): awaited.insert(app)
            case .delivered, .dropped(_, .notRegistered), .dropped(_, .noRegistry): awaited.remove(decision.app)
            default: break
            }
        }
        // An app that is installed again before its last process has ended keeps its settings.
        for case .device(.removeFiles(let app)) in effects { unrefreshed.remove(app) }
        for case .decided(.app(let app, .wakeRefused(.user, _))) in effects where event == .device(.appOpened(app)) {
            return
        }
        // An app that is being removed is not opened either.
        for case .decided(.app(let app, .unknown)) in effects where event == .device(.appOpened(app)) { return }
        for case .decided(.concern(.notification(.answered(let id, .tapped)))) in effects { forceQuit.remove(id.app) }
        switch event {
        case .device(.settingChanged(let setting)): settings = settings.changed(by: setting)
        case .device(.backgroundRefreshChanged(let app, let isOn)):
            if isOn { unrefreshed.remove(app) } else { unrefreshed.insert(app) }
        case .device(.deviceStarted):
            // The ends of all earlier launches were reported before. Some apps may have been launched again since.
            forceQuit = []
            wasUnlocked = !settings.hasPasscode
        case .device(.interruptionAccepted(let app?)):
            let isRefused = effects.contains {
                switch $0 {
                case .decided(.device(.actRefused)), .decided(.app(_, .wakeRefused(.user, _))): true
                default: false
                }
            }
            if !isRefused { forceQuit.remove(app) }
        case .device(.deviceShutdownBegan): isShuttingDown = true
        case .device(.appInstalled(let app, let manifest)): manifests[app] = manifest
        case .device(.appUninstalled(let app)):
            manifests[app] = nil
        case .device(.appForceQuit(let app)): forceQuit.insert(app)
        case .device(.appOpened(let app)): forceQuit.remove(app)
        case .device(.shutdownBegan): isShuttingDown = true
        case .process(let launch, .exited(_)), .process(let launch, .startFailed(_)), .process(let launch, .cutOff):
            ending.remove(launch)
            if alive[launch.app] == launch { alive[launch.app] = nil }
        default: break
        }
    }

    private func check(
        _ app: AppID, _ reason: LaunchReason, _ manifest: AppManifest, _ effects: [Effect],
        _ scenes: SceneRequirement
    ) -> String? {
        var obstacles = obstacles(app, reason, manifest)
        if scenes == .required, !manifest.usesScenes, !manifest.isAdopted { obstacles.append(.noScenes) }
        for case .decided(.app(app, .wakeRefused(reason, let refusal))) in effects {
            if !obstacles.contains(refusal) { return "\(app) is not woken for \(reason) because of \(refusal)" }
            let isAlone = Self.isAlone(.app(app, .wakeRefused(reason, refusal)), in: effects)
            return isAlone ? nil : "\(app) is refused a wake, and more is done: \(effects)"
        }
        if let obstacle = obstacles.first { return "\(app) is woken for \(reason) in spite of \(obstacle)" }
        let isAnswered = effects.contains { effect in
            switch effect {
            case .launch(let launch, .start(reason)): launch.app == app && alive[app] == nil
            case .decided(.launch(let launch, .woken(reason))), .decided(.launch(let launch, .launched(reason))):
                launch.app == app && alive[app] == launch
            default: false
            }
        }
        return isAnswered ? nil : "\(app) is neither launched nor woken for \(reason)"
    }

    private func obstacles(_ app: AppID, _ reason: LaunchReason, _ manifest: AppManifest) -> [WakeRefusal] {
        var found: [WakeRefusal] = []
        if !reason.isEvent { found.append(.notAWake) }
        if let mode = reason.requiredMode, !manifest.backgroundModes.contains(mode) {
            found.append(.modeNotDeclared)
        }
        if reason == .backgroundFetch, taskSchedulerEndsFetch, manifest.taskIdentifiers != nil {
            found.append(.fetchDisabled)
        }
        if manifest.exitsOnSuspend { found.append(.exitsOnSuspend) }
        let isBarred =
            switch reason {
            case .locationMonitoring: forceQuitBarsLocation
            case .voipPush: !pushKitOvercomesForceQuit
            default: true
            }
        if forceQuit.contains(app), forceQuitBarsWakes && isBarred || reason == .urlSession { found.append(.forceQuit) }
        if ending.contains(where: { $0.app == app }) { found.append(.ending) }
        if settings.hasPasscode, !wasUnlocked { found.append(.notUnlockedSinceStart) }
        let isRefresh = [.locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand].contains(reason)
        if isRefresh, !settings.backgroundRefresh || unrefreshed.contains(app) { found.append(.backgroundRefresh) }
        if isShuttingDown { found.append(.shuttingDown) }
        return found
    }
}
