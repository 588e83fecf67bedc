import LifeCycleModel
import LifeCyclePolicy

/// The second phase of a history: spontaneous faults stop, and everything pending must end.
extension History {
    /// Without faults and without actions, every app becomes suspended or not running within a bounded time. Every app
    /// can then be opened and woken again.
    mutating func comeToRest() {
        guard world.violation == nil else { return }
        world.areFaultsOn = false
        world.diesNext = false
        // One history in four is shut down at once, with everything still under way.
        if world.random.chance(1, in: 4) { return shutDown() }
        // The device does not lock by itself, and interruptions end.
        world.handle(.device(.settingChanged(.autoLock(nil))))
        heal()
        if world.random.chance(1, in: 2) { restAsItIs() }
        world.handle(.device(.deviceUnlocked))
        world.handle(.device(.interruptionDismissed))
        // The apps are opened in quick succession, before any of them has risen. The user wants the last app that is
        // installed.
        for number in 1...appCount where world.random.chance(1, in: 2) {
            world.handle(.device(.appOpened(AppID(number))))
        }
        world.handle(.device(.appOpened(AppID(1 + Int32(world.random.below(Int(appCount)))))))
        restAsItIs()
        guard world.violation == nil else { return }
        if let finding = NewsIsDelivered.check(world.sentFacts, device: world.device) {
            world.core.fail("changes are delivered", finding)
        }
        // Also finishes the work that waits for the end of Low Power Mode.
        world.handle(.device(.settingChanged(.lowPowerMode(false))))
        world.advance(by: .seconds(3600))
        // Background fetches continue, and an app may start a download in each. Only older downloads have to be done.
        let wanted = world.wantedTransfers
        world.advance(by: .seconds(2 * 3600))
        // An app that is fetching just now gets time to be notified of its downloads, too.
        waitForOwnWakes(.seconds(60), atMost: 20)
        if world.violation == nil { world.checkTransfersAtRest(wanted) }
        goHome()
        for app in world.device.snapshots.map(\.record.app) where world.random.chance(1, in: 2) { tryOut(app) }
        shutDown()
    }

    /// Restores the network and the servers, and gives the device full power. Apps need no regular calls any longer.
    private mutating func heal() {
        world.heal()
        world.endKeepAlive()
        world.handle(.device(.settingChanged(.power(.external))))
        world.handle(.device(.settingChanged(.batteryLevel(100))))
        world.handle(.device(.settingChanged(.lowPowerMode(false))))
        world.handle(.device(.settingChanged(.metered(false))))
        world.handle(.device(.settingChanged(.lowDataMode(false))))
    }

    /// Lets time pass without any action. The foreground app is then active, or inactive if interrupted; a locked
    /// device has no foreground app. Nothing is pending.
    private mutating func restAsItIs() {
        // Apps that want to fetch would do so again and again, except in Low Power Mode.
        world.handle(.device(.settingChanged(.lowPowerMode(true))))
        world.advance(by: .seconds(3600))
        // An app that died during its session events is called again after an hour, which may be just now.
        waitForOwnWakes(.seconds(120), atMost: 10)
        guard world.violation == nil else { return }
        let (foregroundApp, isInterrupted) = (world.core.checked.user.app, world.core.checked.user.isInterrupted)
        if let finding = ForegroundIsHonored.check(
            world.device.snapshots, foregroundApp: foregroundApp, isInterrupted: isInterrupted)
        {
            world.core.fail("the foreground is honored", finding)
        }
        if let foregroundApp, world.device.snapshot(of: foregroundApp)?.launch == nil {
            world.core.fail(
                "the foreground is honored", "\(foregroundApp) was opened, has not ended since, and is not there")
        }
        if let finding = world.core.checked.pending.check(world.device) { world.core.fail("everything ends", finding) }
    }

    /// Waits until no app has been woken or called for a background session for `span`.
    private mutating func waitForOwnWakes(_ span: Nanoseconds, atMost times: Int) {
        for _ in 0..<times {
            guard let last = world.lastOwnWake, world.now.awake - last < span else { break }
            world.advance(by: span)
        }
    }

    private mutating func goHome() {
        world.handle(.device(.homePressed))
        restAsItIs()
        guard world.violation == nil else { return }
        for app in world.device.snapshots
        where app.state != .suspended && app.state != .notRunning && !app.isKeptRunning {
            world.core.fail("liveness", "\(app.record.app) is still \(app.state.name), held by \(app.assertions)")
        }
    }

    /// Checks that an app can come to the foreground and be woken, after everything that other apps have done.
    private mutating func tryOut(_ app: AppID) {
        world.handle(.device(.wakeOccurred(app, .locationMonitoring)))
        restAsItIs()
        world.handle(.device(.appOpened(app)))
        restAsItIs()
        goHome()
    }

    // MARK: The end of it all

    /// Shuts down. The kernel ends the processes that are left when the time is over, a little later.
    private mutating func shutDown() {
        guard world.violation == nil else { return }
        let isDevice = world.random.chance(1, in: 3)
        world.handle(isDevice ? .device(.deviceShutdownBegan) : .device(.shutdownBegan))
        while world.random.chance(3, in: 4) { actDuringShutdown() }
        let policy = world.device.policy
        world.advance(by: isDevice ? policy.shutdownGrace : policy.shutdown + policy.shutdownGrace)
        if world.violation == nil, !world.core.checked.pending.isShutDown {
            world.core.fail("liveness", "the shutdown takes longer than it may")
        }
        world.advance(by: .seconds(60))
        guard world.violation == nil else { return }
        if world.device.snapshots.contains(where: { $0.launch != nil }) {
            world.core.fail("liveness", "the shutdown does not come to an end")
        }
        if let finding = world.core.checked.pending.check(world.device) { world.core.fail("everything ends", finding) }
    }

    /// An action of the user, or another event, during a shutdown of the system or the device.
    private mutating func actDuringShutdown() {
        let app = AppID(1 + Int32(world.random.below(Int(appCount))))
        let choice = pick(CallChoice.allCases)
        world.handle(
            pick([
                .device(.appOpened(app)), .device(.wakeOccurred(app, .locationMonitoring)), .device(.homePressed),
                .device(.appSwitched(nil)),
                .device(.interruptionBegan(.call)),
                .device(.interruptionDismissed), .device(.interruptionAccepted(nil)), .device(.deviceLocked),
                .device(.deviceUnlocked), .device(.appForceQuit(app)),
                .concern(.voip(.chosen(choice))),
                .device(.inputOccurred(app, .touch(x: 1000, y: 1000))),
            ]))
    }
}
