import LifeCycleModel
import LifeCyclePolicy

/// Actions of the user, and commands to the system.
extension ReferenceModel {
    mutating func user(_ event: DeviceEvent, at now: Nanoseconds) {
        switch event {
        case .appInstalled(let app, let manifest): install(app, manifest)
        case .appUninstalled(let app): uninstall(app)
        case .appOpened(let app): open(app, at: now)
        case .appForceQuit(let app): forceQuit(app)
        case .homePressed:
            if let refusal = refusal(if: [(device.isLocked, .locked), (foregroundApp == nil, .nothingInForeground)]) {
                said.append(.device(.actRefused(.home, refusal)))
            } else {
                goHome(at: now)
            }
        case .appSwitched(let app): switchApp(to: app, at: now)
        case .interruptionBegan(let kind):
            let obstacles: [(Bool, ActRefusal)] = [
                (device.isLocked, .locked), (device.interruption != nil, .interruptedAlready),
                (foregroundApp == nil, .nothingInForeground),
            ]
            if let refusal = refusal(if: obstacles) { return said.append(.device(.actRefused(.interrupt, refusal))) }
            touch(at: now)
            device.interruption = kind
        case .interruptionDismissed:
            if let refusal = refusal(if: [(device.interruption == nil, .nothingInterrupts)]) {
                return said.append(.device(.actRefused(.dismiss, refusal)))
            }
            touch(at: now)
            device.interruption = nil
        case .interruptionAccepted(let app):
            if let refusal = refusal(if: [(device.interruption == nil, .nothingInterrupts)]) {
                return said.append(.device(.actRefused(.accept, refusal)))
            }
            if let app {
                open(app, at: now)
            } else {
                user(.homePressed, at: now)
            }
        case .deviceLocked:
            if let refusal = refusal(if: [(device.isLocked, .locked)]) {
                return said.append(.device(.actRefused(.lock, refusal)))
            }
            lock()
        case .deviceUnlocked:
            if let refusal = refusal(if: [(!device.isLocked, .notLocked)]) {
                return said.append(.device(.actRefused(.unlock, refusal)))
            }
            unlock(at: now)
        case .settingChanged(let setting):
            device.settings = device.settings.changed(by: setting)
            touch(at: now)
        case .backgroundRefreshChanged(let app, let isOn):
            guard let index = index(of: app) else { return said.append(.app(app, .unknown)) }
            apps[index].allowsRefresh = isOn
        case .inputOccurred(let app, let input): deliver(input, to: app, at: now)
        case .clockWasSet: device.clockChanges += 1
        case .clockStepped(let step):
            if !(.zero - policy.significantTimeChange < step && step < policy.significantTimeChange) {
                device.clockChanges += 1
            }
        default: system(event, at: now)
        }
    }

    /// The first reason that applies against a user action; nil if the action is possible.
    private func refusal(if obstacles: [(isSo: Bool, refusal: ActRefusal)]) -> ActRefusal? {
        shutdown != .none ? .shuttingDown : obstacles.first { $0.isSo }?.refusal
    }

    // MARK: Going from app to app

    private mutating func goHome(at now: Nanoseconds) {
        touch(at: now)
        device.interruption = nil
        leaveForeground()
    }

    /// No app is in the foreground any more. An app that was opened again during its end is no longer to come back.
    private mutating func leaveForeground() {
        if let foregroundApp, let index = index(of: foregroundApp) { apps[index].launch?.isOpenedAgain = false }
        foregroundApp = nil
    }

    mutating func open(_ app: AppID, at now: Nanoseconds) {
        guard let index = index(of: app), !apps[index].isToBeRemoved else { return said.append(.app(app, .unknown)) }
        if shutdown != .none { obstacles.append(.shuttingDown) }
        if device.isLocked { obstacles.append(.locked) }
        if lacksScenes(index) { obstacles.append(.noScenes) }
        if !obstacles.isEmpty { return }
        touch(at: now)
        news.append(.opened(app))
        apps[index].isForceQuit = false
        switcher.removeAll { $0 == app }
        switcher.append(app)
        device.interruption = nil
        if foregroundApp != app { leaveForeground() }
        foregroundApp = app
        // In the foreground it needs no time for its pending event.
        if apps[index].launch?.ending == nil { apps[index].launch?.awaitsEvent = false }
        guard let launch = apps[index].launch else { return self.launch(index, for: .user, at: now) }
        if launch.ending != nil {
            apps[index].launch?.isOpenedAgain = true
        } else if launch.isEarly {
            launchPrewarmed(index, for: .user, at: now)
        } else if case .recovering(nil) = launch.stage {
            apps[index].launch?.stage = .recovering(until: now + policy.reconnect)
        }
    }

