import CRoostTesting
import Glibc
import LifeCycleModel

/// The shared page of memory that shows the device's clock to processes, and in which they publish their deadlines.
final class DevicePage {
    let path: String
    private let page: UnsafeMutablePointer<croost_clock_page>

    /// Creates the file at `path`; nil on failure, with `errno`.
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

    /// Whether the clock library is loaded in the process.
    func isAttached(_ pid: pid_t) -> Bool { croost_clock_is_attached(page, pid) == 1 }

    /// The time until the process's next deadline; nil if the process has no deadline.
    func untilDue(_ pid: pid_t) -> Nanoseconds? {
        let left = croost_clock_until_due(page, pid)
        return left == UInt64.max ? nil : Nanoseconds(Int64(clamping: left))
    }

    /// Waits until a process has seen the last move and has resumed the work that is due. False after `milliseconds` of
    /// real time.
    func waitUntilSeen(by pid: pid_t, milliseconds: Int32) -> Bool {
        croost_clock_wait_acknowledged(page, pid, milliseconds) == 0
    }

    /// Forgets a process that is gone.
    func forget(_ pid: pid_t) { croost_clock_forget(page, pid) }
}
