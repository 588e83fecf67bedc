internal import CRoost
internal import Glibc

/// One end of the pair of sockets between guardian and supervisor.
struct PacketSocket {
    let descriptor: Int32

    /// What a look at the socket has shown.
    enum Received: Hashable {
        case message(GuardianMessage)
        /// A packet that is not understood.
        case strange
        case nothing
        case hungUp
    }

    /// Both ends; nil where descriptors have run out: `errno` says so.
    static func pair() -> (PacketSocket, PacketSocket)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (PacketSocket(descriptor: ends[0]), PacketSocket(descriptor: ends[1]))
    }

    /// Takes the next packet, if there is one.
    func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: GuardianMessage.longest)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                let text = String(decoding: buffer[..<count], as: UTF8.self)
                return GuardianMessage(text).map { .message($0) } ?? .strange
            }
            if count == 0 { return .hungUp }
            if errno == EAGAIN { return .nothing }
            if errno != EINTR { return .hungUp }
        }
    }

    /// Sends a packet; false where the other end is gone, or takes nothing any more.
    @discardableResult func send(_ message: GuardianMessage) -> Bool {
        let bytes = Array(message.text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count
    }

    func close() { _ = Glibc.close(descriptor) }
}
