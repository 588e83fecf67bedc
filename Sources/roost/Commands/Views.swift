import ArgumentParser
import Glibc
import LifeCycleModel
import LifeCycleSimulation
import RoostLinux
import RoostPorts
import RoostStore
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
        var rows = [["APP", "STATE", "PID", "KERNEL", "TIME LEFT", "TASKS", "MEMORY", "HELD BY"]]
        for app in apps {
            rows.append([
                app.identifier.rawValue, app.state.name + (app.isForceQuit ? " (force-quit)" : ""),
                app.pid.map(String.init) ?? "-", app.freezer ?? "-", app.timeRemaining?.description ?? "-",
                app.openTasks.isEmpty ? "-" : app.openTasks.map { Output.visible($0.name) }.joined(separator: ", "),
                app.memory.map(Output.size) ?? "-",
                app.assertions.isEmpty ? "-" : app.assertions.joined(separator: ", "),
            ])
        }
        print(Output.table(rows))
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

/// Thaws without a system.
struct Thaw: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Thaw whatever a system has left frozen. Needs no running system.")

    @OptionGroup var state: StateOptions
    @Flag(help: "Thaw the apps of every system on this machine, not only of this state directory's.")
    var all = false

    func run() throws {
        let environment = LinuxProcesses.ownEnvironment
        let thawed =
            all
            ? LinuxProcesses.thawEverything(environment: environment, stopped: stopped())
            : LinuxProcesses.thawAll(
                systemID: try state.systemID(), environment: environment)
        var failures = 0
        for place in thawed {
            if let error = place.error {
                failures += 1
                writeError("roost: \(error)\n")
            } else if place.wasFrozen {
                print("thawed \(place.place)")
            }
        }
        if failures > 0 { throw ExitCode(1) }
        if !thawed.contains(where: \.wasFrozen) { print("nothing is frozen") }
    }

    /// Processes that may have been stopped by SIGSTOP leave no trace but in the store.
    private func stopped() -> [StoredProcess] {
        guard access(state.path + "/store.db", R_OK) == 0, let store = try? SQLiteStore(path: state.path + "/store.db")
        else { return [] }
        return (try? store.load())?.launches.compactMap(\.process) ?? []
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

    func validate() throws {
        guard steps > 0 else { throw ValidationError("--steps takes a number above zero, not \(steps)") }
    }

    func run() throws {
        let report = Explorer(steps: steps).explore(seeds: seeds.range)
        print(ExplorationReport.text(report))
        if report.failure != nil { throw ExitCode(1) }
    }
}
