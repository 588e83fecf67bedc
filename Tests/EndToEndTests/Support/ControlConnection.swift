import Foundation
import Glibc
import RoostWire

/// A stream socket with NUL-terminated messages, as any client of the system uses.
final class RawConnection {
    let descriptor: Int32
    private(set) var isOpen = true
    private var framer = MessageFramer(limit: WireLimits.controlReply)
    private var messages: [[UInt8]] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestFailure(description: "no connection to \(path): \(reason)")
        }
    }

    /// Connects to a system's control socket, and shows the cookie.
    convenience init(control path: String) throws {
        try self.init(path)
        let cookie = (Kernel.text((path as NSString).deletingLastPathComponent + "/cookie") ?? "").dropLast()
        try send(ControlCall.authenticate(cookie: String(cookie)).encoded())
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else {
                throw TestFailure(description: "sending failed: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(sent)
        }
    }

    /// The next message; nil once the peer has closed. Throws if neither comes in time.
    func next(until deadline: Deadline = Deadline()) throws -> [UInt8]? {
        while messages.isEmpty {
            guard isOpen else { return nil }
            guard !deadline.isOver else { throw TestFailure(description: "the system does not answer") }
            waitForAny(of: [descriptor], until: deadline)
            try receive()
        }
        return messages.removeFirst()
    }

    /// The messages received so far, without waiting.
    func received() throws -> [[UInt8]] {
        try receive()
        defer { messages = [] }
        return messages
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while isOpen {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                try framer.feed(buffer[..<count], into: &messages)
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                isOpen = false
            }
        }
    }
}

/// Every decision of the system from now on.
final class DecisionStream {
    private let connection: RawConnection
    private(set) var lines: [DecisionLine] = []

    /// Returns when the system has accepted the call, which it confirms at once.
    init(_ path: String) throws {
        connection = try RawConnection(control: path)
        try connection.send(ControlCall.watch.encoded())
        guard try connection.next() != nil else { throw TestFailure(description: "the system closed the connection") }
    }

    /// The descriptor to wait on; nil if no further decisions will come.
    var descriptor: Int32? { connection.isOpen ? connection.descriptor : nil }

    func drain() throws {
        for message in try connection.received() {
            guard case .decision(let line) = try ControlReply(VarlinkReply(message), to: .watch) else { continue }
            lines.append(line)
        }
    }
}

extension ControlReply {
    /// The system's status; nil for any other reply.
    var status: SystemStatus? { if case .status(let status) = self { status } else { nil } }
}
