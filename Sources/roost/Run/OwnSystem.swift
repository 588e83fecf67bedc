import CRoost
import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// The system of `roost run` itself: a real `roost up` in a temporary directory, which is removed at the end.
final class OwnSystem {
    /// The state directory.
    let state: String
    private let temporary: TemporaryDirectory
    private let arguments: [String]
    private var program: ChildProgram
    private let watch: DirectoryWatch

    private static let prefix = "roost-run-"

    /// Starts `roost up`. `arguments` are added to its command line.
    init(arguments: [String]) throws {
        let temporary = try TemporaryDirectory(Self.prefix)
        self.temporary = temporary
        let directory = temporary.path
        // Apps with their own uids must be able to reach their files.
        if geteuid() == 0 { chmod(directory, 0o711) }
        state = directory + "/state"
        guard let watch = DirectoryWatch(directory) else {
            throw Failure.failed("cannot watch \(directory): \(String(cString: strerror(errno)))")
        }
        self.watch = watch
        self.arguments = arguments
        program = try Self.start(directory, arguments)
    }

    private static func start(_ directory: String, _ arguments: [String]) throws -> ChildProgram {
        var environment = LinuxProcesses.ownEnvironment
        environment["XDG_RUNTIME_DIR"] = directory
        // In its own session, the system does not receive Ctrl-C. This process handles it, and ends the system in
        // order.
        return try ChildProgram(
            "/proc/self/exe",
            ["roost", "up", "--state", directory + "/state", "--with-parent", "\(getpid())"] + arguments,
            environment: environment,
            output: .log(directory + "/system.log"), inOwnSession: true)
    }

    /// Starts the system again after its end, as in another boot of the device.
    func startDevice() throws {
        // Reaps the process, and kills the rest of its session.
        _ = program.end
        BootRecord.note("the boot before", in: state)
        program = try Self.start(temporary.path, arguments)
    }

    /// Shuts the device down. Apps are ended without a callback (T19).
    func shutDownDevice() { program.send(SIGPWR) }

    /// The pidfd of the system's process, readable once it has ended.
    var ended: Int32 { program.pidfd }

    /// Readable when the system may have come up; check with `connect`.
    var news: Int32 { watch.descriptor }

    /// A connection to the control socket; nil while the system does not answer yet.
    func connect() -> Int32? {
        watch.drain()
        guard let id = try? StateDirectory.systemID(of: state),
            let sockets = try? RuntimeDirectory(systemID: id, environment: ["XDG_RUNTIME_DIR": temporary.path])
        else { return nil }
        return ControlClient.connected(to: sockets.controlSocket)
    }

    /// The output of `roost up` so far; empty if the output cannot be read.
    var log: String { (try? String(contentsOfFile: temporary.path + "/system.log", encoding: .utf8)) ?? "" }

    /// Asks the system to shut down; its apps are notified.
    func terminate() { program.send(SIGTERM) }

    func kill() { program.send(SIGKILL) }

    /// The end of the system's process, as text; nil while it runs.
    var end: String? { program.end }

    /// Removes everything in any case: the system, its apps and its files.
    func cleanUp() {
        if program.end == nil {
            program.send(SIGKILL)
            program.wait()
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

    static var abandoned: [String] {
        let place = TemporaryDirectory.place
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter { $0.hasPrefix(prefix) || $0.hasPrefix("roost-demo-") }.sorted().map { "\(place)/\($0)" }
            .filter { path in
                access(path, R_OK | X_OK) == 0 && access(path + "/state/lock", F_OK) == 0
                    && (try? StateDirectory.whileIdle(path + "/state") {}) != nil
            }
    }
}
