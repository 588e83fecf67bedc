import Foundation
import Glibc

/// The kernel's information about processes and cgroups, read without the system.
enum Kernel {
    static func text(_ path: String) -> String? {
        // Files of /proc report a size of zero, so this reads to their end.
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The state letter of /proc/PID/stat; nil once the process is gone. A zombie counts as gone.
    static func state(of pid: Int32) -> Character? {
        guard let stat = text("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
        let letter = stat[stat.index(end, offsetBy: 2)]
        return letter == "Z" || letter == "X" ? nil : letter
    }

    /// The mount points of cgroup2 in this process.
    static let cgroupMounts: [String] = (text("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields[dash + 1] == "cgroup2",
            fields[3] == "/"
        else { return nil }
        return String(fields[4])
    }

    /// The mounts of version 1 cgroups.
    static let legacyMounts: [String] = (text("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap {
        let fields = $0.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields[dash + 1] == "cgroup" else {
            return nil
        }
        return String(fields[4])
    }

    /// Removes a directory of cgroups whose processes were ended. A dead process stays until its parent has reaped it.
    static func removeEmpty(_ cgroup: String) {
        let deadline = Deadline(after: 5)
        while access(cgroup, F_OK) == 0, !deadline.isOver {
            for child in (try? FileManager.default.contentsOfDirectory(atPath: cgroup)) ?? [] {
                rmdir(cgroup + "/" + child)
            }
            guard rmdir(cgroup) != 0 else { return }
            waitForAny(of: [], until: Deadline(after: 0.01))
        }
    }

    /// The directory of a process's cgroup as this process sees it, from any namespace.
    static func cgroup(of pid: Int32) -> String? {
        guard let mount = cgroupMounts.first, let lines = text("/proc/\(pid)/cgroup")?.split(separator: "\n"),
            let path = lines.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3)
        else { return nil }
        return mount + path
    }

    /// Whether a cgroup was asked to freeze, and the kernel reports it frozen.
    static func isFrozen(cgroup: String) -> Bool {
        text(cgroup + "/cgroup.freeze")?.hasPrefix("1") == true
            && text(cgroup + "/cgroup.events")?.contains("frozen 1") == true
    }

    /// The processes in a cgroup.
    static func processes(in cgroup: String) -> [Int32] {
        (text(cgroup + "/cgroup.procs") ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    /// For each thread: user and system time in ticks, and, if the kernel reports it, the time on a processor in
    /// nanoseconds.
    static func processorTime(of pid: Int32) -> [String: [Int64]] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        var result: [String: [Int64]] = [:]
        for thread in threads {
            let path = "/proc/\(pid)/task/\(thread)"
            guard let stat = text(path + "/stat"), let end = stat.lastIndex(of: ")") else { continue }
            // Fields 14 and 15, counted after the name, which is the second field and may contain blanks.
            let fields = stat[stat.index(after: end)...].split(separator: " ")
            let exact = text(path + "/schedstat")?.split(separator: " ").first
            result[thread] = [fields[11], fields[12], exact ?? "0"].compactMap { Int64($0) }
        }
        return result
    }

    /// The memory of a process in bytes; shared memory is divided by the number of processes that share it.
    static func proportionalSize(of pid: Int32) -> Int64? {
        let line = text("/proc/\(pid)/smaps_rollup")?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }

    /// The class of batch processes (`SCHED_BATCH`, 3) gives way to others. It counts as a niceness above the highest.
    static let batch = 20

    /// A process's share of the processor, from the file for this kind of share.
    static func share(_ kind: String, of pid: Int32) -> Int? {
        switch kind {
        case "cpu.weight":
            return cgroup(of: pid).flatMap { text($0 + "/cpu.weight") }.flatMap { firstNumber($0) }
        case "cpu.shares":
            guard let path = legacyCgroup(of: pid, controller: "cpu") else { return nil }
            return legacyMounts.lazy.compactMap { text($0 + path + "/cpu.shares") }.first.flatMap { firstNumber($0) }
        case "autogroup nice":
            // `/autogroup-123 nice 19`
            return text("/proc/\(pid)/autogroup")?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        case "nice":
            guard let stat = text("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
            // The 19th and the 41st field, counted after the name, which is the second field.
            let fields = stat[stat.index(after: end)...].split(separator: " ")
            return fields[38] == "3" ? batch : Int(fields[16])
        case "io.weight":
            // `default 500`
            return cgroup(of: pid).flatMap { text($0 + "/io.weight") }.flatMap { firstNumber($0.dropFirst(7)) }
        case "bfq.weight", "blkio.weight":
            guard let path = legacyCgroup(of: pid, controller: "blkio") else { return nil }
            let file = kind == "bfq.weight" ? "blkio.bfq.weight" : kind
            return legacyMounts.lazy.compactMap { text("\($0)\(path)/\(file)") }.first.flatMap { firstNumber($0) }
        default: return nil
        }
    }

    /// The path of a process's version 1 cgroup, below the mount of a controller.
    private static func legacyCgroup(of pid: Int32, controller: Substring) -> String? {
        for line in text("/proc/\(pid)/cgroup")?.split(separator: "\n") ?? [] {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if fields.count == 3, fields[1].split(separator: ",").contains(controller) { return String(fields[2]) }
        }
        return nil
    }

    private static func firstNumber(_ text: some StringProtocol) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    /// All the memory of a process in bytes, including shared memory in full.
    static func residentSize(of pid: Int32) -> Int64? {
        text("/proc/\(pid)/statm")?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }
            .map { $0 * Int64(getpagesize()) }
    }

    /// The largest resident size that a process has had, in bytes.
    static func largestResident(of pid: Int32) -> Int64? {
        let line = text("/proc/\(pid)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }

    /// Ends every process in a cgroup and below it, waits for that, and removes the directories.
    static func dissolve(_ cgroup: String) {
        let children = (try? FileManager.default.contentsOfDirectory(atPath: cgroup)) ?? []
        for child in children {
            var isDirectory: ObjCBool = false
            let path = cgroup + "/" + child
            if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
                dissolve(path)
            }
        }
        let killed = processes(in: cgroup).compactMap { HeldProcess($0) }
        for process in killed where process.pid != getpid() { process.send(SIGKILL) }
        for process in killed where process.pid != getpid() { try? process.waitUntilGone() }
        // A dead child stays in its cgroup until its parent has reaped it, which may take init a moment.
        let deadline = Deadline(after: 5)
        let news = FileNews()
        news.watch(cgroup + "/cgroup.events")
        while rmdir(cgroup) != 0, errno == EBUSY, !deadline.isOver {
            waitForAny(of: [news.descriptor], until: Deadline(after: 0.1))
            news.drain()
        }
    }
}
