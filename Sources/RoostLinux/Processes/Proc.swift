internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// The fields of `/proc/PID/stat` for one process or thread.
struct ProcStat: Hashable {
    /// `R`, `S`, `D` for an uninterruptible wait, `T` for stopped, `Z` for a zombie, …
    let state: UInt8
    /// The pid of its parent.
    let parent: Int32
    /// The id of its process group.
    let group: Int32
    /// The id of its session.
    let session: Int32
    /// Processor time used, user and system, in clock ticks.
    let ticks: UInt64
    /// When it started, in clock ticks since boot.
    let startTime: UInt64
    /// The wait status of a zombie; 0 also if we may not read it.
    let exitStatus: Int32

    /// Parses the line of `/proc/PID/stat`. The program's name is in parentheses and may itself contain blanks and
    /// parentheses, so the fields begin after the last parenthesis.
    init?(parsing line: String) {
        guard let end = line.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line.utf8[line.utf8.index(after: end)...]
            .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
        // The first of these fields is field 3, the state.
        guard fields.count >= 20, let state = fields[0].utf8.first, let parent = Int32(fields[1]),
            let group = Int32(fields[2]),
            let session = Int32(fields[3]), let user = UInt64(fields[11]), let system = UInt64(fields[12]),
            let startTime = UInt64(fields[19])
        else { return nil }
        self.state = state
        self.parent = parent
        self.group = group
        self.session = session
        ticks = user + system
        self.startTime = startTime
        exitStatus = fields.count >= 50 ? Int32(fields[49]) ?? 0 : 0
    }

    /// The current state of the process `pid`; nil if the process does not exist.
    init?(pid: Int32) {
        guard let text = Files.text("/proc/\(pid)/stat") else { return nil }
        self.init(parsing: text)
    }

    var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }
    var isUninterruptible: Bool { state == UInt8(ascii: "D") }
    var isDead: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

    /// Processor time used. The kernel counts ticks, usually a hundred per second.
    var processorTime: Nanoseconds {
        let perSecond = max(Int64(sysconf(Int32(_SC_CLK_TCK))), 1)
        return Nanoseconds(Int64(ticks) * (1_000_000_000 / perSecond))
    }
}

/// Queries about a process that is not held by a pidfd.
enum Proc {
    /// The current threads of a process.
    static func threads(of pid: Int32) -> [ProcStat] {
        (Files.names(in: "/proc/\(pid)/task") ?? []).compactMap { thread in
            Files.text("/proc/\(pid)/task/\(thread)/stat").flatMap(ProcStat.init(parsing:))
        }
    }

    /// The thread ids of a process. Threads created during the call may be missing.
    static func threadNumbers(of pid: Int32) -> [Int32] {
        (Files.names(in: "/proc/\(pid)/task") ?? []).compactMap { Int32($0) }
    }

    /// The processes of a session, found by checking every process. Needed only without cgroups.
    static func members(ofSession session: Int32) -> [Int32] {
        (Files.names(in: "/proc") ?? []).compactMap { Int32($0) }.filter { getsid($0) == session }
    }

    /// The path of a process's cgroup in the unified hierarchy; nil if it cannot be read.
    static func cgroup(of pid: Int32) -> String? {
        Files.text("/proc/\(pid)/cgroup").flatMap(CgroupDiscovery.unifiedPath)
    }

    /// The exit status of a process that is not our child. The source is its zombie or, once it is reaped, the kernel's
    /// record (Linux 6.15 and later).
    static func exitOfStranger(pid: Int32, startTime: UInt64, pidfd: Int32) -> ExitStatus {
        if let stat = ProcStat(pid: pid), stat.startTime == startTime, stat.isDead, mayInspect(pid) {
            // If the process of the pidfd still exists, its pid was not reused between the reads.
            if croost_pidfd_send_signal(pidfd, 0) == 0 {
                return ExitStatus(croost_exit_from_status(stat.exitStatus))
            }
        }
        var exit = croost_exit()
        // Wait for the hang-up that a concurrent reaper causes.
        _ = croost_wait_for(pidfd, 0, 1_000_000)
        return croost_pidfd_exit_info(pidfd, &exit) == 0 ? ExitStatus(exit) : .unknown
    }

    /// Whether the kernel lets us inspect a process. Without permission, the kernel reports zeros, and an exit code of
    /// 0 would be a guess. Reading this link needs the same permission.
    private static func mayInspect(_ pid: Int32) -> Bool {
        var buffer: [CChar] = [0, 0]
        return readlink("/proc/\(pid)/ns/pid", &buffer, 1) == 1
    }
}

extension ExitStatus {
    init(_ exit: croost_exit) { self = exit.is_signal != 0 ? .signaled(exit.value) : .exited(code: exit.value) }
}
