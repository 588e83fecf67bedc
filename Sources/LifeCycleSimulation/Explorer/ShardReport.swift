import LifeCycleModel

/// The content of a shard's report file: the request and the result.
public struct ShardReport: Hashable, Sendable, Codable {
    /// A broken invariant, and the seed that shows it.
    struct Finding: Hashable, Sendable, Codable {
        var seed: UInt64
        var invariant: String
        var finding: String
        /// On the awake clock.
        var at: Nanoseconds
    }

    /// The format that is written and read.
    public static let format = 1
    /// The longest text of a finding, in characters.
    private static let longestText = 4096

    var format = Self.format
    /// The digest that identifies the rules: `Explorer.rules`.
    var rules: String
    /// The whole run, as in the options of these names.
    var seeds: String
    var steps: Int
    var shard: String
    var histories: Int
    var events: Int
    /// The digest of the part's seeds.
    var digest: String
    var reached: [String: Int]
    /// nil if no invariant was broken.
    var finding: Finding?

    /// The explorer's report of `shard`; the report must have a digest.
    public init(of shard: Shard, _ report: Explorer.Report) {
        rules = Explorer.rules
        seeds = "\(shard.seeds.lowerBound)...\(shard.seeds.upperBound)"
        (steps, self.shard) = (shard.steps, shard.name)
        (histories, events) = (report.seeds, report.events)
        digest = report.digest?.digits ?? ""
        reached = Dictionary(report.reach.map { ($0.name, $0.count) }) { $0 + $1 }
        finding = report.failures.first.map {
            Finding(
                seed: $0.seed, invariant: String($0.violation.invariant.prefix(Self.longestText)),
                finding: String($0.violation.finding.prefix(Self.longestText)), at: $0.violation.at)
        }
    }
}
