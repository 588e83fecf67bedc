internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// What became of one cgroup or process group whose system is gone.
public struct Released: Hashable, Sendable {
    /// What was done to it.
    public enum Outcome: Hashable, Sendable {
        /// It was suspended, and was ended.
        case ended
        /// It was suspended, and runs again.
        case thawed
        /// It was not suspended.
        case ran
    }

    /// The cgroup's path, or `process group N`.
    public let place: String
    /// The launch's cgroup's name, `IDENTIFIER.NUMBER`; nil for another place.
    public var launch: String?
    /// The first process of what SIGSTOP stood in for; nil for a cgroup.
    public var pid: Int32?
    /// What was done.
    public let outcome: Outcome
    /// Why that failed; nil if it did not.
    public let error: SystemError?
}

/// For apps whose system is gone: needs no running system and holds nothing.
extension LinuxProcesses {
    /// Ends what the system `systemID` has suspended, and sees to it that everything else runs. Apps in `adopted` are
    /// thawed instead: they cannot know that they may be ended while they are suspended.
    ///
    /// Where SIGSTOP stood in for the freezer, it is those of `stopped` that still are what they were, and the sessions
    /// that children of the process `guardian` lead. Those of `stopped` that are in `adoptedProcesses` are continued.
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
        // One that was continued just now may still be shown as stopped.
        let known = Set(stopped.map(\.pid))
        let children = (guardian.map(leadingChildren) ?? []).filter { !known.contains($0.pid) }.compactMap {
            release(pid: $0.pid, startTime: $0.startTime, isSpared: false)
        }
        return cgroups + stored + children
    }

    /// When a process started, in the kernel's ticks since boot; nil if there is none.
    public static func startTime(of pid: Int32) -> UInt64? { ProcStat(pid: pid)?.startTime }

    /// Whether a process's first thread is in uninterruptible sleep (`D`), as it is while a disk does not answer.
    public static func waitsForDevice(_ pid: Int32) -> Bool { ProcStat(pid: pid)?.state == UInt8(ascii: "D") }

    private static func release(_ name: String, in tree: CgroupTree, isSpared: Bool) -> Released {
        let wasFrozen = (try? tree.read(.freeze, of: name))?.hasPrefix("1") ?? false
        let outcome: Released.Outcome = !wasFrozen ? .ran : isSpared ? .thawed : .ended
        do throws(SystemError) {
            // Before it is thawed: it does not get to run any more.
            if outcome == .ended { try tree.kill(name) }
            try tree.write("0", to: .freeze, of: name)
            return Released(place: tree.path(name), launch: name, outcome: outcome, error: nil)
        } catch {
            return Released(place: tree.path(name), outcome: outcome, error: error)
        }
    }

    /// Ends, or continues, the session that a process leads; nil if it is not that process, or leads none.
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
