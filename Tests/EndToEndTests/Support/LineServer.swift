import CRoost
import Glibc

/// A TCP server on loopback that sends and receives lines, in the test's process.
final class LineServer {
    private let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    /// Its port.
    let port: UInt16

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listening
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
                    ? getsockname(descriptor, address, &size) : -1
            }
        }
        guard code == 0 else { throw TestFailure(description: "there is no port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listening) }

    /// Waits for the next connection.
    func next() throws -> LineConnection {
        guard croost_wait_for(listening, Int16(POLLIN), Int64(Deadline.patience * 1e9)) == 0 else {
            throw TestFailure(description: "no app connects to port \(port)")
        }
        return try LineConnection(croost_accept(listening))
    }
}

/// A connection of an app to a `LineServer`.
final class LineConnection {
    private var descriptor: Int32
    private var received = ""
    private var isOver = false

    fileprivate init(_ descriptor: Int32) throws {
        guard descriptor >= 0 else { throw TestFailure(description: "the connection is gone") }
        self.descriptor = descriptor
    }

    deinit { end() }

    /// Ends the connection.
    func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Sends a line without waiting.
    func send(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TestFailure(description: "\(line) cannot be sent: \(String(cString: strerror(errno)))")
        }
    }

    /// Waits for the next line.
    func next() throws -> String {
        let deadline = Deadline()
        while true {
            if let end = received.firstIndex(of: "\n") {
                defer { received.removeSubrange(...end) }
                return String(received[..<end])
            }
            guard !isOver else { throw TestFailure(description: "the app has ended the connection") }
            try receive(until: deadline)
        }
    }

    /// Waits until the app's side has ended the connection.
    func untilEnded() throws {
        let deadline = Deadline()
        while !isOver { try receive(until: deadline) }
    }

    /// Whether the app's side has ended the connection by now.
    var hasEnded: Bool {
        receive()
        return isOver
    }

    private func receive(until deadline: Deadline) throws {
        waitForAny(of: [descriptor], until: deadline)
        guard !deadline.isOver else { throw TestFailure(description: "the app sends nothing") }
        receive()
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { received += String(decoding: buffer[..<count], as: UTF8.self) }
        if count == 0 || (count < 0 && errno != EAGAIN) { isOver = true }
    }
}
