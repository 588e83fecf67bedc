import ArgumentParser
import LifeCycleModel
import LifeCycleSimulation
import RoostWire

/// Lists apps.
struct Processes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps",
        abstract: "List the apps: their state, their process, what the kernel says of it, time left, tasks, memory.")

    @OptionGroup var state: StateOptions
    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        guard case .apps(let apps) = try ControlClient(to: state).ask(.list) else { return }
        if json { return print(try Output.json(apps)) }
        print(Output.table(ProcessTable.rows(apps)))
    }
}

/// Tells why an app is as it is.
struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what was decided about an app, and why.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let lines = try ControlClient(to: state).decisions(.why(app.app))
        try output.print(lines, orElse: "nothing was decided about \(app.app) since the system started")
    }
}

/// Explores the brain.
struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run random histories against the rules, and check the invariants after each event.")

    @Option(
        help: ArgumentHelp("The seeds to run, A...B or one; 1...1000 if left out.", valueName: "A...B"),
        transform: Seeds.argument)
    var seeds = Seeds(range: 1...1000)
    @Option(help: ArgumentHelp("How many steps each history has.", valueName: "N"))
    var steps = 1000
    @Option(
        help: ArgumentHelp(
            "Fail where something of this was never reached; only all, for long runs.", valueName: "what"))
    var expect: Expectation?
    @Flag(help: "Print only a digest of all events and effects: the same in every process and build.")
    var digest = false
    @Flag(help: "Print JSON.")
    var json = false

    /// What has to have been reached.
    enum Expectation: String, ExpressibleByArgument, CaseIterable { case all }

    func validate() throws {
        if digest, expect != nil || json {
            throw ValidationError("--digest tells one number: --expect and --json are not for it")
        }
        guard steps > 0 else { throw ValidationError("--steps takes a number above zero, not \(steps)") }
    }

    func run() throws {
        if digest {
            let digest = Explorer(steps: steps).digest(seeds: seeds.range)
            print(digest)
            if let seed = digest.brokenSeed { throw Failure.failed("an invariant was broken with seed \(seed)") }
            return
        }
        let report = Explorer(steps: steps).explore(seeds: seeds.range)
        print(json ? try Output.json(Exploration(report)) : ExplorationReport.text(report))
        if report.failure != nil || (expect == .all && !report.missing.isEmpty) { throw ExitCode(1) }
    }
}

/// An exploration's report, as JSON has it.
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
    let failure: Failure?

    init(_ report: Explorer.Report) {
        histories = report.seeds
        events = report.events
        reached = Dictionary(report.reach.map { ($0.name, $0.count) }) { $0 + $1 }
        missing = report.missing
        failure = report.failure.map {
            Failure(seed: $0.seed, violation: "\($0.violation)", trace: $0.trace)
        }
    }
}
