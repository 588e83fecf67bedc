import ExploreCommand
import LifeCycleModel
import Testing

@testable import LifeCycleSimulation

/// The arguments of `explore` and `roost explore`: values that are accepted, refusals and their messages, and the
/// output.
@Suite struct RequestTests {
    static let ranges: [(text: String, seeds: ClosedRange<UInt64>)] = [
        ("1...10", 1...10), ("7", 7...7), ("0", 0...0), ("0...0", 0...0), ("18446744073709551615", .max ... .max),
        ("18446744073709551614...18446744073709551615", (.max - 1) ... .max), ("1...1000000000", 1...1_000_000_000),
    ]

    @Test(arguments: ranges) func seedsAsPeopleWriteThem(text: String, seeds: ClosedRange<UInt64>) throws {
        #expect(try ExplorationRequest.seeds(from: text) == seeds)
        #expect(
            try ExplorationRequest(arguments: ["--seeds", text]).kind
                == .random(seeds: seeds, steps: 1000, expectsAll: false))
    }

    private static let noNumber = "is no whole number from 0 to 18446744073709551615"

    @Test(arguments: [
        ("10...1", "the first is larger than the last"), ("", "\"\" \(noNumber)"), ("...", "\"\" \(noNumber)"),
        ("1...", "\"\" \(noNumber)"), ("...5", "\"\" \(noNumber)"), ("1..5", "\"1..5\" \(noNumber)"),
        ("a...b", "\"a\" \(noNumber)"), ("-1...5", "\"-1\" \(noNumber)"), ("1...2...3", "\"2...3\" \(noNumber)"),
        ("1 ... 2", "\"1 \" \(noNumber)"), ("٣", "\"٣\" \(noNumber)"),
        ("18446744073709551616", "\"18446744073709551616\" \(noNumber)"),
        ("0...18446744073709551615", "these are more than 1000000000"),
        ("1...1000000001", "these are more than 1000000000"), ("\u{1B}[31m", #""\u{1B}[31m" \#(noNumber)"#),
    ])
    func absurdSeeds(text: String, reason: String) {
        let error = #expect(throws: ExplorationRequest.Invalid.self) {
            try ExplorationRequest(arguments: ["--seeds", text])
        }
        let written = text.debugDescription
        #expect(
            error?.description
                == "--seeds takes a seed, or the first and the last as in 1...1000, not \(written): \(reason)")
    }

    private static let shard = "--shard takes a part and the number of parts, as in 2/8, not"

    @Test(arguments: [
        (["--steps", "0"], "--steps takes 1 to 1000000000, not \"0\""),
        (["--steps", "-5"], "--steps takes 1 to 1000000000, not \"-5\""),
        (["--steps", "1000000001"], "--steps takes 1 to 1000000000, not \"1000000001\""),
        (["--steps", "99999999999999999999"], "--steps takes 1 to 1000000000, not \"99999999999999999999\""),
        (["--steps"], "--steps takes 1 to 1000000000, not \"\""),
        (["--expect", "much"], "--expect takes all, not \"much\""),
        (["--length", "3"], "--length and --seconds are for --exhaustive"),
        (["--exhaustive", "--length", "0"], "--length takes 1 to 20, not \"0\""),
        (["--exhaustive", "--length", "99"], "--length takes 1 to 20, not \"99\""),
        (["--exhaustive", "--length", "x"], "--length takes 1 to 20, not \"x\""),
        (["--exhaustive", "--seconds", "0"], "--seconds takes 1 to 604800, not \"0\""),
        (["--exhaustive", "--seconds", "-1"], "--seconds takes 1 to 604800, not \"-1\""),
        (["--exhaustive", "--seconds", "1e9"], "--seconds takes 1 to 604800, not \"1e9\""),
        (["--exhaustive", "--length", "3", "--seconds", "3"], "--length or --seconds, not both"),
        (["--exhaustive", "--seeds", "1...2"], "--exhaustive draws nothing: "),
        (["--exhaustive", "--digest"], "--exhaustive draws nothing: "),
        (["--digest", "--expect", "all"], "--digest prints one number: --expect is not for it"),
        (["--shard", "1/2"], "--shard I/N and --report FILE go together"),
        (["--report", "x"], "--shard I/N and --report FILE go together"),
        (["--shard", "1/2", "--report", ""], "--report takes the file to write, not \"\""),
        (["--shard", "1/2", "--report", "x", "--expect", "all"], "--shard runs a part: --expect is for --merge"),
        (["--shard", "1/2", "--report", "x", "--digest"], "--shard runs a part: --expect is for --merge"),
        (["--shard", "", "--report", "x"], "\(shard) \"\": these are not two whole numbers"),
        (["--shard", "1", "--report", "x"], "\(shard) \"1\": these are not two whole numbers"),
        (["--shard", "1/2/3", "--report", "x"], "\(shard) \"1/2/3\": these are not two whole numbers"),
        (["--shard", "0/2", "--report", "x"], "\(shard) \"0/2\": the parts are 1 to 2"),
        (["--shard", "3/2", "--report", "x"], "\(shard) \"3/2\": the parts are 1 to 2"),
        (["--shard", "1/0", "--report", "x"], "\(shard) \"1/0\": a run has 1 to 100000 parts"),
        (
            ["--seeds", "1...64", "--shard", "1/3", "--report", "x"],
            "\(shard) \"1/3\": seeds 1...64 make at most 2 parts, since blocks of 64 seeds stay whole"
        ),
        (["--merge"], "--merge takes the reports of all parts"),
        (["--merge", "x", "--steps", "5"], "--merge runs nothing: of the other options only --expect is for it"),
        (["--merge", "x", "--expect", "much"], "--expect takes all, not \"much\""),
        (["--exhaustive", "--shard", "1/2"], "--exhaustive draws nothing: "),
        (["--exhaustive", "--merge", "x"], "--merge runs nothing: "),
        (["--frobnicate"], "unknown argument \"--frobnicate\"; usage: explore [--seeds A...B]"),
    ])
    func wrongArguments(arguments: [String], words: String) {
        let error = #expect(throws: ExplorationRequest.Invalid.self) { try ExplorationRequest(arguments: arguments) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            ([], .random(seeds: 1...1000, steps: 1000, expectsAll: false)),
            (["--expect", "all", "--steps", "5"], .random(seeds: 1...1000, steps: 5, expectsAll: true)),
            (["--digest", "--seeds", "3...4", "--steps", "5"], .digest(seeds: 3...4, steps: 5)),
            (["--exhaustive"], .exhaustive(.time(.seconds(60)))),
            (["--exhaustive", "--seconds", "1800"], .exhaustive(.time(.seconds(1800)))),
            (["--length", "7", "--exhaustive"], .exhaustive(.length(7))),
            (["--merge", "a", "b", "--expect", "all"], .merge(files: ["a", "b"], expectsAll: true)),
            (["--merge", "a", "--merge", "b"], .merge(files: ["a", "b"], expectsAll: false)),
        ] as [([String], ExplorationRequest.Kind)])
    func rightArguments(arguments: [String], kind: ExplorationRequest.Kind) throws {
        #expect(try ExplorationRequest(arguments: arguments).kind == kind)
    }

    @Test func aPart() throws {
        let arguments = ["--seeds", "1...200", "--steps", "5", "--shard", "2/3", "--report", "x"]
        let shard = try Shard("2/3", of: 1...200, steps: 5)
        #expect(try ExplorationRequest(arguments: arguments).kind == .shard(shard, report: "x"))
        #expect(shard.ownSeeds == 64...127)
    }

    // MARK: Running

    private func run(_ arguments: String...) throws -> (output: [String], finding: String?) {
        var output: [String] = []
        let finding = try ExplorationRequest(arguments: arguments)
            .run(clock: { .zero }, text: ExplorationReport.text) { output.append($0) }
        return (output, finding)
    }

    @Test func reportsTheReachedCases() throws {
        let (output, finding) = try run("--seeds", "1", "--steps", "10")
        #expect(finding == nil)
        #expect(
            output.count == 1 && output[0].contains(" in 1 histories\nno invariant was broken\nNEVER REACHED: "),
            "\(output)")
        #expect(try run("--seeds", "1", "--steps", "10", "--expect", "all").finding == "not everything was reached")
    }

    @Test func tellsADigest() throws {
        let (output, finding) = try run("--digest", "--seeds", "1...2", "--steps", "10")
        #expect(finding == nil)
        #expect(output == ["\(Explorer(steps: 10).digest(seeds: 1...2))"])
    }

    @Test func reportsEachLengthAsItIsReached() throws {
        let (output, finding) = try run("--exhaustive", "--length", "2")
        #expect(finding == nil)
        try #require(output.count == 4, "\(output)")
        #expect(output[0].hasPrefix("alphabets: life cycle, "))
        #expect(output[1].hasPrefix("  length 1: ") && output[2].hasPrefix("  length 2: "), "\(output)")
        #expect(output[3].hasSuffix("every sequence of up to 2 was explored: no rule was broken"))
    }
}
