internal import CRoost
internal import Glibc

/// The system's descriptor of an app's socket, and an epoll that notes the socket's news.
struct SocketDuplicate: Sendable {
    private let socket: Int32
    /// An epoll with the socket only. Readable if data has come, or the connection has ended, since the last
    /// `takeNews`, and the data is still there.
    let news: Int32

    private static var events: epoll_event {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        return event
    }

    /// Notes news from now on, and what is there already. Nil if descriptors or watches have run out: then `socket` is
    /// not closed.
    init?(of socket: Int32) {
        self.socket = socket
        news = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard news >= 0 else { return nil }
        var event = Self.events
        guard epoll_ctl(news, EPOLL_CTL_ADD, socket, &event) == 0 else {
            Glibc.close(news)
            return nil
        }
    }

    /// The events of the socket, as `EPOLLIN` and `EPOLLRDHUP`; nil if there is no news.
    func takeNews() -> UInt32? {
        var event = epoll_event()
        return epoll_wait(news, &event, 1, 0) == 1 ? event.events : nil
    }

    /// Data that is there, or the end of the connection, is news again.
    func renewNews() {
        var event = Self.events
        epoll_ctl(news, EPOLL_CTL_MOD, socket, &event)
    }

    /// Closes the descriptors, which may take arbitrarily long.
    func close() {
        Glibc.close(news)
        croost_close_passed([socket], 1)
    }
}
