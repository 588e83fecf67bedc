internal import Glibc

/// The service manager that started the guardian and expects status messages: systemd, by the `sd_notify` protocol.
public struct ServiceManager: Hashable, Sendable {
    private let socket: String

    /// The service manager at this socket, from `NOTIFY_SOCKET`: an absolute path, or an abstract name that begins with
    /// `@`. Nil if there is no socket, or an address of another kind.
    public init?(socket: String?) {
        guard let socket, socket.utf8.count > 1, socket.utf8.count < MemoryLayout<sockaddr_un>.size - 2,
            socket.hasPrefix("/") || socket.hasPrefix("@")
        else { return nil }
        self.socket = socket
    }

    /// Sends status lines: `READY=1`, `STOPPING=1`, `STATUS=…`, one per argument. Errors are ignored.
    public func tell(_ lines: String...) {
        let text = Array(lines.joined(separator: "\n").utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in socket.utf8.enumerated() { bytes[index] = byte }
            if socket.hasPrefix("@") { bytes[0] = 0 }
        }
        // The address length ends the name of an abstract socket; there is no NUL.
        let length = MemoryLayout<sa_family_t>.size + socket.utf8.count + (socket.hasPrefix("@") ? 0 : 1)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, socklen_t(length))
            }
        }
    }
}
