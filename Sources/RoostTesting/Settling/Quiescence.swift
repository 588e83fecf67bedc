import CRoostTesting
import Dispatch
import Glibc

/// Finds out whether processes have nothing to do: all their threads sleep, and none of them has run between two looks at
/// all of them. Then no thread can have been about to wake another one.
///
/// There is no event for that, so it is looked for by turns. What a process waits for from outside, an answer from the
/// network, looks like rest.
enum Quiescence {
    private static let queue = DispatchQueue(label: "roost.quiescence")

    /// How long a thread that sleeps by the real clock is taken to be busy all the same, in seconds: Dispatch's own
    /// threads do so for up to a tenth of a second where two of them meet.
    private static let longestNap = 0.15

    /// Returns once the processes rest, and this one where that is asked for; false if they did not within `limit` seconds
    /// of real time.
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
            // Whoever is busy needs the processor more than this loop does.
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
