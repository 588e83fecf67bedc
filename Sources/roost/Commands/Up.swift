import ArgumentParser
import Glibc
import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// Runs the system.
struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the system, in the foreground, until SIGTERM or Ctrl-C.",
        discussion: """
            On SIGTERM apps that run are told willTerminate, suspended ones are ended without notice, all within 10 s. \
            If the system itself is killed its apps go on; `roost up` finds them again.
            """)

    @OptionGroup var state: StateOptions

    @Option(
        help: ArgumentHelp(
            "The limits of an iOS generation: \(Policy.presets.map(\.name).joined(separator: ", ")).", valueName: "name"
        ))
    var policy = Policy.iOS26.name

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Change one limit, for example backgroundTime=10s; may be given several times.",
            discussion: "The limits: \(PolicySetting.names.joined(separator: ", ")).", valueName: "limit=value"))
    var settings: [String] = []

    @Option(
        help: ArgumentHelp(
            "How apps are kept from each other and from your files: "
                + Sandbox.Request.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            discussion: "auto is the strongest there is; the others fail where they are not to be had.",
            valueName: "level"),
        transform: Self.sandbox)
    var sandbox = Sandbox.Request.auto

    @Flag(name: .shortAndLong, help: "Log the ends of connections as well.")
    var verbose = false

    func validate() throws { _ = try chosenPolicy() }

    func chosenPolicy() throws -> Policy {
        guard var chosen = Policy.preset(named: policy) else {
            throw ValidationError(
                "there is no policy called \"\(policy)\"; there are "
                    + Policy.presets.map(\.name).joined(separator: ", "))
        }
        do throws(PolicySetting.Invalid) {
            for setting in settings { try PolicySetting.apply(setting, to: &chosen) }
            try PolicySetting.check(chosen)
        } catch {
            throw ValidationError(error.description)
        }
        return chosen
    }

    func run() throws {
        EventLoop.holdBack(Supervisor.endingSignals)
        // Whoever reads what we print may go; that is no reason for us to.
        signal(SIGPIPE, SIG_IGN)
        var logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = verbose ? .debug : .info
        do {
            let state = try StateDirectory(path: state.path)
            let processes = try LinuxProcesses(systemID: state.systemID, environment: LinuxProcesses.ownEnvironment)
            defer { processes.removeTreeIfEmpty() }
            // Each app takes some; apps themselves get the limit we were given.
            processes.openFilesOfApps = try LinuxProcesses.raiseOpenFiles()
            let sockets = try prepare(state, processes, logger)
            if let limitation = processes.limitation {
                logger.warning(
                    "no cgroup may be written, so apps are frozen by SIGSTOP",
                    metadata: ["problem": "\(limitation)"])
            }
            let store = try SQLiteStore(path: state.store)
            try LeftFiles(state: state, logger: logger).tidyUp(keeping: store.load().apps)
            let supervisor = try Supervisor(
                policy: chosenPolicy(),
                parts: Supervisor.Parts(
                    processes: processes, store: store, files: BundleFiles(state: state),
                    appSocket: sockets.appSocket, controlSocket: sockets.controlSocket,
                    journalDirectory: state.journal, bootID: LinuxProcesses.bootID,
                    isFirstSinceBoot: BootRecord.isAnotherBoot(than: LinuxProcesses.bootID, in: state.path),
                    systemID: state.systemID, stateDirectory: state.path,
                    isAppSocketForAll: processes.sandbox.level == .uids),
                logger: logger)
            BootRecord.note(LinuxProcesses.bootID, in: state.path)
            for leftover in processes.removeLeftovers() {
                logger.notice("a process nobody knows was ended", metadata: ["cgroup": "\(leftover)"])
            }
            // The directory is ours for as long as its lock is held.
            try withExtendedLifetime(state) { try supervisor.run() }
            sockets.remove()
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        } catch let error as BundleError {
            throw Failure.failed(error.description)
        }
    }

    private static func sandbox(_ name: String) throws -> Sandbox.Request {
        guard let request = Sandbox.Request(rawValue: name) else {
            throw ValidationError(
                "there is no sandbox called \"\(name)\"; there are "
                    + Sandbox.Request.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return request
    }

    /// Chooses how apps are shut in, and opens what they have to reach: no more than the way to their own files and to
    /// their socket.
    private func prepare(
        _ state: StateDirectory, _ processes: LinuxProcesses, _ logger: Logger
    ) throws(SystemError) -> RuntimeDirectory {
        let environment = LinuxProcesses.ownEnvironment
        let place = try RuntimeDirectory(systemID: state.systemID, environment: environment)
        let sandbox = try Sandbox(
            sandbox, systemID: state.systemID, stateDirectory: state.path, runtimeDirectory: place.path,
            environment: environment)
        try sandbox.open(stateDirectory: state.path)
        processes.sandbox = sandbox
        logger.info("apps are sandboxed", metadata: ["sandbox": "\(sandbox.summary)"])
        for shortcoming in sandbox.shortcomings {
            logger.warning("the sandbox could be stronger", metadata: ["problem": "\(shortcoming)"])
        }
        return try RuntimeDirectory.prepare(
            systemID: state.systemID, environment: environment, isOpenToApps: sandbox.level == .uids)
    }
}
