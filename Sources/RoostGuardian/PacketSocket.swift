internal import CRoost
internal import Glibc

/// One end of the socket pair between guardian and supervisor. Packets keep their boundaries.
struct PacketSocket {
    let descriptor: Int32

    /// The result of one read.
    enum Received: Hashable {
        case message(GuardianMessage, passed: Int32? = nil)
        /// A packet that could not be parsed.
        case strange
        case nothing
        case hungUp
    }

    /// Both ends, owned by the caller; nil if no descriptor is left, with the cause in `errno`.
    static func pair() -> (PacketSocket, PacketSocket)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (PacketSocket(descriptor: ends[0]), PacketSocket(descriptor: ends[1]))
    }

    /// Receives the next packet without waiting.
    func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: GuardianMessage.longest)
        while true {
            var passed: Int32 = -1
            let count = croost_receive_passed(descriptor, &buffer, buffer.count, &passed)
            if count > 0 {
                let message = GuardianMessage(String(decoding: buffer[..<count], as: UTF8.self))
                if let message, case .startHelper = message, passed >= 0 { return .message(message, passed: passed) }
                if passed >= 0 { Glibc.close(passed) }
                return message.map { .message($0) } ?? .strange
            }
            if count == 0 { return .hungUp }
            if errno == EAGAIN { return .nothing }
            if errno != EINTR { return .hungUp }
        }
    }

    /// Sends a packet without waiting; false if the peer is gone or its queue is full.
    @discardableResult func send(_ message: GuardianMessage, passing descriptor: Int32 = -1) -> Bool {
        let bytes = Array(message.text.utf8)
        return croost_send_passing(self.descriptor, bytes, bytes.count, descriptor) == bytes.count
    }

    func close() { _ = Glibc.close(descriptor) }
}
