import RoostGuardian
import Testing

/// The existing helpers, and the start of the next.
@Suite struct HelpersTests {
    private func wanted(_ number: Int64) -> Helpers.Wanted {
        Helpers.Wanted(number: number, descriptor: Int32(number) + 100)
    }

    private func due(_ helpers: inout Helpers) -> [Helpers.Wanted] { helpers.takeDue() }

    /// The helpers of a former supervisor are killed. The new supervisor's helpers start once those are reaped.
    @Test func newHelpersStartAfterTheKilledHelpersExited() {
        var helpers = Helpers()
        helpers.want(wanted(1))
        let seen1 = due(&helpers)
        #expect(seen1 == [wanted(1)])
        helpers.started(1, pid: 11)
        #expect(helpers.isCurrent(11))
        let ended = helpers.supervisorEnded()
        #expect(ended.kill == [11] && ended.close.isEmpty)
        helpers.want(wanted(1))
        let seen2 = due(&helpers)
        #expect(seen2 == [])
        #expect(!helpers.isCurrent(11))
        let seen3 = [helpers.reaped(11)]
        #expect(seen3 == [true])
        let seen4 = due(&helpers)
        #expect(seen4 == [wanted(1)])
        let seen5 = due(&helpers)
        #expect(seen5 == [])
    }

    @Test func anUnwantedHelperIsEnded() {
        var helpers = Helpers()
        helpers.want(wanted(1))
        _ = helpers.takeDue()
        helpers.started(1, pid: 11)
        let running = helpers.end(1)
        #expect(running.kill == 11 && running.close == nil)
        helpers.want(wanted(2))
        let waiting = helpers.end(2)
        #expect(waiting.kill == nil && waiting.close == 102)
        let seen6 = [helpers.reaped(11), helpers.reaped(11)]
        #expect(seen6 == [true, false])
        let seen7 = due(&helpers)
        #expect(seen7 == [])
    }

    @Test func aHelperThatEndsByItselfIsForgotten() {
        var helpers = Helpers()
        helpers.want(wanted(1))
        _ = helpers.takeDue()
        helpers.started(1, pid: 11)
        let seen8 = [helpers.reaped(12), helpers.reaped(11)]
        #expect(seen8 == [false, true])
        let ended = helpers.end(1)
        #expect(ended.kill == nil && ended.close == nil)
    }
}
