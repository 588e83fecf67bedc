internal import CRoostCurl
internal import Glibc

/// The sockets that libcurl waits for, and a time. It belongs to the loop's thread.
final class AwaitedSockets {
    /// A socket. Several requests may use it.
    struct Socket {
        /// In terms of `poll`.
        let events: Int16
        /// The handle of the request that used the socket when libcurl last reported it.
        let user: UnsafeMutableRawPointer?
    }

    /// By their descriptors.
    private(set) var sockets: [Int32: Socket] = [:]
    /// The time at which libcurl wants to be called; nil if there is none.
    private(set) var time: SuspendingClock.Instant?

    /// Has libcurl report what it waits for. False if it cannot.
    func watch(_ multi: UnsafeMutableRawPointer) -> Bool {
        let code = croost_curl_watch(
            multi,
            { user, descriptor, what, context, _ in AwaitedSockets.of(context).await(descriptor, what, for: user) },
            { _, milliseconds, context in AwaitedSockets.of(context).await(milliseconds) },
            Unmanaged.passUnretained(self).toOpaque())
        return code == CURLM_OK
    }

    /// The socket of a request; nil if that is unknown.
    func socket(of request: UnsafeMutableRawPointer) -> Int32? { sockets.first { $0.value.user == request }?.key }

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
        sockets[descriptor] = events.map { Socket(events: Int16($0), user: user) }
        return 0
    }

    private func await(_ milliseconds: Int) -> Int32 {
        time = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
    }
}
