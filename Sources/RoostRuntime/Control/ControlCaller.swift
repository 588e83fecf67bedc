import RoostPorts
import RoostWire

/// A client of the control socket. As varlink requires, its calls are answered one at a time, in order. While a slow
/// call is answered, later calls wait in the client's socket. For the loop's thread only.
final class ControlCaller {
    private let connection: Connection
    /// Whether a slow call or a `Watch` is under way. A `Watch` does not end.
    var isBusy: Bool { connection.isPaused }
    /// Whether the client has presented the cookie.
    var isAuthenticated = false {
        didSet { if isAuthenticated { connection.allowance = nil } }
    }
    /// Whether the client has made a call since it was authenticated.
    private(set) var hasAsked = false

    /// Whether the client has left so many answers unread that its calls are not read.
    var leavesAnswersUnread: Bool { connection.leavesAnswersUnread }

    /// The pid of the process at the other end.
    var peerPID: Int32 { connection.peer.pid }

    /// Called with each call. The client is answered at once or later.
    var onCall: ((VarlinkCall, ControlCaller) -> Void)?

    /// The most bytes that a watcher may leave unread before its connection is closed.
    private static let unreadDecisions = 1 << 20

    /// The most bytes that a client may send before it presents the cookie.
    private static let unknownLimit = 1024

    init(_ connection: Connection) {
        self.connection = connection
        connection.allowance = Self.unknownLimit
        connection.onMessage = { [unowned self] in received($0) }
    }

    /// Answers the current call, unless it is oneway, and continues with the next.
    func answer(_ reply: VarlinkReply, to call: VarlinkCall) {
        if !call.oneway { connection.send(reply.encoded()) }
        connection.isPaused = false
    }

    /// Sends one of the many answers to `Watch`.
    func send(_ reply: VarlinkReply) {
        connection.unsentLimit = Self.unreadDecisions
        connection.send(reply.encoded())
    }

    /// Closes the connection.
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
