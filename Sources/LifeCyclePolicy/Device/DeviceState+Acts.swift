import LifeCycleModel

/// Actions of the user, and their effects on the foreground app.
extension DeviceState {
    mutating func act(_ event: DeviceEvent, at now: Nanoseconds, into effects: inout [Effect]) {
        switch event {
        case .appInstalled(let app, let manifest): install(app, manifest, at: now, into: &effects)
        case .appUninstalled(let app): uninstall(app, at: now, into: &effects)
        case .appOpened(let app): open(app, at: now, into: &effects)
        case .appForceQuit(let app): forceQuit(app, at: now, into: &effects)
        case .wakeOccurred(let app, let reason, let identifiers):
            wake(app, reason, restoring: identifiers, at: now, into: &effects)
        case .memoryRanLow: warnOfMemory(at: now, into: &effects)
        case .memoryRanShort: makeRoom(at: now, into: &effects)
        case .homePressed: goHome(at: now, into: &effects)
        case .appSwitched(let app): switchApp(to: app, at: now, into: &effects)
        case .interruptionBegan(let kind): interrupt(kind, at: now, into: &effects)
        case .interruptionDismissed: dismiss(at: now, into: &effects)
        case .interruptionAccepted(let app): accept(opening: app, at: now, into: &effects)
        case .deviceLocked: pressLock(at: now, into: &effects)
        case .deviceUnlocked: unlock(at: now, into: &effects)
        case .settingChanged(let setting): change(setting, at: now, into: &effects)
        case .backgroundRefreshChanged(let app, let isOn): changeRefresh(of: app, isOn, at: now, into: &effects)
        case .inputOccurred(let app, let input): deliver(input, to: app, at: now, into: &effects)
        case .clockWasSet: timeChanged(at: now, into: &effects)
        case .clockStepped(let step):
            if step.rawValue.magnitude >= policy.significantTimeChange.rawValue { timeChanged(at: now, into: &effects) }
        case .zoneChanged(let name, let rules):
            let zone = DeviceSurroundings.LocalZone(name: name, rules: rules)
            guard surroundings.zone != zone else { return }
            surroundings.zone = zone
            tell(.zoneChanged, after: effects)
            effects.append(.decided(.device(.zoneChanged(name))))
        case .networkChanged(let isConnected): surroundings.isConnected = isConnected
        case .deviceStarted: start(at: now, into: &effects)
        case .deviceShutdownBegan:
            if shutdown != .done { killForShutdown(.deviceShutdown, at: now, into: &effects) }
        case .shutdownBegan: beginShutdown(at: now, into: &effects)
        }
    }

    private mutating func timeChanged(at now: Nanoseconds, into effects: inout [Effect]) {
        surroundings.clockChanges += 1
        deviceChanged(at: now, into: &effects)
    }

    private mutating func change(_ setting: DeviceSetting, at now: Nanoseconds, into effects: inout [Effect]) {
        surroundings.settings = surroundings.settings.changed(by: setting)
        lock.touched(surroundings.settings, at: now)
        effects.append(.decided(.device(.settingChanged(setting))))
        deviceChanged(at: now, into: &effects)
    }

    private func actRefusal(isPossible: Bool, else refusal: ActRefusal) -> ActRefusal? {
        if shutdown != .none { return .shuttingDown }
        return isPossible ? nil : refusal
    }

    // MARK: Home and the switcher

