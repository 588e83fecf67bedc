internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The replacement if no cgroup is writable: the launch's session, frozen with SIGSTOP.
///
/// The replacement has disadvantages:
///
/// - An app can notice that it was stopped.
/// - Any process that may signal the app can continue it.
/// - A process that creates its own session escapes.
/// - The kernel does not report that all threads are stopped, and checking it means reading /proc.
final class SignalFreezer: Enclosure {
    /// The first process: leader of the session, and of the process group that it started in.
    let leader: Int32
    private let pidfd: Int32
    /// Whether a freeze was requested. Only then may a check stop processes that have missed the signal.
    private var isAskedToFreeze = false

    /// The session of the process with this pidfd, which the caller closes.
    init(leader: Int32, pidfd: Int32) {
        self.leader = leader
        self.pidfd = pidfd
    }

    var place: String { "process group \(leader)" }
    var watch: Int32? { nil }

    func freeze(first pidfd: Int32, looks: Int32, pause: Nanoseconds) throws(SystemError) -> FreezerGlance {
        isAskedToFreeze = true
        try signalAll(SIGSTOP, "stop the processes of an app")
        var isFrozen = try isFrozen()
        for _ in 0..<looks where !isFrozen {
            _ = croost_wait_for(-1, 0, pause.rawValue)
            isFrozen = try self.isFrozen()
        }
        return FreezerGlance(isFrozen: isFrozen, showsFirst: false)
    }

    func thaw() throws(SystemError) {
        isAskedToFreeze = false
        try signalAll(SIGCONT, "continue the processes of an app")
    }

    func kill() throws(SystemError) { try signalAll(SIGKILL, "kill the processes of an app") }

    func isFrozen() throws(SystemError) -> Bool {
        let processes = processes()
        for pid in processes {
            let threads = Proc.threads(of: pid)
            guard threads.allSatisfy({ $0.isStopped || $0.isDead }) else {
                if isAskedToFreeze { help(pid, threads, among: processes) }
                return false
            }
        }
        return true
    }

    /// Helps a process to stop that has not. After `vfork`, a thread stops only once its child has executed a program
    /// or is gone, so a child that was stopped before is continued. The next check stops the child again.
    private func help(_ pid: Int32, _ threads: [ProcStat], among processes: [Int32]) {
        if threads.contains(where: \.isUninterruptible) {
            for child in processes {
                if let stat = ProcStat(pid: child), stat.parent == pid, stat.isStopped { signal(SIGCONT, to: child) }
            }
        } else if !threads.contains(where: \.isStopped) {
            // A process forked while the group was being stopped has missed the signal.
            signal(SIGSTOP, to: pid)
        }
    }

    func isPopulated() -> Bool { processes().contains { ProcStat(pid: $0).map { !$0.isDead } ?? false } }

    /// The pids of the session; empty if its id was given to another process since.
    func processes() -> [Int32] {
        // A pid is not reused while a session has it as its id. So if another process has the leader's pid, the session
        // is gone.
        if croost_pidfd_send_signal(pidfd, 0) == ESRCH, ProcStat(pid: leader) != nil { return [] }
        return Proc.members(ofSession: leader)
    }

    /// The processes at the time of the call: later the pidfd's number may belong to another file.
    var processList: @Sendable () -> [Int32] {
        let processes = processes()
        return { processes }
    }

    func contains(_ pid: Int32) -> Bool { getsid(pid) == leader }

    func dissolve(patience: Nanoseconds) -> Bool {
        let end = croost_monotonic() + patience.rawValue
        while isPopulated() {
            try? kill()
            guard croost_monotonic() < end else { return false }
            // The end of processes that are not our children is not reported.
            _ = croost_wait_for(-1, 0, 200_000)
        }
        return true
    }

    func freezerText() -> String { (try? isFrozen()) == true ? "stopped" : "running" }

    func processorTime() -> Nanoseconds? {
        let times = processes().compactMap { ProcStat(pid: $0)?.processorTime }
        return times.isEmpty ? nil : times.reduce(.zero, +)
    }

    private func signalAll(_ number: Int32, _ doing: String) throws(SystemError) {
        var code = croost_pidfd_send_signal(pidfd, number)
        // Signal the group first, in one call. The call reaches all processes except those with their own group.
        if code == 0, Glibc.kill(-leader, number) != 0, errno != ESRCH { code = errno }
        for pid in processes() where pid != leader { signal(number, to: pid) }
        guard code == 0 || code == ESRCH else {
            throw SystemError(doing: doing, subject: place, errno: code)
        }
    }

    /// Signals a process only if it is in this session while a pidfd holds it.
    private func signal(_ number: Int32, to pid: Int32) {
        var held: Int32 = -1
        guard croost_pidfd_open(pid, &held) == 0 else { return }
        defer { close(held) }
        if getsid(pid) == leader { _ = croost_pidfd_send_signal(held, number) }
    }
}
