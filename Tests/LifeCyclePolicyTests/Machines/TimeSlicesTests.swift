import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// Slices of background time that no callback ends.
@Suite struct TimeSlicesTests {
    private func slices(_ kinds: [TimeSlices.Kind]) -> (TimeSlices, [Signal]) {
        var slices = TimeSlices()
        var signals: [Signal] = []
        for kind in kinds { slices.due(kind, policy: .iOS26, at: at(0), into: &signals) }
        return (slices, signals)
    }

    static let kinds: [(kind: TimeSlices.Kind, assertion: Assertion, length: Int64, reason: DeadlineReason)] = [
        (.wake, .wake, 10, .wake(launch(1))), (.adopted, .adopted, 5, .adopted(launch(1))),
    ]

    @Test(arguments: kinds)
    func holdsForItsLength(kind: TimeSlices.Kind, assertion: Assertion, length: Int64, reason: DeadlineReason) {
        var (slices, signals) = slices([kind])
        #expect(signals == [.asserted(assertion)])
        #expect(slices.nextDeadline(of: launch(1)) == Deadline(at: at(length), reason: reason))
        signals = []
        slices.timePassed(at: at(length) - Nanoseconds(1), into: &signals)
        #expect(signals == [])
        slices.timePassed(at: at(length), into: &signals)
        #expect(signals == [.released(assertion)])
        #expect(slices == TimeSlices())
    }

    @Test func theEarlierOfTwoComesFirst() {
        var (slices, signals) = slices([.wake, .adopted])
        #expect(slices.nextDeadline(of: launch(1)) == Deadline(at: at(5), reason: .adopted(launch(1))))
        signals = []
        slices.timePassed(at: at(5), into: &signals)
        #expect(signals == [.released(.adopted)])
        #expect(slices.nextDeadline(of: launch(1)) == Deadline(at: at(10), reason: .wake(launch(1))))
    }

    @Test func anotherWakeRestartsTheSlice() {
        var (slices, signals) = slices([.wake])
        slices.due(.wake, policy: .iOS26, at: at(20), into: &signals)
        #expect(slices.nextDeadline(of: launch(1))?.at == at(30))
    }

    @Test func theForegroundNeedsNone() {
        var (slices, signals) = slices([.wake, .adopted])
        signals = []
        slices.leftBackground(into: &signals)
        #expect(signals == [.released(.wake), .released(.adopted)])
        #expect(slices == TimeSlices())
    }

    @Test func anEndForgetsThem() {
        var (slices, _) = slices([.wake, .adopted])
        slices.launchEnding()
        #expect(slices == TimeSlices())
    }
}
