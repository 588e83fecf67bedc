import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T09, T10, R-125: the lock, by its button and by its timer, and the data that it makes unavailable.
@Suite struct LockTests {
    /// A device with a passcode, whose first app is in `state`.
    private static func passcode(_ state: AppState = .active, _ manifests: [AppManifest]? = nil) -> Bench {
        var bench = Bench.with(state, .iOS26, manifests)
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        bench.forget()
        return bench
    }

    private static func locksItself(after length: Int64 = 30) -> Bench {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.settingChanged(.autoLock(seconds(length)))))
        bench.forget()
        return bench
    }

    @Test func t09TheForegroundAppLeavesAndIsSuspended() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.deviceLocked)) == """
                store device
                · locked
                1.1 #3 willResignActive
                store 1.1 active
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #4
                · 1.1 suspending after foreground
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """, "without a passcode the data stays available")
        #expect(bench.device.foregroundApp == nil)
        #expect(bench.device.record.frontBeforeLock == app(1))
    }

    /// R-125: The app is notified after didEnterBackground, while it still runs.
    @Test func t09ProtectedDataIsReportedBeforeTheSuspension() {
        var bench = Self.passcode()
        #expect(
            bench.plays(.device(.deviceLocked)) == """
                store device
                · locked
                1.1 #3 willResignActive
                store 1.1 active
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #4
                1.1 #5 deviceChanged
                > 1.1 acknowledged #5
                · 1.1 suspending after callback
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
        let received = bench.effects.compactMap { effect -> Bool? in
            guard case .launch(_, .send(.callback(_, .deviceChanged(let facts)))) = effect else { return nil }
            return facts.isProtectedDataAvailable
        }
        #expect(received == [false])
    }

    @Test func t10TheForegroundAppReturns() {
        var bench = Self.passcode()
        _ = bench.plays(.device(.deviceLocked))
        #expect(
            bench.plays(.device(.deviceUnlocked)) == """
                store device
                · unlocked
                thaw 1.1
                · 1.1 resumed for foreground
                1.1 #6 deviceChanged
                · 1.1 suspended → background
                store 1.1 foreground
                > 1.1 acknowledged #6
                1.1 #7 willEnterForeground
                > 1.1 acknowledged #7
                · 1.1 background → inactive
                1.1 #8 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #8
                """, "the data is available before willEnterForeground")
        #expect(bench.device.record.frontBeforeLock == nil)
    }

    @Test func t10AKilledAppDoesNotReturn() {
        var bench = Self.passcode()
        _ = bench.plays(.device(.deviceLocked))
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.plays(.device(.deviceUnlocked)) == "store device\n· unlocked")
        #expect(bench.device.foregroundApp == nil)
    }

    @Test func t10AnEndingAppDoesNotReturn() {
        var bench = Self.passcode()
        _ = bench.plays(.device(.deviceLocked))
        _ = bench.does(.device(.memoryRanShort))
        #expect(bench.does(.device(.deviceUnlocked)) == "store device\n· unlocked")
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
    }

    @Test func t10UnlockedBeforeTheForegroundAppHasLeft() {
        var bench = Self.passcode()
        _ = bench.does(.device(.deviceLocked))
        _ = bench.does(.device(.deviceUnlocked))
        let answer = bench.plays()
        #expect(answer.contains("1.1 #4 didBecomeActive"), "R-13")
        #expect(!answer.contains("deviceChanged"), "the app was not notified of the lock")
        #expect(bench.state(1) == .active)
    }

    /// R-26: During the suspension the lock has no net change.
    @Test func lockedAndUnlockedWhileSuspendedIsNoNews() {
        var bench = Self.passcode(.suspended)
        _ = bench.plays(.device(.deviceLocked))
        #expect(bench.plays(.device(.deviceUnlocked)) == "store device\n· unlocked")
        let answer = bench.plays(.device(.appOpened(app(1))))
        #expect(!answer.contains("deviceChanged"))
    }

    @Test func aBackgroundAppWithATaskIsNotifiedOfTheLock() {
        var bench = Self.passcode()
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.deviceLocked)) == """
                store device
                · locked
                1.1 #5 deviceChanged
                > 1.1 acknowledged #5 [1]
                """)
        #expect(bench.plays(.device(.deviceUnlocked)).contains("1.1 #6 deviceChanged"))
        #expect(bench.device.foregroundApp == nil, "the app was not in the foreground")
    }

    @Test func lockingOnTheHomeScreen() {
        var bench = Self.passcode(.suspended)
        #expect(bench.plays(.device(.deviceLocked)) == "store device\n· locked")
        #expect(bench.plays(.device(.deviceUnlocked)) == "store device\n· unlocked")
    }

    @Test func theSamePositionTwiceIsRefused() {
        var bench = Self.passcode()
        #expect(bench.does(.device(.deviceUnlocked)) == "· unlock refused: notLocked")
        _ = bench.plays(.device(.deviceLocked))
        let before = bench.device
        #expect(bench.does(.device(.deviceLocked)) == "· lock refused: locked")
        #expect(bench.does(.device(.homePressed)) == "· home refused: locked")
        #expect(bench.does(.device(.appSwitched(nil))) == "· switchApp refused: locked")
        #expect(bench.does(.device(.appOpened(app(2)))) == "· app 2 not woken for user: locked")
        #expect(bench.device == before)
    }

    // MARK: The foreground app at the lock

    @Test func lockingDuringALaunch() {
        var bench = Self.passcode(.notRunning)
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.deviceLocked))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(1) == .active)
    }

    /// R-15: The rise is completed while the device is locked, and then undone.
    @Test func lockingDuringARise() {
        var bench = Self.passcode(.suspended)
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.deviceLocked))
        let answer = bench.plays()
        #expect(answer.contains("didBecomeActive") && answer.contains("didEnterBackground"))
        #expect(bench.state(1) == .suspended)
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(1) == .active)
    }

    @Test func anOptOutAppEnds() {
        var bench = Self.passcode(.active, [.sample(1, exitsOnSuspend: true), .sample(2)])
        #expect(bench.plays(.device(.deviceLocked)).contains("willTerminate"))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.plays(.device(.deviceUnlocked)) == "store device\n· unlocked")
    }

    @Test func anAdoptedAppReturnsAfterTheUnlock() {
        var bench = Self.passcode(.active, [.sample(1, isAdopted: true), .sample(2)])
        #expect(!bench.plays(.device(.deviceLocked)).contains("deviceChanged"), "an adopted app is not notified")
        _ = bench.meetsDeadline()
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(1) == .active)
    }

    @Test(arguments: [
        Event.device(.appForceQuit(app(1))), .device(.appUninstalled(app(1))),
        .process(launch(1), .exited(.signaled(9))),
    ])
    func anEndedAppIsNotReturnedByTheUnlock(_ event: Event) {
        var bench = Self.passcode()
        _ = bench.plays(.device(.deviceLocked))
        _ = bench.plays(event)
        #expect(bench.deviceOnDisk.frontBeforeLock == nil)
        #expect(bench.plays(.device(.deviceUnlocked)) == "store device\n· unlocked")
    }

    // MARK: The automatic lock

    @Test func t09WithoutATouchItLocksItself() {
        var bench = Self.locksItself()
        #expect(bench.device.nextDeadline == Deadline(at: at(30), reason: .autoLock))
        #expect(bench.passes(seconds(29)) == "")
        #expect(bench.passes(seconds(1)).hasPrefix("> deadline\nstore device\n· locked by itself\n1.1 #"))
        #expect(bench.device.nextDeadline?.reason != .autoLock)
    }

    @Test(arguments: [
        Event.device(.inputOccurred(app(1), .touch(x: 1, y: 1))), .device(.appOpened(app(1))),
        .device(.interruptionBegan(.call)), .device(.homePressed),
        .device(.settingChanged(.lowPowerMode(true))),
    ]) func everyTouchRestartsAutoLock(_ event: Event) {
        var bench = Self.locksItself()
        _ = bench.passes(seconds(20))
        _ = bench.plays(event)
        #expect(bench.device.nextDeadline == Deadline(at: at(50), reason: .autoLock))
    }

    @Test(arguments: [
        Event.device(.wakeOccurred(app(1), .locationMonitoring)), .device(.inputOccurred(app(2), .touch(x: 1, y: 1))),
        .device(.memoryRanLow),
        .device(.clockWasSet),
        .device(.interruptionDismissed),
    ]) func otherEventsDoNotRestartAutoLock(_ event: Event) {
        var bench = Self.locksItself()
        _ = bench.passes(seconds(20))
        _ = bench.plays(event)
        #expect(bench.device.nextDeadline == Deadline(at: at(30), reason: .autoLock))
    }

    @Test func theForegroundAppMayPreventAutoLock() {
        var bench = Self.locksItself()
        _ = bench.passes(seconds(20))
        #expect(bench.idleTimer(isDisabled: true, launch(1)) == "")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.passes(seconds(500)) == "")
        _ = bench.idleTimer(isDisabled: false, launch(1))
        #expect(bench.device.nextDeadline == Deadline(at: at(550), reason: .autoLock), "the time starts again")
    }

    @Test(arguments: [
        Event.device(.homePressed), .device(.appForceQuit(app(1))), .device(.appUninstalled(app(1))),
        .process(launch(1), .exited(.signaled(11))),
        .device(.appOpened(app(2))),
    ]) func anEndedAppNoLongerPreventsAutoLock(_ event: Event) {
        var bench = Self.locksItself(after: 300)
        _ = bench.idleTimer(isDisabled: true, launch(1))
        _ = bench.passes(seconds(1000))
        _ = bench.plays(event)
        #expect(bench.device.nextDeadline == Deadline(at: at(1300), reason: .autoLock), "not in the past")
    }

    @Test func theKillOfAHungAppDoesNotLockAtOnce() {
        var bench = Self.locksItself(after: 300)
        _ = bench.idleTimer(isDisabled: true, launch(1))
        _ = bench.passes(seconds(1000))
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.interruptionBegan(.call)))
        #expect(bench.meetsDeadline().contains("kill 1.1: watchdog willResignActive"))
        _ = bench.plays()
        #expect(!bench.device.record.isLocked)
        #expect(bench.device.nextDeadline == Deadline(at: at(1310), reason: .autoLock))
    }

    @Test func backgroundAppsDoNotAffectAutoLock() {
        var bench = Self.locksItself()
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(20))
        for isDisabled in [true, false, true] { _ = bench.idleTimer(isDisabled: isDisabled, launch(1)) }
        _ = bench.end(1, launch(1))
        _ = bench.plays()
        #expect(bench.device.nextDeadline == Deadline(at: at(30), reason: .autoLock))
    }

    @Test func autoLockCanBeDisabled() {
        var bench = Self.locksItself()
        _ = bench.plays(.device(.settingChanged(.autoLock(nil))))
        #expect(bench.device.nextDeadline == nil)
    }

    // MARK: The system's restart

    @Test func theLockSurvivesARestart() {
        var bench = Self.passcode()
        _ = bench.plays(.device(.deviceLocked))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.does(.device(.appOpened(app(1)))) == "· app 1 not woken for user: locked")
        #expect(bench.plays(.device(.deviceUnlocked)).contains("1.1 #6 willEnterForeground"))
        #expect(bench.state(1) == .active)
    }

    @Test func restartedInTheMiddleOfLocking() {
        var bench = Self.passcode()
        _ = bench.does(.device(.deviceLocked))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        let facts = bench.effects.compactMap { effect -> DeviceFacts? in
            if case .launch(_, .send(.device(let facts))) = effect { facts } else { nil }
        }
        #expect(facts.last?.isProtectedDataAvailable == false, "the app is notified when it reconnects")
    }

    @Test func aRestartRestartsAutoLock() {
        var bench = Self.locksItself()
        _ = bench.passes(seconds(20))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.device.nextDeadline == Deadline(at: at(50), reason: .autoLock))
    }

    @Test func afterTheSystemsRestartTheIdleTimerIsStillOff() {
        var bench = Self.locksItself()
        _ = bench.idleTimer(isDisabled: true, launch(1))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(bench.device.nextDeadline == nil)
    }
}
