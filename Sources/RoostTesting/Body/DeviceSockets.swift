import CRoostTesting
import Glibc
import LifeCycleModel

/// The kept sockets of apps in the test's process. The device has its own descriptor of each socket, and
/// never reads from it.
@MainActor struct DeviceSockets {
    private struct Kept {
        let launch: LaunchID
        let id: SocketID
        let descriptor: Int32
        /// An epoll that notes data and the end of the connection, also while the app runs.
        let news: Int32
        /// Whether the socket is to be reported when it can be read.
        var isAwaited = false
        var left = LeftData()

        private static var events: epoll_event {
            var event = epoll_event()
            event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            return event
        }

        init(launch: LaunchID, id: SocketID, descriptor: Int32, news: Int32) {
            (self.launch, self.id, self.descriptor, self.news) = (launch, id, descriptor, news)
        }

        /// Notes news from now on. Fails if watches have run out.
        func begin() -> Bool {
            var event = Self.events
            return epoll_ctl(news, EPOLL_CTL_ADD, descriptor, &event) == 0
        }

        /// The events since the last call; nil if there are none.
        func takeNews() -> UInt32? {
            var event = epoll_event()
            return epoll_wait(news, &event, 1, 0) == 1 ? event.events : nil
        }

        mutating func watch() {
            isAwaited = true
            let hasNews = takeNews() != nil
            guard left.watchBegins(hasNews: hasNews) else { return }
            var event = Self.events
            epoll_ctl(news, EPOLL_CTL_MOD, descriptor, &event)
        }
    }

    private var kept: [Kept] = []
    private var watched: Set<LaunchID> = []  // ordered: looked up only

    /// Gets a descriptor of an app's socket; otherwise returns why not.
    mutating func take(_ socket: KeptSocket, of launch: LaunchID) -> SocketFailure? {
        close(socket.id, of: launch)
        let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno == EBADF ? .notOpen : .unavailable }
        if let failure = Self.failure(of: descriptor, as: socket.id) {
            Glibc.close(descriptor)
            return failure
        }
        var new = Kept(
            launch: launch, id: socket.id, descriptor: descriptor, news: epoll_create1(Int32(EPOLL_CLOEXEC)))
        guard new.begin() else {
            for open in [new.news, descriptor] { Glibc.close(open) }
            return .unavailable
        }
        if watched.contains(launch) { new.watch() }
        kept.append(new)
        return nil
    }

    /// Reports each of the launch's sockets once when it can be read.
    mutating func watch(_ launch: LaunchID) {
        watched.insert(launch)
        for index in kept.indices where kept[index].launch == launch { kept[index].watch() }
    }

    mutating func unwatch(_ launch: LaunchID) {
        watched.remove(launch)
        for index in kept.indices where kept[index].launch == launch { kept[index].isAwaited = false }
    }

    mutating func close(_ id: SocketID, of launch: LaunchID) { close { $0.id == id && $0.launch == launch } }

    mutating func closeAll() {
        close { _ in true }
        watched = []
    }

    private mutating func close(where isMeant: (Kept) -> Bool) {
        for socket in kept where isMeant(socket) {
            for descriptor in [socket.news, socket.descriptor] { Glibc.close(descriptor) }
        }
        kept.removeAll(where: isMeant)
    }

    /// The sockets that can be read by now, without those that were reported already.
    mutating func takeReports() -> [SocketInput] {
        var reports: [SocketInput] = []
        for index in kept.indices where kept[index].isAwaited {
            guard let events = kept[index].takeNews() else { continue }
            kept[index].isAwaited = false
            kept[index].left.reported()
            let isOver = events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
            reports.append(.readable(kept[index].launch, kept[index].id, isOver: isOver))
        }
        return reports
    }

    // MARK: The check of a socket

    /// Why the descriptor is not that of the connected TCP socket with this number; nil if it is.
    private static func failure(of descriptor: Int32, as id: SocketID) -> SocketFailure? {
        let domain = option(SOL_SOCKET, SO_DOMAIN, of: descriptor, Int32(0))
        let isTCP =
            (domain == AF_INET || domain == AF_INET6)
            && option(SOL_SOCKET, SO_TYPE, of: descriptor, Int32(0)) == Int32(SOCK_STREAM.rawValue)
            && option(SOL_SOCKET, SO_PROTOCOL, of: descriptor, Int32(0)) == Int32(IPPROTO_TCP)
        guard isTCP else { return .notTCP }
        guard option(SOL_SOCKET, SO_COOKIE, of: descriptor, UInt64(0)) == UInt64(bitPattern: id.rawValue) else {
            return .notOpen
        }
        // In CLOSE_WAIT the peer has ended the connection: the app is woken for that.
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        let isKnown = getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0
        let isConnected = [UInt8(TCP_ESTABLISHED), UInt8(TCP_CLOSE_WAIT)].contains(info.tcpi_state)
        return isKnown && isConnected ? nil : .notConnected
    }

    private static func option<Value: BitwiseCopyable>(
        _ level: Int32, _ name: Int32, of descriptor: Int32, _ empty: Value
    ) -> Value? {
        var value = empty
        var size = socklen_t(MemoryLayout<Value>.size)
        return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : nil
    }
}
