internal import CRoost
internal import Glibc
public import RoostPorts

/// What came of thawing one cgroup or process group.
public struct Thawed: Hashable, Sendable {
    /// The cgroup's path, or `process group N`.
    public let place: String
    /// Whether it had been asked to freeze before.
    public let wasFrozen: Bool
    /// Why it could not be thawed; nil if it was.
    public let error: SystemError?
}

/// For `roost thaw --all`: needs no running system and holds nothing.
extension LinuxProcesses {
    /// Thaws whatever any system of ours has frozen: every `roost-*` directory in every cgroup2 mount, and below
    /// `ROOST_CGROUP` if the environment has it.
    ///
    /// `stopped` are processes that may have been stopped by SIGSTOP, which leaves no trace to find them by. Of
    /// those only such as still are what they were, and lead a process group, are continued.
    ///
    /// Systems that run are passed over, and `running` has their ids; so is the one whose id is `spared`. So are systems of
    /// other users, without a word.
    public static func thawEverything(
        environment: [String: String], stopped: [StoredProcess], sparing spared: String? = nil
    ) -> (thawed: [Thawed], running: [String]) {
        var (thawed, running): ([Thawed], [String]) = ([], [])
        for tree in systems(environment: environment) where tree.mayBeThawed && tree.systemID != spared {
            // As long as it is held no system begins here.
            if let hold = TreeHold(idle: tree.root) {
                thawed += withExtendedLifetime(hold) { thawAll(in: tree) }
            } else {
                running.append(tree.systemID)
            }
        }
        return (thawed + stopped.compactMap(continued), Set(running).sorted())
    }

    /// Thaws what the system `systemID` has frozen, wherever in the cgroup2 mounts its directory is, and continues
    /// those of `stopped` as `thawEverything` does.
    public static func thawAll(
        systemID: String, environment: [String: String], stopped: [StoredProcess]
    ) -> [Thawed] {
        systems(environment: environment).filter { $0.systemID == systemID }.flatMap(thawAll(in:))
            + stopped.compactMap(continued)
    }

    /// How many launches of the system `systemID`, which does not run, stand still: cgroups that are asked to freeze, and
    /// those of `stopped` that still are what they were.
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

    /// The ids of systems that do not run and whose apps this user may thaw, sorted: not another user's.
    public static func idleSystemIDs(environment: [String: String]) -> [String] {
        let ours = systems(environment: environment).filter { $0.mayBeThawed && TreeHold(idle: $0.root) != nil }
        return Set(ours.map(\.systemID)).sorted()
    }

    /// Thaws one system's directory and every launch's.
    static func thawAll(in tree: CgroupTree) -> [Thawed] {
        ([""] + tree.children("")).map { name in
            // Asked, not frozen: what is still on its way to a standstill must be let go as well.
            let wasFrozen = (try? tree.read(.freeze, of: name))?.hasPrefix("1") ?? false
            do throws(SystemError) {
                try tree.write("0", to: .freeze, of: name)
                return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: nil)
            } catch {
                return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: error)
            }
        }
    }

    /// Continues the process group a stored process leads, unless it is gone: then nil.
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

    /// Which boot this is, from `/proc/sys/kernel/random/boot_id`: a pid of another boot means nothing.
    public static var bootID: String {
        (Files.text("/proc/sys/kernel/random/boot_id") ?? "").split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Our own environment as a dictionary: what this organ's calls take.
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