    private mutating func switchApp(to app: AppID?, at now: Nanoseconds) {
        if let refusal = refusal(if: [(device.isLocked, .locked)]) {
            return said.append(.device(.actRefused(.switchApp, refusal)))
        }
        if let app {
            guard index(of: app) != nil else { return said.append(.app(app, .unknown)) }
            guard switcher.contains(app) else { return said.append(.device(.actRefused(.switchApp, .notInSwitcher))) }
            return open(app, at: now)
        }
        let others = switcher.filter { other in
            other != foregroundApp && !apps.contains { $0.id == other && $0.isToBeRemoved }
        }
        guard let last = others.last else { return said.append(.device(.actRefused(.switchApp, .noOtherApp))) }
        open(last, at: now)
    }

    // MARK: Installing, swiping away

    private mutating func install(_ app: AppID, _ manifest: AppManifest) {
        guard let index = index(of: app) else {
            apps.append(ReferenceApp(id: app, manifest: manifest))
            apps.sort { $0.id < $1.id }
            return
        }
        if apps[index].launch?.isAdopted == true { end(index, .updated) } else { kill(index, .updated) }
        if apps[index].isToBeRemoved { file(index, under: .updated) }
        news.append(.replaced(app))
        apps[index].isToBeRemoved = false
        apps[index].manifest = manifest
    }

    private mutating func uninstall(_ app: AppID) {
        guard let index = index(of: app) else { return said.append(.app(app, .unknown)) }
        apps[index].isToBeRemoved = true
        leftForeground(app)
        if apps[index].launch == nil { return remove(index) }
        apps[index].launch?.isOpenedAgain = false
        kill(index, .uninstalled)
        file(index, under: .uninstalled)
    }

    mutating func remove(_ index: Int) {
        let app = apps[index].id
        switcher.removeAll { $0 == app }
        leftForeground(app)
        apps.remove(at: index)
        news.append(.removed(app))
        done.append(.device(.removeFiles(app)))
    }

    /// The user has sent `app` away, or `app` has ended. The interruption of `app` ends, too, and unlocking does not
    /// bring `app` back.
    mutating func leftForeground(_ app: AppID) {
        if foregroundApp == app {
            foregroundApp = nil
            device.interruption = nil
        }
        if device.frontBeforeLock == app { device.frontBeforeLock = nil }
    }

    private mutating func forceQuit(_ app: AppID) {
        guard let index = index(of: app) else { return said.append(.app(app, .unknown)) }
        apps[index].isForceQuit = true
        apps[index].sessions.discard()
        news.append(.forceQuit(app))
        apps[index].launch?.isOpenedAgain = false
        switcher.removeAll { $0 == app }
        leftForeground(app)
        end(index, .forceQuit)
    }

    // MARK: The lock, events

    /// The foreground app leaves the foreground, and comes back when the screen is unlocked (T09, T10).
    mutating func lock() {
        device.interruption = nil
        device.isLocked = true
        device.frontBeforeLock = foregroundApp
        leaveForeground()
    }

    private mutating func unlock(at now: Nanoseconds) {
        let before = device.frontBeforeLock
        let isFirst = !device.wasUnlockedSinceStart
        device.isLocked = false
        device.wasUnlockedSinceStart = true
        device.frontBeforeLock = nil
        touch(at: now)
        if let before, let index = index(of: before), let launch = apps[index].launch, launch.ending == nil {
            open(before, at: now)
        }
        if isFirst { launchForCalls(at: now) }
    }

    /// Input is delivered to an active app only (K008, K009). An app that has been called to resign, or is about to be,
    /// does not receive it.
    private mutating func deliver(_ input: UserInput, to app: AppID, at now: Nanoseconds) {
        guard let index = index(of: app) else { return said.append(.app(app, .unknown)) }
        let state = apps[index].state
        if let launch = apps[index].launch, !launch.isAdopted, state == .active, isWanted(index), !isInterrupted(index),
            launch.holdsActivity, launch.outstanding?.callback != .willResignActive
        {
            touch(at: now)
            done.append(.launch(launch.id, .send(.input(input))))
        } else {
            said.append(.app(app, .inputDropped(state == .active ? .inactive : state)))
        }
    }
}
