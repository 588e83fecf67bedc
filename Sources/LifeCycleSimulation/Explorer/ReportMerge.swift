import LifeCycleModel

/// The merged reports of all shards of a run.
public struct ReportMerge: Sendable {
    /// The reason why a report does not fit the others or why parts are missing, and what to do.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason, without the file's name.
        public let description: String
    }

    /// The largest count of a part: years of processor time. The sum of `Shard.most` such counts fits in 64 bits.
    static let largestCount = 10_000_000_000_000

    /// The first part that was added. All others must be of the same run.
    private var first: (shard: Shard, source: String)?
    /// The file of each part, by the part's number minus 1; nil if the part is missing.
    private var sources: [String?] = []
    private var digest: UInt64 = 0
    private var reached: [String: Int] = [:]
    private var report = Explorer.Report()

    /// A merge without any report yet.
    public init() {}

    /// Adds a part; `source` is its name in messages. Throws `Refusal` if the part is invalid, is already there or
    /// belongs to another run.
    public mutating func add(_ part: ShardReport, from source: String) throws(Refusal) {
        let shard = try Self.shard(of: part)
        try Self.check(part, of: shard)
        guard part.digest.utf8.count == 16, let value = UInt64(part.digest, radix: 16) else {
            throw .damaged("its digest is not of 16 hexadecimal digits")
        }
        try take(shard, from: source)
        digest &+= value
        report.seeds += part.histories
        report.events += part.events
        for (name, count) in part.reached { reached[name, default: 0] += count }
        if let found = part.finding {
            let violation = Violation(invariant: found.invariant.visible, finding: found.finding.visible, at: found.at)
            report.failures.append(Explorer.Failure(seed: found.seed, violation: violation, trace: []))
        }
    }

    /// The report of the whole run. Throws `Refusal` unless all parts were added.
    public func whole() throws(Refusal) -> (report: Explorer.Report, steps: Int) {
        guard let shard = first?.shard else { throw Refusal(description: "there is no report: name the files") }
        let missing = sources.indices.filter { sources[$0] == nil }
        if let next = missing.first {
            let names = missing.prefix(8).map { "\($0 + 1)/\(shard.count)" }.joined(separator: ", ")
            throw Refusal(
                description: "missing \(names)\(missing.count > 8 ? " and \(missing.count - 8) more" : ""): "
                    + "run `explore \(shard.options(number: next + 1)) --report FILE` and merge its file as well")
        }
        var report = report
        report.failures.sort { $0.seed < $1.seed }
        report.reach = reached.map { (name: $0.key, count: $0.value) }.sorted { $0.name < $1.name }
        report.missing = Expected.missing(from: report.reach)
        report.digest = HistoryDigest(
            value: digest, histories: report.seeds, events: report.events, brokenSeed: report.failures.first?.seed)
        return (report, shard.steps)
    }

    private static func shard(of part: ShardReport) throws(Refusal) -> Shard {
        guard max(part.seeds.utf8.count, part.shard.utf8.count) <= 64 else { throw .damaged("its request is too long") }
        do {
            let seeds = try ExplorationRequest.seeds(from: part.seeds)
            return try Shard(part.shard, of: seeds, steps: ExplorationRequest.steps("\(part.steps)"))
        } catch {
            throw .damaged("its request is invalid: \(error)")
        }
    }

    /// Records a part as present, if it belongs to the same run. Throws `Refusal` otherwise.
    private mutating func take(_ shard: Shard, from source: String) throws(Refusal) {
        let first = first ?? (shard, source)
        let run = first.shard
        guard (shard.seeds, shard.steps, shard.count) == (run.seeds, run.steps, run.count) else {
            throw Refusal(
                description: "it is of `\(shard.options(number: shard.number))`, and \(first.source) is of "
                    + "`\(run.options(number: run.number))`: merge the parts of one run")
        }
        if self.first == nil {
            self.first = first
            sources = Array(repeating: nil, count: run.count)
        }
        if let other = sources[shard.number - 1] {
            throw Refusal(description: "part \(shard.name) is in \(other) already: name each part once")
        }
        sources[shard.number - 1] = source
    }

    /// Checks that the counts are possible. Throws `Refusal` if they are not.
    private static func check(_ part: ShardReport, of shard: Shard) throws(Refusal) {
        guard part.rules == Explorer.rules else {
            throw Refusal(
                description: "it was written under other rules than this program has: "
                    + "run and merge all parts with the same build")
        }
        let seeds = shard.ownSeeds
        let last = part.finding?.seed ?? seeds.upperBound
        guard seeds.contains(last) else { throw .damaged("its finding's seed is not of part \(shard.name)") }
        let histories = last - seeds.lowerBound + 1
        guard UInt64(exactly: part.histories) == histories else {
            throw .damaged("it counts \(part.histories) histories where there are \(histories)")
        }
        guard (0...largestCount).contains(part.events) else { throw .damaged("it counts \(part.events) events") }
        for (name, count) in part.reached {
            guard name == name.visible, (1...largestCount).contains(count) else {
                throw .damaged("it counts \(count) times \(String(name.prefix(64)).debugDescription)")
            }
        }
    }
}

extension ReportMerge.Refusal {
    fileprivate static func damaged(_ reason: String) -> Self {
        Self(description: "\(reason): run its shard again")
    }
}
