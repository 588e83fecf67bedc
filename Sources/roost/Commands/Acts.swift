import ArgumentParser
import LifeCycleModel
import RoostWire

struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install an app bundle.",
        discussion: "A bundle is a folder Name.app with an Info.plist and an executable. It is copied.")

    @OptionGroup var state: StateOptions
    @Argument(help: ArgumentHelp("The bundle.", valueName: "Name.app"), completion: .directory)
    var path: String
    @Flag(help: "Replace the app if it is installed already; its container stays.")
    var replace = false
    @Flag(help: "Print the app as JSON.")
    var json = false

    func run() throws {
        let reply = try ControlClient(to: state).ask(.install(path: absolute(path), replacing: replace))
        guard case .installed(let app, let notes, _) = reply else { return }
        if json { return print(try Output.json(app)) }
        print("installed \(app.identifier)")
        for note in notes { print("note: \(note)") }
    }
}

struct Uninstall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove an app with its container and log; a running app is ended first.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument

    func run() throws {
        _ = try ControlClient(to: state).ask(.uninstall(app.app))
        print("uninstalled \(app.app)")
    }
}

struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract: "Open an app: launch it, or bring it back to the foreground.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.launch(app.app)), orElse: "\(app.app) is open already")
    }
}

struct Home: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Go to the home screen; the foreground app goes to the background.")

    @OptionGroup var state: StateOptions

    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.home)) }
}

/// Simulates an event that may wake an app.
struct Wake: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wake",
        abstract: "Cause an event that can wake an app.",
        discussion: "The app must have declared the mode in UIBackgroundModes, except for locationMonitoring.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(
        help: ArgumentHelp("What happened.", valueName: "reason"))
    var reason: LaunchReason
    @Option(
        name: .customLong("restore-identifier"),
        help: ArgumentHelp(
            "With bluetoothCentral or bluetoothPeripheral: the restore identifier of one of the app's managers. If the event "
                + "launches the app, its launch options hold the identifier. An app that runs or has scenes does not receive "
                + "it. May be given 16 times, with at most 256 bytes each.", valueName: "text"))
    var restoreIdentifiers: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !restoreIdentifiers.isEmpty else { return }
        guard reason.hasRestoreIdentifiers else {
            throw ValidationError(
                "--restore-identifier goes with --reason bluetoothCentral or bluetoothPeripheral, not with \(reason.rawValue)"
            )
        }
        guard restoreIdentifiers.count <= LaunchReason.mostRestoreIdentifiers,
            restoreIdentifiers.allSatisfy({ $0.utf8.count <= LaunchReason.longestRestoreIdentifier })
        else {
            throw ValidationError(
                "--restore-identifier may be given \(LaunchReason.mostRestoreIdentifiers) times, with at most "
                    + "\(LaunchReason.longestRestoreIdentifier) bytes each")
        }
    }

    func run() throws {
        let call = ControlCall.wake(app.app, reason, restoreIdentifiers: restoreIdentifiers)
        try output.print(ControlClient(to: state).decisions(call))
    }
}

/// Force-quits an app.
struct Quit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quit",
        abstract: "Swipe an app away (force-quit): it is ended, and nothing wakes it until the user opens it.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument

    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.quit(app.app))) }
}
