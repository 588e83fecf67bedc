internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts
internal import Synchronization

/// Keeps the logs of apps that run at a length: a log beyond `LogFile.limit` is emptied.
///
/// The kernel tells once when a log is written to. A short pause later the thread of this watch watches the log again and
/// looks at its length. So an app that prints nothing costs nothing, an app that prints without end costs 50 looks a
/// second, and a log has at most the limit and what is printed in one pause. The loop is not involved: it may be busy.
public final class LogWatch: LogKeeper {
    private let work: LogWork

    /// Looks after no log yet. `limit` is how long one may grow, in bytes, before it is emptied, as long as at a launch
    /// for nil; `pause` how long a log that is written to is left alone; and `copyPause` how long an older log is kept at
    /// least before a newer one takes its place.
    ///
    /// If the kernel gives no inotify, each log is looked at once a second. Throws if it gives no eventfd or thread.
    public init(
        limit: Int64? = nil, pause: Nanoseconds = .milliseconds(20), copyPause: Nanoseconds = .seconds(1)
    ) throws(SystemError) {
        work = try LogWork(limit: limit ?? LogFile.limit, pause: pause, copyPause: copyPause)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { work in
                // Made below, and never nil.
                Unmanaged<LogWork>.fromOpaque(work!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(work).toOpaque())
        guard code == 0 else {
            Unmanaged.passUnretained(work).release()
            throw SystemError(doing: "begin a thread", subject: "the watch over apps' logs", errno: code)
        }
        pthread_detach(thread)
    }

    deinit { work.end() }

    /// Looks after a launch's log.
    public func follow(_ launch: LaunchID, log: String) { work.follow(launch, log) }

    /// Leaves a launch's log alone.
    public func forget(_ launch: LaunchID) { work.forget(launch) }
}

/// What the watch and its thread share.
private final class LogWork: Sendable {
    private struct Followed {
        let path: String
        /// The kernel's number for the watch; nil while none is set.
        var watch: Int32?
        /// When the log was copied last.
        var copied: Nanoseconds?
    }

    private struct State {
        var logs: [LaunchID: Followed] = [:]
        var hasEnded = false
    }

    /// IN_ONESHOT is the highest bit, which the Glibc module takes for a sign.
    private static let once = UInt32(IN_MODIFY) | UInt32(IN_DONT_FOLLOW) | 1 << 31
    /// How often a log is looked at that the kernel tells nothing about.
    private static let blindPause = Nanoseconds.seconds(1)

    private let inotify: Int32
    /// Readable when something is asked of the thread.
    private let wake: Int32
    private let limit: Int64
    private let pause: Nanoseconds
    private let copyPause: Nanoseconds
    private let state = Mutex(State())

    init(limit: Int64, pause: Nanoseconds, copyPause: Nanoseconds) throws(SystemError) {
        (self.limit, self.pause, self.copyPause) = (limit, pause, copyPause)
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else { throw .now("watch the logs of apps", "eventfd") }
    }

    deinit {
        if inotify >= 0 { close(inotify) }
        if wake >= 0 { close(wake) }
    }

    func follow(_ launch: LaunchID, _ path: String) {
        forget(launch)
        state.withLock { $0.logs[launch] = Followed(path: path) }
        signal()
    }

    func forget(_ launch: LaunchID) {
        state.withLock {
            if let watch = $0.logs.removeValue(forKey: launch)?.watch { inotify_rm_watch(inotify, watch) }
        }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        signal()
    }

    private func signal() { eventfd_write(wake, 1) }

    /// The thread's: until the end.
    func run() {
        while !state.withLock({ $0.hasEnded }) {
            let unwatched = state.withLock { state in
                state.logs.filter { $0.value.watch == nil }.map { (launch: $0.key, path: $0.value.path) }
            }
            var isBlind = false
            for (launch, path) in unwatched {
                // The watch first, then the look: nothing written between them is missed.
                if !watch(launch, path) { isBlind = true }
                look(launch, path)
            }
            wait(isBlind ? Self.blindPause : nil, alsoFor: inotify)
            guard readEvents() else { continue }
            wait(pause, alsoFor: nil)
        }
    }

    /// Whether the kernel will tell when the log is written to.
    private func watch(_ launch: LaunchID, _ path: String) -> Bool {
        state.withLock { state in
            guard state.logs[launch] != nil else { return true }
            let watch = inotify_add_watch(inotify, path, Self.once)
            state.logs[launch]?.watch = watch >= 0 ? watch : nil
            return watch >= 0
        }
    }

    private func look(_ launch: LaunchID, _ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            LogFile.isTooLarge(status, limit: limit)
        else { return }
        let now = Nanoseconds(croost_monotonic())
        let copied = state.withLock { $0.logs[launch]?.copied }
        // A log that is emptied many times a second would be written twice.
        let isCopied = copied.map { now - $0 >= copyPause } ?? true
        guard LogFile(path: path).shorten(limit: limit, isCopied: isCopied), isCopied else { return }
        state.withLock { $0.logs[launch]?.copied = now }
    }

    /// Until something is asked, the time is up, or a descriptor is readable.
    private func wait(_ length: Nanoseconds?, alsoFor descriptor: Int32?) {
        var polls = ([wake] + (descriptor.map { [$0] } ?? [])).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polls, nfds_t(polls.count), length.map { Int32($0.rawValue / 1_000_000) } ?? -1)
        var count: eventfd_t = 0
        eventfd_read(wake, &count)
    }

    /// Whether any log was written to: its watch has come to an end by that.
    private func readEvents() -> Bool {
        var watches: Set<Int32> = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
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
        state.withLock { state in
            for (launch, log) in state.logs {
                if let watch = log.watch, watches.contains(watch) { state.logs[launch]?.watch = nil }
            }
        }
        return !watches.isEmpty
    }
}
