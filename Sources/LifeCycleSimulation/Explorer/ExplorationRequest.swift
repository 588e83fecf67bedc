public import LifeCycleModel

/// What `explore` is asked for, read from its arguments and checked.
public struct ExplorationRequest: Hashable, Sendable {
    /// Random histories, or all short sequences.
    public enum Kind: Hashable, Sendable {
        /// Histories with these seeds; `expectsAll` makes it a failure that something was never reached.
        case random(seeds: ClosedRange<UInt64>, steps: Int, expectsAll: Bool)
        /// A digest of the histories with these seeds, to be compared with another process's.
        case digest(seeds: ClosedRange<UInt64>, steps: Int)
        /// All sequences, as far as the bound lets it come.
        case exhaustive(Bound)
    }

    /// Where all sequences come to their end.
    public enum Bound: Hashable, Sendable {
        /// So many letters.
        case length(Int)
        /// So much time.
        case time(Nanoseconds)
    }

    /// What was wrong with the arguments, in a sentence.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    /// The most time that may be asked for, in seconds: a week.
    public static let mostSeconds: Int64 = 7 * 24 * 3600

    /// What is asked for.
    public let kind: Kind

    /// How `explore` is called.
    public static let usage =
        "explore [--seeds A...B] [--steps N] [--expect all | --digest] | explore --exhaustive [--length N | --seconds S]"

    /// Reads the arguments after the program's name. Throws `Invalid` where one is wrong.
    public init(arguments: [String]) throws(Invalid) {
        var seeds: ClosedRange<UInt64>?
        var steps: Int?
        var expectsAll = false
        var (isExhaustive, isDigest) = (false, false)
        var length: String?
        var seconds: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--exhaustive" {
                isExhaustive = true
                continue
            }
            if argument == "--digest" {
                isDigest = true
                continue
            }
            let value = rest.popFirst() ?? ""
            switch argument {
            case "--seeds":
                seeds = ExplorationReport.seeds(from: value)
                if seeds == nil { throw Invalid(description: "--seeds takes A...B, not \"\(value)\"") }
            case "--steps":
                steps = Int(value).flatMap { $0 > 0 ? $0 : nil }
                if steps == nil { throw Invalid(description: "--steps takes a number above zero, not \"\(value)\"") }
            case "--expect":
                guard value == "all" else { throw Invalid(description: "--expect takes all, not \"\(value)\"") }
                expectsAll = true
            case "--length": length = value
            case "--seconds": seconds = value
            default: throw Invalid(description: "unknown argument \"\(argument)\"; usage: \(Self.usage)")
            }
        }
        guard isExhaustive else {
            if length != nil || seconds != nil {
                throw Invalid(description: "--length and --seconds are for --exhaustive")
            }
            if isDigest {
                if expectsAll { throw Invalid(description: "--digest tells one number: --expect is not for it") }
                kind = .digest(seeds: seeds ?? 1...100, steps: steps ?? 1000)
                return
            }
            kind = .random(seeds: seeds ?? 1...100, steps: steps ?? 1000, expectsAll: expectsAll)
            return
        }
        if seeds != nil || steps != nil || expectsAll || isDigest {
            throw Invalid(
                description: "--exhaustive draws nothing: --seeds, --steps, --expect and --digest are not for it")
        }
        kind = .exhaustive(try Self.bound(length: length, seconds: seconds))
    }

    /// The bound that `--length` or `--seconds` gives; a minute where neither is there. Throws `Invalid` for both, for
    /// zero and for what no machine comes to.
    public static func bound(length: String?, seconds: String?) throws(Invalid) -> Bound {
        switch (length, seconds) {
        case (_?, _?): throw Invalid(description: "--length or --seconds, not both")
        case (nil, nil): return .time(.seconds(60))
        case (let text?, nil):
            guard let length = Int(text), (1...Exhaustive.longest).contains(length) else {
                throw Invalid(description: "--length takes 1 to \(Exhaustive.longest), not \"\(text)\"")
            }
            return .length(length)
        case (nil, let text?):
            guard let seconds = Int64(text), (1...mostSeconds).contains(seconds) else {
                throw Invalid(description: "--seconds takes 1 to \(mostSeconds), not \"\(text)\"")
            }
            return .time(.seconds(seconds))
        }
    }
}
