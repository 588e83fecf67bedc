import ArgumentParser
import LifeCycleModel
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
