import RoostGuardian
import Testing

/// The existing carriers of transfers, and the start of the next.
@Suite struct CarriersTests {
    private func wanted(_ number: Int64) -> Carriers.Wanted {
        Carriers.Wanted(number: number, descriptor: Int32(number) + 100)
    }

    private func due(_ carriers: inout Carriers) -> [Carriers.Wanted] { carriers.takeDue() }

    /// The carriers of a former supervisor are killed. The new supervisor's carriers start once those are reaped.
    @Test func newCarriersStartAfterTheKilledCarriersExited() {
        var carriers = Carriers()
        carriers.want(wanted(1))
        let seen1 = due(&carriers)
        #expect(seen1 == [wanted(1)])
        carriers.started(1, pid: 11)
        #expect(carriers.isCurrent(11))
        let ended = carriers.supervisorEnded()
        #expect(ended.kill == [11] && ended.close.isEmpty)
        carriers.want(wanted(1))
        let seen2 = due(&carriers)
        #expect(seen2 == [])
        #expect(!carriers.isCurrent(11))
        let seen3 = [carriers.reaped(11)]
        #expect(seen3 == [true])
        let seen4 = due(&carriers)
        #expect(seen4 == [wanted(1)])
        let seen5 = due(&carriers)
        #expect(seen5 == [])
    }

    @Test func anUnwantedCarrierIsEnded() {
        var carriers = Carriers()
        carriers.want(wanted(1))
        _ = carriers.takeDue()
        carriers.started(1, pid: 11)
        let running = carriers.end(1)
        #expect(running.kill == 11 && running.close == nil)
        carriers.want(wanted(2))
        let waiting = carriers.end(2)
        #expect(waiting.kill == nil && waiting.close == 102)
        let seen6 = [carriers.reaped(11), carriers.reaped(11)]
        #expect(seen6 == [true, false])
        let seen7 = due(&carriers)
        #expect(seen7 == [])
    }

    @Test func aCarrierThatEndsByItselfIsForgotten() {
        var carriers = Carriers()
        carriers.want(wanted(1))
        _ = carriers.takeDue()
        carriers.started(1, pid: 11)
        let seen8 = [carriers.reaped(12), carriers.reaped(11)]
        #expect(seen8 == [false, true])
        let ended = carriers.end(1)
        #expect(ended.kill == nil && ended.close == nil)
    }
}
