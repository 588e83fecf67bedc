import ArgumentParser
import LifeCycleModel
import RoostWire

/// Shows and changes settings.
struct Settings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show or change the device's settings.",
        discussion: """
            The settings and their values:
            \(DeviceSetting.names.map { "  \($0.name): \($0.values)" }.joined(separator: "\n"))
            With --app, backgroundRefresh is that app's own switch.
            network says which downloads may run.
            """)

    @OptionGroup var state: StateOptions
    @Argument(
        help: "The setting; all of them by default.", completion: .list(DeviceSetting.names.map(\.name)))
    var name: String?
    @Argument(help: "The new value.", completion: Self.values)
    var value: String?
    @Option(
        help: ArgumentHelp("The app whose setting is meant.", valueName: "app"), completion: InstalledApps.completion,
        transform: BundleIdentifier.argument)
    var app: BundleIdentifier?
    @OptionGroup var output: OutputOptions

    /// Completes the value of the setting that was named before, if its values are single words.
    private static let values = CompletionKind.custom { words, _, _ in
        DeviceSetting.names.first { words.contains($0.name) }?.values.split(separator: ", ").map(String.init)
            .filter { !$0.contains(" ") } ?? []
    }

    func validate() throws {
        guard let name else { return }
        guard let setting = DeviceSetting.names.first(where: { $0.name == name }) else {
            throw ValidationError(
                "there is no setting called \"\(name)\"; the settings are "
                    + DeviceSetting.names.map(\.name).joined(separator: ", "))
        }
        guard app == nil || name == "backgroundRefresh" else {
            throw ValidationError("\(name) is a setting of the device; only backgroundRefresh can be set for an app")
        }
        guard let value else { return }
        do throws(DeviceSetting.Invalid) {
            _ = try DeviceSetting(name: setting.name, value: value)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() throws {
        let client = try ControlClient(to: state)
        if let name, let value {
            return try output.print(client.decisions(.set(name: name, value: value, app: app)))
        }
        guard case .settings(let summary) = try client.ask(.settings) else { return }
        let lines = summary.settings.filter { line in
            (name == nil || line.name == name) && (app == nil ? name == nil || line.app == nil : line.app == app)
        }
        if let app, lines.isEmpty {
            throw Failure.failed("no app \"\(app)\" is installed; `roost apps` lists those that are")
        }
        if output.json { return print(try Output.json(lines)) }
        if name != nil { return lines.forEach { print($0.value) } }
        print(
            Output.table(
                [["SETTING", "VALUE", "OF"]] + lines.map { [$0.name, $0.value, $0.app?.rawValue ?? "the device"] }))
    }
}
