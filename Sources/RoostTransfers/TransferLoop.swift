internal import CRoost
internal import CRoostCurl
internal import Dispatch
internal import Glibc
internal import LifeCycleModel
internal import Synchronization

/// Other work of the loop's thread, apart from transfers. All calls come on this thread.
public protocol LoopCompanion: AnyObject {
    /// The descriptors to wait for. Each with whether it is awaited for writing, too.
    var awaited: [(descriptor: Int32, forWriting: Bool)] { get }
    /// Handles a descriptor that is ready.
    func isReady(_ descriptor: Int32)
    /// Called once when no transfer has been under way for `TransferOptions.linger`.
    func rested()
}

/// The thread on which all requests run. It waits for connections, for the next deadline of an attempt, and for closures
/// from other threads.
///
/// Everything but `inbox` belongs to this thread, and each entry point checks that it runs there; therefore
/// `@unchecked`.
final class TransferLoop: @unchecked Sendable {
    private struct Inbox {
        var waiting: [@Sendable () -> Void] = []
        var isClosed = false
        /// Whether the thread has to be woken for a new closure.
        var isPolling = false
    }

    private let queue = DispatchQueue(label: "org.roost.transfers.loop")
    private let inbox = Mutex(Inbox())
    /// Readable when another thread has woken this thread.
    private let wakeUps: Int32
    private weak var companion: (any LoopCompanion)?
    /// The connections of the apps that have requests, or had some lately.
    private var apps: [AppID: AppConnections] = [:]
    /// Requests that begin or are canceled in this iteration. libcurl's callbacks may do neither.
    private var beginning: [Request] = []
    private var canceled: [Request] = []
    private var watch = Watch()
    /// The work after a time without transfers.
    private var rest: (at: SuspendingClock.Instant, body: @Sendable () -> Void)?
    /// Handles for reuse.
    private var spare: [UnsafeMutableRawPointer] = []

    /// The most spare handles.
    private static let mostSpare = 16
    /// The number of apps from which the connections of an app without requests are closed.
    private static let manyApps = 16

