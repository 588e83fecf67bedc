internal import CRoost
internal import Glibc

/// The memory that a launch holds.
enum Footprint {
    /// The resident size, in bytes, above which an estimate does not walk a process's pages. A walk takes about a
    /// millisecond per hundred MiB. A big process shares almost nothing, so its resident size is accurate enough.
    static let walkLimit: Int64 = 64 << 20

    /// The maximum time that an estimate walks the pages of one launch's processes, in nanoseconds. An app with 64
    /// processes would take several milliseconds.
    static let patience: Int64 = 1_000_000

    /// The sum of the proportional set sizes (PSS) of these processes, in bytes. Processes that cannot be read count as
    /// zero. The time grows with their size and number, so do not call it on the loop's thread.
    static func bytes(of processes: [Int32]) -> Int64 {
        processes.reduce(0) { $0 + (bytes(of: $1) ?? 0) }
    }

    /// An estimate of the same sum, for display, fast enough for the loop's thread. When the time is up, the remaining
    /// processes count with their private memory only.
    static func estimate(of processes: [Int32], patience: Int64 = patience) -> Int64 {
        let end = croost_monotonic() + patience
        return processes.reduce(0) { sum, pid in
            sum + ((croost_monotonic() < end ? estimate(of: pid) : ownBytes(of: pid)) ?? 0)
        }
    }

    /// The resident memory of a process, in bytes, without file pages and shared memory; nil if it cannot be read.
    static func ownBytes(of pid: Int32) -> Int64? {
        Files.text("/proc/\(pid)/statm").flatMap(ownPages).map { $0 * Int64(getpagesize()) }
    }

    /// The second number of `/proc/PID/statm` minus the third.
    static func ownPages(_ text: String) -> Int64? {
        let fields = text.split(separator: " ").prefix(3).compactMap { Int64($0) }
        return fields.count == 3 ? max(0, fields[1] - fields[2]) : nil
    }

    /// The proportional set size (PSS) of a process, in bytes. If the kernel does not report PSS, the resident size.
    /// Nil if the process is gone, or if we may not see its memory.
    static func bytes(of pid: Int32) -> Int64? {
        Files.text("/proc/\(pid)/smaps_rollup").flatMap(proportional) ?? residentBytes(of: pid)
    }

    private static func estimate(of pid: Int32) -> Int64? {
        if let resident = residentBytes(of: pid), resident > walkLimit { return resident }
        return bytes(of: pid)
    }

    /// The resident memory of a process, shared and private, in bytes; nil if it cannot be read.
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
