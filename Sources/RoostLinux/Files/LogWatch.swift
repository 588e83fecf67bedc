internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts
internal import Synchronization

/// Limits the logs of running apps: a log larger than `LogFile.limit` is emptied.
///
/// The kernel reports once that a log was written to. After a short pause, the watch's own thread sets the watch again
/// and checks the length. So an app without output costs nothing, and an app with endless output costs 50 checks a
/// second. A log has at most the limit plus the output of one pause. The loop is not involved, because it may be busy.
public final class LogWatch: LogKeeper {
    private let work: LogWork

    /// A watch without logs.
    ///
    /// - `limit`: the size in bytes at which a log is emptied; nil for the limit at a launch
    /// - `pause`: how long a log that was written to is not checked
    /// - `copyPause`: the minimum time for which an older log is kept before a newer log replaces it
    ///
    /// If inotify is unavailable, each log is checked once a second. Throws if eventfd or a thread is unavailable.
    public init(
        limit: Int64? = nil, pause: Nanoseconds = .milliseconds(20), copyPause: Nanoseconds = .seconds(1)
    ) throws(SystemError) {
        work = try LogWork(limit: limit ?? LogFile.limit, pause: pause, copyPause: copyPause)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { work in
                // Created below, never nil.
                Unmanaged<LogWork>.fromOpaque(work!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(work).toOpaque())
        guard code == 0 else {
            Unmanaged.passUnretained(work).release()
            throw SystemError(doing: "start a thread", subject: "the watch over apps' logs", errno: code)
        }
        pthread_detach(thread)
    }

    deinit { work.end() }

    /// Starts watching a launch's log.
    public func follow(_ launch: LaunchID, log: String) { work.follow(launch, log) }

    /// Stops watching a launch's log.
    public func forget(_ launch: LaunchID) { work.forget(launch) }
}

/// State shared by the watch and its thread.
private final class LogWork: Sendable {
    private struct Followed {
        let path: String
        /// The inotify watch descriptor; nil while no watch is set.
        var watch: Int32?
        /// When the log was last copied, on CLOCK_MONOTONIC.
        var copied: Nanoseconds?
    }

    private struct State {
        var logs: [LaunchID: Followed] = [:]
        var hasEnded = false
    }

    /// IN_ONESHOT is the highest bit, which the Glibc module imports as a negative number.
    private static let once = UInt32(IN_MODIFY) | UInt32(IN_DONT_FOLLOW) | 1 << 31
    /// The interval of checks for a log without an inotify watch.
    private static let blindPause = Nanoseconds.seconds(1)

    private let inotify: Int32
    /// Readable when there is a request for the thread.
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

    /// The thread's main function.
    func run() {
        while !state.withLock({ $0.hasEnded }) {
            let unwatched = state.withLock { state in
                state.logs.filter { $0.value.watch == nil }.map { (launch: $0.key, path: $0.value.path) }
            }
            var isBlind = false
            for (launch, path) in unwatched {
                // Set the watch before checking, so that nothing written in between is missed.
                if !watch(launch, path) { isBlind = true }
                look(launch, path)
            }
            wait(isBlind ? Self.blindPause : nil, alsoFor: inotify)
            guard readEvents() else { continue }
            wait(pause, alsoFor: nil)
        }
    }

    /// Sets an inotify watch on the log; false if that fails.
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
        // A log that is emptied many times a second would otherwise be written twice.
        let isCopied = copied.map { now - $0 >= copyPause } ?? true
        guard LogFile(path: path).shorten(limit: limit, isCopied: isCopied), isCopied else { return }
        state.withLock { $0.logs[launch]?.copied = now }
    }

    /// Waits until there is a request, the time is up, or the descriptor is readable.
    private func wait(_ length: Nanoseconds?, alsoFor descriptor: Int32?) {
        var polls = ([wake] + (descriptor.map { [$0] } ?? [])).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polls, nfds_t(polls.count), length.map { Int32($0.rawValue / 1_000_000) } ?? -1)
        var count: eventfd_t = 0
        eventfd_read(wake, &count)
    }

    /// Whether any log was written to. A write ends the log's one-shot watch.
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
