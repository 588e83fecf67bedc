internal import CRoost
internal import Glibc
public import LifeCycleModel

/// A timer that supervisor and guardian share: the supervisor sets it whenever it begins a turn of its loop or goes to
/// sleep, and the guardian hears of it only if it runs out. So an idle system has no wake-ups from it.
///
/// It is always set while the supervisor's loop runs: one that has run out and is not set again is that of a supervisor
/// that does not get on.
public struct Heartbeat {
    /// The timer, on CLOCK_MONOTONIC.
    public let descriptor: Int32

    /// So far away that it never comes.
    private static let never = Nanoseconds.seconds(10 * 365 * 86_400)

    /// The guardian's: not set yet. Nil where descriptors have run out.
    init?() {
        let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        defer { close(timer) }
        // A supervisor inherits it under the same number, and finds its connection at a number of its own.
        descriptor = fcntl(timer, F_DUPFD_CLOEXEC, Guardian.supervisorsDescriptor + 1)
        if descriptor < 0 { return nil }
    }

    /// The supervisor's end of one that it was born with. Nil where the descriptor is none.
    public init?(taking descriptor: Int32) {
        var setting = itimerspec()
        guard timerfd_gettime(descriptor, &setting) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// The supervisor has something to do, for this long at most.
    public func busy(for length: Nanoseconds) { set(length, flags: 0) }

    /// The supervisor sleeps until this reading of CLOCK_MONOTONIC at most; nil for as long as nothing happens.
    public func asleep(until end: Nanoseconds?) {
        if let end { set(end, flags: Int32(TFD_TIMER_ABSTIME)) } else { set(Self.never, flags: 0) }
    }

    /// Nobody is watched.
    public func off() { set(.zero, flags: 0) }

    /// Whether it is set.
    var isSet: Bool {
        var setting = itimerspec()
        timerfd_gettime(descriptor, &setting)
        return setting.it_value.tv_sec != 0 || setting.it_value.tv_nsec != 0
    }

    /// Whether it has run out since the last look.
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
