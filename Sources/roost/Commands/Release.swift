import ArgumentParser
import CRoost
import Glibc
import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// Releases apps that have lost their system. Suspended apps that nothing could wake are ended, adopted apps are
/// thawed, and all other apps continue to run. The surviving guardian or supervisor starts this command, never the
/// user.
struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a lost system's suspended apps, thaw adopted ones, and keep the others running.",
        shouldDisplay: false)

    @OptionGroup var state: StateOptions
    @Option(help: "The system's id, if it is known.")
    var system: String?
    @Option(help: "The pid of the system's guardian.")
    var guardian: Int32
    @Option(help: "How long to wait for a new system first.")
    var after: String?

    /// The arguments, beginning with the program's name.
    static func command(
        state: String, guardian: Int32, after: Nanoseconds? = nil
    ) -> [String] {
        ["roost", "release", "--state=\(state)", "--guardian=\(guardian)"]
            + (after.map { ["--after=\($0.rawValue / 1_000_000)ms"] } ?? [])
    }

    func run() throws {
        var none = sigset_t()
        sigemptyset(&none)
        // The parent process has blocked signals.
        pthread_sigmask(SIG_SETMASK, &none, nil)
        do {
            if let after, let length = Nanoseconds(parsing: after) { try wait(until: Moment.now.awake + length) }
            // A system that is running, or has run since, has found and recovered the apps.
            try StateDirectory.whileIdle(state.path) { if try !hasSuccessor() { try release() } }
        } catch let error as SystemError where error.errno == EWOULDBLOCK {
            // Another program holds the lock without an id, such as a copying tool. A starting system would write its
            // id at once.
            try wait(until: Moment.now.awake + .milliseconds(200))
            if try StateDirectory.holder(of: state.path) == guardian { try release() }
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        }
    }

    private func hasSuccessor() throws(SystemError) -> Bool {
        let holder = try StateDirectory.holder(of: state.path)
        return holder != nil && holder != guardian
    }

    /// Waits until a new system has taken the directory, or until `end`.
    private func wait(until end: Nanoseconds) throws(SystemError) {
        let news = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        defer { close(news) }
        // If the watch fails, only the timeout remains.
        inotify_add_watch(news, state.path + "/lock", UInt32(IN_MODIFY))
        while try !hasSuccessor() {
            let left = end - Moment.now.awake
            guard left > .zero else { return }
            _ = croost_wait_for(news, Int16(POLLIN), left.rawValue)
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(news, &buffer, buffer.count) > 0 {}
        }
    }

    private func release() throws {
        guard let system = try system ?? StateDirectory.systemID(of: state.path) else { return }
        let logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
        // A readable store lists the processes that were stopped by SIGSTOP. The bundles show which apps are adopted,
        // even without the store.
        let kept = try? SQLiteStore.kept(at: state.path + "/store.db")
        let adoptedApps = Set(kept?.apps.filter(\.manifest.isAdopted).map(\.app) ?? [])
        let adopted = kept?.launches.filter { adoptedApps.contains($0.record.launch.app) } ?? []
        let released = LinuxProcesses.release(
            systemID: system, environment: LinuxProcesses.ownEnvironment,
            stopped: kept?.launches.compactMap(\.process) ?? [],
            // If the guardian is dead, its pid may belong to another process, and its children have another parent.
            guardian: getppid() == guardian ? guardian : nil,
            adopted: Set(InstalledApps.all(in: state.path).filter { $0.isAdopted == true }.map(\.identifier)),
            adoptedProcesses: Set(adopted.compactMap(\.process)))
        for place in released {
            if let error = place.error {
                logger.error(
                    "cannot release an app", metadata: ["place": "\(place.place)", "problem": "\(error)"])
                continue
            }
            switch place.outcome {
            case .ended: logger.notice("a suspended app was ended", metadata: ["place": "\(place.place)"])
            case .thawed: logger.notice("an adopted app runs again", metadata: ["place": "\(place.place)"])
            case .ran: break
            }
        }
        if let kept { keep(released.filter { $0.outcome == .ended && $0.error == nil }, kept, logger) }
    }

    /// Stores the reason why these apps ended, for the next system to report.
    private func keep(_ ended: [Released], _ kept: StoredState, _ logger: Logger) {
        let launches = kept.launches.filter { stored in
            let launch = stored.record.launch
            let identifier = kept.apps.first { $0.app == launch.app }?.manifest.identifier
            let name = identifier.map { "\($0).\(launch.number)" }
            return ended.contains { $0.launch == name && name != nil || $0.pid == stored.process?.pid && $0.pid != nil }
        }
        guard !launches.isEmpty else { return }
        do throws(SystemError) {
            try SQLiteStore(path: state.path + "/store.db").commit(
                launches.map { stored in
                    var record = stored.record
                    record.ending = record.ending ?? .systemGone
                    return .record(.launch(record))
                })
        } catch {
            logger.error("cannot store the reasons why these apps ended", metadata: ["problem": "\(error)"])
        }
    }
}
