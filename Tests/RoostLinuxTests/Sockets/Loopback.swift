import CRoost
import Glibc
import LifeCycleModel
import Synchronization
import Testing

/// A TCP socket that listens on loopback.
final class LoopbackServer {
    let descriptor = tcpSocket()
    private var address = sockaddr_in()

    init() throws {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        try #require(call(bind, descriptor) == 0 && listen(descriptor, 512) == 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        try #require(code == 0)
    }

    deinit { close(descriptor) }

    /// The client's end of a new connection.
    func connected() throws -> Int32 {
        let client = tcpSocket()
        try #require(call(connect, client) == 0)
        return client
    }

    /// The server's end of the oldest connection that was not accepted yet. It does not block.
    func accepted() throws -> Int32 {
        try #require(poll(descriptor, POLLIN))
        let connection = croost_accept(descriptor)
        try #require(connection >= 0)
        return connection
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A TCP socket without a connection.
func tcpSocket() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }

/// A TCP connection: the app's end, and the peer's, which does not block.
final class Connection {
    private(set) var app: Int32
    private(set) var peer: Int32

    init() throws {
        let server = try LoopbackServer()
        app = try server.connected()
        peer = try server.accepted()
    }

    deinit { for end in [app, peer] where end >= 0 { close(end) } }

    func closeApp() {
        close(app)
        app = -1
    }

    func closePeer() {
        close(peer)
        peer = -1
    }

    /// The peer sends a byte. Returns once it has arrived.
    func send() throws {
        try #require(write(peer, "x", 1) == 1)
        try #require(poll(app, POLLIN))
    }

    /// Whether the peer has received the end of the connection. What the app has sent is read.
    var hasEnded: Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var count = 0
        repeat { count = recv(peer, &buffer, buffer.count, 0) } while count > 0
        return count == 0 || errno != EAGAIN
    }

    /// Makes the process that closes the app's end last wait for hours, until the peer has read everything: the app has
    /// sent more than fits.
    func linger() throws {
        var setting = Glibc.linger(l_onoff: 1, l_linger: 30_000)
        let size = socklen_t(MemoryLayout.size(ofValue: setting))
        try #require(setsockopt(app, SOL_SOCKET, SO_LINGER, &setting, size) == 0)
        let bytes = [UInt8](repeating: 0, count: 65536)
        while Glibc.send(app, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        try #require(errno == EAGAIN)
    }

    /// Makes the end of the connection that the peer closes a reset.
    func resetAtEnd() throws {
        var setting = Glibc.linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: setting))
        try #require(setsockopt(peer, SOL_SOCKET, SO_LINGER, &setting, size) == 0)
    }
}

/// The kernel's number of a socket; 0 for another descriptor.
func socketID(_ descriptor: Int32) -> SocketID {
    var cookie: UInt64 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: cookie))
    getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size)
    return SocketID(rawValue: Int64(bitPattern: cookie))
}

/// Work for another thread that is done when the test says so.
final class HeldWork: Sendable {
    private let pieces = Mutex<[@Sendable () -> Void]>([])

    func add(_ piece: @escaping @Sendable () -> Void) { pieces.withLock { $0.append(piece) } }

    /// Does the work so far; returns the number of pieces.
    @discardableResult func doAll() -> Int {
        let due = pieces.withLock { pieces in
            defer { pieces = [] }
            return pieces
        }
        for piece in due { piece() }
        return due.count
    }
}
