import ArgumentParser
import Glibc
import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// What is done for apps that have lost their system: a suspended app that nobody could wake is ended, all others are
/// let run. Started by whichever of guardian and supervisor is left, never by hand.
struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End a lost system's suspended apps and let the others run.", shouldDisplay: false)

    @OptionGroup var state: StateOptions
    @Option(help: "The system's id, where it is known already.")
    var system: String?
    @Option(help: "The guardian, whose children apps are.")
    var guardian: Int32?
    @Option(help: "How long to wait for a new system first.")
    var after: String?

    /// The arguments, their name first.
    static func command(
        state: String, system: String? = nil, guardian: Int32? = nil, after: Nanoseconds? = nil
    ) -> [String] {
        ["roost", "release", "--state=\(state)"] + (system.map { ["--system=\($0)"] } ?? [])
            + (guardian.map { ["--guardian=\($0)"] } ?? [])
            + (after.map { ["--after=\($0.rawValue / 1_000_000)ms"] } ?? [])
    }

    func run() throws {
        var none = sigset_t()
        sigemptyset(&none)
        // Those who started us live on signals that they hold back.
        pthread_sigmask(SIG_SETMASK, &none, nil)
        if let after, let length = Nanoseconds(parsing: after) { wait(until: Moment.now.awake + length) }
        do {
            // Who runs by now has found the apps, and looks after them.
            try StateDirectory.whileIdle(state.path) { try release() }
        } catch let error as SystemError where error.errno == EWOULDBLOCK {
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        }
    }

    private func wait(until end: Nanoseconds) {
        var time = timespec(tv_sec: Int(end.rawValue / 1_000_000_000), tv_nsec: Int(end.rawValue % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    private func release() throws {
        guard let system = try system ?? StateDirectory.systemID(of: state.path) else { return }
        let logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
        let released = LinuxProcesses.release(
            systemID: system, environment: LinuxProcesses.ownEnvironment, stopped: stopped, guardian: guardian)
        for place in released {
            if let error = place.error {
                logger.error(
                    "an app could not be let go", metadata: ["place": "\(place.place)", "problem": "\(error)"])
            } else if place.wasFrozen {
                logger.notice("a suspended app was ended", metadata: ["place": "\(place.place)"])
            }
        }
    }

    /// Processes that may have been stopped by SIGSTOP: what the store knows, if it can be read.
    private var stopped: [StoredProcess] {
        let kept = try? SQLiteStore.kept(at: state.path + "/store.db")
        return kept?.launches.compactMap(\.process) ?? []
    }
}
