import LifeCycleModel
import Testing

@testable import RoostKit

/// An app sends fewer messages a second than the system accepts.
@Suite struct PaceTests {
    @Test func frequentMessagesWait() {
        let pace = Pace()
        var now = Nanoseconds(5)
        // In a loop without pauses.
        var times: [Int64] = []
        for _ in 0..<50_000 {
            now = now + pace.wait(at: now) + Nanoseconds(100)
            times.append(now.rawValue)
        }
        let seconds = Dictionary(grouping: times) { $0 / 1_000_000_000 }
        #expect(seconds.values.allSatisfy { $0.count <= 2 * Pace.most })
        #expect(now > .seconds(5) && now < .seconds(7))
    }

    @Test func infrequentMessagesDoNotWait() {
        let pace = Pace()
        for second in 0..<10 as Range<Int64> {
            for _ in 0..<Pace.most { #expect(pace.wait(at: .seconds(second)) == .zero) }
        }
    }
}
