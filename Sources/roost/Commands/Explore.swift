import ArgumentParser
import Dispatch
import ExploreCommand
import Glibc
import LifeCycleModel
import LifeCycleSimulation
import RoostRuntime

struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Run random histories, or every short sequence of actions, and check the rules after each event.",
        discussion: """
            Random histories (--seeds, --steps) mix actions of users, apps and the device with faults. --exhaustive runs \
            every sequence of actions in a small world, shortest first, with several alphabets: the life cycle of two apps, \
            and each pair of concerns with one app. It runs for a minute, or as --length or --seconds says. After each \
            event, all invariants and the reference model are checked. A finding is printed with its seed or its actions and \
            its last events. A random finding is also shrunk and printed as a Swift test.

            Several machines share a run: each explores one part of the seeds (--shard I/N) and writes a report of it \
            (--report FILE). --merge FILE... adds the reports of all parts up and prints the report of the whole run, \
            with the digest that --digest prints. Parts are of whole blocks of 64 seeds.

            Exit codes: 0 nothing was found; 1 a rule was broken, or with --expect not everything was reached; 2 a \
            wrong argument, or a report that cannot be written, read or merged.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The seeds to run, A...B or one; 1...1000 if left out.", valueName: "A...B"))
    var seeds: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many steps each history has; 1000 if left out.", valueName: "N"))
    var steps: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fail unless every callback, decision and effect of a fixed list occurs; only all, for long runs.",
            valueName: "what"),
        completion: .list(["all"]))
    var expect: String?
    @Flag(help: "Print only a digest of all events and effects: the same in every process and build.")
    var digest = false
    @Flag(help: "Print JSON.")
    var json = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --report: run only part I of N of the seeds, I from 1.", valueName: "I/N"))
    var shard: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The file for the report of a part.", valueName: "FILE"),
        completion: .file())
    var report: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Merge the reports of all parts of a run; runs nothing.", valueName: "FILE"),
        completion: .file())
    var merge: [String] = []
    @Flag(help: "Run all sequences instead of random histories.")
    var exhaustive = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --exhaustive: sequences of up to so many user actions.", valueName: "N"))
    var length: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --exhaustive: stop after so many seconds; 60 by default.", valueName: "S"))
    var seconds: String?

    /// Throws if the arguments are invalid.
    private func request() throws(ExplorationRequest.Invalid) -> ExplorationRequest {
        var options = ExplorationRequest.Options()
        (options.seeds, options.steps, options.expect) = (seeds, steps, expect)
        (options.isDigest, options.isExhaustive) = (digest, exhaustive)
        (options.shard, options.report, options.merge) = (shard, report, merge.isEmpty ? nil : merge)
        (options.length, options.seconds) = (length, seconds)
        return try ExplorationRequest(options)
    }

    func validate() throws {
        do {
            _ = try request()
        } catch {
            throw ValidationError(error.description)
        }
        if json, digest || exhaustive {
            throw ValidationError("--json is for random histories, not for --digest and --exhaustive")
        }
    }

    func run() throws {
        do {
            let finding = try request().run(
                clock: { Moment.now.awake }, concurrently: DispatchQueue.concurrentPerform,
                text: json ? { try Output.json(Exploration($0)) } : ExplorationReport.text
            ) {
                print($0)
                // The next line may take long.
                fflush(nil)
            }
            // The JSON report already has the finding.
            if let finding { throw json ? ExitCode(1) : Failure.failed(finding) }
        } catch let problem as ReportProblem {
            throw Failure.wrongInput(problem.description)
        }
    }
}

/// The JSON form of an exploration's report.
private struct Exploration: Encodable {
    struct Failure: Encodable {
        let seed: UInt64
        let violation: String
        let trace: [String]
    }

    let histories: Int
    let events: Int
    let reached: [String: Int]
    let missing: [String]
    /// The digest of a part, or of the merged parts of a run.
    let digest: String?
    let failure: Failure?
    /// All failures, if merged parts have several.
    let failures: [Failure]?

    init(_ report: Explorer.Report) {
        histories = report.seeds
        events = report.events
        reached = Dictionary(report.reach.map { ($0.name, $0.count) }) { $0 + $1 }
        missing = report.missing
        digest = report.digest?.digits
        let all = report.failures.map { Failure(seed: $0.seed, violation: "\($0.violation)", trace: $0.trace) }
        failure = all.first
        failures = all.count > 1 ? all : nil
    }
}
