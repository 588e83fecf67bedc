public import LifeCycleModel
import LifeCyclePolicy

/// Random histories, each from its own seed: what the user, the system and the apps may do, in any order.
public struct Explorer: Sendable {
    /// What came of it.
    public struct Report: Sendable {
        /// Histories run.
        public var seeds = 0
        /// Events the brain handled.
        public var events = 0
        /// How often each thing was reached, by its name, sorted.
        public var reach: [(name: String, count: Int)] = []
        /// What a long exploration reaches and this one did not.
        public var missing: [String] = []
        /// The first thing found wrong: the seed that shows it, and its last events.
        public var failure: Failure?
    }

    /// A finding, and how to see it again.
    public struct Failure: Sendable {
        /// The seed that shows it.
        public let seed: UInt64
        /// What was found.
        public let violation: Violation
        /// The last events before it, each with its time and effects.
        public let trace: [String]
        /// The same with little else; nil where it could not be shown again.
        public internal(set) var shrunk: ShrunkHistory?
    }

    private let policies: [Policy]
    private let steps: Int
    private let ownCheck: CheckedDevice.OwnCheck?

    /// An explorer whose histories have `steps` steps each, under the policies in turn.
    public init(steps: Int, policies: [Policy] = Policy.presets, ownCheck: CheckedDevice.OwnCheck? = nil) {
        self.ownCheck = ownCheck
        self.steps = steps
        self.policies = policies
    }

    /// Runs the histories of all `seeds`, and stops at the first finding.
    public func explore(seeds: ClosedRange<UInt64>) -> Report {
        var report = Report()
        let reach = Reach()
        for seed in seeds {
            var history = History(seed: seed, policy: policy(of: seed), ownCheck: ownCheck)
            history.world.observer = { event, _, effects in reach.note(event, effects) }
            history.world.faultObserver = { reach.note(fault: $0) }
            history.run(steps: steps)
            report.seeds += 1
            report.events += history.world.eventCount
            if let violation = history.world.violation {
                report.failure = Failure(
                    seed: seed, violation: violation, trace: trace(seed: seed, last: 40),
                    shrunk: Shrinker(seed: seed, policy: policy(of: seed), steps: steps, ownCheck: ownCheck).shrink())
                break
            }
        }
        report.reach = reach.counts
        report.missing = Expected.names.filter { name in !report.reach.contains { $0.name == name } }
        return report
    }

    private func policy(of seed: UInt64) -> Policy { policies[Int(seed % UInt64(policies.count))] }

    /// Runs the histories of all `seeds`, and digests everything that happens in them.
    public func digest(seeds: ClosedRange<UInt64>) -> HistoryDigest {
        let digest = HistoryDigest.Growing()
        var (histories, events) = (0, 0)
        var brokenSeed: UInt64?
        for seed in seeds where brokenSeed == nil {
            digest.begin(seed: seed)
            var history = History(seed: seed, policy: policy(of: seed))
            history.world.observer = digest.note
            history.run(steps: steps)
            histories += 1
            events += history.world.eventCount
            if history.world.violation != nil { brokenSeed = seed }
        }
        return HistoryDigest(value: digest.value, histories: histories, events: events, brokenSeed: brokenSeed)
    }

    /// Runs one history again, and gives its last events as text.
    public func trace(seed: UInt64, last: Int) -> [String] {
        let lines = Lines(limit: last)
        var history = History(seed: seed, policy: policy(of: seed), ownCheck: ownCheck)
        history.world.observer = { event, now, effects in
            lines.append("\(now.awake) \(event)\n" + effects.map { "      \($0)" }.joined(separator: "\n"))
        }
        history.run(steps: steps)
        return lines.all
    }
}
