internal import CRoostCurl
internal import Glibc

/// The connections of one app, and its requests under way. No other app's request uses them: on a connection of another
/// app, an answer may still be on its way. It belongs to the loop's thread.
final class AppConnections {
    /// The time that libcurl gets for one request before it is the next one's turn. With 5 ms a large file by HTTPS took 8 %
    /// longer.
    private static let turn = Duration.milliseconds(25)

    private let multi: UnsafeMutableRawPointer
    /// For libcurl, which refers to it by its address.
    let watcher = UnsafeMutablePointer<croost_curl_watcher>.allocate(capacity: 1)
    private var requests: [UnsafeMutableRawPointer: Request] = [:]
    /// The sockets that libcurl has open.
    private var open: Set<Int32> = []
    /// The events that libcurl waits for, in terms of `poll`, by descriptors.
    private var awaited: [Int32: Int16] = [:]
    /// The time at which libcurl wants to be called; nil if there is none.
    private(set) var time: SuspendingClock.Instant?
    /// The sockets that libcurl has to be called for, with the events on them.
    private var ready: [Int32: Int32] = [:]

    /// The request whose turn it is, since a time.
    private var turn: (of: UnsafeMutableRawPointer, since: SuspendingClock.Instant)?
    /// The requests that are paused because their turn was over.
    private var outOfTurn: [Request] = []

    /// Nil if there is no memory.
    init?() {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        watcher.initialize(
            to: croost_curl_watcher(
                on_socket: { _, descriptor, what, context, _ in AppConnections.of(context).await(descriptor, what) },
                on_time: { _, milliseconds, context in AppConnections.of(context).await(milliseconds) },
                on_open: { descriptor, context in _ = AppConnections.of(context).open.insert(descriptor) },
                on_close: { descriptor, context in _ = AppConnections.of(context).open.remove(descriptor) },
                context: Unmanaged.passUnretained(self).toOpaque()))
        if croost_curl_watch(multi, watcher) != CURLM_OK {
            close()
            return nil
        }
    }

    deinit { watcher.deallocate() }

    /// Closes all connections. No request may be under way, and none may begin.
    func close() { curl_multi_cleanup(multi) }

    // MARK: Requests

    var isUsed: Bool { !requests.isEmpty }
    var all: [Request] { Array(requests.values) }

    func begin(_ request: Request) {
        requests[request.handle] = request
        curl_multi_add_handle(multi, request.handle)
    }

    /// Removes a request. False if it is not under way.
    func remove(_ request: Request) -> Bool {
        guard requests.removeValue(forKey: request.handle) != nil else { return false }
        curl_multi_remove_handle(multi, request.handle)
        outOfTurn.removeAll { $0 === request }
        return true
    }

    /// Takes the next request that has ended, with libcurl's result.
    func takeEnded() -> (Request, CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let request = requests[handle]
            else { continue }
            return (request, message.pointee.data.result)
        }
        return nil
    }

    // MARK: Turns

    /// Whether libcurl has to be called again at once.
    var isBusy: Bool { !ready.isEmpty || !outOfTurn.isEmpty }

    /// Calls libcurl for what it waits for.
    func act() {
        let paused = outOfTurn
        outOfTurn = []
        for request in paused { request.resumeInTurn() }
        var running: Int32 = 0
        for (descriptor, events) in ready where awaited[descriptor] != nil {
            curl_multi_socket_action(multi, descriptor, events, &running)
        }
        ready = [:]
        if let time, time <= .now {
            self.time = nil
            curl_multi_socket_action(multi, CURL_SOCKET_BAD, 0, &running)
        }
        turn = nil
        for request in requests.values where !request.isPaused && croost_curl_has_unread(request.handle) == 1 {
            if let socket = socket(of: request), awaited[socket] != nil { ready[socket] = CURL_CSELECT_IN }
        }
    }

    /// Whether the turn of a request is over, and the next one begins: libcurl reads from a connection for as long as there
    /// is something.
    func isOutOfTurn(_ request: Request) -> Bool {
        let now = SuspendingClock.now
        if let turn, turn.of == request.handle, now - turn.since < Self.turn { return false }
        defer { turn = (request.handle, now) }
        return turn?.of == request.handle
    }

    /// Has a paused request resumed in the next iteration.
    func waitForTurn(_ request: Request) { outOfTurn.append(request) }

    // MARK: Sockets

    /// The socket of a request's connection; nil if it is unknown.
    func socket(of request: Request) -> Int32? {
        open.count == 1 ? open.first : open.first { croost_curl_uses(request.handle, $0) == 1 }
    }

    /// The descriptors to wait for, with the events in terms of `poll`. Those that no request uses come last, from
    /// `idle` on.
    func entries() -> (all: [pollfd], idle: Int) {
        var entries = awaited.map { pollfd(fd: $0.key, events: $0.value, revents: 0) }
        let idle = entries.count
        // libcurl does not wait for the socket of a paused request.
        let paused = requests.values.filter(\.isPaused).compactMap { socket(of: $0) }
        for socket in open where awaited[socket] == nil && !paused.contains(socket) {
            entries.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
        }
        return (entries, idle)
    }

    /// Takes the result of `poll` for the entries.
    func take(_ entries: ArraySlice<pollfd>, idle: Int) {
        for entry in entries.prefix(idle) where entry.revents != 0 {
            ready[entry.fd, default: 0] |= Self.events(entry.revents)
        }
        // No request has asked for what has arrived there. libcurl would take it for the answer to the next request.
        for entry in entries.dropFirst(idle) where entry.revents != 0 { drop(entry.fd) }
    }

    /// Ends a connection that no request uses. libcurl finds it ended when it looks at it.
    func drop(_ socket: Int32) {
        open.remove(socket)
        croost_curl_disconnect(socket)
    }

    /// Events of `poll` in terms of libcurl.
    private static func events(_ events: Int16) -> Int32 {
        var found: Int32 = 0
        if Int32(events) & (POLLIN | POLLHUP) != 0 { found |= CURL_CSELECT_IN }
        if Int32(events) & POLLOUT != 0 { found |= CURL_CSELECT_OUT }
        if Int32(events) & (POLLERR | POLLNVAL) != 0 { found |= CURL_CSELECT_ERR }
        return found
    }

    // MARK: Called by libcurl

    private static func of(_ context: UnsafeMutableRawPointer?) -> AppConnections {
        // Always this object, because `init` sets it.
        Unmanaged<AppConnections>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func await(_ descriptor: Int32, _ what: Int32) -> Int32 {
        awaited[descriptor] =
            switch what {
            case CURL_POLL_IN: Int16(POLLIN)
            case CURL_POLL_OUT: Int16(POLLOUT)
            case CURL_POLL_INOUT: Int16(POLLIN | POLLOUT)
            default: nil
            }
        return 0
    }

    private func await(_ milliseconds: Int) -> Int32 {
        time = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
    }
}
