import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostWire

/// A blocking connection to a running system's control socket.
final class ControlClient {
    private let descriptor: Int32
    private var framer = MessageFramer(limit: WireLimits.controlReply)
    private var received: [[UInt8]] = []
    private var hasAnswered = false

    /// Connects to the system of a state directory. Throws an exit code after printing the error.
    convenience init(to state: StateOptions) throws { self.init(try Self.descriptor(for: state)) }

    /// A socket connected to the system of a state directory. Throws an exit code after printing the error.
    static func descriptor(for state: StateOptions) throws -> Int32 {
        if let socket = try ControlSocket.running(of: state.path, systemID: state.systemID()) {
            return socket.descriptor
        }
        guard !HeldDirectory.isHeld(state.path) else {
            throw Failure.noSystem(
                "the system that holds \(state.path) does not answer: it is starting or ending; try again in a moment")
        }
        if let guardian = HeldDirectory.guardian(of: state.path) {
            throw Failure.noSystem(
                "the supervisor of \(state.path) has ended, and its guardian (pid \(guardian)) is starting it again: "
                    + "try again in a moment")
        }
        throw Failure.noSystem("no system runs for \(state.path): start it with \(state.command("up"))")
    }

    /// Takes ownership of a connected socket.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The message if the system closes the connection before its first reply.
    private static let closed =
        "the system closed the connection: it is ending, or too many programs are connected; try again in a moment"

    /// A socket connected to the socket at `path`, with the cookie presented; nil if no system listens there.
    static func connected(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            return nil
        }
        // The cookie is read only now, so that it is the listening system's cookie. If the cookie is wrong or missing,
        // the first reply says so.
        if let cookie = RuntimeDirectory.cookie(for: path) {
            let call = ControlCall.authenticate(cookie: cookie).encoded()
            _ = call.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
        return descriptor
    }

    deinit { close(descriptor) }

    /// Sends a call and waits for the reply. Throws an exit code after printing a refusal.
    func ask(_ call: ControlCall) throws -> ControlReply {
        switch try answer(to: call) {
        case .failed(let failure): throw Failure.failed(failure.message, code: failure.code.rawValue)
        case .notAuthenticated:
            throw Failure.failed(
                "the system asks for the cookie beside its control socket, which user \(geteuid()) cannot read: "
                    + "run this command as the user who runs the system", code: "notAuthenticated")
        case let reply: return reply
        }
    }

    /// Sends a call and waits for any reply.
    func answer(to call: ControlCall) throws -> ControlReply {
        try send(call)
        return try next(answering: call)
    }

    /// Waits for a time. Throws if the system goes away meanwhile.
    func wait(_ length: Nanoseconds) throws {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // No call is pending, so readable data can only be the end.
        if Glibc.poll(&poll, 1, Int32(length.rawValue / 1_000_000)) > 0 { try receive() }
    }

    /// Sends a call whose reply has decisions.
    func decisions(_ call: ControlCall) throws -> [DecisionLine] {
        guard case .decisions(let lines) = try ask(call) else { return [] }
        return lines
    }

    /// Sends a call; `next` returns its replies.
    func send(_ call: ControlCall) throws {
        var rest = call.encoded()[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 || errno == EINTR else {
                throw Failure.noSystem(hasAnswered ? "the connection to the system was lost" : Self.closed)
            }
            rest = rest.dropFirst(max(0, sent))
        }
    }

    /// Waits at most `limit` for the next reply to `call`; nil if no reply has come.
    func next(answering call: ControlCall, within limit: Nanoseconds) throws -> ControlReply? {
        let end = Moment.now.awake + limit
        while received.isEmpty {
            let left = max(.zero, end - Moment.now.awake)
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = Glibc.poll(&poll, 1, Int32(min(Int64(Int32.max), left.rawValue / 1_000_000 + 1)))
            if ready > 0 { try receive() }
            // A signal also ends the wait, and the caller checks for it.
            if left == .zero || ready < 0 { break }
        }
        return received.isEmpty ? nil : try next(answering: call)
    }

    /// Waits for the next reply to `call`.
    func next(answering call: ControlCall) throws -> ControlReply {
        while received.isEmpty { try receive() }
        return try ControlReply(VarlinkReply(received.removeFirst()), to: call)
    }

    private func receive() throws {
        while true {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure.noSystem(hasAnswered ? "the connection to the system was lost" : Self.closed)
            }
            hasAnswered = true
            return try framer.feed(buffer[..<count], into: &received)
        }
    }
}
