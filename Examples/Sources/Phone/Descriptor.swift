import Foundation
import Glibc

/// A TCP socket that does not block. It is closed with this object.
final class Descriptor: Sendable {
    /// The number of the descriptor.
    let number: Int32

    init(family: Int32) throws(Problem) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        number = socket(family, type, 0)
        guard number >= 0 else { throw Self.problem("no socket", errno) }
        // A response shall not wait for the confirmation of another one.
        var isOn: Int32 = 1
        _ = setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { if number >= 0 { close(number) } }

    /// The error of the connection attempt that has ended; 0 if it is connected.
    var pendingError: Int32 {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    /// The numeric address and the port of this side; nil if it is not connected.
    var localAddress: (address: String, port: UInt16)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = number
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(number, address, &size) == 0 else { return nil }
                return SocketAddress.text(of: address, size)
            }
        }
    }

    static func problem(_ failure: String, _ error: Int32) -> Problem {
        Problem("\(failure): \(String(cString: strerror(error)))")
    }
}
