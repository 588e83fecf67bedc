import LifeCycleModel
import LifeCyclePolicy

/// The system's part: wakes, memory, its start and its end.
extension ReferenceModel {
    mutating func system(_ event: DeviceEvent, at now: Nanoseconds) {
        switch event {
        case .wakeOccurred(let app, let reason, _): wake(app, reason, at: now)
        case .networkChanged(let isConnected): self.isConnected = isConnected
        case .zoneChanged(let name, let rules): zone = (name, rules)
        case .memoryRanLow: warn()
        case .memoryRanShort: makeRoom()
        case .deviceShutdownBegan: if shutdown != .done { killAll(.deviceShutdown, at: now) }
        case .shutdownBegan:
            switch shutdown {
            case .none:
                shutdown = .asked(until: now + policy.shutdown)
                device.interruption = nil
                foregroundApp = nil
                for index in apps.indices { end(index, .shutdown) }
            case .asked: killAll(.shutdown, at: now)
            case .killing, .done: break
            }
        case .deviceStarted: start(at: now)
        default: break
        }
    }

    // MARK: Wakes

    /// All obstacles to a wake for `reason`.
    func obstacles(_ index: Int, _ reason: LaunchReason) -> [WakeRefusal] {
        let app = apps[index]
        var found: [WakeRefusal] = []
        if shutdown != .none { found.append(.shuttingDown) }
        if !reason.isEvent { found.append(.notAWake) }
        if let mode = Self.mode(for: reason), !app.manifest.backgroundModes.contains(mode) {
            found.append(.modeNotDeclared)
        }
        if reason == .backgroundFetch, policy.taskSchedulerEndsFetch, app.manifest.taskIdentifiers != nil {
            found.append(.fetchDisabled)
        }
        if app.manifest.exitsOnSuspend { found.append(.exitsOnSuspend) }
        if app.isForceQuit, policy.forceQuitBarsWakes, isBarredByForceQuit(reason) { found.append(.forceQuit) }
        if device.settings.hasPasscode, !device.wasUnlockedSinceStart { found.append(.notUnlockedSinceStart) }
        let isOpportunity = [.locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand].contains(reason)
        if isOpportunity, facts(for: index).backgroundRefresh != .available { found.append(.backgroundRefresh) }
        if app.launch?.ending != nil { found.append(.ending) }
        if lacksScenes(index) { found.append(.noScenes) }
        return found
    }

    /// Whether the policy lets a force-quit bar wakes for this reason, if it bars any.
    private func isBarredByForceQuit(_ reason: LaunchReason) -> Bool {
        switch reason {
        case .locationMonitoring: policy.forceQuitBarsLocation
        case .voipPush: !policy.pushKitOvercomesForceQuit
        default: true
        }
    }

    ///
    private static func mode(for reason: LaunchReason) -> BackgroundMode? {
        switch reason {
        case .locationUpdate: .location
        case .remoteNotification: .remoteNotification
        case .backgroundFetch: .fetch
        case .voip, .voipPush: .voip
        case .externalAccessory: .externalAccessory
        case .bluetoothCentral: .bluetoothCentral
        case .bluetoothPeripheral: .bluetoothPeripheral
        case .newsstand: .newsstandContent
        case .user, .locationMonitoring, .urlSession: nil
        }
    }

    mutating func wake(_ app: AppID, _ reason: LaunchReason, at now: Nanoseconds) {
        guard let index = index(of: app), !apps[index].isToBeRemoved else { return said.append(.app(app, .unknown)) }
        obstacles = obstacles(index, reason)
        guard obstacles.isEmpty else {
            if reason == .voip { refuseVoIPWake(app, obstacles) }
            return
        }
        if reason == .backgroundFetch {
            news.append(.reported(.fetch(.opportunityOffered(app))))
        } else {
            bringToLife(index, for: reason, hasHandler: false, at: now)
        }
    }

