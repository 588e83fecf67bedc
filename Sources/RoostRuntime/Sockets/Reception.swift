internal import CRoost
internal import Glibc
import LifeCycleModel

/// What all connections share: the loop, whose turn it is in it, and where that is closed which strangers have passed.
/// For the loop's thread only.
///
/// One process gets at most 32 messages or a millisecond of an iteration of the loop, over all its connections. Whatever
/// else it has said waits for the next iteration, behind what every other process says in this one.
final class Reception {
    /// Work that may wait, on another thread.
    typealias Aside = (@escaping @Sendable () -> Void) -> Void

    /// What one process may have of one iteration, in messages.
    static let messages = 32
    /// The same, in time.
    static let time = Nanoseconds.milliseconds(1)

    let loop: EventLoop
    /// Whether the kernel lets strangers pass descriptors, so that they have to be taken and closed.
    let receivesDescriptors: Bool
    private let closing: Aside
    /// What each process has had of the iteration `turn`.
    private var used: [Int32: (messages: Int, time: Nanoseconds)] = [:]
    private var turn: UInt64 = 0
    /// Connections with more to say, in the order in which they are heard.
    private var waiting: [Connection] = []
    private var isResuming = false

    /// Nobody is connected. With `receivesDescriptors`, `closing` does what may take long on another thread.
    init(loop: EventLoop, receivesDescriptors: Bool = false, closing: @escaping Aside = { $0() }) {
        self.loop = loop
        self.receivesDescriptors = receivesDescriptors
        self.closing = closing
    }

    /// Whether the kernel can be told to refuse descriptors, as it can since Linux 6.16.
    static let kernelRefusesDescriptors: Bool = {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { Glibc.close(probe) }
        return croost_refuse_descriptors(probe) == 0
    }()

    // MARK: Turns

    /// Whether a process may say more in this iteration of the loop.
    func hasTime(for pid: Int32) -> Bool {
        if turn != loop.turns {
            turn = loop.turns
            used.removeAll(keepingCapacity: true)
        }
        guard let (messages, time) = used[pid] else { return true }
        return messages < Self.messages && time < Self.time
    }

    /// A process has had this of the iteration.
    func spend(_ time: Nanoseconds, messages: Int, of pid: Int32) {
        let before = used[pid] ?? (0, .zero)
        used[pid] = (before.messages + messages, before.time + time)
    }

    /// Whether a process has unread messages that the next iteration reads.
    var hasMore: Bool { isResuming }

    /// Has a connection heard again in the next iteration, which does not wait for anything else then.
    func hearLater(_ connection: Connection) {
        waiting.append(connection)
        guard !isResuming else { return }
        isResuming = true
        loop.inNextTurn { [weak self] in self?.resume() }
    }

    private func resume() {
        isResuming = false
        let due = waiting
        waiting = []
        var kept: [Connection] = []
        for connection in due where connection.isOpen {
            if hasTime(for: connection.payer) { connection.hear() } else { kept.append(connection) }
        }
        // Those that were heard and have still more to say are behind them.
        kept += waiting
        waiting = []
        for connection in kept { hearLater(connection) }
    }

    // MARK: Closing

    /// Closes a connection. Its last message may hold descriptors whose closing takes as long as a stranger likes.
    func close(_ connection: Int32) {
        guard receivesDescriptors else {
            Glibc.close(connection)
            return
        }
        closing { croost_close_connection(connection) }
    }

    /// Reads from a connection without waiting: the bytes, and whether descriptors came with them, which are closed.
    func receive(_ connection: Int32, into buffer: UnsafeMutableRawPointer, _ size: Int) -> (count: Int, passed: Bool) {
        guard receivesDescriptors else { return (recv(connection, buffer, size, 0), false) }
        var count: Int32 = 0
        var got = 0
        let passed = [Int32](unsafeUninitializedCapacity: Int(CROOST_PASSED_AT_ONCE)) { descriptors, number in
            got = croost_receive(connection, buffer, size, descriptors.baseAddress, &count)
            number = Int(count)
        }
        guard !passed.isEmpty else { return (got, false) }
        let code = errno
        closing { croost_close_passed(passed, Int32(passed.count)) }
        errno = code
        return (got, true)
    }
}
