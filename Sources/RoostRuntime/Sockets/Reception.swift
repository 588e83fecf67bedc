internal import CRoost
internal import Glibc
import LifeCycleModel

/// State shared by all connections: the loop, each process's share of the loop's time, and the closing of passed
/// descriptors. For the loop's thread only.
///
/// A process gets at most 32 messages or a millisecond per iteration of the loop, over all its connections. Its further
/// messages wait for the next iteration, behind the messages of all other processes in this iteration.
final class Reception {
    /// Runs work that is not urgent on another thread.
    typealias Aside = (@escaping @Sendable () -> Void) -> Void

    /// The most messages of one process per iteration.
    static let messages = 32
    /// The most time for one process per iteration.
    static let time = Nanoseconds.milliseconds(1)

    let loop: EventLoop
    /// Whether the kernel lets peers pass descriptors, which must then be received and closed.
    let receivesDescriptors: Bool
    private let closing: Aside
    /// The messages and time that each process has used in the iteration `turn`.
    private var used: [Int32: (messages: Int, time: Nanoseconds)] = [:]
    private var turn: UInt64 = 0
    /// Connections with more messages, in the order in which they get their turn.
    private var waiting: [Connection] = []
    private var isResuming = false

    /// A reception without connections. With `receivesDescriptors`, `closing` runs potentially slow closing on another
    /// thread.
    init(loop: EventLoop, receivesDescriptors: Bool = false, closing: @escaping Aside = { $0() }) {
        self.loop = loop
        self.receivesDescriptors = receivesDescriptors
        self.closing = closing
    }

    /// Whether the kernel can refuse passed descriptors, as it can since Linux 6.16.
    static let kernelRefusesDescriptors: Bool = {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { Glibc.close(probe) }
        return croost_refuse_descriptors(probe) == 0
    }()

    // MARK: Turns

    /// Whether a process may still use time in this iteration.
    func hasTime(for pid: Int32) -> Bool {
        if turn != loop.turns {
            turn = loop.turns
            used.removeAll(keepingCapacity: true)
        }
        guard let (messages, time) = used[pid] else { return true }
        return messages < Self.messages && time < Self.time
    }

    /// Charges a process for time and messages in this iteration.
    func spend(_ time: Nanoseconds, messages: Int, of pid: Int32) {
        let before = used[pid] ?? (0, .zero)
        used[pid] = (before.messages + messages, before.time + time)
    }

    /// Whether unread messages wait for the next iteration.
    var hasMore: Bool { isResuming }

    /// Schedules a connection for the next iteration, which then does not sleep.
    func handleLater(_ connection: Connection) {
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
            if hasTime(for: connection.payer) { connection.handleMessages() } else { kept.append(connection) }
        }
        // Connections that were served and have more messages are queued behind all other connections.
        kept += waiting
        waiting = []
        for connection in kept { handleLater(connection) }
    }

    // MARK: Closing

    /// Closes a connection. The connection's unread messages may hold descriptors, and closing a descriptor may take
    /// arbitrarily long.
    func close(_ connection: Int32) {
        guard receivesDescriptors else {
            Glibc.close(connection)
            return
        }
        closing { croost_close_connection(connection) }
    }

    /// Reads from a connection without blocking. Returns the number of bytes, and whether descriptors came with them.
    /// The descriptors are closed.
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
