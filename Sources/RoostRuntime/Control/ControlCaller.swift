import RoostPorts
import RoostWire

/// Somebody at the control socket: calls are answered one after the other, in their order, as varlink has it, and wait
/// with the caller while one of them is answered that takes its time. For the loop's thread only.
final class ControlCaller {
    private let connection: Connection
    /// Whether a call is under way whose answer takes its time, or, having been `Watch`, has no end.
    var isBusy: Bool { connection.isPaused }
    /// Whether it has shown the cookie.
    var isAuthenticated = false {
        didSet { if isAuthenticated { connection.allowance = nil } }
    }
    /// Whether it has asked for anything since then.
    private(set) var hasAsked = false

    /// Whether so much of its answers is unread that none of its calls is read.
    var leavesAnswersUnread: Bool { connection.leavesAnswersUnread }

    /// The process at the other end.
    var peerPID: Int32 { connection.peer.pid }

    /// Carries out a call; the answer is given to the client, now or later.
    var onCall: ((VarlinkCall, ControlCaller) -> Void)?

    /// What a watcher may leave unread before it is cut off, in bytes.
    private static let unreadDecisions = 1 << 20

    /// What a caller may say before it has shown the cookie, in bytes.
    private static let unknownLimit = 1024

    init(_ connection: Connection) {
        self.connection = connection
        connection.allowance = Self.unknownLimit
        connection.onMessage = { [unowned self] in received($0) }
    }

    /// Answers the call under way, unless it wants no answer, and goes on to the next.
    func answer(_ reply: VarlinkReply, to call: VarlinkCall) {
        if !call.oneway { connection.send(reply.encoded()) }
        connection.isPaused = false
    }

    /// Sends one of the many answers to `Watch`.
    func send(_ reply: VarlinkReply) {
        connection.unsentLimit = Self.unreadDecisions
        connection.send(reply.encoded())
    }

    /// Closes its connection.
    func shut() { connection.shut() }

    private func received(_ message: [UInt8]) {
        if isAuthenticated { hasAsked = true }
        do throws(WireError) {
            let call = try VarlinkCall(message)
            connection.isPaused = true
            onCall?(call, self)
        } catch {
            connection.send(VarlinkFailure(error).reply.encoded())
        }
    }
}
