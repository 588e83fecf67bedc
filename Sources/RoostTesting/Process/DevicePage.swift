import CRoostTesting
import Glibc
import LifeCycleModel

/// The page of memory by which the processes of a device's apps see its clock, and say when they want to go on.
final class DevicePage {
    let path: String
    private let page: UnsafeMutablePointer<croost_clock_page>

    /// Makes the file at `path`; nil with `errno` where that fails.
    init?(path: String, now: Moment) {
        self.path = path
        var page: UnsafeMutablePointer<croost_clock_page>?
        let result = croost_clock_create(
            path, Self.unsigned(now.awake), Self.unsigned(now.elapsed), Self.unsigned(now.wall), &page)
        guard result == 0, let page else {
            errno = result
            return nil
        }
        self.page = page
    }

    deinit { croost_clock_close(page) }

    private static func unsigned(_ span: Nanoseconds) -> UInt64 { UInt64(max(0, span.rawValue)) }

    /// Moves the clocks from one instant to another.
    func move(from old: Moment, to new: Moment) {
        croost_clock_move(
            page, Self.unsigned(new.awake - old.awake), Self.unsigned(new.elapsed - old.elapsed),
            (new.wall - old.wall).rawValue)
    }

    /// Whether the process has been preloaded.
    func isAttached(_ pid: pid_t) -> Bool { croost_clock_is_attached(page, pid) == 1 }

    /// How long until a process wants to go on; nil where it does not.
    func untilDue(_ pid: pid_t) -> Nanoseconds? {
        let left = croost_clock_until_due(page, pid)
        return left == UInt64.max ? nil : Nanoseconds(Int64(clamping: left))
    }

    /// Returns once a process has seen the newest move and has let go on what is due; false where it does not within
    /// `milliseconds` of real time.
    func waitUntilSeen(by pid: pid_t, milliseconds: Int32) -> Bool {
        croost_clock_wait_acknowledged(page, pid, milliseconds) == 0
    }

    /// A process is gone.
    func forget(_ pid: pid_t) { croost_clock_forget(page, pid) }
}
