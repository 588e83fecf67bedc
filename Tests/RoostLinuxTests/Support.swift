import CRoost
import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// A temporary directory, removed with the object.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/roost-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map(UInt8.init), as: UTF8.self) }
    }

    deinit {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        try? TreeRemoval.remove(String(path[path.index(after: slash)...]), from: String(path[..<slash]))
    }

    func file(_ name: String, _ text: String = "", mode: mode_t = 0o644) {
        let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        _ = Files.writeAll(text.utf8, to: descriptor)
        fchmod(descriptor, mode)
        close(descriptor)
    }

    /// A program. Another process writes it: a child that another test starts meanwhile would inherit this process's
    /// descriptor, and the kernel refuses to execute a file that is open for writing.
    func program(_ name: String, _ text: String) throws {
        let shell = try #require(popen("cat > '\(path)/\(name)' && chmod 755 '\(path)/\(name)'", "we"))
        fputs(text, shell)
        try #require(pclose(shell) == 0)
    }

    func directory(_ name: String) { mkdir(path + "/" + name, 0o755) }

    func text(_ name: String) -> String? { Files.text(path + "/" + name) }
}

/// An adapter with its own system. The adapter's processes and cgroups are always removed with the object.
final class Bench {
    /// Whether this machine allows cgroups. Without them, tests of cgroups are skipped.
    static let hasCgroups: Bool = {
        guard
            let adapter = try? LinuxProcesses(systemID: "probe\(getpid())", environment: LinuxProcesses.ownEnvironment)
        else { return false }
        defer { adapter.removeTreeIfEmpty() }
        return adapter.tree != nil
    }()

    let scratch: Scratch
    let systemID: String
    let processes: LinuxProcesses
    private var started: [LaunchID] = []
    let identifier: BundleIdentifier

    init(signals: Bool = false) throws {
        scratch = try Scratch()
        systemID = "test" + scratch.path.suffix(6)
        processes =
            signals
            ? .usingSignals() : try LinuxProcesses(systemID: systemID, environment: LinuxProcesses.ownEnvironment)
        identifier = try #require(BundleIdentifier("org.example.Test"))
    }

    deinit {
        for launch in started {
            try? processes.kill(launch)
            _ = processes.collect(launch)
        }
        processes.removeLeftovers()
        processes.removeTreeIfEmpty()
    }

    var log: String { scratch.path + "/log" }
    var logText: String { Files.text(log) ?? "" }

    func specification(
        _ executable: String, _ arguments: [String], number: Int32 = 1, environment: [String] = ["PATH=/usr/bin:/bin"]
    ) -> LaunchSpecification {
        LaunchSpecification(
            launch: LaunchID(app: AppID(1), number: number), identifier: identifier, executable: executable,
            arguments: arguments, environment: environment, workingDirectory: scratch.path, logFile: log)
    }

    @discardableResult
    func start(
        _ executable: String, _ arguments: [String], number: Int32 = 1, passing: Int32? = nil
    ) throws -> (launch: LaunchID, handle: ProcessHandle) {
        let specification = specification(executable, arguments, number: number)
        let handle = try processes.start(specification, passing: passing)
        started.append(specification.launch)
        return (specification.launch, handle)
    }

    @discardableResult
    func shell(_ script: String, number: Int32 = 1) throws -> (launch: LaunchID, handle: ProcessHandle) {
        try start("/bin/sh", ["-c", script], number: number)
    }

    /// Waits for the exit and collects it.
    func exit(_ launch: LaunchID, _ handle: ProcessHandle) throws -> LifeCycleModel.ExitStatus {
        try #require(poll(handle.descriptor, POLLIN), "the process did not exit in two minutes")
        return processes.collect(launch)
    }

    /// Freezes the launch, and waits until it is frozen.
    func freeze(_ launch: LaunchID) throws -> Int64 {
        var progress = try processes.freeze(launch)
        for _ in 0..<1000 {
            switch progress {
            case .frozen: return processes.footprint(of: launch)?() ?? 0
            case .pending(let watch, let span):
                _ = poll(watch ?? -1, POLLPRI, milliseconds: Int32(max(span.rawValue / 1_000_000, 1)))
                progress = try processes.freezeProgress(launch)
            }
        }
        Issue.record("the launch did not freeze")
        return -1
    }

    /// Waits for a file in the directory that the app runs in: the app's sign that it has come this far.
    func await(_ name: String) throws -> String {
        let deadline = time(nil) + 120
        while time(nil) < deadline {
            if let text = scratch.text(name), text.hasSuffix("\n") { return text }
            // A pause between looks, which assumes nothing about the duration.
            _ = Glibc.poll(nil, 0, 1)
        }
        throw Missing(name: name)
    }

    struct Missing: Error { let name: String }
}

/// Whether a descriptor reports an event in time.
func poll(_ descriptor: Int32, _ events: Int32, milliseconds: Int32 = 120_000) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return Glibc.poll(&entry, 1, milliseconds) > 0
}

/// Whether the condition becomes true in two minutes.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = time(nil) + 120
    while time(nil) < deadline {
        if condition() { return true }
        _ = Glibc.poll(nil, 0, 1)
    }
    return condition()
}

/// A process as a socket reports its peer. The process's pidfd is open as long as the tests run.
func peer(_ pid: Int32) -> PeerProcess {
    var pidfd: Int32 = -1
    return PeerProcess(pid: pid, descriptor: croost_pidfd_open(pid, &pidfd) == 0 ? pidfd : nil)
}

func isAlive(_ pid: Int32) -> Bool { ProcStat(pid: pid).map { !$0.isDead } ?? false }
