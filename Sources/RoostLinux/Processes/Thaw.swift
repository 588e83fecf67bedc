internal import CRoost
internal import Glibc
public import RoostPorts

/// The result of thawing one cgroup or process group.
public struct Thawed: Hashable, Sendable {
    /// The cgroup's path, or `process group N`.
    public let place: String
    /// Whether a freeze had been requested before.
    public let wasFrozen: Bool
    /// Why it could not be thawed; nil on success.
    public let error: SystemError?
}

/// Functions for `roost thaw --all`. The functions need no running system.
extension LinuxProcesses {
    /// Thaws everything that any system has frozen: in every `roost-*` directory in every cgroup2 mount, and below
    /// `ROOST_CGROUP` if the environment has it.
    ///
    /// `stopped` are processes that may have been stopped by SIGSTOP, which leaves no trace in the file system. They
    /// are continued if they still exist and lead a session.
    ///
    /// Running systems are skipped, and their ids are returned in `running`. The system with the id `spared` and the
    /// systems of other users are skipped silently.
    public static func thawEverything(
        environment: [String: String], stopped: [StoredProcess], sparing spared: String? = nil
    ) -> (thawed: [Thawed], running: [String]) {
        var (thawed, running): ([Thawed], [String]) = ([], [])
        for tree in systems(environment: environment) where tree.mayBeThawed && tree.systemID != spared {
            // While we hold the lock, no system starts here.
            if let hold = TreeHold(idle: tree.root) {
                thawed += withExtendedLifetime(hold) { thawAll(in: tree) }
            } else {
                running.append(tree.systemID)
            }
        }
        return (thawed + stopped.compactMap(continued), Set(running).sorted())
    }

    /// Thaws everything that the system `systemID` has frozen, in all cgroup2 mounts. Continues processes in `stopped`
    /// like `thawEverything`.
    public static func thawAll(
        systemID: String, environment: [String: String], stopped: [StoredProcess]
    ) -> [Thawed] {
        systems(environment: environment).filter { $0.systemID == systemID }.flatMap(thawAll(in:))
            + stopped.compactMap(continued)
    }

    /// The number of suspended launches of the system `systemID`, which is not running. It counts cgroups with a freeze
    /// request, and processes in `stopped` that still exist and are stopped.
    public static func frozen(systemID: String, environment: [String: String], stopped: [StoredProcess]) -> Int {
        let trees = systems(environment: environment).filter { $0.systemID == systemID }
        let cgroups = trees.flatMap { tree in
            tree.children("").filter { (try? tree.read(.freeze, of: $0))?.hasPrefix("1") ?? false }
        }
        let sessions = stopped.filter { process in
            guard process.bootID == bootID, let stat = ProcStat(pid: process.pid) else { return false }
            return stat.startTime == process.startTime && stat.isStopped
        }
        return cgroups.count + sessions.count
    }

    /// The ids of systems that do not run and whose apps this user may thaw, sorted.
    public static func idleSystemIDs(environment: [String: String]) -> [String] {
        let ours = systems(environment: environment).filter { $0.mayBeThawed && TreeHold(idle: $0.root) != nil }
        return Set(ours.map(\.systemID)).sorted()
    }

    /// Thaws a system's directory and every launch's.
    static func thawAll(in tree: CgroupTree) -> [Thawed] {
        ([""] + tree.children("")).map { name in
            // Whether a freeze was requested: a cgroup that is not fully frozen yet must be thawed, too.
            let wasFrozen = (try? tree.read(.freeze, of: name))?.hasPrefix("1") ?? false
            do throws(SystemError) {
                try tree.write("0", to: .freeze, of: name)
                return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: nil)
            } catch {
                return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: error)
            }
        }
    }

    /// Continues the session that a stored process leads; nil if the process is gone.
    private static func continued(_ process: StoredProcess) -> Thawed? {
        guard process.bootID == bootID else { return nil }
        var pidfd: Int32 = -1
        guard croost_pidfd_open(process.pid, &pidfd) == 0 else { return nil }
        defer { close(pidfd) }
        guard let stat = ProcStat(pid: process.pid), stat.startTime == process.startTime, stat.session == process.pid
        else { return nil }
        let freezer = SignalFreezer(leader: process.pid, pidfd: pidfd)
        do throws(SystemError) {
            try freezer.thaw()
            return Thawed(place: freezer.place, wasFrozen: stat.isStopped, error: nil)
        } catch {
            return Thawed(place: freezer.place, wasFrozen: stat.isStopped, error: error)
        }
    }

    /// The id of this boot, from `/proc/sys/kernel/random/boot_id`. A pid of another boot means nothing.
    public static var bootID: String {
        (Files.text("/proc/sys/kernel/random/boot_id") ?? "").split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Our own environment as a dictionary, for the functions of this module.
    public static var ownEnvironment: [String: String] {
        var result: [String: String] = [:]
        guard var entry = croost_environment() else { return result }
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return result
    }
}
