internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Keeps the logs of apps that run at a length: one beyond `LogFile.limit` is copied and emptied, as at a launch.
///
/// The kernel tells when a log is written to, once; then the log is looked at, and watched again a second later. So an
/// app that prints nothing costs nothing, and one that prints without end wakes the system once a second.
public final class LogWatch: LogKeeper {
    private struct Followed {
        let path: String
        /// The kernel's number for the watch; nil while none is set.
        var watch: Int32?
        /// When to watch again; nil while a watch is set.
        var lookAgainAt: Nanoseconds?
    }

    /// IN_ONESHOT is the highest bit, which the Glibc module takes for a sign.
    private static let once = UInt32(IN_MODIFY) | UInt32(IN_DONT_FOLLOW) | 1 << 31

    private let inotify: Int32
    private let limit: Int64
    private let pause: Nanoseconds
    private var followed: [LaunchID: Followed] = [:]

    /// Readable when a log was written to; nil where the kernel gives no inotify.
    public var descriptor: Int32? { inotify >= 0 ? inotify : nil }

    /// Looks after no log yet. `limit` is how long one may grow, in bytes, before it is shortened, as long as at a launch
    /// for nil, and `pause` how often it is looked at.
    public init(limit: Int64? = nil, pause: Nanoseconds = .seconds(1)) {
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        self.limit = limit ?? LogFile.limit
        self.pause = pause
    }

    deinit { if inotify >= 0 { close(inotify) } }

    /// Looks after a launch's log, beginning with the next call of `tend`.
    public func follow(_ launch: LaunchID, log: String) {
        forget(launch)
        followed[launch] = Followed(path: log, watch: nil, lookAgainAt: .zero)
    }

    /// Leaves a launch's log alone.
    public func forget(_ launch: LaunchID) {
        if let watch = followed.removeValue(forKey: launch)?.watch { inotify_rm_watch(inotify, watch) }
    }

    /// Shortens the logs that are too long, and gives the time to call again at.
    public func tend(at now: Nanoseconds) -> Nanoseconds? {
        let written = readEvents()
        for (launch, entry) in followed {
            if let watch = entry.watch, written.contains(watch) {
                look(launch, entry.path)
                followed[launch]?.watch = nil
                followed[launch]?.lookAgainAt = now + pause
            } else if let due = entry.lookAgainAt, due <= now {
                arm(launch, entry.path, now: now)
            }
        }
        return followed.values.compactMap(\.lookAgainAt).min()
    }

    /// The watch first, then the look: nothing written between them is missed.
    private func arm(_ launch: LaunchID, _ path: String, now: Nanoseconds) {
        let watch = inotify_add_watch(inotify, path, Self.once)
        followed[launch]?.watch = watch >= 0 ? watch : nil
        // Without a watch there is nothing but to look now and then.
        followed[launch]?.lookAgainAt = watch >= 0 ? nil : now + pause
        look(launch, path)
    }

    private func look(_ launch: LaunchID, _ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) > limit else {
            return
        }
        LogFile(path: path).shorten(limit: limit)
    }

    /// Which watches have come to an end by something written.
    private func readEvents() -> Set<Int32> {
        var watches: Set<Int32> = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while inotify >= 0 {
            let count = read(inotify, &buffer, buffer.count)
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    if event.mask & UInt32(IN_MODIFY) != 0 { watches.insert(event.wd) }
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        return watches
    }
}
