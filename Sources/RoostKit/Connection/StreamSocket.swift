import Foundation

/// A failed system call on a socket.
struct SocketError: Error, CustomStringConvertible {
    let doing: String
    let errno: Int32

    var description: String { "\(doing): \(String(cString: strerror(errno)))" }
}

/// A connected Unix stream socket. Its creator must close it.
struct StreamSocket: Sendable {
    /// The longest time that a system that does not read may block an app, in milliseconds.
    private static let patience: Int32 = 5_000

    let descriptor: Int32

    /// Throws if no process listens at `path`, or if the path is too long for a socket.
    init(connectingTo path: String) throws(SocketError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        let bytes = [UInt8](path.utf8)
        guard bytes.count < room else { throw SocketError(doing: "connect", errno: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SocketError(doing: "create a socket", errno: errno) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let error = SocketError(doing: "connect", errno: errno)
            close()
            throw error
        }
    }

    /// Sends all of `bytes`, and waits for buffer space if the system reads slowly. On the main thread, what the system
    /// sends goes to `buffer` before and meanwhile. Throws ETIMEDOUT after 5 s, and EPIPE if the stream of `buffer` ends.
    func send(_ bytes: [UInt8], receivingInto buffer: ReceiveBuffer) throws(SocketError) {
        let receiving = Thread.isMainThread ? buffer : nil
        _ = receiving?.receive()
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                var waits = [
                    pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
                    pollfd(fd: receiving?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                ]
                if poll(&waits, 2, Self.patience) == 0 { throw SocketError(doing: "send", errno: ETIMEDOUT) }
                if waits[1].revents != 0, receiving?.receive() == false {
                    throw SocketError(doing: "send", errno: EPIPE)
                }
            } else if errno != EINTR {
                throw SocketError(doing: "send", errno: errno)
            }
        }
    }

    /// Blocks until there is data, the stream has ended, or a signal arrives.
    func waitForMore() {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, -1)
    }

    /// The available data: nil if no data is available yet, empty at the end of the stream.
    func read() throws(SocketError) -> [UInt8]? {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            switch failure {
            case 0: return bytes
            case EAGAIN: return nil
            case EINTR: continue
            default: throw SocketError(doing: "read", errno: failure)
            }
        }
    }

    /// Shuts down both directions, so that blocked calls return. The descriptor stays open until `close`.
    func shutDown() { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the connection, even if a forked child of the app still holds the descriptor.
    func close() {
        shutDown()
        _ = Glibc.close(descriptor)
    }
}
