import LifeCycleModel
import LifeCyclePolicy

/// The second phase of a history: nothing goes wrong by itself any more, and everything pending has to come to its end.
extension History {
    /// Without faults, and left alone, every app ends suspended or not running within a bounded time; whatever it has come
    /// through, it can be opened and woken again.
    mutating func comeToRest() {
        guard world.violation == nil else { return }
        world.areFaultsOn = false
        world.diesNext = false
        // Or it all ends in the middle of whatever is under way.
        if world.random.chance(1, in: 4) { return shutDown() }
        // The device stays unlocked by itself, and what interrupts the front is over.
        world.handle(.device(.settingChanged(.autoLock(nil))))
        heal()
        if world.random.chance(1, in: 2) { restAsItIs() }
        world.handle(.device(.deviceUnlocked))
        world.handle(.device(.interruptionDismissed))
        // Opened one after the other, before any can have come about: the last one that is installed is what the user
        // wants.
        for number in 1...appCount where world.random.chance(1, in: 2) {
            world.handle(.device(.appOpened(AppID(number))))
        }
        world.handle(.device(.appOpened(AppID(1 + Int32(world.random.below(Int(appCount)))))))
        restAsItIs()
        guard world.violation == nil else { return }
        if let finding = NewsIsTold.check(world.told, device: world.device) { world.core.fail("news is told", finding) }
        // Also what waits for more power than this is done in the end.
        world.handle(.device(.settingChanged(.lowPowerMode(false))))
        world.advance(by: .seconds(3 * 3600))
        // Who is at a fetch just now is given the time to hear of its downloads as well.
        waitForOwnWakes(.seconds(60), atMost: 20)
        if world.violation == nil { world.checkTransfersAtRest() }
        goHome()
        for app in world.device.snapshots.map(\.record.app) where world.random.chance(1, in: 2) { tryOut(app) }
        shutDown()
    }

    /// The network is good, and so are the servers; what takes power has it.
    private mutating func heal() {
        world.heal()
        world.handle(.device(.settingChanged(.power(.external))))
        world.handle(.device(.settingChanged(.batteryLevel(100))))
        world.handle(.device(.settingChanged(.lowPowerMode(false))))
        world.handle(.device(.settingChanged(.metered(false))))
        world.handle(.device(.settingChanged(.lowDataMode(false))))
    }

    /// Left alone, the app in front is active, inactive where it is interrupted, and behind the lock there is none; nothing
    /// is pending.
    private mutating func restAsItIs() {
        // Who wants to fetch does so again and again: in Low Power Mode nobody does.
        world.handle(.device(.settingChanged(.lowPowerMode(true))))
        world.advance(by: .seconds(3600))
        // Who has died of its events is told again an hour later, just now perhaps.
        waitForOwnWakes(.seconds(120), atMost: 10)
        guard world.violation == nil else { return }
        let (front, isInterrupted) = (world.core.checked.user.app, world.core.checked.user.isInterrupted)
        if let finding = FrontIsHonoured.check(world.device.snapshots, front: front, isInterrupted: isInterrupted) {
            world.core.fail("the front is honoured", finding)
        }
        if let front, world.device.snapshot(of: front)?.launch == nil {
            world.core.fail("the front is honoured", "\(front) was opened, has not ended since, and is not there")
        }
        if let finding = world.core.checked.pending.check(world.device) { world.core.fail("everything ends", finding) }
    }

    /// Until nobody was woken of the system's own accord for so long.
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
        for app in world.device.snapshots where app.state != .suspended && app.state != .notRunning {
            world.core.fail("liveness", "\(app.record.app) is still \(app.state.name), held by \(app.assertions)")
        }
    }

    /// Nobody is kept from the foreground, or from a wake, by what others have left behind.
    private mutating func tryOut(_ app: AppID) {
        world.handle(.device(.wakeOccurred(app, .locationMonitoring)))
        restAsItIs()
        world.handle(.device(.appOpened(app)))
        restAsItIs()
        goHome()
    }

    // MARK: The end of it all

    /// What is still there when the time for it is over is left to the kernel, and is gone a little later.
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

    /// What the user does, and what happens, while the system or the device is shutting down.
    private mutating func actDuringShutdown() {
        let app = AppID(1 + Int32(world.random.below(Int(appCount))))
        world.handle(
            pick([
                .device(.appOpened(app)), .device(.wakeOccurred(app, .locationMonitoring)), .device(.homePressed),
                .device(.appSwitched(nil)),
                .device(.interruptionBegan(.call)),
                .device(.interruptionDismissed), .device(.interruptionAccepted(nil)), .device(.deviceLocked),
                .device(.deviceUnlocked), .device(.appForceQuit(app)),
                .device(.inputOccurred(app, .touch(x: 1000, y: 1000))),
            ]))
    }
}
