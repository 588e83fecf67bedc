/// One of the parts into which the seeds of a run are divided, for one machine each. A part consists of whole blocks of
/// a `HistoryDigest`.
public struct Shard: Hashable, Sendable {
    /// The largest number of parts of a run.
    public static let most = 100_000

    /// The seeds of the whole run.
    public let seeds: ClosedRange<UInt64>
    /// The steps of each history.
    public let steps: Int
    /// The number of this part, from 1.
    public let number: Int
    /// The number of parts.
    public let count: Int

    /// Reads `I/N`. Throws `Invalid` for anything else, and for more parts than the seeds have blocks.
    init(_ text: String, of seeds: ClosedRange<UInt64>, steps: Int) throws(ExplorationRequest.Invalid) {
        func invalid(_ reason: String) -> ExplorationRequest.Invalid {
            .init("--shard", takes: "a part and the number of parts, as in 2/8", not: text, because: reason)
        }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
            throw invalid("these are not two whole numbers")
        }
        guard (1...Self.most).contains(count) else { throw invalid("a run has 1 to \(Self.most) parts") }
        guard (1...count).contains(number) else { throw invalid("the parts are 1 to \(count)") }
        let block = HistoryDigest.block
        let blocks = seeds.upperBound / block - seeds.lowerBound / block + 1
        guard UInt64(count) <= blocks else {
            throw invalid(
                "seeds \(seeds.lowerBound)...\(seeds.upperBound) make at most \(blocks) parts, "
                    + "since blocks of \(block) seeds stay whole")
        }
        (self.seeds, self.steps, self.number, self.count) = (seeds, steps, number, count)
    }

    /// The seeds of this part.
    public var ownSeeds: ClosedRange<UInt64> {
        let block = HistoryDigest.block
        let first = seeds.lowerBound / block
        let blocks = seeds.upperBound / block - first + 1
        func start(of part: Int) -> UInt64 { first + UInt64(part - 1) * blocks / UInt64(count) }
        // The end of the last block may be the largest `UInt64`.
        let last = (start(of: number + 1) - 1) * block + (block - 1)
        return max(seeds.lowerBound, start(of: number) * block)...min(seeds.upperBound, last)
    }

    /// The part as `I/N`.
    var name: String { "\(number)/\(count)" }

    /// The options that run a part of the same run.
    func options(number: Int) -> String {
        "--seeds \(seeds.lowerBound)...\(seeds.upperBound) --steps \(steps) --shard \(number)/\(count)"
    }
}
