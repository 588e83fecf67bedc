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
        /// The findings, by seed. A run stops at its first; the merged report of several runs may have more.
        public var failures: [Failure] = []
        /// The digest of all histories; nil unless it was asked for.
        public var digest: HistoryDigest?

        /// The first finding: the seed that shows it, and its last events.
        public var failure: Failure? { failures.first }
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

    /// The mark of the rules: a digest of a few histories under each preset. Parts of a run that were explored under
    /// different rules do not add up.
    static let rules = Explorer(steps: 50).digest(seeds: 0...14).digits

    /// Runs the histories of all `seeds`, and stops at the first finding. `isDigested` asks for their digest as well.
    public func explore(seeds: ClosedRange<UInt64>, isDigested: Bool = false) -> Report {
        var report = Report()
        let reach = Reach()
        let digest = HistoryDigest.Growing()
        for seed in seeds {
            digest.begin(seed: seed)
            var history = History(seed: seed, policy: policy(of: seed), ownCheck: ownCheck)
            history.world.observer = { event, now, effects in
                reach.note(event, effects)
                if isDigested { digest.note(event, now, effects) }
            }
            history.world.faultObserver = { reach.note(fault: $0) }
            history.run(steps: steps)
            report.seeds += 1
            report.events += history.world.eventCount
            if let violation = history.world.violation {
                report.failures = [
                    Failure(
                        seed: seed, violation: violation, trace: trace(seed: seed, last: 40),
                        shrunk: Shrinker(seed: seed, policy: policy(of: seed), steps: steps, ownCheck: ownCheck)
                            .shrink())
                ]
                break
            }
        }
        report.reach = reach.counts
        report.missing = Expected.missing(from: report.reach)
        if isDigested {
            report.digest = HistoryDigest(
                value: digest.value, histories: report.seeds, events: report.events, brokenSeed: report.failure?.seed)
        }
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
