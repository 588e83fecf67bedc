import ArgumentParser
import Foundation
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore
import RoostWire

/// A system of the demonstration's own: a real `roost up` in a temporary directory.
final class DemoSystem {
    /// The state directory.
    let state: String
    private let temporary: TemporaryDirectory
    private var directory: String { temporary.path }
    private var process: Process?
    private var client: ControlClient?
    private var watcher: ControlClient?
    /// The supervisor that was ended by SIGKILL.
    private var killed: Int32?

    /// The limits, shortened so that a minute is enough.
    static let settings = [
        "backgroundTime=3s", "expirationLead=1s", "expirationHandlers=1s", "enterBackground=2s",
        "adoptedBackgroundTime=1s", "eventSlice=1s",
    ]

    init() throws {
        temporary = try TemporaryDirectory("roost-demo-")
        state = temporary.path + "/state"
        try start()
    }

    /// Starts the system, or starts it again, and waits until it answers.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        // In a group of its own a Ctrl-C is ours to handle: the system is ended with its apps, in order.
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
        // The state directory is made first, then the id in it, then the sockets: each a change of some directory.
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
                // The first answer says that nothing is missed from here on.
                _ = try nextDecision(within: .seconds(10))
                return
            }
            poll(nil, 0, 5)
        }
        let log = (try? String(contentsOfFile: directory + "/system.log", encoding: .utf8)) ?? ""
        let states = ([process.processIdentifier] + (killed.map { [$0] } ?? [])).map(Self.standing(of:))
        throw Failure.failed("the system does not come up:\n\(log)\(states.joined())")
    }

    /// In which state a process and each of its threads is, and what in the kernel each waits for: a process that was
    /// killed is there until the last of them has come back from a disk.
    private static func standing(of pid: Int32) -> String {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        guard !threads.isEmpty else { return "process \(pid): gone\n" }
        return threads.sorted().map { thread in
            let place = "/proc/\(pid)/task/\(thread)"
            let stat = (try? String(contentsOfFile: place + "/stat", encoding: .utf8)) ?? "gone\n"
            let waitsFor = (try? String(contentsOfFile: place + "/wchan", encoding: .utf8)) ?? "?"
            return "process \(pid), thread \(thread): waits for \(waitsFor); \(stat)"
        }.joined()
    }

    /// Ends the supervisor as nothing should, by SIGKILL in the middle of everything, and waits until the guardian has
    /// started another.
    func killSupervisor() throws {
        guard let process, case .status(let status) = try ask(.status) else { return }
        killed = status.pid
        Glibc.kill(status.pid, SIGKILL)
        client = nil
        watcher = nil
        // Until its guardian has reaped it.
        let end = Moment.now.awake + .seconds(10)
        while Glibc.kill(status.pid, 0) == 0, Moment.now.awake < end { poll(nil, 0, 1) }
        try connect(process)
    }

    /// Asks the system to end as it should: SIGTERM.
    func terminate() { process?.terminate() }

    /// Waits until the system has gone.
    func waitForEnd() throws {
        guard let process else { return }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.failed("the system ended with \(process.terminationStatus)")
        }
    }

    /// Leaves nothing behind, whatever has happened: not the system, not its apps, not its files.
    func end() {
        if let process, process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        if let id = try? StateDirectory.systemID(of: state),
            let processes = try? LinuxProcesses(
                systemID: id, environment: LinuxProcesses.ownEnvironment, isOnlyToLook: true)
        {
            // Those of a system that is not there any more to end them.
            _ = processes.removeLeftovers()
            processes.removeTreeIfEmpty()
        }
        temporary.remove()
    }

    /// Asks the system for something.
    func ask(_ call: ControlCall) throws -> ControlReply {
        guard let client else { throw Failure.noSystem("the system is not running") }
        return try client.ask(call)
    }

    /// Whether the system refuses something.
    func refuses(_ call: ControlCall) throws -> Bool {
        try client?.send(call)
        if case .failed(let failure)? = try client?.next(answering: call) { return failure.code == .refused }
        return false
    }

    /// The system's next decision; nil where none comes within `limit`.
    func nextDecision(within limit: Nanoseconds) throws -> DecisionLine? {
        if let number = DemoInterruption.number {
            _ = Failure.failed("interrupted; what the demonstration started is ended")
            throw ExitCode(128 + number)
        }
        guard case .decision(let line)? = try watcher?.next(answering: .watch, within: limit) else { return nil }
        return line
    }

    /// The app as the system has it now.
    func app(_ identifier: String) throws -> AppSummary? {
        guard case .apps(let apps) = try ask(.list) else { return nil }
        return apps.first { $0.identifier.rawValue == identifier }
    }
}
