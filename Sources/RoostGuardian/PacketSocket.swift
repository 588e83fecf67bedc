internal import CRoost
internal import Glibc

/// One end of the pair of sockets between guardian and supervisor.
struct PacketSocket {
    let descriptor: Int32

    /// What a look at the socket has shown.
    enum Received: Hashable {
        case message(GuardianMessage, passed: Int32? = nil)
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
            var passed: Int32 = -1
            let count = croost_receive_passed(descriptor, &buffer, buffer.count, &passed)
            if count > 0 {
                let message = GuardianMessage(String(decoding: buffer[..<count], as: UTF8.self))
                if let message, case .carry = message, passed >= 0 { return .message(message, passed: passed) }
                if passed >= 0 { Glibc.close(passed) }
                return message.map { .message($0) } ?? .strange
            }
            if count == 0 { return .hungUp }
            if errno == EAGAIN { return .nothing }
            if errno != EINTR { return .hungUp }
        }
    }

    /// Sends a packet; false where the other end is gone, or takes nothing any more.
    @discardableResult func send(_ message: GuardianMessage, passing descriptor: Int32 = -1) -> Bool {
        let bytes = Array(message.text.utf8)
        return croost_send_passing(self.descriptor, bytes, bytes.count, descriptor) == bytes.count
    }

    func close() { _ = Glibc.close(descriptor) }
}
