public import LifeCycleModel

/// A request to `explore` or `roost explore`, read from the arguments and checked.
public struct ExplorationRequest: Hashable, Sendable {
    /// The kind of run: random histories, or all short sequences.
    public enum Kind: Hashable, Sendable {
        /// Histories with these seeds. With `expectsAll` a name that was never reached is a failure.
        case random(seeds: ClosedRange<UInt64>, steps: Int, expectsAll: Bool)
        /// A digest of the histories with these seeds, for comparison with another process.
        case digest(seeds: ClosedRange<UInt64>, steps: Int)
        /// One part of a run, whose report is written to a file.
        case shard(Shard, report: String)
        /// The report of a run, merged from the files of its parts.
        case merge(files: [String], expectsAll: Bool)
        /// All sequences within the bound.
        case exhaustive(Bound)
    }

    /// The bound of the exhaustive search.
    public enum Bound: Hashable, Sendable {
        /// A number of steps.
        case length(Int)
        /// A duration.
        case time(Nanoseconds)
    }

    /// The options as text; nil if an option was not given.
    public struct Options: Hashable, Sendable {
        /// `--seeds A...B`.
        public var seeds: String?
        /// `--steps N`.
        public var steps: String?
        /// `--expect WORD`; only `all` is accepted.
        public var expect: String?
        /// `--digest`.
        public var isDigest = false
        /// `--shard I/N`.
        public var shard: String?
        /// `--report FILE`.
        public var report: String?
        /// `--merge FILE…`.
        public var merge: [String]?
        /// `--exhaustive`.
        public var isExhaustive = false
        /// `--length N`.
        public var length: String?
        /// `--seconds S`.
        public var seconds: String?

        /// No options.
        public init() {}
    }

    /// An error in the arguments: a sentence that names the option and says what it accepts.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        init(_ description: String) { self.description = description }

