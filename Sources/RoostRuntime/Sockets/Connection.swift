internal import CRoost
internal import Glibc
import LifeCycleModel
import RoostPorts
import RoostWire

/// One end of a Unix stream socket that carries varlink messages. For the loop's thread only.
///
/// It never blocks: what the peer does not take at once is kept, up to a limit, and a peer beyond it is cut off. What the
/// peer says faster than its share of the loop (`Reception`) waits in the socket, with a portion of it here.
final class Connection {
    /// Why a connection was closed by us, or by the peer.
    enum End: Hashable {
        case peerClosed
        case garbled(WireError)
        case peerDoesNotRead
        case tooManyMessages
        case tooMuchUnknown
        case descriptorsPassed
    }

    /// The peer's process, as the kernel knows it from the moment it connected; its pidfd is there until it is forgotten.
    private(set) var peer: PeerProcess
    /// Called with each message.
    var onMessage: (([UInt8]) -> Void)?
    /// Called once, after which nothing is called any more.
    var onEnd: ((End) -> Void)?
    private(set) var isOpen = true
    /// Whether messages wait until it is unset, as while a call is answered that takes its time.
    var isPaused = false {
        didSet { if isPaused != oldValue, !isPaused, !isHearing { hearLater() } }
    }
    /// How many bytes the peer may still say before it is known; nil once it is. Where they are used up, `mayExceed` is
    /// asked once for more.
    var allowance: Int?
    var mayExceed: (() -> Int)?
    /// How much the peer may leave unread before it is cut off, in bytes.
    var unsentLimit: Int

    /// The process whose share of the loop it uses.
    let payer: Int32

    private let descriptor: Int32
    private let reception: Reception
    private var framer = MessageFramer()
    /// What was read, and not heard yet: from `next` on.
    private var messages: [[UInt8]] = []
    private var next = 0
    private var unsent: [UInt8] = []
    private var isDeaf = false
    /// How it is to end when they were heard.
    private var ending: End?
    private var isHearing = false
    /// Whether it is to be heard in the loop's next turn.
    private var isWaiting = false
    /// What the loop watches it for: asking it for the same again would cost a system call for each message.
    private var interest = EventLoop.Readiness.readable
    private var rate = SpeechRate()

    /// What is read in one go, in bytes: a peer that writes without end gets its turn, not the loop.
    private static let portion = 16 * 1024
    /// More than a socket's buffer holds by default.
    private static let socketful = 1 << 20
    /// A peer that leaves more than this unread is not heard before it has read.
    private static let unreadAnswers = 64 * 1024

    /// Takes over `descriptor`; nil if it can't be watched or its peer can't be told. It uses the peer's share of the loop,
    /// unless a test names another's.
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

    /// Lets go of the peer's process: it has been looked at.
    func forgetPeer() {
        if let pidfd = peer.descriptor { close(pidfd) }
        peer = PeerProcess(pid: peer.pid, descriptor: nil)
    }

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
        while isOpen {
            while isOpen, let message = takeMessage() { onMessage?(message) }
            if isOpen, let ending { return end(ending) }
            guard isOpen, unread > 0 else { return }
            let count = readPortion()
            unread = count > 0 ? unread - count : 0
        }
    }

    /// Closes it, telling nobody.
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

    /// Closes it, and tells why.
    func end(_ reason: End) {
        let tell = onEnd
        shut()
        tell?(reason)
    }

    // MARK: Hearing

    private func isReady(_ ready: EventLoop.Readiness) {
        if ready.contains(.writable) { writeUnsent() }
        guard isOpen, ready.contains(.readable) || ready.contains(.hangUp) || ready.contains(.error) else { return }
        // Nobody is left to be answered.
        if isHeld, ready.contains(.hangUp) || ready.contains(.error) { return end(.peerClosed) }
        if !isWaiting { hear() }
    }

    /// Whether it is not heard for now, whatever it says.
    private var isHeld: Bool { isPaused || leavesAnswersUnread }

    /// Whether the peer has more to read than `unreadAnswers`.
    var leavesAnswersUnread: Bool { unsent.count > Self.unreadAnswers }

    /// Hears what the peer says, within its share of this iteration; what is left is heard in the next.
    func hear() {
        isWaiting = false
        isHearing = true
        defer { isHearing = false }
        while isOpen {
            guard !isHeld else { return watch() }
            guard reception.hasTime(for: payer) else { return hearLater() }
            let begin = EventLoop.now
            if let message = takeMessage() {
                onMessage?(message)
                reception.spend(EventLoop.now - begin, messages: 1, of: payer)
            } else if let ending {
                return end(ending)
            } else {
                let count = readPortion()
                reception.spend(EventLoop.now - begin, messages: 0, of: payer)
                // Where it has said more meanwhile, it is readable still.
                if count < Self.portion, messages.isEmpty, ending == nil { return watch() }
            }
        }
    }

    private func hearLater() {
        guard isOpen, !isWaiting else { return }
        isWaiting = true
        reception.hearLater(self)
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

    /// Reads a portion, all before it being heard. How many bytes were read.
    ///
    /// What came whole before the peer went counts: its last words may be an acknowledgement. So it does before a message
    /// that is none.
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

    /// How much may be read at once: a single byte of a peer that has said all it may say before it is known, to see whether
    /// it says more.
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
                // The peer takes nothing more. What it has said is still read, and its end met there.
                unsent = []
                isDeaf = true
            }
        }
        guard isOpen else { return }
        if wasHeld, !isHeld { hearLater() }
        watch()
    }

    /// Has the loop watch it for what it waits for.
    private func watch() {
        guard isOpen else { return }
        var wanted: EventLoop.Readiness = unsent.isEmpty ? [] : .writable
        if !isHeld, !isWaiting { wanted.insert(.readable) }
        guard wanted != interest else { return }
        do throws(SystemError) {
            try reception.loop.modify(descriptor, events: wanted)
            interest = wanted
        } catch {
            // Tried again with whatever is said or sent next.
        }
    }
}

/// How much a peer says in a second: messages, and KiB beside them.
struct SpeechRate: Hashable {
    /// More than any app has reason to say; an honest one says a few dozen messages in a second.
    static let most = 20_000

    private var second: Int64 = 0
    private var said = 0
    /// Bytes that make no KiB yet.
    private var bytes = 0

    /// Whether it is too much, with these.
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
        case .tooMuchUnknown: "it said too much before it said who it is"
        case .descriptorsPassed: "it passed a descriptor, and nothing here takes any"
        }
    }
}
