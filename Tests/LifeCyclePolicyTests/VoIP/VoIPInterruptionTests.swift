import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The interruption of the foreground app by a call that rings, and its end by the user, the lock and other
/// interruptions (T06, T07, T08, R-174).
@Suite struct VoIPInterruptionTests {
    private static let answer = "· 1.1 is to answer A\n1.1 perform answer A"
    private static let isOver = "· 1.1 A over: reported remoteEnded"

    /// A call of the first app rings. It interrupts the second app.
    private static func interrupted() -> Bench {
        var bench = Bench.withOtherActive()
        bench.rings()
        return bench
    }

    @Test func theUserEndsTheInterruptionWhileTheCallRings() {
        var bench = Self.interrupted()
        #expect(bench.phones(.device(.interruptionDismissed)) == "· 2.1 call over")
        #expect(bench.state(2) == .active)
        #expect(
            bench.asks(.report(.b, CallUpdate()))
                == "· 1.1 reports B\n1.1 told: B rings\n· 2.1 interrupted by call",
            "the next call interrupts again")
        _ = bench.plays(.device(.interruptionDismissed))
        #expect(bench.chooses(.answer) == Self.answer)
        #expect(bench.asks(.ended(.b, .unanswered)) == "· 1.1 B over: reported unanswered")
        #expect(bench.state(2) == .active)
    }

    @Test func t08TheUserGoesToTheAppOfTheCall() {
        var bench = Self.interrupted()
        #expect(bench.phones(.device(.interruptionAccepted(app(1)))).hasPrefix("· 2.1 call accepted"))
        #expect(bench.state(1) == .active && bench.state(2) == .suspended)
        #expect(bench.chooses(.answer) == Self.answer)
        #expect(bench.state(1) == .active)
    }

    /// Only the beginning of a call interrupts.
    @Test func anAppThatIsOpenedLaterIsNotInterrupted() {
        var bench = Self.interrupted()
        #expect(bench.phones(.device(.homePressed)).hasPrefix("· 2.1 call accepted"))
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
        #expect(bench.asks(.ended(.a, .remoteEnded)) == Self.isOver)
    }

    @Test func theAppOfTheCallIsInterruptedToo() {
        var bench = Bench.registered(.active)
        #expect(bench.asks(.report(.a, CallUpdate())).hasSuffix("· 1.1 interrupted by call"))
        #expect(bench.state(1) == .inactive)
        #expect(bench.chooses(.answer) == Self.answer + "\n· 1.1 call over")
        #expect(bench.state(1) == .active)
    }

    @Test func theEndOfTheAppEndsTheInterruption() {
        var bench = Self.interrupted()
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "· 1.1 A over: launch ended\n· 2.1 call over")
        #expect(bench.state(2) == .active)
    }

    // MARK: Other interruptions

    @Test func aCallDuringAnotherInterruptionOnlyRings() {
        var bench = Bench.withOtherActive()
        _ = bench.plays(.device(.interruptionBegan(.alert)))
        _ = bench.receivesPush()
        #expect(bench.asks(.report(.a, CallUpdate())) == "· 1.1 reports A\n1.1 told: A rings")
        #expect(bench.asks(.ended(.a, .remoteEnded)) == Self.isOver)
        #expect(bench.device.record.interruption == .alert)
        #expect(bench.phones(.device(.interruptionDismissed)) == "· 2.1 alert over")
    }

    /// A telephone call interrupts the app after the user has ignored the app's call.
    @Test func theEndOfACallEndsNoLaterInterruption() {
        var bench = Self.interrupted()
        _ = bench.plays(.device(.interruptionDismissed))
        _ = bench.plays(.device(.interruptionBegan(.call)))
        #expect(bench.asks(.ended(.a, .remoteEnded)) == Self.isOver)
        #expect(bench.device.record.interruption == .call && bench.state(2) == .inactive)
    }

    /// The call began to ring on the home screen, and has interrupted no app.
    @Test func theEndOfACallEndsNoInterruptionThatIsNotItsOwn() {
        var bench = Bench.registered()
        bench.rings()
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.plays(.device(.interruptionBegan(.call)))
        #expect(bench.asks(.ended(.a, .remoteEnded)) == Self.isOver)
        #expect(bench.device.record.interruption == .call && bench.state(2) == .inactive)
    }

    // MARK: The lock

    @Test func t09ACallRingsOnALockedDevice() {
        var bench = Bench.withOtherActive()
        _ = bench.plays(.device(.deviceLocked))
        _ = bench.receivesPush()
        #expect(bench.asks(.report(.a, CallUpdate())) == "· 1.1 reports A\n1.1 told: A rings")
        #expect(bench.chooses(.answer) == Self.answer)
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(2) == .active && bench.state(1) == .background)
        #expect(bench.chooses(.end) == "· 1.1 is to end A\n1.1 perform end A")
    }

    @Test func t09TheLockEndsTheInterruption() {
        var bench = Self.interrupted()
        #expect(bench.phones(.device(.deviceLocked)) == "· 2.1 call over\nfreeze 2.1")
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(2) == .active, "the call does not begin to ring again")
        #expect(bench.chooses(.answer) == Self.answer)
    }
}
