import Foundation

/// A Unix socket for varlink messages, which end with a NUL byte.
struct UnixSocket {
    private let descriptor: Int32

    init(connectingTo path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw BenchError("too long: \(path)") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw BenchError("connect \(path): \(String(cString: strerror(errno)))") }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// The text of a call. The text is made before the time is measured.
    static func call(_ method: String, _ parameters: [String: String] = [:]) throws -> String {
        let call: [String: Any] = ["method": method, "parameters": parameters]
        return String(decoding: try JSONSerialization.data(withJSONObject: call), as: UTF8.self)
    }

    /// Sends a call, and throws if the reply is an error.
    @discardableResult func tell(_ call: String) throws -> String {
        let reply = try ask(call)
        guard !reply.contains("\"error\"") else { throw BenchError("\(call): \(reply)") }
        return reply
    }

    /// Sends a call, and returns the reply.
    func ask(_ call: String) throws -> String {
        let message = Array(call.utf8) + [0]
        guard send(descriptor, message, message.count, Int32(MSG_NOSIGNAL)) == message.count else {
            throw BenchError("send: \(String(cString: strerror(errno)))")
        }
        var reply: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while reply.last != 0 {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { throw BenchError("the connection has ended") }
            reply += part[..<count]
        }
        return String(decoding: reply.dropLast(), as: UTF8.self)
    }
}
