internal import CRoost
internal import Glibc

/// The memory a launch holds.
enum Footprint {
    /// Above this a process' pages are not walked: a walk takes a millisecond for every hundred MiB or so, and in
    /// a big process next to nothing is shared, so that what is resident serves as well.
    static let walkLimit: Int64 = 64 << 20

    /// How long the pages of one launch's processes are walked at most, in nanoseconds: an app of 64 processes would
    /// take several milliseconds.
    static let patience: Int64 = 1_000_000

    /// The sum of the proportional set sizes of these processes, in bytes; those that can't be read count nothing. Of
    /// those there is no time for, what is theirs alone stands in.
    static func bytes(of processes: [Int32], patience: Int64 = patience) -> Int64 {
        let end = croost_monotonic() + patience
        return processes.reduce(0) { sum, pid in
            sum + ((croost_monotonic() < end ? bytes(of: pid) : ownBytes(of: pid)) ?? 0)
        }
    }

    /// What a process has in memory without what came from files and may be others' as well, in bytes.
    static func ownBytes(of pid: Int32) -> Int64? {
        Files.text("/proc/\(pid)/statm").flatMap(ownPages).map { $0 * Int64(getpagesize()) }
    }

    /// The second number of `/proc/PID/statm` without the third.
    static func ownPages(_ text: String) -> Int64? {
        let fields = text.split(separator: " ").prefix(3).compactMap { Int64($0) }
        return fields.count == 3 ? max(0, fields[1] - fields[2]) : nil
    }

    /// One process' proportional set size, in bytes; nil if it is gone, or its memory not ours to see.
    static func bytes(of pid: Int32) -> Int64? {
        let resident = Files.text("/proc/\(pid)/statm").flatMap(residentPages).map { $0 * Int64(getpagesize()) }
        if let resident, resident > walkLimit { return resident }
        return Files.text("/proc/\(pid)/smaps_rollup").flatMap(proportional) ?? resident
    }

    /// The second number of `/proc/PID/statm`.
    static func residentPages(_ text: String) -> Int64? {
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int64(fields[1]) : nil
    }

    /// The line `Pss:                 123 kB` of `/proc/PID/smaps_rollup`, in bytes.
    static func proportional(_ text: String) -> Int64? {
        for line in text.split(separator: "\n") where line.hasPrefix("Pss:") {
            let fields = line.split(separator: " ")
            return fields.count > 1 ? Int64(fields[1]).map { $0 * 1024 } : nil
        }
        return nil
    }
}
