import Dispatch
import Glibc

/// Finds out whether a process has nothing to do: all its threads sleep, and none of them has run between two looks at
/// all of them. Then no thread can have been about to wake another one.
///
/// There is no event for that, so it is looked for by turns. What a process waits for from outside, an answer from the
/// network, looks like rest.
enum Quiescence {
    private static let queue = DispatchQueue(label: "roost.quiescence")

    /// Returns once the processes rest, this one among them; false if they did not within `limit` seconds of real time.
    static func wait(for processes: [pid_t], atMost limit: Double) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: waitHere(for: [getpid()] + processes, atMost: limit)) }
        }
    }

    private static func waitHere(for processes: [pid_t], atMost limit: Double) -> Bool {
        let end = seconds() + limit
        let me = ownThread()
        var last: [Thread]?
        var pause: useconds_t = 20
        while true {
            let threads = processes.flatMap { look(at: $0, butNot: me) }
            let isAsleep = threads.allSatisfy(\.isAsleep)
            if isAsleep, threads == last { return true }
            last = isAsleep ? threads : nil
            if seconds() > end { return false }
            // App: whoever is busy needs the processor more than this loop does.
            if !isAsleep {
                usleep(pause)
                pause = min(pause * 2, 2_000)
            }
        }
    }

    private struct Thread: Hashable {
        let id: pid_t
        let isAsleep: Bool
        /// Grows whenever it runs.
        let switches: [UInt64]
    }

    private static func look(at process: pid_t, butNot me: pid_t?) -> [Thread] {
        guard let directory = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(directory) }
        var threads: [Thread] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = pid_t(name), id != me, let thread = thread(id, of: process) else { continue }
            threads.append(thread)
        }
        return threads.sorted { $0.id < $1.id }
    }

    private static func thread(_ id: pid_t, of process: pid_t) -> Thread? {
        let file = open("/proc/\(process)/task/\(id)/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            return String(decoding: buffer[..<max(0, read(file, base, buffer.count))], as: UTF8.self)
        }
        var isAsleep = false
        var switches: [UInt64] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("State:") {
                // Sleeping, stopped, or gone; not running and not waiting for a disk.
                isAsleep =
                    line.dropFirst(6).drop { $0 == "\t" || $0 == " " }.first.map { "SITtZX".contains($0) } ?? false
            } else if line.contains("voluntary_ctxt_switches:") {
                switches.append(line.split(separator: "\t").last.flatMap { UInt64($0) } ?? 0)
            }
        }
        return Thread(id: id, isAsleep: isAsleep, switches: switches)
    }

    /// The kernel's number of this thread; Swift sees no `gettid`.
    private static func ownThread() -> pid_t? {
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let length = readlink("/proc/thread-self", base, buffer.count)
            return String(decoding: buffer[..<max(0, length)].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return target.split(separator: "/").last.flatMap { pid_t($0) }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
