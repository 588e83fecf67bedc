internal import CRoost
internal import CRoostCurl
internal import Dispatch
internal import Glibc
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
    private let multi: UnsafeMutableRawPointer
    private let awaited = AwaitedSockets()
    /// Readable when another thread has woken this thread.
    private let wakeUps: Int32
    private weak var companion: (any LoopCompanion)?
    /// The requests under way, by their handles.
    private var requests: [UnsafeMutableRawPointer: Request] = [:]
    /// Requests that begin or are canceled in this iteration. libcurl's callbacks may do neither.
    private var beginning: [Request] = []
    private var canceled: [Request] = []
    /// The sockets that libcurl has to be called for, with the events on them.
    private var ready: [Int32: Int32] = [:]
    private var watch = Watch()
    /// The work after a time without transfers.
    private var rest: (at: SuspendingClock.Instant, body: @Sendable () -> Void)?
    /// Handles for reuse.
    private var spare: [UnsafeMutableRawPointer] = []

    /// The most spare handles.
    private static let mostSpare = 16

    /// Follow this with `start` or `run`.
    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        wakeUps = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Without a wakeup, the loop would never run a closure.
        guard wakeUps >= 0, let multi = curl_multi_init(), awaited.watch(multi) else {
            preconditionFailure("cannot start libcurl")
        }
        self.multi = multi
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
            act()
            takeResults()
            ring()
            wait()
        }
        for request in Array(requests.values) { remove(request) }
        for handle in spare { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
    }

    /// Calls libcurl for what it waits for.
    private func act() {
        var running: Int32 = 0
        for (descriptor, events) in ready where awaited.sockets[descriptor] != nil {
            curl_multi_socket_action(multi, descriptor, events, &running)
        }
        ready = [:]
        if awaited.takeTime(by: .now) { curl_multi_socket_action(multi, CURL_SOCKET_BAD, 0, &running) }
        for request in requests.values where !request.isPaused && croost_curl_has_unread(request.handle) == 1 {
            // The connection of several requests is that of one of them.
            let sockets = awaited.socket(of: request.handle).map { [$0] } ?? Array(awaited.sockets.keys)
            for socket in sockets { ready[socket] = CURL_CSELECT_IN }
        }
    }

    /// The socket of a request; nil if that is unknown.
    func socket(of request: Request) -> Int32? { awaited.socket(of: request.handle) }

    /// Notes the TLS connection of a request. OpenSSL may read more from it than the answer.
    func noteTLS(of request: Request) { awaited.noteTLS(of: request.handle) }

    /// The watcher of all sockets, for `croost_curl_prepare`.
    var watcher: UnsafePointer<croost_curl_watcher> { UnsafePointer(awaited.watcher) }

    /// Looks at all descriptors, and waits for them if there is nothing else to do. A busy connection must not keep the
    /// others waiting.
    private func wait() {
        let isBusy = !beginning.isEmpty || !canceled.isEmpty || !ready.isEmpty
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
        for (descriptor, events) in awaited.sockets {
            entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        }
        let idle = entries.count
        for descriptor in awaited.idle.keys {
            entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        poll(&entries, nfds_t(entries.count), isBusy ? 0 : timeout)
        inbox.withLock { $0.isPolling = false }
        var count = eventfd_t()
        if entries[0].revents != 0 { eventfd_read(wakeUps, &count) }
        for entry in entries[own..<idle] where entry.revents != 0 {
            ready[entry.fd, default: 0] |= AwaitedSockets.events(entry.revents)
        }
        // No request has asked for what has arrived there.
        for entry in entries[idle...] where entry.revents != 0 { awaited.drop(entry.fd) }
        for entry in entries[1..<own] where entry.revents != 0 { companion?.isReady(entry.fd) }
    }

    /// The longest wait, in milliseconds.
    private var timeout: Int32 {
        guard let next = [watch.next, rest?.at, awaited.time].compactMap({ $0 }).min() else { return -1 }
        let left = (next - .now) / .milliseconds(1)
        return Int32(max(0, min(left.rounded(.up), 3_600_000)))
    }

    private func admit() {
        for request in canceled { remove(request) }
        canceled = []
        let new = beginning
        beginning = []
        for request in new where !request.isCanceled {
            awaited.makeReady(for: request.app)
            requests[request.handle] = request
            curl_multi_add_handle(multi, request.handle)
        }
    }

    private func remove(_ request: Request) {
        guard requests.removeValue(forKey: request.handle) != nil else { return recycle(request) }
        curl_multi_remove_handle(multi, request.handle)
        awaited.ended(request.handle, of: request.app)
        recycle(request)
    }

    private func recycle(_ request: Request) {
        guard spare.count < Self.mostSpare, let handle = request.giveUpHandle() else { return }
        curl_easy_reset(handle)
        spare.append(handle)
    }

    private func takeResults() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let request = requests[handle]
            else { continue }
            let code = message.pointee.data.result
            let failure = code == CURLE_OK ? nil : request.failure(code)
            remove(request)
            request.ended(failure)
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