    /// Follow this with `start` or `run`.
    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        wakeUps = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Without a wakeup, the loop would never run a closure.
        guard wakeUps >= 0 else { preconditionFailure("cannot make an eventfd") }
    }

    deinit { Glibc.close(wakeUps) }

    /// Starts a thread. It ends after `close`.
    func start() { queue.async { self.run() } }

    /// Makes the calling thread the loop's thread, until `close`.
    func run(beside companion: any LoopCompanion) {
        queue.sync {
            self.companion = companion
            self.run()
        }
    }

    func preconditionIsCurrent() { dispatchPrecondition(condition: .onQueue(queue)) }

    // MARK: From any thread

    /// Runs a closure on the loop's thread. After `close`, the closure is dropped.
    func execute(_ body: @escaping @Sendable () -> Void) {
        inbox.withLock { inbox in
            inbox.waiting.append(body)
            wake(&inbox)
        }
    }

    /// Wakes the thread if it polls. Called under the lock: later, the loop might have ended.
    private func wake(_ inbox: inout Inbox) {
        if inbox.isPolling { eventfd_write(wakeUps, 1) }
        inbox.isPolling = false
    }

    /// Runs `body` after a time, unless this is called again before.
    func rest(for time: Duration, _ body: @escaping @Sendable () -> Void) {
        execute { self.rest = (.now + time, body) }
    }

    /// Ends the thread and closes all connections. No request may be under way.
    func close() {
        inbox.withLock { inbox in
            inbox.isClosed = true
            wake(&inbox)
        }
    }

    // MARK: On the loop's thread

    func reportRest() {
        preconditionIsCurrent()
        companion?.rested()
    }

    /// Has the attempt checked at this time, or earlier.
    func expect(_ attempt: Attempt, by deadline: SuspendingClock.Instant) {
        preconditionIsCurrent()
        watch.expect(attempt, by: deadline)
    }

    /// Removes an attempt's deadline.
    func forget(_ attempt: Attempt) {
        preconditionIsCurrent()
        watch.forget(attempt)
    }

    /// The connections of an app; nil if there is no memory.
    func connections(of app: AppID) -> AppConnections? {
        preconditionIsCurrent()
        if let known = apps[app] { return known }
        let new = AppConnections()
        apps[app] = new
        return new
    }

    /// A handle for a request; nil if there is no memory.
    func takeHandle() -> UnsafeMutableRawPointer? {
        preconditionIsCurrent()
        return spare.popLast() ?? curl_easy_init()
    }

    func begin(_ request: Request) {
        preconditionIsCurrent()
        beginning.append(request)
    }

    /// Cancels a request, whose attempt receives nothing more of it.
    func cancel(_ request: Request) {
        preconditionIsCurrent()
        canceled.append(request)
    }

    private func run() {
        while true {
            let (jobs, isClosed) = inbox.withLock { inbox in
                defer { inbox.waiting = [] }
                return (inbox.waiting, inbox.isClosed)
            }
            for job in jobs { job() }
            if isClosed, jobs.isEmpty { break }
            admit()
            for connections in apps.values { connections.act() }
            takeResults()
            ring()
            wait()
        }
        for request in apps.values.flatMap(\.all) { remove(request) }
        for handle in spare { curl_easy_cleanup(handle) }
        close { _ in true }
    }

    /// Looks at all descriptors, and waits for them if there is nothing else to do. A busy connection must not keep the
    /// others waiting.
    private func wait() {
        let isBusy = !beginning.isEmpty || !canceled.isEmpty || apps.values.contains(where: \.isBusy)
        let hasWork = inbox.withLock { inbox in
            let hasWork = !inbox.waiting.isEmpty || inbox.isClosed
            inbox.isPolling = !isBusy && !hasWork
            return hasWork
        }
        // Closures come first: they are few, and their reports are sent together.
        if hasWork { return }
        var entries = [pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)]
        for (descriptor, forWriting) in companion?.awaited ?? [] {
            entries.append(pollfd(fd: descriptor, events: Int16(forWriting ? POLLIN | POLLOUT : POLLIN), revents: 0))
        }
        let own = entries.count
        var parts: [(connections: AppConnections, range: Range<Int>, idle: Int)] = []
        for connections in apps.values {
            let (new, idle) = connections.entries()
            parts.append((connections, entries.count..<entries.count + new.count, idle))
            entries += new
        }
        poll(&entries, nfds_t(entries.count), isBusy ? 0 : timeout)
        inbox.withLock { $0.isPolling = false }
        var count = eventfd_t()
        if entries[0].revents != 0 { eventfd_read(wakeUps, &count) }
        for part in parts { part.connections.take(entries[part.range], idle: part.idle) }
        for entry in entries[1..<own] where entry.revents != 0 { companion?.isReady(entry.fd) }
    }

    /// The longest wait, in milliseconds.
    private var timeout: Int32 {
        let times = apps.values.map(\.time) + [watch.next, rest?.at]
        guard let next = times.compactMap({ $0 }).min() else { return -1 }
        let left = (next - .now) / .milliseconds(1)
        return Int32(max(0, min(left.rounded(.up), 3_600_000)))
    }

    private func admit() {
        for request in canceled { remove(request) }
        canceled = []
        let new = beginning
        beginning = []
        for request in new where !request.isCanceled { request.connections.begin(request) }
        if apps.count > Self.manyApps { close { !$0.isUsed } }
    }

    private func close(_ isUnused: (AppConnections) -> Bool) {
        for (app, connections) in apps where isUnused(connections) {
            apps[app] = nil
            connections.close()
        }
    }

    private func remove(_ request: Request) {
        if request.connections.remove(request) { request.leaveConnection() }
        recycle(request)
    }

    private func recycle(_ request: Request) {
        guard spare.count < Self.mostSpare, let handle = request.giveUpHandle() else { return }
        curl_easy_reset(handle)
        spare.append(handle)
    }

    private func takeResults() {
        for connections in apps.values {
            while let (request, code) = connections.takeEnded() {
                let failure = code == CURLE_OK ? nil : request.failure(code)
                remove(request)
                request.ended(failure)
            }
        }
    }

    private func ring() {
        let now = SuspendingClock.now
        for attempt in watch.takeDue(now) {
            if let next = attempt.timePasses(now) { watch.expect(attempt, by: next) }
        }
        guard let rest, rest.at <= now else { return }
        self.rest = nil
        rest.body()
    }
}

/// The deadlines of all attempts of a loop, with one time for all. At that time, each attempt checks its own times. A
/// timer per attempt would be set and canceled again for each short file.
struct Watch {
    private var attempts: [ObjectIdentifier: Attempt] = [:]
    /// The time of the next check; nil if there is none.
    private(set) var next: SuspendingClock.Instant?

    mutating func expect(_ attempt: Attempt, by deadline: SuspendingClock.Instant) {
        attempts[ObjectIdentifier(attempt)] = attempt
        next = min(deadline, next ?? deadline)
    }

    /// Removes an attempt. `next` is not changed: if that is early for the others, nothing happens.
    mutating func forget(_ attempt: Attempt) { attempts[ObjectIdentifier(attempt)] = nil }

    /// The attempts to check if the time has come. The caller reports each one's next deadline by `expect`.
    mutating func takeDue(_ now: SuspendingClock.Instant) -> [Attempt] {
        guard let due = next, due <= now else { return [] }
        next = nil
        return Array(attempts.values)
    }
}
