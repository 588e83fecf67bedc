import Glibc
import Testing

/// A server on loopback in the test, with the connections of the app under test. It owns both ends of each connection.
final class Exchange {
    /// `POLLRDHUP`, which the C library's headers show to GNU programs only.
    private static let peerEnded: Int32 = 0x2000

    private let listener = Exchange.stream()
    private var address = sockaddr_in()
    /// The app's end and the server's of each open connection, oldest first.
    private var connections: [(app: Int32, server: Int32)] = []

    init() throws {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 ? getsockname(listener, address, &size) : -1
            }
        }
        try #require(code == 0 && listen(listener, 16) == 0)
    }

    deinit {
        for end in connections.flatMap({ [$0.app, $0.server] }) where end >= 0 { close(end) }
        close(listener)
    }

    /// A TCP socket without a connection.
    static func stream() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    /// The app's end of a new connection; -1 if there is none.
    func connected() -> Int32 {
        let app = Self.stream()
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(app, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(app)
            return -1
        }
        connections.append((app, accept(listener, nil, nil)))
        return app
    }

    /// Sends a byte to the app by the newest connection. Returns once it has arrived.
    func send() throws {
        let (app, server) = try #require(connections.last)
        try #require(write(server, "x", 1) == 1)
        try see(POLLIN, on: app)
    }

    /// Ends the newest connection. Returns once the app's end knows that.
    func hangUp() throws {
        let newest = connections.popLast()
        let (app, server) = try #require(newest)
        close(server)
        // The descriptor of the server is free for others.
        connections.append((app, -1))
        try see(Self.peerEnded, on: app)
    }

    /// Closes the app's end of the newest connection. Returns whether the server learns that the connection has ended:
    /// it does not while another descriptor of the socket is open.
    func appCloses() throws -> Bool {
        let newest = connections.popLast()
        let (app, server) = try #require(newest)
        close(app)
        connections.append((-1, server))
        return sees(Self.peerEnded, on: server, within: 0)
    }

    /// Waits until the server has learned of the end of the newest connection.
    func awaitEnd() throws { try see(Self.peerEnded, on: try #require(connections.last).server) }

    private func see(_ event: Int32, on descriptor: Int32) throws {
        try #require(sees(event, on: descriptor, within: 60_000), "nothing arrives")
    }

    private func sees(_ event: Int32, on descriptor: Int32, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }
}
