internal import CRoostCurl
internal import Glibc
internal import LifeCycleModel

/// The sockets that libcurl waits for, the sockets of idle connections, and a time. It belongs to the loop's thread.
final class AwaitedSockets {
    /// The events that libcurl waits for, in terms of `poll`, by descriptors.
    private(set) var sockets: [Int32: Int16] = [:]
    /// The handles of the requests under way, by their sockets. libcurl does not wait for the socket of a paused request.
    private var users: [Int32: UnsafeMutableRawPointer] = [:]
    /// The time at which libcurl wants to be called; nil if there is none.
    private(set) var time: SuspendingClock.Instant?

    /// The open sockets that no request uses, with the apps of their last requests.
    private(set) var idle: [Int32: AppID] = [:]
    /// The TLS connections, by their sockets.
    private var secure: [Int32: UnsafeMutableRawPointer] = [:]
    /// For libcurl, which refers to it by its address.
    let watcher = UnsafeMutablePointer<croost_curl_watcher>.allocate(capacity: 1)

    init() {
        watcher.initialize(
            to: croost_curl_watcher(
                on_socket: { user, descriptor, what, context, _ in
                    AwaitedSockets.of(context).await(descriptor, what, for: user)
                },
                on_time: { _, milliseconds, context in AwaitedSockets.of(context).await(milliseconds) },
                on_close: { descriptor, context in AwaitedSockets.of(context).closes(descriptor) },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { watcher.deallocate() }

    /// Has libcurl report what it waits for. False if it cannot.
    func watch(_ multi: UnsafeMutableRawPointer) -> Bool { croost_curl_watch(multi, watcher) == CURLM_OK }

    /// Notes the TLS connection of a request, unless its socket is unknown.
    func noteTLS(of request: UnsafeMutableRawPointer) {
        if let tls = croost_curl_tls(request), let socket = socket(of: request) { secure[socket] = tls }
    }

    /// Ends an idle connection on which something has arrived. No request has asked for it, and libcurl would take it for
    /// the answer to the next request, perhaps of another app.
    func drop(_ socket: Int32) {
        idle[socket] = nil
        croost_curl_disconnect(socket)
    }

    /// Ends the idle connections that an app may not use. On a connection of another app, an answer may still be on its
    /// way. On a connection with unread data, OpenSSL has read more than an answer.
    func makeReady(for app: AppID) {
        for (socket, last) in idle
        where last != app || secure[socket].map({ croost_curl_tls_has_unread($0) != 0 }) ?? false {
            drop(socket)
        }
    }

    /// The socket of a request; nil if that is unknown.
    func socket(of request: UnsafeMutableRawPointer) -> Int32? {
        let own = users.filter { $0.value == request }.keys
        return own.first { sockets[$0] != nil } ?? own.first
    }

    /// A request of an app has ended. Its socket, if it is still open, is idle.
    func ended(_ request: UnsafeMutableRawPointer, of app: AppID) {
        for (socket, user) in users where user == request { leave(socket, to: app) }
    }

    private func leave(_ socket: Int32, to app: AppID) {
        users[socket] = nil
        idle[socket] = app
    }

    /// After a redirect a request uses another connection. No request may use the one before again.
    private func leaveFormerSockets(of request: UnsafeMutableRawPointer?) {
        let own = users.filter { $0.value == request }.keys
        guard own.count > 1, own.contains(where: { sockets[$0] != nil }) else { return }
        for socket in own where sockets[socket] == nil { leave(socket, to: AppID(.min)) }
    }

    /// Whether it is time to call libcurl. The time is then forgotten.
    func takeTime(by now: @autoclosure () -> SuspendingClock.Instant) -> Bool {
        guard let time, time <= now() else { return false }
        self.time = nil
        return true
    }

    /// Events of `poll` in terms of libcurl.
    static func events(_ events: Int16) -> Int32 {
        var found: Int32 = 0
        if Int32(events) & (POLLIN | POLLHUP) != 0 { found |= CURL_CSELECT_IN }
        if Int32(events) & POLLOUT != 0 { found |= CURL_CSELECT_OUT }
        if Int32(events) & (POLLERR | POLLNVAL) != 0 { found |= CURL_CSELECT_ERR }
        return found
    }

    // MARK: Called by libcurl

    private static func of(_ context: UnsafeMutableRawPointer?) -> AwaitedSockets {
        // Always this object, because `watch` sets it.
        Unmanaged<AwaitedSockets>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func await(_ descriptor: Int32, _ what: Int32, for user: UnsafeMutableRawPointer?) -> Int32 {
        let events: Int32? =
            switch what {
            case CURL_POLL_IN: POLLIN
            case CURL_POLL_OUT: POLLOUT
            case CURL_POLL_INOUT: POLLIN | POLLOUT
            default: nil
            }
        sockets[descriptor] = events.map { Int16($0) }
        if events != nil {
            users[descriptor] = user
            idle[descriptor] = nil
        }
        leaveFormerSockets(of: user)
        return 0
    }

    private func closes(_ descriptor: Int32) {
        (idle[descriptor], users[descriptor], secure[descriptor]) = (nil, nil, nil)
    }

    private func await(_ milliseconds: Int) -> Int32 {
        time = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
    }
}
