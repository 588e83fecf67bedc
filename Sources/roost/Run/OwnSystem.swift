import CRoost
import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// A system of `roost run`'s own: a real `roost up` in a temporary directory, which goes with it.
final class OwnSystem {
    /// The state directory.
    let state: String
    private let temporary: TemporaryDirectory
    private let arguments: [String]
    private var program: ChildProgram
    private let watch: DirectoryWatch

    private static let prefix = "roost-run-"

    /// Starts it with these arguments for `roost up`.
    init(arguments: [String]) throws {
        let temporary = try TemporaryDirectory(Self.prefix)
        self.temporary = temporary
        let directory = temporary.path
        // Apps that have uids of their own must get through to what is theirs.
        if geteuid() == 0 { chmod(directory, 0o711) }
        state = directory + "/state"
        guard let watch = DirectoryWatch(directory) else {
            throw Failure.failed("\(directory) can't be watched: \(String(cString: strerror(errno)))")
        }
        self.watch = watch
        self.arguments = arguments
        program = try Self.start(directory, arguments)
    }

    private static func start(_ directory: String, _ arguments: [String]) throws -> ChildProgram {
        var environment = LinuxProcesses.ownEnvironment
        environment["XDG_RUNTIME_DIR"] = directory
        // A session of its own: Ctrl-C at the terminal is ours to handle, and ends it in order.
        return try ChildProgram(
            "/proc/self/exe",
            ["roost", "up", "--state", directory + "/state", "--with-parent", "\(getpid())"] + arguments,
            environment: environment,
            output: .log(directory + "/system.log"), inOwnSession: true)
    }

    /// Starts it again after its end, as a device that was off is started: it finds another boot.
    func startDevice() throws {
        // Reaped, and what is left of its session with it.
        _ = program.end
        BootRecord.note("the boot before", in: state)
        program = try Self.start(temporary.path, arguments)
    }

    /// Shuts its device down: apps are ended without being told (T19).
    func shutDownDevice() { program.send(SIGPWR) }

    /// Its process' pidfd: readable once it has ended.
    var ended: Int32 { program.pidfd }

    /// Readable when it may have come up since: look with `connect`.
    var news: Int32 { watch.descriptor }

    /// A connection to its control socket; nil while it does not answer yet.
    func connect() -> Int32? {
        watch.drain()
        guard let id = try? StateDirectory.systemID(of: state),
            let sockets = try? RuntimeDirectory(systemID: id, environment: ["XDG_RUNTIME_DIR": temporary.path])
        else { return nil }
        return ControlClient.connected(to: sockets.controlSocket)
    }

    /// What it has said.
    var log: String { (try? String(contentsOfFile: temporary.path + "/system.log", encoding: .utf8)) ?? "" }

    /// Asks it to end as it should; its apps are told.
    func terminate() { program.send(SIGTERM) }

    /// Ends it at once.
    func kill() { program.send(SIGKILL) }

    /// How it ended, in words; nil while it runs.
    var end: String? { program.end }

    /// Leaves nothing behind, whatever has happened: not the system, not its apps, not its files.
    func cleanUp() {
        if program.end == nil {
            program.send(SIGKILL)
            program.wait()
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

    /// Directories of such systems that nobody is at work in any more: what a SIGKILL left.
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