    private mutating func goHome(at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: !lock.isLocked, else: .locked)
            ?? actRefusal(isPossible: foreground.app != nil, else: .nothingInForeground)
        {
            return effects.append(.decided(.device(.actRefused(.home, refusal))))
        }
        lock.touched(surroundings.settings, at: now)
        endInterruption(isAccepted: true, into: &effects)
        leave(foreground.bring(nil), at: now, into: &effects)
    }

    private mutating func switchApp(to app: AppID?, at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: !lock.isLocked, else: .locked) {
            return effects.append(.decided(.device(.actRefused(.switchApp, refusal))))
        }
        if let app {
            guard let slot = slot(of: app) else { return effects.append(.decided(.app(app, .unknown))) }
            guard apps[slot].record.switcherPlace > 0 else {
                return effects.append(.decided(.device(.actRefused(.switchApp, .notInSwitcher))))
            }
            return open(app, at: now, into: &effects)
        }
        let others = apps.filter {
            $0.record.app != foreground.app && $0.record.switcherPlace > 0 && !$0.isBeingUninstalled
        }
        guard let last = others.max(by: { $0.record.switcherPlace < $1.record.switcherPlace }) else {
            return effects.append(.decided(.device(.actRefused(.switchApp, .noOtherApp))))
        }
        open(last.record.app, at: now, into: &effects)
    }

    // MARK: Interruptions

    private mutating func interrupt(_ kind: Interruption, at now: Nanoseconds, into effects: inout [Effect]) {
        let refusal =
            actRefusal(isPossible: !lock.isLocked, else: .locked)
            ?? actRefusal(isPossible: foreground.interruption == nil, else: .interruptedAlready)
            ?? actRefusal(isPossible: foreground.app != nil, else: .nothingInForeground)
        guard refusal == nil, let foregroundApp = foreground.app, let slot = slot(of: foregroundApp) else {
            return effects.append(.decided(.device(.actRefused(.interrupt, refusal ?? .nothingInForeground))))
        }
        interrupt(slot, kind, at: now, into: &effects)
    }

    /// Interrupts the foreground app, if there is one and nothing interrupts it.
    mutating func beginInterruption(_ kind: Interruption, at now: Nanoseconds, into effects: inout [Effect]) {
        guard isInterruptible, let app = foreground.app, let slot = slot(of: app) else { return }
        interrupt(slot, kind, at: now, into: &effects)
    }

    private mutating func interrupt(
        _ slot: Int, _ kind: Interruption, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        lock.touched(surroundings.settings, at: now)
        foreground.interruption = kind
        effects.append(.store(.device(record)))
        if let launch = apps[slot].lifeCycle.launch { effects.append(.decided(.launch(launch, .interrupted(kind)))) }
        var signals: [Signal] = []
        apps[slot].lifeCycle.interrupted(true, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    private mutating func dismiss(at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: foreground.interruption != nil, else: .nothingInterrupts) {
            return effects.append(.decided(.device(.actRefused(.dismiss, refusal))))
        }
        dismissInterruption(at: now, into: &effects)
    }

    /// Ends the interruption of the foreground app, which becomes active again.
    mutating func dismissInterruption(at now: Nanoseconds, into effects: inout [Effect]) {
        lock.touched(surroundings.settings, at: now)
        endInterruption(isAccepted: false, into: &effects)
        guard let foregroundApp = foreground.app, let slot = slot(of: foregroundApp) else { return }
        var signals: [Signal] = []
        apps[slot].lifeCycle.interrupted(false, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    private mutating func accept(opening app: AppID?, at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: foreground.interruption != nil, else: .nothingInterrupts) {
            return effects.append(.decided(.device(.actRefused(.accept, refusal))))
        }
        if let app { open(app, at: now, into: &effects) } else { goHome(at: now, into: &effects) }
    }

    /// Ends the interruption of the foreground app. The caller decides what the foreground app does next.
    mutating func endInterruption(isAccepted: Bool, into effects: inout [Effect]) {
        guard let interruption = foreground.interruption else { return }
        foreground.interruption = nil
        effects.append(.store(.device(record)))
        guard let foregroundApp = foreground.app, let slot = slot(of: foregroundApp) else { return }
        if let launch = apps[slot].lifeCycle.launch {
            effects.append(.decided(.launch(launch, .interruptionEnded(interruption, isAccepted: isAccepted))))
        }
        var signals: [Signal] = []
        apps[slot].lifeCycle.interrupted(false, isLeaving: true, into: &signals)
    }

    /// `app` has ended, or was sent away. If it was in the foreground, its interruption ends.
    mutating func leftFront(_ app: AppID, into effects: inout [Effect]) {
        if foreground.app == app { endInterruption(isAccepted: false, into: &effects) }
        foreground.left(app)
        if lock.left(app) { effects.append(.store(.device(record))) }
    }

    // MARK: The lock

    /// The time at which the device locks itself; nil without auto-lock, or if the foreground app prevents it (T09).
    @inline(__always) var autoLockAt: Nanoseconds? {
        guard surroundings.settings.autoLock != nil, shutdown == .none,
            let at = lock.autoLockAt(surroundings.settings), !isKeptUnlocked
        else { return nil }
        return at
    }

    /// Whether the foreground app prevents auto-lock. When it stops doing so, by a request or because it left or ended,
    /// the auto-lock time starts again.
    @inline(__always) var isKeptUnlocked: Bool {
        guard lock.autoLockAt(surroundings.settings) != nil, let foregroundApp = foreground.app,
            let slot = slot(of: foregroundApp)
        else { return false }
        return apps[slot].lifeCycle.isIdleTimerDisabled
    }

    private mutating func pressLock(at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: !lock.isLocked, else: .locked) {
            return effects.append(.decided(.device(.actRefused(.lock, refusal))))
        }
        lockDevice(isAutomatic: false, at: now, into: &effects)
    }

    mutating func lockDevice(isAutomatic: Bool, at now: Nanoseconds, into effects: inout [Effect]) {
        endInterruption(isAccepted: false, into: &effects)
        lock.locked(foregroundApp: foreground.app)
        effects.append(.store(.device(record)))
        effects.append(.decided(.device(.locked(isAutomatic: isAutomatic))))
        // The foreground app leaves first. It still runs when it is notified that its protected data becomes
        // unavailable.
        leave(foreground.bring(nil), at: now, into: &effects)
        deviceChanged(at: now, into: &effects, isStored: true)
    }

    private mutating func unlock(at now: Nanoseconds, into effects: inout [Effect]) {
        if let refusal = actRefusal(isPossible: lock.isLocked, else: .notLocked) {
            return effects.append(.decided(.device(.actRefused(.unlock, refusal))))
        }
        let (foregroundApp, isFirst) = lock.unlocked()
        lock.touched(surroundings.settings, at: now)
        effects.append(.store(.device(record)))
        effects.append(.decided(.device(.unlocked)))
        deviceChanged(at: now, into: &effects, isStored: true)
        // The app that was in the foreground returns. If it has ended meanwhile, the home screen shows.
        if let foregroundApp, let slot = slot(of: foregroundApp), apps[slot].lifeCycle.launch != nil,
            !apps[slot].lifeCycle.isEnding
        {
            open(foregroundApp, at: now, into: &effects)
        }
        if isFirst { launchForCalls(at: now, into: &effects) }
    }

    // MARK: Device facts

    private mutating func changeRefresh(
        of app: AppID, _ isOn: Bool, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let slot = slot(of: app) else { return effects.append(.decided(.app(app, .unknown))) }
        effects.append(.decided(.app(app, .backgroundRefreshChanged(isOn))))
        guard apps[slot].record.allowsBackgroundRefresh != isOn else { return }
        apps[slot].record.allowsBackgroundRefresh = isOn
        effects.append(.store(.app(apps[slot].record)))
        tellChange(slot, at: now, into: &effects)
    }

    private mutating func deviceChanged(
        at now: Nanoseconds, into effects: inout [Effect], isStored: Bool = false
    ) {
        if !isStored { effects.append(.store(.device(record))) }
        for slot in apps.indices where apps[slot].lifeCycle.isLive { tellChange(slot, at: now, into: &effects) }
    }

    private mutating func tellChange(_ slot: Int, at now: Nanoseconds, into effects: inout [Effect]) {
        var signals: [Signal] = []
        apps[slot].lifeCycle.deviceChanged(
            facts(for: apps[slot].record), isSuspended: apps[slot].suspension.isSuspendedOrAboutToBe,
            into: &signals)
        // Without a signal, only the news changed that the app receives when it next runs.
        if signals.isEmpty { return }
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    /// The device facts that `app` may know.
    func facts(for app: AppRecord) -> DeviceFacts {
        let settings = surroundings.settings
        var facts = DeviceFacts()
        facts.isProtectedDataAvailable = !(lock.isLocked && settings.hasPasscode)
        facts.backgroundRefresh = LaunchRules.allowsRefresh(app, settings) ? .available : .denied
        facts.isLowPowerModeEnabled = settings.lowPowerMode
        facts.power = settings.power
        facts.batteryLevel = settings.batteryLevel
        facts.clockChanges = surroundings.clockChanges
        return facts
    }

    /// Sends the device facts to an app that has connected, before anything else.
    mutating func tellDevice(_ launch: LaunchID, _ slot: Int, into effects: inout [Effect]) {
        guard !apps[slot].suspension.isSuspendedOrAboutToBe, apps[slot].lifeCycle.isLive else { return }
        let facts = facts(for: apps[slot].record)
        apps[slot].lifeCycle.deviceFactsSent(facts)
        apps[slot].watchdog.deviceFactsSent(facts)
        effects.append(.launch(launch, .send(.device(facts))))
    }

    // MARK: Events

    /// Delivers the user's input to an active app; other apps receive no input (K008, K009).
    private mutating func deliver(
        _ input: UserInput, to app: AppID, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let slot = slot(of: app) else { return effects.append(.decided(.app(app, .unknown))) }
        guard apps[slot].lifeCycle.receivesEvents, let launch = apps[slot].lifeCycle.launch else {
            // An app that still counts as active here was called with the opposite, or is about to be.
            let state = apps[slot].published
            return effects.append(.decided(.app(app, .inputDropped(state == .active ? .inactive : state))))
        }
        lock.touched(surroundings.settings, at: now)
        effects.append(.launch(launch, .send(.input(input))))
    }
}
