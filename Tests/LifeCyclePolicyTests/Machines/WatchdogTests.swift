import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The time limit of each callback, to the nanosecond.
@Suite struct WatchdogTests {
    static let limits: [(callback: Callback, limit: Nanoseconds)] = [
        (.launch(.user), seconds(20)), (.launch(.locationMonitoring), seconds(20)), (.willResignActive, seconds(10)),
        (.didEnterBackground, seconds(5)), (.willEnterForeground, seconds(10)), (.didBecomeActive, seconds(10)),
        (.expireTasks, seconds(5)), (.willTerminate, seconds(5)),
    ]

    /// Advances the watchdog to `now`, and returns its signals and effects.
    private func pass(_ watchdog: inout Watchdog, _ now: Nanoseconds) -> (signals: [Signal], effects: [Effect]) {
        var signals: [Signal] = []
        var effects: [Effect] = []
        watchdog.timePassed(of: launch(1), at: now, into: &signals, effects: &effects)
        return (signals, effects)
    }

    private func watching(_ callback: Callback, since now: Nanoseconds = at(0)) -> Watchdog {
        var watchdog = Watchdog()
        watchdog.callbackSent(callback, policy: .iOS26, at: now)
        return watchdog
    }

    @Test(arguments: limits) func killsAtTheLimitAndNotBefore(callback: Callback, limit: Nanoseconds) {
        var watchdog = watching(callback)
        #expect(pass(&watchdog, start + limit - Nanoseconds(1)).signals == [])
        #expect(
            watchdog.nextDeadline(of: launch(1)) == Deadline(at: start + limit, reason: .callback(launch(1), callback)))
        #expect(pass(&watchdog, start + limit).signals == [.killDue(.watchdog(callback))])
        #expect(watchdog.nextDeadline(of: launch(1)) == nil)
        #expect(pass(&watchdog, start + limit).signals == [], "once")
    }

    @Test(arguments: limits) func aReturnEndsIt(callback: Callback, limit: Nanoseconds) {
        var watchdog = watching(callback)
        watchdog.callbackReturned(at: at(1))
        #expect(watchdog.nextDeadline(of: launch(1)) == nil)
        #expect(pass(&watchdog, start + limit).signals == [])
    }

    @Test func aSlowLaunchIsRemarkedOnOnceAndThenKilled() {
        var watchdog = watching(.launch(.user))
        #expect(watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(5), reason: .slowLaunch(launch(1))))
        #expect(pass(&watchdog, at(5)).effects == [.decided(.launch(launch(1), .launchIsSlow))])
        #expect(pass(&watchdog, at(6)).effects == [])
        #expect(pass(&watchdog, at(20)).signals == [.killDue(.watchdog(.launch(.user)))])
    }

    @Test func aShortLimitLeavesNoTimeForTheRemark() {
        var watchdog = Watchdog()
        watchdog.callbackSent(.launch(.user), policy: Policy.iOS26.with { $0.launch = seconds(3) }, at: at(0))
        #expect(
            watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(3), reason: .callback(launch(1), .launch(.user))))
    }

    @Test func aRemarkIsDueUntilJustBeforeTheLimit() {
        for (limit, isDue) in [(seconds(5), false), (seconds(5) + Nanoseconds(1), true)] {
            var watchdog = Watchdog()
            watchdog.callbackSent(.launch(.user), policy: Policy.iOS26.with { $0.launch = limit }, at: at(0))
            let reason: DeadlineReason = isDue ? .slowLaunch(launch(1)) : .callback(launch(1), .launch(.user))
            #expect(watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(5), reason: reason))
        }
    }

    @Test func theRiseSharesOneLimit() {
        var watchdog = watching(.willEnterForeground)
        watchdog.callbackReturned(at: at(7))
        watchdog.callbackSent(.didBecomeActive, policy: .iOS26, at: at(8))
        #expect(
            watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(11), reason: .callback(launch(1), .didBecomeActive))
        )
        watchdog.callbackReturned(at: at(9))
        watchdog.callbackSent(.didBecomeActive, policy: .iOS26, at: at(20))
        #expect(watchdog.nextDeadline(of: launch(1))?.at == at(30), "the remaining time is used only once")
    }

    @Test func aRiseThatUsedAllItsTimeStillHasALittle() {
        var watchdog = watching(.willEnterForeground)
        watchdog.callbackReturned(at: at(10))
        watchdog.callbackSent(.didBecomeActive, policy: .iOS26, at: at(10))
        #expect(watchdog.nextDeadline(of: launch(1))?.at == at(10) + .milliseconds(1))
    }

    @Test func theExitFallsUnderTheLimitOfWillTerminate() {
        var watchdog = watching(.willTerminate)
        watchdog.launchEnding(awaitsExit: true, isAdopted: false, policy: .iOS26, at: at(4))
        #expect(watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(5), reason: .exit(launch(1))))
        #expect(pass(&watchdog, at(5)).signals == [.killDue(.watchdog(.willTerminate))])
    }

    @Test func anAwaitedExitHasItsOwnLimit() {
        var watchdog = Watchdog()
        watchdog.launchEnding(awaitsExit: true, isAdopted: false, policy: .iOS26, at: at(4))
        #expect(watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(9), reason: .exit(launch(1))))
    }

    @Test func anAdoptedAppHasItsOwnExitLimit() {
        var watchdog = Watchdog()
        let policy = Policy.iOS26.with { $0.adoptedExit = seconds(7) }
        watchdog.launchEnding(awaitsExit: true, isAdopted: true, policy: policy, at: at(4))
        #expect(watchdog.nextDeadline(of: launch(1)) == Deadline(at: at(11), reason: .exit(launch(1))))
        watchdog.loopStalled(at: at(50))
        #expect(pass(&watchdog, at(57)).signals == [.killDue(.didNotExit)])
    }

    @Test func killedAppsHaveNoWatchdog() {
        for callback in Self.limits.map(\.callback) {
            var watchdog = watching(callback)
            watchdog.launchEnding(awaitsExit: false, isAdopted: false, policy: .iOS26, at: at(1))
            #expect(watchdog.nextDeadline(of: launch(1)) == nil)
        }
    }

    @Test(arguments: limits) func aStallRenewsTheFullLength(callback: Callback, limit: Nanoseconds) {
        var watchdog = watching(callback)
        watchdog.loopStalled(at: at(100))
        #expect(pass(&watchdog, at(100) + limit - Nanoseconds(1)).signals == [])
        #expect(pass(&watchdog, at(100) + limit).signals == [.killDue(.watchdog(callback))])
    }

    @Test func aStallRenewsAnExitToo() {
        var watchdog = watching(.willTerminate)
        watchdog.launchEnding(awaitsExit: true, isAdopted: false, policy: .iOS26, at: at(4))
        watchdog.loopStalled(at: at(50))
        #expect(watchdog.nextDeadline(of: launch(1))?.at == at(55))
    }
}
