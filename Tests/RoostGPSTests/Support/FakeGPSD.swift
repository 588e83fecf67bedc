import CRoost
import Glibc
import LifeCycleModel
import Testing

/// A server in place of gpsd that sends the bytes of a test.
final class FakeGPSD {
    let port: UInt16
    private let listening: Int32
    private var connection: Int32 = -1
    /// The bytes that the client has sent.
    private(set) var received: [UInt8] = []

    /// `backlog` is the number of connections that wait to be accepted; nil refuses all.
    init(backlog: Int32? = 8) throws {
        listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = listening
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, length) == 0 ? getsockname(listening, address, &length) : -1
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(code == 0 && (backlog.map { listen(listening, $0) } ?? 0) == 0)
    }

    deinit {
        hangUp()
        close(listening)
    }

    /// Takes the only place in the queue of connections, and returns the descriptor.
    func occupy() throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        return client
    }

    /// Waits for the client, and for its request.
    func accept(at location: SourceLocation = #_sourceLocation) throws {
        try wait(listening, "the client connects", location)
        connection = croost_accept(listening)
        try #require(connection >= 0, sourceLocation: location)
        try receive(until: { $0.last == UInt8(ascii: "\n") }, at: location)
    }

    /// Waits until the client has sent bytes that `isEnough` accepts, or has closed the connection.
    func receive(until isEnough: ([UInt8]) -> Bool, at location: SourceLocation = #_sourceLocation) throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(received) {
            try wait(connection, "the client sends a request", location)
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            received += buffer[..<count]
        }
    }

    private func wait(_ descriptor: Int32, _ what: String, _ location: SourceLocation) throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, Deadline().milliseconds)
        try #require(count == 1, "not in time: \(what)", sourceLocation: location)
    }

    func say(_ text: String) { say(Array(text.utf8)) }

    /// Sends as much as the socket takes.
    func say(_ bytes: [UInt8]) {
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    func hangUp() {
        if connection >= 0 { close(connection) }
        connection = -1
    }

    /// A report of a position.
    static func report(_ latitude: String) -> String {
        #"{"class":"TPV","device":"/dev/x","mode":3,"lat":\#(latitude),"lon":9.5,"eph":4.25}"# + "\r\n"
    }
}
