import ArgumentParser
import LifeCycleModel

/// Lists the installed apps.
struct Apps: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the installed apps: their names, background modes, and where they are.",
        discussion: "Needs no running system. `roost ps` lists what they do.")

    @OptionGroup var state: StateOptions
    @Flag(help: "Print JSON, with each app's container and log.")
    var json = false

    func run() throws {
        try state.check()
        let apps = InstalledApps.all(in: state.path)
        if json { return print(try Output.json(apps)) }
        guard !apps.isEmpty else { return print("no app is installed: install one with `roost install Name.app`") }
        var rows = [["APP", "NAME", "MODES", "BUILT ON", "BUNDLE"]]
        for app in apps {
            rows.append([
                app.identifier.rawValue, app.name.map(Output.visible) ?? "?",
                app.backgroundModes.map { $0.isEmpty ? "-" : $0.map(\.rawValue).joined(separator: ", ") } ?? "?",
                app.isAdopted.map { $0 ? "adopted" : "RoostKit" } ?? "?",
                Output.visible(app.bundle ?? app.problem ?? "?"),
            ])
        }
        print(Output.table(rows))
    }
}
