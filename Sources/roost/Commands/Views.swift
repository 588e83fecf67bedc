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
        let client: ControlClient
        do {
            client = try ControlClient(to: state)
        } catch {
            if let left = FrozenApps.sentence(in: state.path) { writeError("roost: \(left)\n") }
            throw error
        }
        guard case .apps(let apps) = try client.ask(.list) else { return }
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
    @Option(
        help: "Only what was decided since then: so long ago, 90s, 10m or 2h, or a time of day in UTC, 17:30.")
    var since: PointInTime?
    @OptionGroup var output: OutputOptions

    func run() throws {
        var lines = try ControlClient(to: state).decisions(.why(app.app))
        if let since { lines.removeAll { $0.time < since.wall } }
        let nothing = "nothing was decided about \(app.app)" + (since == nil ? "" : " since then")
        try output.print(lines, orElse: nothing)
    }
}