    /// Launches the app, or wakes its current launch.
    mutating func bringToLife(_ index: Int, for reason: LaunchReason, hasHandler: Bool, at now: Nanoseconds) {
        guard let launch = apps[index].launch else {
            return self.launch(index, for: reason, hasHandler: hasHandler, at: now)
        }
        if launch.isEarly { return launchPrewarmed(index, for: reason, hasHandler: hasHandler, at: now) }
        said.append(.launch(launch.id, .woken(reason)))
        if launch.isAdopted, launch.stage == .alive {
            // An adopted app does not report when it has handled a wake.
            if launch.phase == .background { apps[index].launch?.adoptedUntil = now + policy.adoptedBackgroundTime }
            return
        }
        // In the background an event without a handler grants time, whether the app already ran or not.
        if !hasHandler, !isWanted(index) { apps[index].launch?.awaitsEvent = true }
        guard launch.isSuspendedOrAboutToBe else { return }
        if policy.wakeCallsDidEnterBackground { apps[index].launch?.isDidEnterBackgroundPending = true }
        if case .recovering(nil) = launch.stage {
            apps[index].launch?.stage = .recovering(until: now + policy.reconnect)
        }
    }

    /// T27: launches the VoIP apps.
    mutating func launchForCalls(at now: Nanoseconds) {
        guard policy.launchesVoIPAtStart else { return }
        for index in apps.indices where apps[index].manifest.backgroundModes.contains(.voip) {
            guard apps[index].launch.map({ $0.isEarly && $0.ending == nil }) ?? true else { continue }
            let obstacles = obstacles(index, .voip)
            if obstacles.isEmpty {
                bringToLife(index, for: .voip, hasHandler: false, at: now)
            } else {
                refuseVoIPWake(apps[index].id, obstacles)
            }
        }
    }

    // MARK: Memory

    /// T14, T25.
    private mutating func warn() {
        for index in apps.indices {
            guard let launch = apps[index].launch, launch.stage == .alive, !launch.isAdopted, launch.ending == nil,
                !launch.isSuspendedOrAboutToBe
            else { continue }
            said.append(.launch(launch.id, .memoryWarning))
            let isReclaimed = launch.isSceneConnected && launch.phase == .background && !isWanted(index)
            if isReclaimed { said.append(.launch(launch.id, .sceneReclaimed)) }
            apps[index].launch?.isMemoryWarningPending = true
            apps[index].launch?.isDisconnectionPending = isReclaimed
        }
    }

    /// T15: ends the largest suspended app. T16: if no app is suspended, it ends the background app that was used
    /// longest ago.
    private mutating func makeRoom() {
        var largest: (index: Int, size: Int64)?
        for index in apps.indices {
            guard let launch = apps[index].launch, case .frozen(let size) = launch.ice, !launch.isGoing else {
                continue
            }
            if largest.map({ size > $0.size }) ?? true { largest = (index, size) }
        }
        if let largest { return end(largest.index, .memory) }
        let background = apps.indices.filter { index in
            guard let launch = apps[index].launch, launch.stage == .alive, launch.ending == nil else { return false }
            return launch.phase == .background && !isWanted(index) && !launch.isSuspendedOrAboutToBe
        }
        let oldest = background.min { left, right in
            (switcher.firstIndex(of: apps[left].id) ?? -1) < (switcher.firstIndex(of: apps[right].id) ?? -1)
        }
        if let oldest { end(oldest, .memory) } else { warn() }
    }

    // MARK: Start and end

    private mutating func killAll(_ reason: TerminationReason, at now: Nanoseconds) {
        shutdown = .killing(until: now + policy.shutdownGrace)
        for index in apps.indices { kill(index, reason) }
    }

    /// The device was started, T27, T28.
    private mutating func start(at now: Nanoseconds) {
        for index in apps.indices { apps[index].isForceQuit = false }
        device.isLocked = device.settings.hasPasscode
        device.wasUnlockedSinceStart = !device.settings.hasPasscode
        device.frontBeforeLock = nil
        device.interruption = nil
        news.append(.deviceStarted)
        if device.wasUnlockedSinceStart { launchForCalls(at: now) }
        guard policy.prewarms, shutdown == .none else { return }
        let likely = switcher.last { app in
            guard let index = index(of: app) else { return false }
            return apps[index].launch == nil && !apps[index].manifest.isAdopted && !lacksScenes(index)
        }
        if let likely, let index = index(of: likely) { prewarm(index, at: now) }
    }
}
