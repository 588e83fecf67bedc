internal import CRoost
internal import Glibc
public import RoostPorts

/// For apps whose system is gone: needs no running system and holds nothing.
extension LinuxProcesses {
    /// Ends what the system `systemID` has suspended, and sees to it that everything else runs. `wasFrozen` says which
    /// was ended.
    ///
    /// Where SIGSTOP stood in for the freezer, it is those of `stopped` that still are what they were, and the sessions
    /// that children of the process `guardian` lead.
    public static func release(
        systemID: String, environment: [String: String], stopped: [StoredProcess], guardian: Int32?
    ) -> [Thawed] {
        let trees = systems(environment: environment).filter { $0.systemID == systemID }
        let cgroups = trees.flatMap { tree in ([""] + tree.children("")).map { release($0, in: tree) } }
        let stored = stopped.filter { $0.bootID == bootID }.map { (pid: $0.pid, startTime: $0.startTime) }
        let children = guardian.map(leadingChildren) ?? []
        return cgroups + (stored + children).compactMap { release(pid: $0.pid, startTime: $0.startTime) }
    }

    /// When a process started, in the kernel's ticks since boot; nil if there is none.
    public static func startTime(of pid: Int32) -> UInt64? { ProcStat(pid: pid)?.startTime }

    private static func release(_ name: String, in tree: CgroupTree) -> Thawed {
        let wasFrozen = !name.isEmpty && (try? tree.read(.freeze, of: name))?.hasPrefix("1") ?? false
        do throws(SystemError) {
            // Before it is thawed: it does not get to run any more.
            if wasFrozen { try tree.kill(name) }
            try tree.write("0", to: .freeze, of: name)
            return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: nil)
        } catch {
            return Thawed(place: tree.path(name), wasFrozen: wasFrozen, error: error)
        }
    }

    /// Ends, or continues, the session that a process leads; nil if it is not that process, or leads none.
    private static func release(pid: Int32, startTime: UInt64) -> Thawed? {
        var pidfd: Int32 = -1
        guard croost_pidfd_open(pid, &pidfd) == 0 else { return nil }
        defer { close(pidfd) }
        guard let stat = ProcStat(pid: pid), stat.startTime == startTime, stat.session == pid, !stat.isDead else {
            return nil
        }
        let freezer = SignalFreezer(leader: pid, pidfd: pidfd)
        do throws(SystemError) {
            if stat.isStopped { try freezer.kill() } else { try freezer.thaw() }
            return Thawed(place: freezer.place, wasFrozen: stat.isStopped, error: nil)
        } catch {
            return Thawed(place: freezer.place, wasFrozen: stat.isStopped, error: error)
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
