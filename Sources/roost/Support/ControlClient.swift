import Glibc
import RoostLinux
import RoostPorts
import RoostWire

/// A connection to a running system's control socket; calls block until they are answered.
final class ControlClient {
    private let descriptor: Int32
    private var framer = MessageFramer(limit: WireLimits.controlReply)
    private var received: [[UInt8]] = []

    /// Connects to the system of a state directory. Throws an exit code, the reason being said already.
    convenience init(to state: StateOptions) throws {
        let directory = try RuntimeDirectory(systemID: state.systemID(), environment: LinuxProcesses.ownEnvironment)
        guard let client = ControlClient(path: directory.controlSocket) else {
            throw Failure.noSystem("no system runs for \(state.path): start it with `roost up`")
        }
        try self.init(taking: client.take())
    }

    /// Connects to a socket; nil where nobody listens.
    init?(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    private init(taking descriptor: Int32) throws { self.descriptor = descriptor }

    private func take() -> Int32 { dup(descriptor) }

    deinit { close(descriptor) }

    /// Asks and waits for the answer. A refusal is thrown as an exit code, its reason said.
    func ask(_ call: ControlCall) throws -> ControlReply {
        try send(call)
        switch try next(answering: call) {
        case .failed(let failure): throw Failure.failed(failure.message)
        case let reply: return reply
        }
    }

    /// Asks for something that gives decisions.
    func decisions(_ call: ControlCall) throws -> [DecisionLine] {
        guard case .decisions(let lines) = try ask(call) else { return [] }
        return lines
    }

    /// Sends a call; its answers are fetched with `next`.
    func send(_ call: ControlCall) throws {
        var rest = call.encoded()[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 || errno == EINTR else { throw Failure.noSystem("the system has gone") }
            rest = rest.dropFirst(max(0, sent))
        }
    }

    /// Waits for the next answer to `call`.
    func next(answering call: ControlCall) throws -> ControlReply {
        while received.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure.noSystem("the system has gone") }
            try framer.feed(buffer[..<count], into: &received)
        }
        return try ControlReply(VarlinkReply(received.removeFirst()), to: call)
    }
}
