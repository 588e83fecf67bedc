import CRoostTesting
import Dispatch
import Glibc

/// A check whether processes are idle: all their threads sleep, and no thread has run between two looks at all threads.
/// Then no thread can have been about to wake another thread.
///
/// The kernel has no event for an idle process, so the check polls. A process that waits for something external, such
/// as a network response, counts as idle.
enum Quiescence {
    private static let queue = DispatchQueue(label: "roost.quiescence")

    /// The longest sleep on the real clock that still counts as busy, in seconds. Dispatch's own threads sleep up to
    /// 0.1 s if two of them meet.
    private static let longestNap = 0.15

    /// Returns true once the processes are idle, and also this process if `isMeant`; false after `limit` seconds of
    /// real time.
    static func wait(for processes: [pid_t], andThisOne isMeant: Bool, atMost limit: Double) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async {
                let all = isMeant ? [getpid()] + processes : processes
                continuation.resume(returning: waitHere(for: all, atMost: limit))
            }
        }
    }

    private static func waitHere(for processes: [pid_t], atMost limit: Double) -> Bool {
        let end = seconds() + limit
        var last: croost_testing_look?
        var sameSince = 0.0
        var pause: useconds_t = 20
        while true {
            let look = croost_testing_look_at(processes, Int32(processes.count))
            let now = seconds()
            if look.busy == 0, let last, last.busy == 0, last.digest == look.digest {
                if look.naps == 0 || now - sameSince > longestNap { return true }
            } else {
                sameSince = now
            }
            last = look
            if now > end { return false }
            // The busy process needs the processor more than this loop does.
            if look.busy > 0 || look.naps > 0 {
                usleep(pause)
                pause = min(pause * 2, 2_000)
            }
        }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
