import Glibc
import RoostPorts
import RoostRuntime
import RoostWire

/// A non-blocking connection to the control socket. Answers arrive on the loop, in the order of the calls.
final class ControlLink {
    private let loop: EventLoop
    private let descriptor: Int32
    private var framer = MessageFramer(limit: WireLimits.controlReply)
    private var asked: [(call: ControlCall, answer: (ControlReply) -> Void)] = []
    private var isOpen = true

    /// Called once, when the system has closed the connection or sent an invalid message.
    var onEnd: (() -> Void)?

    /// Takes ownership of a connected socket.
    init(_ descriptor: Int32, loop: EventLoop) throws(SystemError) {
        self.descriptor = descriptor
        self.loop = loop
        try loop.add(descriptor, events: .readable) { [weak self] _ in self?.receive() }
    }

    /// Takes ownership of two connected sockets, or closes both.
    static func pair(
        _ one: Int32, _ other: Int32, loop: EventLoop
    ) throws(SystemError) -> (link: ControlLink, stream: ControlLink) {
        let link: ControlLink
        do throws(SystemError) {
            link = try ControlLink(one, loop: loop)
        } catch {
            close(other)
            throw error
        }
        return (link, try ControlLink(other, loop: loop))
    }

    deinit {
        if isOpen { loop.remove(descriptor) }
        close(descriptor)
    }

    /// Sends a call. `answer` is called with its reply; for `watch`, with each reply.
    func ask(_ call: ControlCall, answer: @escaping (ControlReply) -> Void) {
        guard isOpen else { return }
        asked.append((call, answer))
        var rest = call.encoded()[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 || errno == EINTR else { return end() }
            rest = rest.dropFirst(max(0, sent))
        }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return end() }
        var messages: [[UInt8]] = []
        do throws(WireError) {
            try framer.feed(buffer[..<count], into: &messages)
            for message in messages {
                guard let (call, answer) = asked.first else { return end() }
                let reply = try ControlReply(VarlinkReply(message), to: call)
                if call != .watch { asked.removeFirst() }
                answer(reply)
            }
        } catch {
            end()
        }
    }

    private func end() {
        guard isOpen else { return }
        isOpen = false
        loop.remove(descriptor)
        asked = []
        onEnd?()
    }
}
