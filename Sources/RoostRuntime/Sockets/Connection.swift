internal import CRoost
internal import Glibc
import LifeCycleModel
import RoostPorts
import RoostWire

/// One end of a Unix stream socket that carries varlink messages. For the loop's thread only.
///
/// A connection never blocks. Bytes that the peer does not take are buffered; a peer that exceeds the limit is
/// disconnected. `Reception` gives each peer a share of the loop's time. Messages beyond that share wait in the socket
/// and, in part, here.
final class Connection {
    /// The reason for a connection's end.
    enum End: Hashable {
        case peerClosed
        case garbled(WireError)
        case peerDoesNotRead
        case tooManyMessages
        case tooMuchUnknown
        case descriptorsPassed
    }

    /// The peer's process, as the kernel knows it from the time of connecting. Its pidfd is open until `forgetPeer`.
    private(set) var peer: PeerProcess
    /// Called with each message.
    var onMessage: (([UInt8]) -> Void)?
    /// Called once. No other callback follows.
    var onEnd: ((End) -> Void)?
    private(set) var isOpen = true
    /// Whether messages wait, for example while a slow call is answered.
    var isPaused = false {
        didSet { if isPaused != oldValue, !isPaused, !isReading { handleLater() } }
    }
    /// The number of bytes that an unidentified peer may still send; nil once the peer is identified. When these bytes
    /// are used up, `mayExceed` is called once for more.
    var allowance: Int?
    var mayExceed: (() -> Int)?
    /// The most bytes that the peer may leave unread before it is disconnected.
    var unsentLimit: Int

    /// The process whose share of the loop's time is used.
    let payer: Int32

    private let descriptor: Int32
    private let reception: Reception
    private var framer = MessageFramer()
    /// Messages that were read, but not handled yet, from index `next` on.
    private var messages: [[UInt8]] = []
    private var next = 0
    private var unsent: [UInt8] = []
    private var isUnwritable = false
    /// The reason for ending once the read messages are handled.
    private var ending: End?
    private var isReading = false
    /// Whether the connection is scheduled for the loop's next turn.
    private var isWaiting = false
    /// The events that the loop watches. Setting the same events again would cost a system call per message.
    private var interest = EventLoop.Readiness.readable
    private var rate = SpeechRate()

    /// The most bytes per read, so that a peer that never stops writing cannot block the loop.
    private static let portion = 16 * 1024
    /// More bytes than a socket's buffer holds by default.
    private static let socketful = 1 << 20
    /// The most bytes that a peer may leave unread before its messages wait.
    private static let unreadAnswers = 64 * 1024

    /// Takes ownership of `descriptor`; nil if it cannot be watched or its peer is unknown. The peer's own process is
    /// the payer, except in tests.
    init?(_ descriptor: Int32, at reception: Reception, unsentLimit: Int, payer: Int32? = nil) {
        var credentials = croost_peer()
        guard croost_peer_credentials(descriptor, &credentials) == 0 else {
            reception.close(descriptor)
            return nil
        }
        var pidfd: Int32 = -1
        let isThere = croost_peer_pidfd(descriptor, credentials.pid, &pidfd) == 0
        peer = PeerProcess(pid: credentials.pid, descriptor: isThere ? pidfd : nil)
        self.payer = payer ?? credentials.pid
        self.descriptor = descriptor
        self.reception = reception
        self.unsentLimit = unsentLimit
        do throws(SystemError) {
            try reception.loop.add(descriptor, events: .readable) { [weak self] in self?.isReady($0) }
        } catch {
            forgetPeer()
            reception.close(descriptor)
            isOpen = false
            return nil
        }
    }

    deinit { shut() }

    /// Closes the pidfd of the peer's process, after the process was checked.
    func forgetPeer() {
        if let pidfd = peer.descriptor { close(pidfd) }
        peer = PeerProcess(pid: peer.pid, descriptor: nil)
    }

    /// Sends bytes, now or as soon as the peer takes them.
    func send(_ bytes: [UInt8]) {
        guard isOpen, !isUnwritable else { return }
        let wasEmpty = unsent.isEmpty
        unsent += bytes
        if wasEmpty { writeUnsent() }
        if unsent.count > unsentLimit { end(.peerDoesNotRead) }
    }

    /// Handles what the peer has sent so far, at most a socket's capacity. Does not wait for later messages, for
    /// example from a child process that was left behind.
    func readToTheEnd() {
        var left: Int32 = 0
        guard isOpen, ioctl(descriptor, UInt(FIONREAD), &left) == 0 else { return }
        var unread = min(Int(left), Self.socketful)
        while isOpen {
            while isOpen, let message = takeMessage() { onMessage?(message) }
            if isOpen, let ending { return end(ending) }
            guard isOpen, unread > 0 else { return }
            let count = readPortion()
            unread = count > 0 ? unread - count : 0
        }
    }

    /// Closes the connection without a callback.
    func shut() {
        guard isOpen else { return }
        isOpen = false
        onMessage = nil
        onEnd = nil
        mayExceed = nil
        (messages, next) = ([], 0)
        forgetPeer()
        reception.loop.remove(descriptor)
        reception.close(descriptor)
    }

    /// Closes the connection, and calls `onEnd` with the reason.
    func end(_ reason: End) {
        let tell = onEnd
        shut()
        tell?(reason)
    }

    // MARK: Receiving

