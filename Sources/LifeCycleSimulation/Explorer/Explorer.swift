public import LifeCycleModel
import LifeCyclePolicy

/// Random histories, each from its own seed. The user, the system and the apps act in any order.
public struct Explorer: Sendable {
    /// The result of an exploration.
    public struct Report: Sendable {
        /// How many histories were run.
        public var seeds = 0
        /// How many events the brain handled.
        public var events = 0
        /// How often each name was reached, sorted by name.
        public var reach: [(name: String, count: Int)] = []
        /// The names that a long exploration reaches, and that this exploration did not reach.
        public var missing: [String] = []
        /// The failures, by seed. A run stops at its first failure; the merged report of several runs may have more.
        public var failures: [Failure] = []
        /// The digest of all histories; nil unless requested.
        public var digest: HistoryDigest?

        /// The first failure; nil if there is none.
        public var failure: Failure? { failures.first }
    }

    /// A violation, and how to reproduce it.
    public struct Failure: Sendable {
        /// The seed that shows it.
        public let seed: UInt64
        /// The broken invariant, and how it was broken.
        public let violation: Violation
        /// The last events before the violation, each with its time and effects.
        public let trace: [String]
        /// The shortest history found with the same violation; nil if the violation could not be reproduced.
        public internal(set) var shrunk: ShrunkHistory?
    }

    private let policies: [Policy]
    private let steps: Int
    private let ownCheck: CheckedDevice.OwnCheck?

    /// An explorer whose histories have `steps` steps each. The seeds take turns through `policies`.
    public init(steps: Int, policies: [Policy] = Policy.presets, ownCheck: CheckedDevice.OwnCheck? = nil) {
        self.ownCheck = ownCheck
        self.steps = steps
        self.policies = policies
    }

    /// A digest of a few histories under each preset, which identifies the rules. Parts of a run that were explored
    /// under different rules must not be merged.
    static let rules = Explorer(steps: 50).digest(seeds: 0...14).digits

    /// Runs the histories of all `seeds`, and stops at the first failure. With `isDigested` it also computes their
    /// digest.
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

    /// Runs the histories of all `seeds`, and returns a digest of everything that happens in them.
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

    /// Runs one history again, and returns its last events as text.
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
