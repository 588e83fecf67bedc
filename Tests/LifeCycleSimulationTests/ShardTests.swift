import Foundation
import LifeCycleModel
import Testing

@testable import ExploreCommand
@testable import LifeCycleSimulation

/// Runs that several machines share: their parts, reports and refusals.
@Suite struct ShardTests {
    /// Runs `body` with a directory for reports, and removes it afterwards.
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.path + "/roost-shards-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    private func run(_ arguments: [String]) throws -> (output: [String], finding: String?) {
        var output: [String] = []
        let finding = try ExplorationRequest(arguments: arguments)
            .run(clock: { .zero }, text: ExplorationReport.text) { output.append($0) }
        return (output, finding)
    }

    /// The report of one part of seeds 1...200 with 3 steps each, as a machine would write it.
    private func part(_ name: String = "1/3", seeds: ClosedRange<UInt64> = 1...200, steps: Int = 3) throws
        -> ShardReport
    {
        let shard = try Shard(name, of: seeds, steps: steps)
        var report = Explorer.Report()
        report.seeds = shard.ownSeeds.count
        report.events = report.seeds
        report.digest = HistoryDigest(value: 1, histories: 0, events: 0, brokenSeed: nil)
        return ShardReport(of: shard, report)
    }

    // MARK: Parts

    @Test(
        arguments: [
            (1...200, 1), (1...200, 3), (1...200, 4), (0...63, 1), (63...64, 2), (1...1_000_000_000, 99_999),
            ((.max - 999) ... .max, 16),
        ] as [(ClosedRange<UInt64>, Int)])
    func partsAreOfWholeBlocks(seeds: ClosedRange<UInt64>, count: Int) throws {
        var next: UInt64? = seeds.lowerBound
        for number in 1...count {
            let own = try Shard("\(number)/\(count)", of: seeds, steps: 1).ownSeeds
            #expect(own.lowerBound == next && (number == 1 || own.lowerBound % 64 == 0))
            next = own.upperBound == .max ? nil : own.upperBound + 1
        }
        #expect(next == (seeds.upperBound == .max ? nil : seeds.upperBound + 1))
    }

    @Test func theMergedPartsAreTheWholeRun() throws {
        try withDirectory { directory in
            let request = ["--seeds", "1...200", "--steps", "20"]
            let files = (1...3).map { "\(directory)/\($0).json" }
            for (index, file) in files.enumerated() {
                let shard = ["--shard", "\(index + 1)/3", "--report", file]
                #expect(try run(request + shard).finding == nil)
            }
            // No draft file is left.
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 3)
            let (merged, _) = try ReportFile.merge(files.reversed())
            let whole = Explorer(steps: 20).explore(seeds: 1...200, isDigested: true)
            #expect((merged.seeds, merged.events) == (whole.seeds, whole.events))
            #expect(merged.reach.map(\.name) == whole.reach.map(\.name))
            #expect(merged.reach.map(\.count) == whole.reach.map(\.count))
            #expect(merged.missing == whole.missing && merged.failures.isEmpty)
            #expect(merged.digest == Explorer(steps: 20).digest(seeds: 1...200))
            #expect(merged.digest == whole.digest)
            let ran = try run(["--merge"] + files)
            #expect(ran.output == [ExplorationReport.text(whole)] && ran.finding == nil)
            let all = try run(["--expect", "all", "--merge"] + files)
            #expect(all.finding == "not everything was reached")
            let problem = #expect(throws: ReportProblem.self) { try run(["--merge", files[1]]) }
            #expect(problem?.description.hasPrefix("cannot merge the reports: missing 1/3, 3/3: run `explore ") == true)
        }
    }

    @Test func findingsOfAllPartsAreReported() throws {
        try withDirectory { directory in
            let files = (1...3).map { "\(directory)/\($0).json" }
            for (number, file) in zip(1..., files) {
                var part = try part("\(number)/3")
                if number > 1 {
                    let seed = try Shard("\(number)/3", of: 1...200, steps: 3).ownSeeds.lowerBound + 4
                    part.histories = 5
                    part.finding = .init(seed: seed, invariant: "it", finding: "is\u{1B}so", at: .seconds(1))
                }
                try ReportFile.write(part, to: file)
            }
            let (output, finding) = try run(["--merge", files[2], files[0], files[1]])
            let lines = output.joined().split(separator: "\n").filter { $0.hasPrefix("FOUND") }
            #expect(
                lines == [
                    "FOUND with seed 68: it: is\\u{1b}so (at 1 s)", "FOUND with seed 132: it: is\\u{1b}so (at 1 s)",
                ])
            #expect(finding == "an invariant was broken: `explore --seeds 68 --steps 3` shows it again")
        }
    }

    // MARK: Reports that are refused

    /// The refusal of this part after a first one; nil if both are accepted.
    private func refusal(of other: ShardReport, after first: ShardReport) -> String? {
        var merge = ReportMerge()
        do throws(ReportMerge.Refusal) {
            try merge.add(first, from: "first")
            try merge.add(other, from: "other")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func partsOfAnotherRun() throws {
        let first = try part()
        #expect(try refusal(of: part("2/3"), after: first) == nil)
        #expect(try refusal(of: part(), after: first) == "part 1/3 is in first already: name each part once")
        for other in try [part("2/2"), part("2/3", seeds: 1...201), part("2/3", steps: 4)] {
            let words = try #require(refusal(of: other, after: first))
            #expect(
                words.hasPrefix("it is of `--seeds 1...20") && words.contains("and first is of `--seeds 1...200"))
            #expect(words.hasSuffix(": merge the parts of one run"))
        }
        var other = try part("2/3")
        other.rules = "0123456789abcdef"
        #expect(refusal(of: other, after: first)?.hasPrefix("it was written under other rules") == true)
    }

    private static let damages: [(damage: @Sendable (inout ShardReport) -> Void, reason: String)] = [
        ({ $0.seeds = "2...1" }, "its request is invalid: --seeds takes"),
        ({ $0.seeds = String(repeating: "1", count: 65) }, "its request is too long"),
        ({ $0.steps = -1 }, "its request is invalid: --steps takes"),
        ({ $0.shard = "4/3" }, "its request is invalid: --shard takes"),
        ({ $0.shard = "1/\(Int.max)" }, "its request is invalid: --shard takes"),
        ({ $0.histories = 62 }, "it counts 62 histories where there are 64"),
        ({ $0.histories = .max }, "it counts 9223372036854775807 histories"),
        ({ $0.events = -1 }, "it counts -1 events"), ({ $0.events = .max }, "it counts 9223372036854775807 events"),
        ({ $0.reached["x"] = 0 }, "it counts 0 times \"x\""),
        ({ $0.reached["x"] = .max }, "it counts 9223372036854775807 times \"x\""),
        ({ $0.reached["\u{1B}"] = 1 }, "it counts 1 times \"\\u{1B}\""),
        ({ $0.digest = "1" }, "its digest is not of 16"),
        ({ $0.digest = "000000000000000g" }, "its digest is not of 16"),
        (
            { $0.finding = .init(seed: 1, invariant: "", finding: "", at: .zero) },
            "its finding's seed is not of part 2/3"
        ),
    ]

    @Test(arguments: damages.indices) func impossibleReportsAreRefused(index: Int) throws {
        var other = try part("2/3")
        Self.damages[index].damage(&other)
        let words = try #require(try refusal(of: other, after: part()))
        #expect(
            words.hasPrefix(Self.damages[index].reason) && words.hasSuffix(": run its shard again"), "\(words)")
    }

    /// The sum of the largest accepted counts, over the largest number of parts, does not overflow.
    @Test func countsDoNotOverflow() {
        #expect(!ReportMerge.largestCount.multipliedReportingOverflow(by: Shard.most).overflow)
    }

    @Test func missingPartsAreNamed() throws {
        var merge = ReportMerge()
        #expect(throws: ReportMerge.Refusal(description: "there is no report: name the files")) { try merge.whole() }
        try merge.add(part("2/3"), from: "second")
        #expect(
            throws: ReportMerge.Refusal(
                description: "missing 1/3, 3/3: run `explore --seeds 1...200 --steps 3 --shard 1/3 --report FILE` "
                    + "and merge its file as well")
        ) { try merge.whole() }
        var large = ReportMerge()
        try large.add(part("1/11", seeds: 0...703), from: "first")
        let refusal = #expect(throws: ReportMerge.Refusal.self) { try large.whole() }
        #expect(refusal?.description.contains("8/11, 9/11 and 2 more: run ") == true)
    }

    // MARK: Files that are refused

    @Test(arguments: [
        ("", "it is cut off, or not the JSON of a report"),
        ("{\"format\": 1", "it is cut off, or not the JSON of a report"),
        (String(repeating: "[", count: 100_000), "it is cut off, or not the JSON of a report"),
        ("[]", "it is cut off, or not the JSON of a report"), ("{}", "its \"format\" is missing"),
        ("{\"format\": \"1\"}", "its \"format\" has an invalid value"),
        ("{\"format\": 1e999}", "it is cut off, or not the JSON of a report"),
        ("{\"format\": 1e30}", "it is cut off, or not the JSON of a report"),
        ("{\"format\": 1.5}", "it is cut off, or not the JSON of a report"),
        ("{\"format\": 1}", "its \"rules\" is missing"),
        ("{\"format\": 2}", "it is of format 2, and this program reads 1: use the program that wrote it"),
    ])
    func filesThatAreNoReports(text: String, reason: String) throws {
        try withDirectory { directory in
            try text.write(toFile: directory + "/x", atomically: true, encoding: .utf8)
            let problem = #expect(throws: ReportProblem.self) { try run(["--merge", directory + "/x"]) }
            let description = try #require(problem?.description)
            #expect(description.hasPrefix("cannot merge \"\(directory)/x\": \(reason)"), "\(description)")
        }
    }

    /// A truncated report is not a report, for any length.
    @Test func truncatedFiles() throws {
        try withDirectory { directory in
            let (whole, cut) = (directory + "/whole", directory + "/cut")
            try ReportFile.write(part("1/1", seeds: 1...1), to: whole)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
            #expect(try ReportFile.read(whole) == part("1/1", seeds: 1...1))
            for count in 0..<bytes.count - 2 {
                try bytes.prefix(count).write(to: URL(fileURLWithPath: cut))
                #expect(throws: ReportProblem.self) { try ReportFile.read(cut) }
            }
        }
    }

    @Test func filesThatAreNotRead() throws {
        try withDirectory { directory in
            let large = directory + "/large"
            try Data(count: ReportFile.largest + 1).write(to: URL(fileURLWithPath: large))
            mkfifo(directory + "/fifo", 0o600)
            for (path, reason) in [
                (large, "it has more than 262144 bytes: "), (directory, "it is not a regular file: "),
                (directory + "/fifo", "it is not a regular file: "),
                (directory + "/none", "No such file or directory: "),
            ] {
                let problem = #expect(throws: ReportProblem.self) { try run(["--merge", path]) }
                #expect(problem?.description.contains(" \"\(path)\": \(reason)") == true, "\(problem as Any)")
            }
        }
    }

    // MARK: Writing

    @Test func aReportReplacesOnlyAFile() throws {
        try withDirectory { directory in
            let (file, link) = (directory + "/report", directory + "/link")
            try ReportFile.write(part("2/3"), to: file)
            try ReportFile.write(part("1/3"), to: file)
            #expect(try ReportFile.read(file) == part("1/3"))
            #expect(symlink(file, link) == 0)
            for (path, reason) in [
                (link, "something other than a regular file is there"), (directory, "something other"),
                (directory + "/none/x", "No such file or directory"),
            ] {
                let arguments = ["--seeds", "1", "--steps", "1", "--shard", "1/1", "--report", path]
                let problem = #expect(throws: ReportProblem.self) { try run(arguments) }
                #expect(
                    problem?.description.hasPrefix("cannot write \"\(path)\": \(reason)") == true, "\(problem as Any)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["link", "report"])
        }
    }
}
