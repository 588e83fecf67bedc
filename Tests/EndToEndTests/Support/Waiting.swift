import CRoost
import Glibc

/// A point in time by which something has to have happened.
struct Deadline {
    /// What a test waits at most: a slow machine may take its time, so this only ends a wait that would not end.
    static let patience = 45.0

    private let end: Int64

    init(after seconds: Double = patience) { end = croost_monotonic() + Int64(seconds * 1e9) }

    var isOver: Bool { croost_monotonic() >= end }

    /// What is left, for `poll`.
    var milliseconds: Int32 { Int32(clamping: max(0, (end - croost_monotonic() + 999_999) / 1_000_000)) }
}

/// Tells that something has changed in directories and files, by inotify.
final class FileNews {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    private var watched: Set<String> = []

    deinit { close(descriptor) }

    /// Looks at a directory or file from now on, if it is there; `cgroup.events` can be watched like this as well.
    func watch(_ path: String) {
        guard !watched.contains(path) else { return }
        let events = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
        if inotify_add_watch(descriptor, path, events) >= 0 { watched.insert(path) }
    }

    /// Forgets what has been told so far.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}

/// Waits until one of the descriptors can be read, or the deadline is over.
func waitForAny(of descriptors: [Int32], until deadline: Deadline) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&polled, nfds_t(polled.count), deadline.milliseconds)
}
