import ArgumentParser
import Foundation
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore
import RoostWire

/// The demonstration's own system: a real `roost up` in a temporary directory.
final class DemoSystem {
    /// The state directory.
    let state: String
    private let temporary: TemporaryDirectory
    private var directory: String { temporary.path }
    private var process: Process?
    private var client: ControlClient?
    private var watcher: ControlClient?
    /// The pid of the supervisor that was killed by SIGKILL; nil before.
    private var killed: Int32?

    /// Limits that are shortened to fit into a minute.
    static let settings = [
        "backgroundTime=3s", "expirationLead=1s", "expirationHandlers=1s", "enterBackground=2s",
        "adoptedBackgroundTime=1s", "eventSlice=1s",
    ]

    init() throws {
        temporary = try TemporaryDirectory("roost-demo-")
        state = temporary.path + "/state"
        try start()
    }

    /// Starts or restarts the system, and waits until it answers.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        // Foundation starts the system in its own process group. Ctrl-C thus reaches only this process, which ends the
        // system in order.
        process.arguments =
            ["up", "--state", state, "--with-parent", "\(getpid())"] + Self.settings.flatMap { ["--set", $0] }
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = directory
        process.environment = environment
        let log = directory + "/system.log"
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        let handle = FileHandle(forWritingAtPath: log)
        _ = try handle?.seekToEnd()
        process.standardError = handle
        process.standardOutput = handle
        try process.run()
        self.process = process
        try connect(process)
    }

    private func connect(_ process: Process) throws {
        let end = Moment.now.awake + .seconds(20)
        // The system creates the state directory, then the id, then the sockets.
        while Moment.now.awake < end, process.isRunning {
            if let id = try? StateDirectory.systemID(of: state),
                let sockets = try? RuntimeDirectory(systemID: id, environment: ["XDG_RUNTIME_DIR": directory]),
                let asking = ControlClient.connected(to: sockets.controlSocket),
                let watching = ControlClient.connected(to: sockets.controlSocket)
            {
                client = ControlClient(asking)
                let watcher = ControlClient(watching)
                try watcher.send(.watch)
                self.watcher = watcher
                // The first answer confirms that no later decision is missed.
                _ = try nextDecision(within: .seconds(10))
                return
            }
            poll(nil, 0, 5)
        }
        let log = (try? String(contentsOfFile: directory + "/system.log", encoding: .utf8)) ?? ""
        let states = ([process.processIdentifier] + (killed.map { [$0] } ?? [])).map(Self.processState(of:))
        throw Failure.failed("the system did not start:\n\(log)\(states.joined())")
    }

    /// The state of a process and its threads, and the place in the kernel where each thread waits. A killed process
    /// exists until its last thread has returned from disk access.
    private static func processState(of pid: Int32) -> String {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        guard !threads.isEmpty else { return "process \(pid): gone\n" }
        return threads.sorted().map { thread in
            let place = "/proc/\(pid)/task/\(thread)"
            let stat = (try? String(contentsOfFile: place + "/stat", encoding: .utf8)) ?? "gone\n"
            let waitsFor = (try? String(contentsOfFile: place + "/wchan", encoding: .utf8)) ?? "?"
            return "process \(pid), thread \(thread): waits for \(waitsFor); \(stat)"
        }.joined()
    }

    /// Kills the supervisor by SIGKILL, and waits until the guardian has started another.
    func killSupervisor() throws {
        guard let process, case .status(let status) = try ask(.status) else { return }
        killed = status.pid
        Glibc.kill(status.pid, SIGKILL)
        client = nil
        watcher = nil
        // Waits until the guardian has reaped the supervisor.
        let end = Moment.now.awake + .seconds(10)
        while Glibc.kill(status.pid, 0) == 0, Moment.now.awake < end { poll(nil, 0, 1) }
        try connect(process)
    }

    /// Asks the system to shut down, by SIGTERM.
    func terminate() { process?.terminate() }

    /// Waits until the system has ended.
    func waitForEnd() throws {
        guard let process else { return }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.failed("the system ended with \(process.terminationStatus)")
        }
    }

    /// Removes everything in any case: the system, its apps and its files.
    func end() {
        if let process, process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        if let id = try? StateDirectory.systemID(of: state),
            let processes = try? LinuxProcesses(
                systemID: id, environment: LinuxProcesses.ownEnvironment, isOnlyToLook: true)
        {
            // Ends apps whose system has already gone.
            _ = processes.removeLeftovers()
            processes.removeTreeIfEmpty()
        }
        temporary.remove()
    }

    /// Sends a call, and returns the reply.
    func ask(_ call: ControlCall) throws -> ControlReply {
        guard let client else { throw Failure.noSystem("the system is not running") }
        return try client.ask(call)
    }

    /// Whether the answer is the error `refused`. False for any other error.
    func refuses(_ call: ControlCall) throws -> Bool {
        try client?.send(call)
        if case .failed(let failure)? = try client?.next(answering: call) { return failure.code == .refused }
        return false
    }

    /// The system's next decision; nil if no decision comes within `limit`.
    func nextDecision(within limit: Nanoseconds) throws -> DecisionLine? {
        if let number = DemoInterruption.number {
            _ = Failure.failed("interrupted; the processes of the demonstration are ended")
            throw ExitCode(128 + number)
        }
        guard case .decision(let line)? = try watcher?.next(answering: .watch, within: limit) else { return nil }
        return line
    }

    /// The app's current summary; nil if the app is not installed.
    func app(_ identifier: String) throws -> AppSummary? {
        guard case .apps(let apps) = try ask(.list) else { return nil }
        return apps.first { $0.identifier.rawValue == identifier }
    }
}