        init(_ option: String, takes expected: String, not text: String, because reason: String? = nil) {
            // The text may contain control characters for terminals.
            let written = "\(option) takes \(expected), not \(text.debugDescription)"
            description = reason.map { "\(written): \($0)" } ?? written
        }
    }

    /// The largest number of histories, and of steps of a history: more than any machine can run.
    public static let most = 1_000_000_000
    /// The longest time, in seconds: a week.
    public static let mostSeconds: Int64 = 7 * 24 * 3600

    /// The kind of run that is requested.
    public let kind: Kind

    /// The usage text of `explore`.
    public static let usage =
        "explore [--seeds A...B] [--steps N] [--expect all | --digest | --shard I/N --report FILE] | "
        + "explore --merge FILE... [--expect all] | explore --exhaustive [--length N | --seconds S]"

    /// Reads the arguments after the program's name. Throws `Invalid` if an argument is wrong.
    public init(arguments: [String]) throws(Invalid) {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--exhaustive": options.isExhaustive = true
            case "--digest": options.isDigest = true
            case "--seeds": options.seeds = rest.popFirst() ?? ""
            case "--steps": options.steps = rest.popFirst() ?? ""
            case "--expect": options.expect = rest.popFirst() ?? ""
            case "--shard": options.shard = rest.popFirst() ?? ""
            case "--report": options.report = rest.popFirst() ?? ""
            case "--merge":
                let files = rest.prefix { !$0.hasPrefix("--") }
                options.merge = (options.merge ?? []) + files
                rest = rest[files.endIndex...]
            case "--length": options.length = rest.popFirst() ?? ""
            case "--seconds": options.seconds = rest.popFirst() ?? ""
            default: throw Invalid("unknown argument \(argument.debugDescription); usage: \(Self.usage)")
            }
        }
        try self.init(options)
    }

    /// Checks the options. Throws `Invalid` if an option is wrong or conflicts with another.
    public init(_ options: Options) throws(Invalid) {
        let isOfParts = options.shard != nil || options.report != nil
        if let files = options.merge {
            kind = try Self.merge(files, options)
            return
        }
        if options.isExhaustive {
            if options.seeds != nil || options.steps != nil || options.expect != nil || options.isDigest || isOfParts {
                throw Invalid(
                    "--exhaustive draws nothing: --seeds, --steps, --expect, --digest, --shard and --report are not for it"
                )
            }
            kind = .exhaustive(try Self.bound(length: options.length, seconds: options.seconds))
            return
        }
        if options.length != nil || options.seconds != nil {
            throw Invalid("--length and --seconds are for --exhaustive")
        }
        let seeds = try options.seeds.map(Self.seeds) ?? 1...1000
        let steps = try options.steps.map(Self.steps) ?? 1000
        let expectsAll = try Self.expectsAll(options)
        if isOfParts {
            kind = try Self.shard(of: seeds, steps: steps, options)
            return
        }
        guard options.isDigest else {
            kind = .random(seeds: seeds, steps: steps, expectsAll: expectsAll)
            return
        }
        if expectsAll { throw Invalid("--digest prints one number: --expect is not for it") }
        kind = .digest(seeds: seeds, steps: steps)
    }

    private static func expectsAll(_ options: Options) throws(Invalid) -> Bool {
        if let expect = options.expect, expect != "all" { throw Invalid("--expect", takes: "all", not: expect) }
        return options.expect != nil
    }

    private static func shard(
        of seeds: ClosedRange<UInt64>, steps: Int, _ options: Options
    ) throws(Invalid) -> Kind {
        guard let shard = options.shard, let report = options.report else {
            throw Invalid("--shard I/N and --report FILE go together: a part of a run is for --merge")
        }
        if options.expect != nil || options.isDigest {
            throw Invalid("--shard runs a part: --expect is for --merge, and the digest is in the report")
        }
        if report.isEmpty { throw Invalid("--report", takes: "the file to write", not: report) }
        return .shard(try Shard(shard, of: seeds, steps: steps), report: report)
    }

    private static func merge(_ files: [String], _ options: Options) throws(Invalid) -> Kind {
        var others = options
        (others.merge, others.expect) = (nil, nil)
        if others != Options() { throw Invalid("--merge runs nothing: of the other options only --expect is for it") }
        if files.isEmpty { throw Invalid("--merge takes the reports of all parts") }
        return .merge(files: files, expectsAll: try expectsAll(options))
    }

    /// Reads `A...B` or a single seed. Throws `Invalid` for anything else, and for more seeds than can be run.
    public static func seeds(from text: String) throws(Invalid) -> ClosedRange<UInt64> {
        func invalid(_ reason: String) -> Invalid {
            Invalid("--seeds", takes: "a seed, or the first and the last as in 1...1000", not: text, because: reason)
        }
        func seed(_ part: Substring) throws(Invalid) -> UInt64 {
            guard let seed = UInt64(part) else {
                throw invalid("\(String(part).debugDescription) is no whole number from 0 to \(UInt64.max)")
            }
            return seed
        }
        guard let dots = text.firstRange(of: "...") else {
            let single = try seed(text[...])
            return single...single
        }
        let (first, last) = (try seed(text[..<dots.lowerBound]), try seed(text[dots.upperBound...]))
        guard first <= last else { throw invalid("the first is larger than the last") }
        guard last - first < UInt64(most) else { throw invalid("these are more than \(most)") }
        return first...last
    }

    static func steps(_ text: String) throws(Invalid) -> Int {
        guard let steps = Int(text), (1...most).contains(steps) else {
            throw Invalid("--steps", takes: "1 to \(most)", not: text)
        }
        return steps
    }

    /// The bound from `--length` or `--seconds`; a minute without an option. Throws `Invalid` if both options are
    /// given, for zero, and for more than a machine can run.
    private static func bound(length: String?, seconds: String?) throws(Invalid) -> Bound {
        switch (length, seconds) {
        case (_?, _?): throw Invalid("--length or --seconds, not both")
        case (nil, nil): return .time(.seconds(60))
        case (let text?, nil):
            guard let length = Int(text), (1...Exhaustive.longest).contains(length) else {
                throw Invalid("--length", takes: "1 to \(Exhaustive.longest)", not: text)
            }
            return .length(length)
        case (nil, let text?):
            guard let seconds = Int64(text), (1...mostSeconds).contains(seconds) else {
                throw Invalid("--seconds", takes: "1 to \(mostSeconds)", not: text)
            }
            return .time(.seconds(seconds))
        }
    }
}
