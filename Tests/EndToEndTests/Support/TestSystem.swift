import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

/// A real system for one test: the built program, in its own directories, with a connection to its control socket.
final class TestSystem {
    let setUp: SetUp
    /// The arguments of `roost up`.
    let arguments: [String]
    let directory: String
    private let name: String
    /// The cgroup for this system alone; nil if the system finds a place itself.
    let subtree: String?
    private let news = FileNews()
    private var runs = 0
    /// Additional environment variables for the system and for commands.
    var addedEnvironment: [String: String] = [:]
    /// How often the latest guardian's system has come up.
    private var timesUp = 0
    /// Whether SIGSTOP replaces cgroups.
    private(set) var usesSignals = false
    /// `roost up`: the guardian.
    private(set) var guardian: ChildProcess?
    /// The process that the guardian has started; it answers calls.
    private(set) var supervisor: HeldProcess?
    /// The processes that carry downloads: children of the guardian.
    var carriers: [Int32] {
        guard let pid = guardian?.pid else { return [] }
        let children = Kernel.text("/proc/\(pid)/task/\(pid)/children") ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }.filter {
            Kernel.text("/proc/\($0)/comm")?.hasPrefix("roost-carry") ?? false
        }
    }
    /// Whether the guardian was stopped, so that it starts no supervisor.
    private var isGuardianStopped = false
    private var control: RawConnection?
    private var decisions: DecisionStream?

    var state: String { directory + "/state" }
    var runtime: String { directory + "/run" }

    /// Without this, a test would wait ten seconds until a woken app is suspended again.
    private static let settings = ["eventSlice=100ms"]

    /// Makes the directories, starts the system, calls `body`, and removes everything.
    static func run(
        _ setUp: SetUp = .asFound, policy: String? = nil, settings: [String] = [], inSubtree: Bool = false,
        starting: Bool = true, mayReportErrors: Bool = false, adding more: [String] = [],
        _ body: (TestSystem) throws -> Void
    ) throws {
        let arguments =
            (policy.map { ["--policy", $0] } ?? []) + (Self.settings + settings).flatMap { ["--set", $0] } + more
        let system = try TestSystem(setUp, arguments: arguments, inSubtree: inSubtree || setUp == .ordinaryUser)
        defer { system.cleanUp() }
        if starting { try system.start() }
        try body(system)
        if !mayReportErrors { system.expectNoErrors() }
    }

    /// The same on the main actor, for a test that also waits for other things.
    @MainActor static func run(
        settings: [String], _ body: @MainActor (TestSystem) async throws -> Void
    ) async throws {
        let system = try TestSystem(
            .asFound, arguments: (Self.settings + settings).flatMap { ["--set", $0] }, inSubtree: false)
        defer { system.cleanUp() }
        try system.start()
        try await body(system)
        system.expectNoErrors()
    }

    private func expectNoErrors() {
        let errors = systemLogs.split(separator: "\n").filter { $0.contains(" error roost: ") }
        #expect(errors.isEmpty, "the system logs no errors")
    }

    private init(_ setUp: SetUp, arguments: [String], inSubtree: Bool) throws {
        self.setUp = setUp
        self.arguments = arguments
        name = Leftovers.newName()
        directory = Leftovers.directory(name)
        subtree = inSubtree ? Leftovers.subtree(name) : nil
        for path in [directory, directory + "/run", directory + "/bundles"] {
            // Apps with their own uids have to pass through.
            guard mkdir(path, 0o711) == 0 else { throw TestFailure(description: "\(path): \(errno)") }
        }
        if let subtree {
            guard mkdir(subtree, 0o755) == 0 else { throw TestFailure(description: "\(subtree): \(errno)") }
            for file in ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control"] { give(subtree + file) }
        }
        for path in [directory, runtime, directory + "/bundles"] { give(path) }
    }

    /// Gives a file to the user that the system runs as.
    func give(_ path: String) {
        if setUp == .ordinaryUser { lchown(path, SetUp.user, SetUp.user) }
    }

    private func cleanUp() {
        guardian?.kill()
        supervisor?.send(SIGKILL)
        Leftovers.remove(name)
    }

    // MARK: The program

    /// The directory of the programs that are built with the tests.
    static let products: URL = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
    }()

    /// The program under test: `ROOST_PROGRAM`, for example a release build, or otherwise the program that was built
    /// with the tests.
    static let program =
        ProcessInfo.processInfo.environment["ROOST_PROGRAM"] ?? products.appendingPathComponent("roost").path

    /// Copies the program under test, or others in its directory, to another directory.
    static func copyPrograms(_ names: [String], to place: String) throws {
        let directory = URL(fileURLWithPath: program).deletingLastPathComponent().path
        for name in names {
            try FileManager.default.copyItem(atPath: "\(directory)/\(name)", toPath: "\(place)/\(name)")
            chmod("\(place)/\(name)", 0o755)
        }
    }

    /// The program that starts the system.
    var program = TestSystem.program

    var environment: [String: String] {
        var result = ProcessInfo.processInfo.environment
        result["ROOST_STATE"] = state
        result["XDG_RUNTIME_DIR"] = runtime
        // The tests shall be silent on a desktop.
        result["PULSE_SERVER"] = nil
        if let subtree { result["ROOST_CGROUP"] = subtree }
        return result.merging(addedEnvironment) { $1 }
    }

    /// Runs a command of the program to its end.
    @discardableResult
    func roost(_ arguments: String..., adding: [String: String] = [:]) throws -> (exit: Exit, out: String, err: String)
    {
        try run([Self.program] + arguments, adding: adding)
    }

    func run(
        _ command: [String], adding: [String: String] = [:], within seconds: Double = Deadline.patience
    ) throws -> (exit: Exit, out: String, err: String) {
        let (out, err) = (directory + "/out.txt", directory + "/err.txt")
        for file in [out, err] { unlink(file) }
        let child = try ChildProcess(
            command, environment: environment.merging(adding) { $1 }, output: out, errors: err)
        return (try child.exit(within: seconds), Kernel.text(out) ?? "", Kernel.text(err) ?? "")
    }

    // MARK: Up and down

    /// The system's own output in its latest run.
    var systemLog: String { Kernel.text("\(directory)/system-\(runs).log") ?? "" }

    private var systemLogs: String {
        (0...runs).map { Kernel.text("\(directory)/system-\($0).log") ?? "" }.joined()
    }

    /// Starts the system, or lets a stopped guardian continue. Returns once the system answers.
    func start() throws {
        if isGuardianStopped {
            letGuardianGoOn()
            return try untilUpAgain()
        }
        runs += 1
        timesUp = 0
        let log = "\(directory)/system-\(runs).log"
        let command = [program, "up"] + arguments
        let child = try ChildProcess(
            setUp.wrap(command, subtree: subtree), environment: environment, output: log)
        guardian = child
        news.watch(directory)
        try untilUp(child)
    }

    /// Lets a stopped guardian continue.
    func letGuardianGoOn() {
        isGuardianStopped = false
        guardian?.held.send(SIGCONT)
    }

    /// Waits until the guardian has started another supervisor, and connects to it.
    func untilUpAgain() throws {
        (decisions, control) = (nil, nil)
        try untilUp(try #require(guardian))
    }

    /// Waits until the system has come up once more, and connects to it.
    private func untilUp(_ child: ChildProcess) throws {
        timesUp += 1
        try until("the system is up", also: [child.held]) {
            if child.held.isGone { throw TestFailure(description: "the system ended: \(systemLog)") }
            return systemLog.split(separator: "\n").count { $0.hasSuffix("the system is up") } >= timesUp ? true : nil
        }
        try connect()
    }

    /// Connects to the system that answers now.
    func connect() throws {
        decisions = try DecisionStream(controlSocket)
        control = try RawConnection(control: controlSocket)
        let status = try #require(try ask(.status).status)
        usesSignals = status.mechanism == "SIGSTOP"
        supervisor = HeldProcess(status.pid)
        news.watch(state + "/logs")
    }

    /// The processes that SIGKILL ends.
    enum Victim: CaseIterable { case supervisor, guardian, both }

    /// Kills the supervisor, its guardian, or both, without a restart. If only the supervisor is killed, the guardian
    /// is stopped, and starts no other before `start`.
    func crash(_ victim: Victim = .supervisor) throws {
        let supervisor = try #require(supervisor)
        switch victim {
        case .supervisor:
            guardian?.held.send(SIGSTOP)
            isGuardianStopped = true
            supervisor.send(SIGKILL)
            try supervisor.waitUntilGone()
        case .guardian:
            news.watch(state + "/lock")
            guardian?.kill()
            // The supervisor releases everything as soon as it notices.
            try until("the supervisor has released everything") {
                systemLog.contains("the guardian is gone") && isStateFree ? true : nil
            }
        case .both:
            guardian?.held.send(SIGSTOP)
            supervisor.send(SIGKILL)
            try supervisor.waitUntilGone()
            guardian?.kill()
        }
        (decisions, control) = (nil, nil)
    }

    /// Whether no system holds the state directory.
    private var isStateFree: Bool {
        let lock = open(state + "/lock", O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) == 0
    }

    func crashAndRestart(_ victim: Victim = .supervisor) throws {
        try crash(victim)
        try start()
    }

    /// Makes the system end, and waits for that; returns the exit of `roost up`.
    func terminate(by signal: Int32 = SIGTERM) throws -> Exit {
        let guardian = try #require(guardian)
        guardian.held.send(signal)
        return try guardian.exit()
    }

    /// Ends the system, and starts it as if after another boot of the device (T27).
    func restartDevice() throws {
        #expect(try terminate() == .code(0))
        try startAfterAnotherBoot()
    }

    /// Starts the system as if after another boot of the device. The system must not be running.
    func startAfterAnotherBoot() throws {
        try "another".write(toFile: state + "/boot-id", atomically: true, encoding: .utf8)
        try start()
    }

    var systemID: String {
        (Kernel.text(state + "/system-id") ?? "").split(separator: "\n").first.map(String.init) ?? ""
    }

    var socketDirectory: String { "\(runtime)/roost/\(systemID)" }
    var controlSocket: String { socketDirectory + "/control" }
    var appSocket: String { socketDirectory + "/apps" }

    // MARK: Asking

    @discardableResult func ask(_ call: ControlCall) throws -> ControlReply {
        guard let control else { throw TestFailure(description: "no connection to a system") }
        try control.send(call.encoded())
        guard let message = try control.next() else {
            throw TestFailure(description: "the system closed the connection: \(systemLog.suffix(2000))")
        }
        return try ControlReply(VarlinkReply(message), to: call)
    }

    /// Sends a call without waiting for the answer.
    func begin(_ call: ControlCall) throws { try control?.send(call.encoded()) }

    /// Sends a call that must succeed.
    @discardableResult func tell(_ call: ControlCall) throws -> [DecisionLine] {
        switch try ask(call) {
        case .decisions(let lines), .installed(_, _, let lines): return lines
        case .failed(let failure): throw failure
        case let reply: throw TestFailure(description: "\(call) was answered by \(reply)")
        }
    }

    /// The status of the system and the device.
    func status() throws -> SystemStatus {
        guard case .status(let status) = try ask(.status) else {
            throw TestFailure(description: "the system does not report its status")
        }
        return status
    }

    func summary(_ app: BundleIdentifier) throws -> AppSummary {
        guard case .apps(let apps) = try ask(.list), let found = apps.first(where: { $0.identifier == app }) else {
            throw TestFailure(description: "\(app) is not listed")
        }
        return found
    }

    /// Every decision about an app since the system's start.
    func why(_ app: BundleIdentifier) throws -> [DecisionLine] { try tell(.why(app)) }

    /// The decisions received since the system's start, in their order.
    var receivedDecisions: [DecisionLine] { decisions?.lines ?? [] }

    /// The same, including everything that has arrived by now.
    func drainDecisions() throws -> [DecisionLine] {
        try decisions?.drain()
        return receivedDecisions
    }

    // MARK: Waiting

    /// Waits until `condition` returns a value. Calls it after every event (a decision, a write, the end of a process),
    /// and also at this interval in seconds, for conditions without events. Throws if the patience of tests, or the
    /// given time, is over.
    @discardableResult func until<Value>(
        _ what: String, also processes: [HeldProcess] = [], lookingAgainAfter pause: Double = Deadline.patience,
        within patience: Double = Deadline.patience, _ condition: () throws -> Value?
    ) throws -> Value {
        let deadline = Deadline(after: patience)
        while true {
            news.drain()
            try decisions?.drain()
            if let value = try condition() { return value }
            guard !deadline.isOver else {
                throw TestFailure(description: "timed out after \(patience) s: \(what)\n\(circumstances)")
            }
            let waitedFor = processes.filter { !$0.isGone }.map(\.descriptor)
            waitForAny(
                of: [news.descriptor] + (decisions?.descriptor.map { [$0] } ?? []) + waitedFor,
                until: pause < Deadline.patience ? Deadline(after: pause) : deadline)
        }
    }

    /// Watches a file from now on, so that `until` checks again when the file changes.
    func follow(_ path: String) { news.watch(path) }

    private var circumstances: String {
        var text = "— the system says:\n\(systemLog.suffix(1500))"
        text +=
            "\n— decisions:\n"
            + receivedDecisions.suffix(15).map { "\($0.app?.rawValue ?? "") \($0.text)" }.joined(separator: "\n")
        for log in (try? FileManager.default.contentsOfDirectory(atPath: state + "/logs")) ?? [] {
            text += "\n— \(log):\n\((Kernel.text(state + "/logs/" + log) ?? "").suffix(1000))"
        }
        return text
    }
}