    private func isReady(_ ready: EventLoop.Readiness) {
        if ready.contains(.writable) { writeUnsent() }
        guard isOpen, ready.contains(.readable) || ready.contains(.hangUp) || ready.contains(.error) else { return }
        // The peer can no longer receive answers.
        if isHeld, ready.contains(.hangUp) || ready.contains(.error) { return end(.peerClosed) }
        if !isWaiting { handleMessages() }
    }

    /// Whether incoming messages wait for now.
    private var isHeld: Bool { isPaused || leavesAnswersUnread }

    /// Whether the peer has left more than `unreadAnswers` bytes unread.
    var leavesAnswersUnread: Bool { unsent.count > Self.unreadAnswers }

    /// Handles messages within the peer's share of this iteration. The remaining messages are handled in the next
    /// iteration.
    func handleMessages() {
        isWaiting = false
        isReading = true
        defer { isReading = false }
        while isOpen {
            guard !isHeld else { return watch() }
            guard reception.hasTime(for: payer) else { return handleLater() }
            let begin = EventLoop.now
            if let message = takeMessage() {
                onMessage?(message)
                reception.spend(EventLoop.now - begin, messages: 1, of: payer)
            } else if let ending {
                return end(ending)
            } else {
                let count = readPortion()
                reception.spend(EventLoop.now - begin, messages: 0, of: payer)
                // If more bytes have arrived meanwhile, the descriptor is still readable.
                if count < Self.portion, messages.isEmpty, ending == nil { return watch() }
            }
        }
    }

    private func handleLater() {
        guard isOpen, !isWaiting else { return }
        isWaiting = true
        reception.handleLater(self)
        watch()
    }

    private func takeMessage() -> [UInt8]? {
        guard next < messages.count else { return nil }
        defer {
            next += 1
            if next == messages.count { (messages, next) = ([], 0) }
        }
        return messages[next]
    }

    /// Reads a portion after all earlier messages were handled. Returns the number of bytes.
    ///
    /// Complete messages count even if the peer has gone or an invalid message follows: the last message may be an
    /// acknowledgment.
    private func readPortion() -> Int {
        let size = allowedPortion
        var failure: End?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            let (got, passed) = reception.receive(descriptor, into: base, size)
            count = max(0, got)
            if got == 0 { ending = .peerClosed }
            if got < 0, errno != EAGAIN, errno != EINTR { ending = .peerClosed }
            if passed { failure = .descriptorsPassed }
        }
        if let left = allowance {
            allowance = left - bytes.count
            if bytes.count > left { failure = .tooMuchUnknown }
        }
        do throws(WireError) {
            if !bytes.isEmpty { try framer.feed(bytes[...], into: &messages) }
        } catch {
            ending = .garbled(error)
        }
        if rate.isExceeded(by: messages.count, bytes: bytes.count, at: EventLoop.now) { failure = .tooManyMessages }
        if let failure { end(failure) }
        return bytes.count
    }

    /// The number of bytes to read. For an unidentified peer without allowance, a single byte is read, to detect
    /// whether the peer sends more.
    private var allowedPortion: Int {
        guard let left = allowance else { return Self.portion }
        if left == 0, let more = mayExceed?() {
            mayExceed = nil
            allowance = more
        }
        return max(1, min(Self.portion, allowance ?? 0))
    }

    // MARK: Sending

    private func writeUnsent() {
        let wasHeld = isHeld
        while isOpen, !unsent.isEmpty {
            let sent = unsent.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent > 0 {
                unsent.removeFirst(sent)
            } else if sent < 0, errno == EINTR {
                continue
            } else if sent < 0, errno == EAGAIN {
                break
            } else {
                // The peer takes nothing more. Its messages are still read, and the read finds its end.
                unsent = []
                isUnwritable = true
            }
        }
        guard isOpen else { return }
        if wasHeld, !isHeld { handleLater() }
        watch()
    }

    /// Updates the events that the loop watches.
    private func watch() {
        guard isOpen else { return }
        var wanted: EventLoop.Readiness = unsent.isEmpty ? [] : .writable
        if !isHeld, !isWaiting { wanted.insert(.readable) }
        guard wanted != interest else { return }
        do throws(SystemError) {
            try reception.loop.modify(descriptor, events: wanted)
            interest = wanted
        } catch {
            // The next message in either direction tries again.
        }
    }
}

/// A limit on what a peer sends per second: the number of messages plus the number of KiB.
struct SpeechRate: Hashable {
    /// More than any app needs; an honest app sends a few dozen messages per second.
    static let most = 20_000

    private var second: Int64 = 0
    private var said = 0
    /// Bytes that do not make a full KiB yet.
    private var bytes = 0

    /// Adds messages and bytes, and returns whether the limit is exceeded.
    mutating func isExceeded(by messages: Int, bytes more: Int, at now: Nanoseconds) -> Bool {
        if second != now.rawValue / 1_000_000_000 { (second, said) = (now.rawValue / 1_000_000_000, 0) }
        bytes += more
        said += messages + bytes / 1024
        bytes %= 1024
        return said > Self.most
    }
}

extension Connection.End: CustomStringConvertible {
    var description: String {
        switch self {
        case .peerClosed: "the peer closed it"
        case .garbled(let error): error.description
        case .peerDoesNotRead: "the peer does not read what it is sent"
        case .tooManyMessages: "too many messages in a second"
        case .tooMuchUnknown: "it sent too much before it identified itself"
        case .descriptorsPassed: "it passed a file descriptor, which is not accepted here"
        }
    }
}
