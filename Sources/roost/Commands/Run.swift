import ArgumentParser
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// Runs an app interactively.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Build an app if necessary, run it, and act as its user: each event has a key.",
        discussion: """
            PATH is an app bundle, a Swift package with an app (an executable whose target's folder holds an \
            Info.plist), or a folder with an Info.plist and a program. If a system runs for the state directory, \
            the app is installed there, replaces an older version, and keeps running afterwards. Otherwise a system is \
            started in a temporary directory, which is removed afterwards with everything the app wrote.

            On a terminal, ? shows the keys. In a pipe there are no keys: lines are printed until the app ends. Exit \
            codes: 0 if the app exited with 0, as a running app does when it is quit; 1 if it ended otherwise; 128 plus the signal's number if a \
            signal ended this command.
            """)

    @OptionGroup var state: StateOptions
    @Argument(help: ArgumentHelp("The app.", valueName: "path"), completion: .directory)
    var path: String
    @Option(help: ArgumentHelp("Which app of a package that has several.", valueName: "name"))
    var product: String?
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("How to build a package: debug or release.", valueName: "configuration"),
        completion: .list(["debug", "release"]))
    var configuration = "debug"
    @Option(
        help: ArgumentHelp("Where to build a package; its .build if left out.", valueName: "directory"),
        completion: .directory)
    var scratchPath: String?
    @Option(
        help: ArgumentHelp(
            "For a system that this command starts: the limits of an iOS generation, "
                + Policy.presets.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
        completion: .list(Policy.presets.map(\.name)))
    var policy: String?
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "For a system that this command starts: change one limit, as in `roost up`.", valueName: "limit=value"))
    var settings: [String] = []

    func validate() throws {
        guard ["debug", "release"].contains(configuration) else {
            throw ValidationError("--configuration is debug or release, not \"\(configuration)\"")
        }
        // Invalid values get the same messages as from `roost up`.
        do {
            _ = try SystemOptions.parse(systemArguments)
        } catch {
            throw ValidationError(SystemOptions.message(for: error))
        }
    }

    private var systemArguments: [String] {
        (policy.map { ["--policy", $0] } ?? []) + settings.flatMap { ["--set", $0] }
    }

    func run() throws {
        var links: TemporaryDirectory?
        defer { withExtendedLifetime(links) {} }
        let bundle: String
        switch try AppSource.at(path) {
        case .bundle(let path): bundle = path
        case .package(let path):
            bundle = try PackageBuild(
                package: path, scratch: scratchPath.map(absolute) ?? path + "/.build", product: product,
                configuration: configuration
            ).bundle()
        case .folder(let path):
            let directory = try TemporaryDirectory("roost-bundle-")
            links = directory
            bundle = "\(directory.path)/\(path.split(separator: "/").last ?? "App").app"
            guard symlink(path, bundle) == 0 else {
                throw Failure.failed("cannot create \(bundle): \(String(cString: strerror(errno)))")
            }
        }
        signal(SIGPIPE, SIG_IGN)
        EventLoop.holdBack(RunSession.signals)
        do {
            let manifest = try AppBundle(inspecting: bundle).manifest
            let place = try place()
            defer { if case .own(let system) = place { system.cleanUp() } }
            try RunSession(bundle: bundle, manifest: manifest, place: place).run()
        } catch let error as BundleError {
            throw Failure.failed(error.description)
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        }
    }

    /// The running system, or a new one.
    private func place() throws -> RunSession.Place {
        if let id = try? StateDirectory.systemID(of: state.path),
            let socket = try? ControlSocket.running(of: state.path, systemID: id)
        {
            close(socket.descriptor)
            guard systemArguments.isEmpty else {
                throw Failure.failed(
                    "a system runs for \(state.path) already, with its own limits: --policy and --set need a system "
                        + "that `roost run` starts; name another --state to start one")
            }
            return .running(state)
        }
        return .own(try OwnSystem(arguments: systemArguments))
    }
}
