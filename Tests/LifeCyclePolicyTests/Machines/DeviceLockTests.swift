import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The lock of the device, and the time at which the device locks itself.
@Suite struct DeviceLockTests {
    private static func settings(autoLock: Nanoseconds?) -> DeviceSettings {
        DeviceSettings().changed(by: .autoLock(autoLock))
    }

    private let settings = settings(autoLock: seconds(30))

    private func lock(_ change: (inout DeviceLock) -> Void = { _ in }) -> DeviceLock {
        var lock = DeviceLock()
        lock.touched(settings, at: at(0))
        change(&lock)
        return lock
    }

    @Test func autoLockCountsFromTheLastTouch() {
        let never = DeviceSettings()
        #expect(lock().autoLockAt(never) == nil, "auto-lock is off by default")
        #expect(lock().autoLockAt(settings) == at(30))
        #expect(lock { $0.touched(settings, at: at(7)) }.autoLockAt(settings) == at(37))
        #expect(lock { $0.locked(foregroundApp: nil) }.autoLockAt(settings) == nil, "the device is already locked")
        #expect(lock { $0.touched(never, at: at(1)) }.autoLockAt(settings) == nil)
    }

    @Test func afterARestartTheTimeBeginsAtTheFirstEvent() {
        var again = DeviceLock(record: DeviceRecord())
        #expect(again.autoLockAt(settings) == nil)
        again.noticed(settings, at: at(100))
        #expect(again.autoLockAt(settings) == at(130))
        again.noticed(settings, at: at(110))
        #expect(again.autoLockAt(settings) == at(130), "only the first event counts")
    }

    @Test func unlockingRestoresTheForegroundAppOnce() {
        var lock = lock()
        lock.locked(foregroundApp: app(3))
        var (foregroundApp, isFirst) = lock.unlocked()
        #expect(foregroundApp == app(3) && !isFirst)
        lock.locked(foregroundApp: nil)
        (foregroundApp, isFirst) = lock.unlocked()
        #expect(foregroundApp == nil && !isFirst)
    }

    @Test func anEndedAppIsNotReturnedAfterTheUnlock() {
        var lock = lock()
        lock.locked(foregroundApp: app(3))
        let answers = [2, 3, 3].map { lock.left(app($0)) }
        #expect(answers == [false, true, false], "once")
        #expect(lock.unlocked().foregroundApp == nil)
    }

    @Test func theStartLocksADeviceWithAPasscode() {
        var open = lock { $0.locked(foregroundApp: app(1)) }
        open.started(hasPasscode: false)
        #expect(!open.isLocked && open.wasUnlockedSinceStart && open.frontBeforeLock == nil)
        var closed = lock()
        closed.started(hasPasscode: true)
        #expect(closed.isLocked && !closed.wasUnlockedSinceStart)
        let (_, isFirst) = closed.unlocked()
        closed.locked(foregroundApp: nil)
        let (_, isFirstAgain) = closed.unlocked()
        #expect(isFirst && !isFirstAgain)
    }

    /// A device that has handled the events.
    private func device(_ events: [DeviceEvent]) -> Device {
        var device = Device()
        var effects: [Effect] = []
        for event in events { device.handle(.device(event), at: .zero, into: &effects) }
        return device
    }

    @Test func unlockingCountsAsATouch() {
        var device = device([.settingChanged(.autoLock(seconds(30))), .deviceLocked])
        var effects: [Effect] = []
        device.handle(.device(.deviceUnlocked), at: Moment(awake: at(6), elapsed: at(6), wall: at(6)), into: &effects)
        #expect(device.nextDeadline == Deadline(at: at(36), reason: .autoLock))
    }

    @Test func theStartEndsAnInterruption() {
        let device = device([
            .appInstalled(app(1), .sample()), .appOpened(app(1)), .interruptionBegan(.call), .deviceStarted,
        ])
        #expect(device.record.interruption == nil)
    }

    @Test(arguments: [(false, false, true), (false, true, true), (true, false, true), (true, true, false)])
    func aLockWithAPasscodeProtectsData(isLocked: Bool, hasPasscode: Bool, isAvailable: Bool) {
        let device = device([.settingChanged(.passcode(hasPasscode))] + (isLocked ? [.deviceLocked] : []))
        let facts = device.state.facts(for: AppRecord(app: app(1), manifest: .sample()))
        #expect(facts.isProtectedDataAvailable == isAvailable)
    }

    @Test func factsFollowTheSettings() {
        let device = device([
            .settingChanged(.power(.battery)), .settingChanged(.batteryLevel(20)), .settingChanged(.lowPowerMode(true)),
            .clockWasSet,
        ])
        var record = AppRecord(app: app(1), manifest: .sample())
        var facts = device.state.facts(for: record)
        #expect(facts.power == .battery && facts.batteryLevel == 20 && facts.isLowPowerModeEnabled)
        #expect(facts.clockChanges == 1 && facts.backgroundRefresh == .available)
        record.allowsBackgroundRefresh = false
        facts = device.state.facts(for: record)
        #expect(facts.backgroundRefresh == .denied)
    }
}
