internal import CRoost
internal import Glibc

/// The memory a launch holds.
enum Footprint {
    /// Above this an estimate does not walk a process' pages: a walk takes a millisecond for every hundred MiB or so,
    /// and in a big process next to nothing is shared, so that what is resident serves as well.
    static let walkLimit: Int64 = 64 << 20

    /// How long an estimate walks the pages of one launch's processes at most, in nanoseconds: an app of 64 processes
    /// would take several milliseconds.
    static let patience: Int64 = 1_000_000

    /// The sum of the proportional set sizes of these processes, in bytes; those that can't be read count nothing. Takes
    /// as long as they are large and many: for a thread other than the loop's.
    static func bytes(of processes: [Int32]) -> Int64 {
        processes.reduce(0) { $0 + (bytes(of: $1) ?? 0) }
    }

    /// That sum as nearly as it can be had on the loop's thread, for people to read. Of processes there is no time for,
    /// what is theirs alone stands in.
    static func estimate(of processes: [Int32], patience: Int64 = patience) -> Int64 {
        let end = croost_monotonic() + patience
        return processes.reduce(0) { sum, pid in
            sum + ((croost_monotonic() < end ? estimate(of: pid) : ownBytes(of: pid)) ?? 0)
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

    /// One process' proportional set size, in bytes; what is resident where the kernel does not tell that, and nil if it
    /// is gone, or its memory not ours to see.
    static func bytes(of pid: Int32) -> Int64? {
        Files.text("/proc/\(pid)/smaps_rollup").flatMap(proportional) ?? residentBytes(of: pid)
    }

    private static func estimate(of pid: Int32) -> Int64? {
        if let resident = residentBytes(of: pid), resident > walkLimit { return resident }
        return bytes(of: pid)
    }

    /// What a process has in memory, others' as well as its own, in bytes.
    static func residentBytes(of pid: Int32) -> Int64? {
        Files.text("/proc/\(pid)/statm").flatMap(residentPages).map { $0 * Int64(getpagesize()) }
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
