internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The result for one cgroup or process group of a system that is gone.
public struct Released: Hashable, Sendable {
    /// The action that was taken.
    public enum Outcome: Hashable, Sendable {
        /// The launch was suspended, and was killed.
        case ended
        /// The launch was suspended, and was thawed.
        case thawed
        /// The launch was not suspended.
        case ran
    }

    /// The cgroup's path, or `process group N`.
    public let place: String
    /// The name of the launch's cgroup, `IDENTIFIER.NUMBER`; nil for another place.
    public var launch: String?
    /// The first process of a launch without a cgroup; nil for a cgroup.
    public var pid: Int32?
    /// The action that was taken.
    public let outcome: Outcome
    /// Why the action failed; nil on success.
    public let error: SystemError?
}

/// Functions for apps whose system is gone. They need no running system.
extension LinuxProcesses {
    /// Kills all processes that the system `systemID` has suspended, and thaws all others. Suspended apps in `adopted`
    /// are thawed instead: they do not expect to be killed while suspended.
    ///
    /// Without cgroups, this applies to two kinds of sessions. First, the sessions of the processes in `stopped` that
    /// still exist; a session whose process is also in `adoptedProcesses` is continued. Second, the sessions that
    /// children of the process `guardian` lead.
    public static func release(
        systemID: String, environment: [String: String], stopped: [StoredProcess], guardian: Int32?,
        adopted: Set<BundleIdentifier> = [], adoptedProcesses: Set<StoredProcess> = []
    ) -> [Released] {
        let trees = systems(environment: environment).filter { $0.systemID == systemID }
        let cgroups = trees.flatMap { tree in
            ([""] + tree.children("")).map { name in
                let isAdopted = CgroupEnclosure.identifier(of: name).map(adopted.contains) ?? false
                return release(name, in: tree, isSpared: name.isEmpty || isAdopted)
            }
        }
        let stored = stopped.filter { $0.bootID == bootID }.compactMap {
            release(pid: $0.pid, startTime: $0.startTime, isSpared: adoptedProcesses.contains($0))
        }
        // A process that was just continued may still be shown as stopped.
        let known = Set(stopped.map(\.pid))
        let children = (guardian.map(leadingChildren) ?? []).filter { !known.contains($0.pid) }.compactMap {
            release(pid: $0.pid, startTime: $0.startTime, isSpared: false)
        }
        return cgroups + stored + children
    }

    /// When a process started, in the kernel's ticks since boot; nil if the process does not exist.
    public static func startTime(of pid: Int32) -> UInt64? { ProcStat(pid: pid)?.startTime }

    /// Whether a process's first thread is in uninterruptible sleep (`D`), for example while a disk does not answer.
    public static func waitsForDevice(_ pid: Int32) -> Bool { ProcStat(pid: pid)?.state == UInt8(ascii: "D") }

    private static func release(_ name: String, in tree: CgroupTree, isSpared: Bool) -> Released {
        let wasFrozen = (try? tree.read(.freeze, of: name))?.hasPrefix("1") ?? false
        let outcome: Released.Outcome = !wasFrozen ? .ran : isSpared ? .thawed : .ended
        do throws(SystemError) {
            // The kill comes before the thaw, so that the app does not run again.
            if outcome == .ended { try tree.kill(name) }
            try tree.write("0", to: .freeze, of: name)
            return Released(place: tree.path(name), launch: name, outcome: outcome, error: nil)
        } catch {
            return Released(place: tree.path(name), outcome: outcome, error: error)
        }
    }

    /// Kills or continues the session that a process leads; nil if the process is gone or leads no session.
    private static func release(pid: Int32, startTime: UInt64, isSpared: Bool) -> Released? {
        var pidfd: Int32 = -1
        guard croost_pidfd_open(pid, &pidfd) == 0 else { return nil }
        defer { close(pidfd) }
        guard let stat = ProcStat(pid: pid), stat.startTime == startTime, stat.session == pid, !stat.isDead else {
            return nil
        }
        let freezer = SignalFreezer(leader: pid, pidfd: pidfd)
        let outcome: Released.Outcome = !stat.isStopped ? .ran : isSpared ? .thawed : .ended
        do throws(SystemError) {
            if outcome == .ended { try freezer.kill() } else { try freezer.thaw() }
            return Released(place: freezer.place, pid: pid, outcome: outcome, error: nil)
        } catch {
            return Released(place: freezer.place, outcome: outcome, error: error)
        }
    }

    private static func leadingChildren(of guardian: Int32) -> [(pid: Int32, startTime: UInt64)] {
        (Files.names(in: "/proc") ?? []).compactMap { Int32($0) }.compactMap { pid in
            guard pid != getpid(), let stat = ProcStat(pid: pid), stat.parent == guardian, stat.session == pid else {
                return nil
            }
            return (pid, stat.startTime)
        }
    }
}
