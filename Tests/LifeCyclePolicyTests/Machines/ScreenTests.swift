import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The device itself: its settings, its lock, and when it locks itself.
@Suite struct ScreenTests {
    private func screen(_ change: (inout Screen) -> Void = { _ in }) -> Screen {
        var screen = Screen()
        screen.changed(.autoLock(seconds(30)), at: at(0))
        change(&screen)
        return screen
    }

    @Test func itLocksItselfALengthAfterTheLastTouch() {
        #expect(Screen().autoLockAt == nil, "never, by default")
        #expect(screen().autoLockAt == at(30))
        #expect(screen { $0.touched(at: at(7)) }.autoLockAt == at(37))
        #expect(screen { $0.locked(front: nil) }.autoLockAt == nil, "it is")
        #expect(screen { $0.changed(.autoLock(nil), at: at(1)) }.autoLockAt == nil)
    }

    @Test func afterARestartTheTimeBeginsAtTheFirstEvent() {
        var again = Screen(record: screen().record)
        #expect(again.autoLockAt == nil)
        again.noticed(at: at(100))
        #expect(again.autoLockAt == at(130))
        again.noticed(at: at(110))
        #expect(again.autoLockAt == at(130), "the first alone")
    }

    @Test func unlockingGivesTheFrontBackOnce() {
        var screen = screen()
        screen.locked(front: app(3))
        var (front, isFirst) = screen.unlocked(at: at(5))
        #expect(front == app(3) && !isFirst)
        screen.locked(front: nil)
        (front, isFirst) = screen.unlocked(at: at(6))
        #expect(front == nil && !isFirst)
        #expect(screen.autoLockAt == at(36))
    }

    @Test func whoeverIsGoneIsNotGivenBack() {
        var screen = screen()
        screen.locked(front: app(3))
        let answers = [2, 3, 3].map { screen.left(app($0)) }
        #expect(answers == [false, true, false], "once")
        let (front, _) = screen.unlocked(at: at(1))
        #expect(front == nil)
    }

    @Test func theStartLocksWhereThereIsAPasscode() {
        var open = screen { $0.locked(front: app(1)) }
        open.started()
        #expect(!open.record.isLocked && open.record.wasUnlockedSinceStart)
        #expect(open.record.frontBeforeLock == nil)
        var closed = screen { $0.changed(.passcode(true), at: at(0)) }
        closed.interrupted(by: .call)
        closed.started()
        #expect(closed.record.isLocked && !closed.record.wasUnlockedSinceStart && closed.record.interruption == nil)
        let (_, isFirst) = closed.unlocked(at: at(1))
        closed.locked(front: nil)
        let (_, isFirstAgain) = closed.unlocked(at: at(2))
        #expect(isFirst && !isFirstAgain)
    }

    @Test(arguments: [(false, false, true), (false, true, true), (true, false, true), (true, true, false)])
    func protectedDataIsGoneBehindALockWithAPasscode(isLocked: Bool, hasPasscode: Bool, isAvailable: Bool) {
        var screen = Screen()
        screen.changed(.passcode(hasPasscode), at: at(0))
        if isLocked { screen.locked(front: nil) }
        let facts = screen.facts(for: AppRecord(app: app(1), manifest: .sample()))
        #expect(facts.isProtectedDataAvailable == isAvailable)
    }

    @Test func factsFollowTheSettings() {
        var screen = Screen()
        screen.changed(.power(.battery), at: at(0))
        screen.changed(.batteryLevel(20), at: at(0))
        screen.changed(.lowPowerMode(true), at: at(0))
        screen.clockWasSet()
        var record = AppRecord(app: app(1), manifest: .sample())
        var facts = screen.facts(for: record)
        #expect(facts.power == .battery && facts.batteryLevel == 20 && facts.isLowPowerModeEnabled)
        #expect(facts.clockChanges == 1 && facts.backgroundRefresh == .available)
        record.allowsBackgroundRefresh = false
        facts = screen.facts(for: record)
        #expect(facts.backgroundRefresh == .denied)
    }
}
