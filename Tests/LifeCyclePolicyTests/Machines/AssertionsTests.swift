import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The table of reasons not to suspend an app. The table signals when its first entry is added, and when its last one
/// is removed.
@Suite struct AssertionsTests {
    static let each: [Assertion] = [
        .foreground, .callback, .termination, .wake, .adopted, .reconnection, .task(TaskID(1)),
    ]

    @Test(arguments: each) func anEntryIsAssertedAndReleased(_ assertion: Assertion) {
        var table = Assertions()
        var signals: [Signal] = []
        table.asserted(assertion, into: &signals)
        #expect(signals == [.firstAsserted(assertion)])
        #expect(table.entries == [assertion])
        table.asserted(assertion, into: &signals)
        #expect(signals == [.firstAsserted(assertion)], "a second assertion has no effect")
        signals = []
        table.released(assertion, into: &signals)
        #expect(signals == [.lastReleased(assertion)])
        #expect(table == Assertions())
        signals = []
        table.released(assertion, into: &signals)
        #expect(signals == [], "releasing an absent entry has no effect")
    }

    @Test func onlyTheFirstAndLastAssertionsSignal() {
        var table = Assertions()
        var signals: [Signal] = []
        for assertion in Self.each.reversed() { table.asserted(assertion, into: &signals) }
        #expect(signals == [.firstAsserted(.task(TaskID(1)))])
        #expect(table.entries == Self.each, "sorted, whatever the insertion order")
        signals = []
        for assertion in Self.each { table.released(assertion, into: &signals) }
        #expect(signals == [.lastReleased(.task(TaskID(1)))])
    }

    @Test func tasksAreKeptByTheirIds() {
        var table = Assertions()
        var signals: [Signal] = []
        for id: Int64 in [5, 1, 3] { table.asserted(.task(TaskID(id)), into: &signals) }
        #expect(table.entries == [.task(TaskID(1)), .task(TaskID(3)), .task(TaskID(5))])
    }

    @Test func theLifeCycleReplacesOnlyItsOwn() {
        var table = Assertions()
        var signals: [Signal] = []
        table.asserted(.wake, into: &signals)
        table.asserted(.task(TaskID(2)), into: &signals)
        signals = []
        table.lifeCycleHolds([.foreground, .callback], into: &signals)
        #expect(table.entries == [.foreground, .callback, .wake, .task(TaskID(2))])
        table.lifeCycleHolds([.termination], into: &signals)
        #expect(table.entries == [.termination, .wake, .task(TaskID(2))])
        table.lifeCycleHolds([], into: &signals)
        #expect(table.entries == [.wake, .task(TaskID(2))])
        #expect(signals == [], "the table was never empty")
    }

    @Test func theLifeCyclesHoldsSignalLikeOtherAssertions() {
        var table = Assertions()
        var signals: [Signal] = []
        table.lifeCycleHolds([.callback], into: &signals)
        #expect(signals == [.firstAsserted(.callback)])
        signals = []
        table.lifeCycleHolds([.foreground], into: &signals)
        #expect(signals == [], "a replacement sends no signal")
        table.lifeCycleHolds([], into: &signals)
        #expect(signals == [.lastReleased(.foreground)])
    }

    @Test func theSystemsRestartLeavesOneReason() {
        var table = Assertions()
        table.foundRunning()
        #expect(table.entries == [.reconnection])
        table.foundFrozen()
        #expect(table.isEmpty)
    }
}
