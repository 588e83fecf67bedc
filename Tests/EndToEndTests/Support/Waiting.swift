import CRoost
import Glibc

/// A point in time, by which something has to happen.
struct Deadline {
    /// The longest wait of a test, in seconds. Long enough for a slow machine, so it only ends waits that would never
    /// end.
    static let patience = 180.0

    private let end: Int64

    init(after seconds: Double = patience) { end = croost_monotonic() + Int64(seconds * 1e9) }

    var isOver: Bool { croost_monotonic() >= end }

    /// The time that is left, for `poll`.
    var milliseconds: Int32 { Int32(clamping: max(0, (end - croost_monotonic() + 999_999) / 1_000_000)) }
}

/// Reports changes of directories and files, by inotify.
final class FileNews {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    private var watched: Set<String> = []

    deinit { close(descriptor) }

    /// Watches a directory or file from now on, if it exists; works for `cgroup.events`, too.
    func watch(_ path: String) {
        guard !watched.contains(path) else { return }
        let events = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
        if inotify_add_watch(descriptor, path, events) >= 0 { watched.insert(path) }
    }

    /// Discards the reports so far.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}

/// Waits until one of the descriptors is readable, or the deadline has passed.
func waitForAny(of descriptors: [Int32], until deadline: Deadline) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&polled, nfds_t(polled.count), deadline.milliseconds)
}
