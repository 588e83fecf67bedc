internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// What /proc tells of one process or thread.
struct ProcStat: Hashable {
    /// `R`, `S`, `T` for stopped, `Z` for a zombie, …
    let state: UInt8
    /// Its parent.
    let parent: Int32
    /// Its process group.
    let group: Int32
    /// Its session.
    let session: Int32
    /// Processor time used, user and system, in clock ticks.
    let ticks: UInt64
    /// When it started, in clock ticks since boot.
    let startTime: UInt64
    /// The wait status of a zombie; 0 also where we may not know it.
    let exitStatus: Int32

    /// Reads the line of `/proc/PID/stat`. The program's name stands in parentheses and may hold blanks and
    /// parentheses itself: the fields begin after the last one.
    init?(parsing line: String) {
        guard let end = line.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line.utf8[line.utf8.index(after: end)...]
            .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
        // Field 3, the state, is the first of these.
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

    /// The process `pid` as it is now; nil if there is none.
    init?(pid: Int32) {
        guard let text = Files.text("/proc/\(pid)/stat") else { return nil }
        self.init(parsing: text)
    }

    var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }
    var isDead: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

    /// Processor time in nanoseconds; the kernel counts ticks, of which there are mostly a hundred a second.
    var processorTime: Nanoseconds {
        let perSecond = max(Int64(sysconf(Int32(_SC_CLK_TCK))), 1)
        return Nanoseconds(Int64(ticks) * (1_000_000_000 / perSecond))
    }
}

/// What can be known of a process without holding it.
enum Proc {
    /// Every thread of a process, as it is now.
    static func threads(of pid: Int32) -> [ProcStat] {
        (Files.names(in: "/proc/\(pid)/task") ?? []).compactMap { thread in
            Files.text("/proc/\(pid)/task/\(thread)/stat").flatMap(ProcStat.init(parsing:))
        }
    }

    /// The numbers of a process' threads; those of one that makes threads meanwhile may not all be among them.
    static func threadNumbers(of pid: Int32) -> [Int32] {
        (Files.names(in: "/proc/\(pid)/task") ?? []).compactMap { Int32($0) }
    }

    /// The processes of a session, by asking each there is: only for where no cgroup can tell.
    static func members(ofSession session: Int32) -> [Int32] {
        (Files.names(in: "/proc") ?? []).compactMap { Int32($0) }.filter { getsid($0) == session }
    }

    /// A process' cgroup in the unified hierarchy.
    static func cgroup(of pid: Int32) -> String? {
        Files.text("/proc/\(pid)/cgroup").flatMap(CgroupDiscovery.unifiedPath)
    }

    /// How a process ended that is no child of ours: from its zombie if nobody has reaped it yet, and from the
    /// kernel's own record if somebody has (Linux 6.15 and later).
    static func exitOfStranger(pid: Int32, startTime: UInt64, pidfd: Int32) -> ExitStatus {
        if let stat = ProcStat(pid: pid), stat.startTime == startTime, stat.isDead, mayInspect(pid) {
            // The number was not given out anew between the reads if the pidfd's process still has it.
            if croost_pidfd_send_signal(pidfd, 0) == 0 {
                return ExitStatus(croost_exit_from_status(stat.exitStatus))
            }
        }
        var exit = croost_exit()
        // A reaper at work shows as a hang-up.
        _ = croost_wait_for(pidfd, 0, 1_000_000)
        return croost_pidfd_exit_info(pidfd, &exit) == 0 ? ExitStatus(exit) : .unknown
    }

    /// Whether the kernel shows us a process' inner life. Where it does not, it shows zeros, and an exit code of 0
    /// would be a guess; this link asks for the same permission.
    private static func mayInspect(_ pid: Int32) -> Bool {
        var buffer: [CChar] = [0, 0]
        return readlink("/proc/\(pid)/ns/pid", &buffer, 1) == 1
    }
}

extension ExitStatus {
    init(_ exit: croost_exit) { self = exit.is_signal != 0 ? .signaled(exit.value) : .exited(code: exit.value) }
}
