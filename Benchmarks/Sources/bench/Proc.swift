import Foundation

/// Values from /proc.
enum Proc {
    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    static func children(of pid: Int32) -> [Int32] {
        threads(of: pid).flatMap { thread in
            (text("/proc/\(pid)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    private static func threads(of pid: Int32) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    }

    private static func number(_ name: String, in text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }.first.flatMap { Double($0) }
        }
        return nil
    }

    /// The context switches of each thread of these processes so far, voluntary and involuntary, by thread number.
    static func contextSwitches(of pids: [Int32]) -> [String: Double] {
        var switches: [String: Double] = [:]
        for pid in pids {
            for thread in threads(of: pid) {
                let status = text("/proc/\(pid)/task/\(thread)/status") ?? ""
                switches[thread] =
                    (number("voluntary_ctxt_switches:", in: status) ?? 0)
                    + (number("nonvoluntary_ctxt_switches:", in: status) ?? 0)
            }
        }
        return switches
    }

    /// The context switches between two readings. A thread that ended in between counts once, for its end.
    static func contextSwitches(from before: [String: Double], to after: [String: Double]) -> Double {
        after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
            + Double(before.keys.filter { after[$0] == nil }.count)
    }

    /// A line in kB of `/proc/PID/status`, in MiB.
    static func mebibytes(_ name: String, of pid: Int32) -> Double {
        (number("\(name):", in: text("/proc/\(pid)/status") ?? "") ?? 0) / 1024
    }

    /// The proportional set size in MiB. Shared memory is counted once.
    static func proportional(of pid: Int32) -> Double {
        (number("Pss:", in: text("/proc/\(pid)/smaps_rollup") ?? "") ?? 0) / 1024
    }

    /// The context switches of the whole machine so far.
    static var contextSwitches: Double { number("ctxt ", in: text("/proc/stat") ?? "") ?? 0 }

    /// The context switches a second of the whole machine, over this time.
    static func contextSwitchesPerSecond(over seconds: Double) -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let before = contextSwitches
        usleep(UInt32(seconds * 1e6))
        let after = contextSwitches
        let time = clock.now - start
        return (after - before) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    }
}
