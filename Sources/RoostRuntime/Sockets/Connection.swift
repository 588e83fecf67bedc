internal import CRoost
internal import Glibc
import LifeCycleModel
import RoostPorts
import RoostWire

/// One end of a Unix stream socket that carries varlink messages. For the loop's thread only.
///
/// It never blocks: what the peer does not take at once is kept, up to a limit, and a peer beyond it is cut off.
final class Connection {
    /// Why a connection was closed by us, or by the peer.
    enum End: Hashable {
        case peerClosed
        case garbled(WireError)
        case peerDoesNotRead
        case tooManyMessages
    }

    /// The peer's process, as the kernel knows it from the moment it connected.
    let peerPID: Int32
    /// Called with each message.
    var onMessage: (([UInt8]) -> Void)?
    /// Called once, after which nothing is called any more.
    var onEnd: ((End) -> Void)?
    private(set) var isOpen = true

    private let descriptor: Int32
    private let loop: EventLoop
    private var framer = MessageFramer()
    private var unsent: [UInt8] = []
    private var isDeaf = false
    /// What the loop watches it for: asking it for the same again would cost a system call for each message.
    private var interest = EventLoop.Readiness.readable
    private let unsentLimit: Int
    /// Messages counted in the current second.
    private var window = (second: Int64(0), count: 0)

    /// What is read in one go: a peer that writes without end gets its turn, not the loop.
    private static let portion = 64 * 1024
    /// More than a socket's buffer holds by default.
    private static let socketful = 1 << 20
    /// More than any app has reason to say; an honest one says a few dozen in a second.
    private static let messagesPerSecond = 20_000

    /// Takes over `descriptor`; nil if it can't be watched or its peer can't be told.
    init?(_ descriptor: Int32, loop: EventLoop, unsentLimit: Int) {
        var credentials = croost_peer()
        guard croost_peer_credentials(descriptor, &credentials) == 0 else {
            close(descriptor)
            return nil
        }
        peerPID = credentials.pid
        self.descriptor = descriptor
        self.loop = loop
        self.unsentLimit = unsentLimit
        do throws(SystemError) {
            try loop.add(descriptor, events: .readable) { [weak self] ready in
                guard let self else { return }
                if ready.contains(.writable) { self.writeUnsent() }
                if ready.contains(.readable) || ready.contains(.hangUp) || ready.contains(.error) { self.read() }
            }
        } catch {
            close(descriptor)
            return nil
        }
    }

    deinit { shut() }

    /// Sends bytes, at once or as soon as the peer takes them.
    func send(_ bytes: [UInt8]) {
        guard isOpen, !isDeaf else { return }
        let wasEmpty = unsent.isEmpty
        unsent += bytes
        if wasEmpty { writeUnsent() }
        if unsent.count > unsentLimit { end(.peerDoesNotRead) }
    }

    /// Reads and hands on what the peer has said by now, and no more than a socket can hold: what is written meanwhile,
    /// by a child it has left behind say, is not waited for.
    func readToTheEnd() {
        var left: Int32 = 0
        guard isOpen, ioctl(descriptor, UInt(FIONREAD), &left) == 0 else { return }
        var unread = min(Int(left), Self.socketful)
        while isOpen, unread > 0 {
            let count = readPortion()
            guard count > 0 else { return }
            unread -= count
        }
    }

    /// Closes it, telling nobody.
    func shut() {
        guard isOpen else { return }
        isOpen = false
        onMessage = nil
        onEnd = nil
        loop.remove(descriptor)
        close(descriptor)
    }

    /// Closes it, and tells why.
    func end(_ reason: End) {
        let tell = onEnd
        shut()
        tell?(reason)
    }

    private func read() { _ = readPortion() }

    /// How many bytes were read.
    private func readPortion() -> Int {
        var messages: [[UInt8]] = []
        var ending: End?
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, count in
            let got = recv(descriptor, buffer.baseAddress, Self.portion, 0)
            count = max(0, got)
            if got == 0 { ending = .peerClosed }
            if got < 0, errno != EAGAIN, errno != EINTR { ending = .peerClosed }
        }
        do throws(WireError) {
            if !bytes.isEmpty { try framer.feed(bytes[...], into: &messages) }
        } catch {
            ending = .garbled(error)
        }
        if exceedsRate(messages.count) { ending = .tooManyMessages }
        // What came whole before the peer went counts: its last words may be an acknowledgement.
        for message in messages where isOpen { onMessage?(message) }
        if let ending, isOpen { end(ending) }
        return bytes.count
    }

    private func exceedsRate(_ count: Int) -> Bool {
        let second = EventLoop.now.rawValue / 1_000_000_000
        if window.second != second { window = (second, 0) }
        window.count += count
        return window.count > Self.messagesPerSecond
    }

    private func writeUnsent() {
        while isOpen, !unsent.isEmpty {
            let sent = unsent.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent > 0 {
                unsent.removeFirst(sent)
            } else if sent < 0, errno == EINTR {
                continue
            } else if sent < 0, errno == EAGAIN {
                break
            } else {
                // The peer takes nothing more. What it has said is still read, and its end met there.
                unsent = []
                isDeaf = true
            }
        }
        guard isOpen else { return }
        let wanted: EventLoop.Readiness = unsent.isEmpty ? .readable : [.readable, .writable]
        guard wanted != interest else { return }
        do throws(SystemError) {
            try loop.modify(descriptor, events: wanted)
            interest = wanted
        } catch {
            // Tried again with whatever is sent next.
        }
    }
}

extension Connection.End: CustomStringConvertible {
    var description: String {
        switch self {
        case .peerClosed: "the peer closed it"
        case .garbled(let error): error.description
        case .peerDoesNotRead: "the peer does not read what it is sent"
        case .tooManyMessages: "too many messages in a second"
        }
    }
}
