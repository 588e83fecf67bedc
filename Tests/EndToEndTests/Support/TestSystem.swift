import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

/// A real system for one test: the built program, in directories of its own, asked through its control socket.
final class TestSystem {
    let setUp: SetUp
    /// What `roost up` is told on its command line.
    let arguments: [String]
    let directory: String
    private let name: String
    /// The cgroup that is this system's alone to use; nil where it looks for a place itself.
    let subtree: String?
    private let news = FileNews()
    private var runs = 0
    /// Whether SIGSTOP stands in for cgroups.
    private(set) var usesSignals = false
    private(set) var supervisor: ChildProcess?
    private var control: RawConnection?
    private var decisions: DecisionStream?

    var state: String { directory + "/state" }
    var runtime: String { directory + "/run" }

    /// Makes the directories, starts the system, gives it to `body`, and leaves nothing behind.
    static func run(
        _ setUp: SetUp = .asFound, policy: String? = nil, settings: [String] = [], inSubtree: Bool = false,
        starting: Bool = true, adding more: [String] = [], _ body: (TestSystem) throws -> Void
    ) throws {
        let arguments = (policy.map { ["--policy", $0] } ?? []) + settings.flatMap { ["--set", $0] } + more
        let system = try TestSystem(setUp, arguments: arguments, inSubtree: inSubtree || setUp == .ordinaryUser)
        defer { system.cleanUp() }
        if starting { try system.start() }
        try body(system)
        let errors = system.systemLogs.split(separator: "\n").filter { $0.contains(" error roost: ") }
        #expect(errors.isEmpty, "the system reports a fault of its own or of the machine")
    }

    private init(_ setUp: SetUp, arguments: [String], inSubtree: Bool) throws {
        self.setUp = setUp
        self.arguments = arguments
        name = Leftovers.newName()
        directory = Leftovers.directory(name)
        subtree = inSubtree ? Leftovers.subtree(name) : nil
        for path in [directory, directory + "/run", directory + "/bundles"] {
            // Apps with uids of their own have to get through.
            guard mkdir(path, 0o711) == 0 else { throw TestFailure(description: "\(path): \(errno)") }
        }
        if let subtree {
            guard mkdir(subtree, 0o755) == 0 else { throw TestFailure(description: "\(subtree): \(errno)") }
            for file in ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control"] { give(subtree + file) }
        }
        for path in [directory, runtime, directory + "/bundles"] { give(path) }
    }

    /// Hands a file to the user the system runs as.
    func give(_ path: String) {
        if setUp == .ordinaryUser { lchown(path, SetUp.user, SetUp.user) }
    }

    private func cleanUp() {
        supervisor?.kill()
        Leftovers.remove(name)
    }

    // MARK: The program

    /// The program under test: built beside the tests.
    static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("roost").path
    }()

    var environment: [String: String] {
        var result = ProcessInfo.processInfo.environment
        result["ROOST_STATE"] = state
        result["XDG_RUNTIME_DIR"] = runtime
        if let subtree { result["ROOST_CGROUP"] = subtree }
        return result
    }

    /// Runs a command of the program's to its end.
    @discardableResult
    func roost(_ arguments: String..., adding: [String: String] = [:]) throws -> (exit: Exit, out: String, err: String)
    {
        try run([Self.program] + arguments, adding: adding)
    }

    func run(_ command: [String], adding: [String: String] = [:]) throws -> (exit: Exit, out: String, err: String) {
        let (out, err) = (directory + "/out.txt", directory + "/err.txt")
        for file in [out, err] { unlink(file) }
        let child = try ChildProcess(
            command, environment: environment.merging(adding) { $1 }, output: out, errors: err)
        return (try child.exit(), Kernel.text(out) ?? "", Kernel.text(err) ?? "")
    }

    // MARK: Up and down

    /// What the system itself has said in its latest run.
    var systemLog: String { Kernel.text("\(directory)/system-\(runs).log") ?? "" }

    private var systemLogs: String {
        (0...runs).map { Kernel.text("\(directory)/system-\($0).log") ?? "" }.joined()
    }

    /// Starts the system and returns once it answers.
    func start() throws {
        runs += 1
        let log = "\(directory)/system-\(runs).log"
        let command = [Self.program, "up"] + arguments
        let child = try ChildProcess(
            setUp.wrap(command, subtree: subtree), environment: environment, output: log)
        supervisor = child
        news.watch(directory)
        try until("the system is up", also: [child.held]) {
            if child.held.isGone { throw TestFailure(description: "the system ended: \(systemLog)") }
            return systemLog.contains("the system is up") ? true : nil
        }
        decisions = try DecisionStream(controlSocket)
        control = try RawConnection(controlSocket)
        if case .status(let status) = try ask(.status) { usesSignals = status.mechanism == "SIGSTOP" }
        news.watch(state + "/logs")
    }

    /// Kills the supervisor, nobody else.
    func crash() {
        supervisor?.kill()
        (decisions, control) = (nil, nil)
    }

    func crashAndRestart() throws {
        crash()
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
        guard let control else { throw TestFailure(description: "no system runs") }
        try control.send(call.encoded())
        guard let message = try control.next() else {
            throw TestFailure(description: "the system hung up: \(systemLog.suffix(2000))")
        }
        return try ControlReply(VarlinkReply(message), to: call)
    }

    /// Asks for what has to be done.
    @discardableResult func tell(_ call: ControlCall) throws -> [DecisionLine] {
        switch try ask(call) {
        case .decisions(let lines), .installed(_, _, let lines): return lines
        case .failed(let failure): throw failure
        case let reply: throw TestFailure(description: "\(call) was answered by \(reply)")
        }
    }

    func summary(_ app: BundleIdentifier) throws -> AppSummary {
        guard case .apps(let apps) = try ask(.list), let found = apps.first(where: { $0.identifier == app }) else {
            throw TestFailure(description: "\(app) is not listed")
        }
        return found
    }

    /// Every decision about an app since the system's start.
    func why(_ app: BundleIdentifier) throws -> [DecisionLine] { try tell(.why(app)) }

    /// The decisions heard since the system's start, in the order they came.
    var heard: [DecisionLine] { decisions?.lines ?? [] }

    // MARK: Waiting

    /// Looks whenever anything happens (a decision, something written, a process' end) whether `condition` gives a
    /// value. Throws where it does not within the patience of tests.
    @discardableResult func until<Value>(
        _ what: String, also processes: [HeldProcess] = [], _ condition: () throws -> Value?
    ) throws -> Value {
        let deadline = Deadline()
        while true {
            news.drain()
            try decisions?.drain()
            if let value = try condition() { return value }
            guard !deadline.isOver else {
                throw TestFailure(description: "not so in \(Deadline.patience) s: \(what)\n\(circumstances)")
            }
            let waitedFor = processes.filter { !$0.isGone }.map(\.descriptor)
            waitForAny(
                of: [news.descriptor] + (decisions?.descriptor.map { [$0] } ?? []) + waitedFor, until: deadline)
        }
    }

    /// Looks at a file from now on, so that `until` looks again when it changes.
    func follow(_ path: String) { news.watch(path) }

    private var circumstances: String {
        var text = "— the system says:\n\(systemLog.suffix(1500))"
        text +=
            "\n— decisions:\n" + heard.suffix(15).map { "\($0.app?.rawValue ?? "") \($0.text)" }.joined(separator: "\n")
        for log in (try? FileManager.default.contentsOfDirectory(atPath: state + "/logs")) ?? [] {
            text += "\n— \(log):\n\((Kernel.text(state + "/logs/" + log) ?? "").suffix(1000))"
        }
        return text
    }
}
