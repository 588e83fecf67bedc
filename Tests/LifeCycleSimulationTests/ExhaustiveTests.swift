import LifeCycleModel
import LifeCyclePolicy
import Synchronization
import Testing

@testable import LifeCycleSimulation

/// The search of all short sequences.
@Suite struct ExhaustiveTests {
    /// A clock that advances by a second at each reading.
    private final class Ticks: Sendable {
        private let looks = Atomic<Int64>(0)
        @Sendable func read() -> Nanoseconds {
            .seconds(looks.add(1, ordering: .relaxed).newValue)
        }
    }

    @Test func allShortSequencesAreSound() {
        var lengths: [Int] = []
        let ticks = Ticks()
        let report = Exhaustive().explore(
            within: .length(3), clock: ticks.read, hasReached: { lengths.append($0.length) })
        #expect(report.failure == nil)
        #expect(lengths == [1, 2, 3] && report.length == 3 && !report.isAll)
        #expect(report.statesByLength.count == 4 && report.statesByLength.allSatisfy { $0 > 0 })
        #expect(report.states == report.statesByLength.reduce(0, +))
        // From each state, each possible step is searched once.
        #expect(report.steps > report.states && report.sequences > UInt64(report.steps))
        #expect(ExhaustiveReport.text(report, in: .seconds(1)).hasSuffix("of up to 3 was explored: no rule was broken"))
    }

    @Test func timeEndsItBetweenTwoStates() {
        let ticks = Ticks()
        let report = Exhaustive().explore(within: .time(.seconds(2)), clock: ticks.read)
        #expect(report.failure == nil && report.length <= 3)
    }

    /// Actions without an effect lead to the same state. Examples are an app that is opened twice, and a device that is
    /// locked and unlocked again.
    @Test func stepsWithoutEffectReachTheSameState() {
        let manifests = [manifest(1), manifest(2)]
        var policy = Policy.iOS26
        policy.requestRate = nil
        let world = SmallWorld(policy: policy, manifests: manifests)
        func reached(_ searchSteps: SearchStep...) -> UInt64 {
            var world = world
            for searchStep in searchSteps {
                let isPossible = world.perform(searchStep)
                #expect(isPossible)
            }
            return world.fingerprint
        }
        #expect(reached(.open(app(1))) == reached(.open(app(1)), .open(app(1))))
        #expect(reached(.lock, .unlock) == reached(.lock, .unlock, .lock, .unlock))
        #expect(reached(.open(app(1))) != reached(.open(app(2))))
        #expect(reached(.open(app(1))) != reached(.open(app(1)), .home))
    }
}
