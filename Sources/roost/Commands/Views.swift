import ArgumentParser
import Glibc
import LifeCycleModel
import RoostWire

/// Lists the apps with their processes.
struct Processes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps",
        abstract: "List the apps: state, process, freezer state, background time left, tasks and memory.",
        discussion: """
            HELD BY names the assertions that keep an app from being suspended. A terminal that is too narrow for all \
            columns shows fewer of them.
            """)

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
        let columns = isatty(STDOUT_FILENO) == 1 ? Terminal.size.columns : nil
        print(ProcessTable.lines(apps, columns: columns).joined(separator: "\n"))
    }
}

/// Prints the decisions about an app.
struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Show the decisions about an app, and their reasons.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(
        help: "Only decisions since then: as long ago as 90s, 10m or 2h, or since a time of day in UTC, such as 17:30.")
    var since: PointInTime?
    @OptionGroup var output: OutputOptions

    func run() throws {
        var lines = try ControlClient(to: state).decisions(.why(app.app))
        if let since { lines.removeAll { $0.time < since.wall } }
        let nothing = "nothing was decided about \(app.app)" + (since == nil ? "" : " since then")
        try output.print(lines, orElse: nothing)
    }
}
