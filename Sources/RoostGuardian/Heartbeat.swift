internal import CRoost
internal import Glibc
public import LifeCycleModel

/// A timer that supervisor and guardian share. The supervisor sets it at the start of each iteration of its event loop
/// and before it sleeps. The guardian is woken only if the timer runs out, so an idle system has no wake-ups from it.
///
/// The timer is always set while the supervisor's loop runs. A timer that has run out and is not set again means that
/// the supervisor hangs.
public struct Heartbeat {
    /// The timer, on CLOCK_MONOTONIC.
    public let descriptor: Int32

    /// An expiry that is never reached.
    private static let never = Nanoseconds.seconds(10 * 365 * 86_400)

    /// The guardian's end, not set yet. Nil if no descriptor is left.
    init?() {
        let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        defer { close(timer) }
        // A supervisor inherits the timer under the same number, and needs descriptor 3 for its connection.
        descriptor = fcntl(timer, F_DUPFD_CLOEXEC, Guardian.supervisorsDescriptor + 1)
        if descriptor < 0 { return nil }
    }

    /// The supervisor's end of the timer that it inherits. Nil if the descriptor is not a timer.
    public init?(taking descriptor: Int32) {
        var setting = itimerspec()
        guard timerfd_gettime(descriptor, &setting) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// Sets the timer for an iteration that takes at most this long.
    public func busy(for length: Nanoseconds) { set(length, flags: 0) }

    /// Sets the timer for a sleep that ends by this reading of CLOCK_MONOTONIC; nil to sleep until an event.
    public func asleep(until end: Nanoseconds?) {
        if let end { set(end, flags: Int32(TFD_TIMER_ABSTIME)) } else { set(Self.never, flags: 0) }
    }

    /// Disarms the timer: no supervisor is watched.
    public func off() { set(.zero, flags: 0) }

    /// Whether the timer is armed.
    var isSet: Bool {
        var setting = itimerspec()
        timerfd_gettime(descriptor, &setting)
        return setting.it_value.tv_sec != 0 || setting.it_value.tv_nsec != 0
    }

    /// Whether the timer has run out since the last call.
    func hasRunOut() -> Bool {
        var expirations: UInt64 = 0
        return read(descriptor, &expirations, MemoryLayout<UInt64>.size) > 0
    }

    private func set(_ length: Nanoseconds, flags: Int32) {
        var setting = itimerspec()
        setting.it_value = timespec(
            tv_sec: Int(length.rawValue / 1_000_000_000), tv_nsec: Int(length.rawValue % 1_000_000_000))
        timerfd_settime(descriptor, flags, &setting, nil)
    }
}
