import RoostWire

/// Somebody at the control socket: calls are answered one after the other, in their order, as varlink has it. For the
/// loop's thread only.
final class ControlCaller {
    private let connection: Connection
    /// Whether a call is under way whose answer takes its time, or, having been `Watch`, has no end.
    private(set) var isBusy = false
    /// Whether it has shown the cookie.
    var isAuthenticated = false
    /// Whether it has asked for anything since then.
    private(set) var hasAsked = false
    private var waiting: [[UInt8]] = []

    /// The process at the other end.
    var peerPID: Int32 { connection.peerPID }

    /// Carries out a call; the answer is given to the client, now or later.
    var onCall: ((VarlinkCall, ControlCaller) -> Void)?

    /// More than these unanswered calls are a flood.
    private static let waitingLimit = 1000

    init(_ connection: Connection) {
        self.connection = connection
        connection.onMessage = { [unowned self] in received($0) }
    }

    /// Answers the call under way, unless it wants no answer, and goes on to the next.
    func answer(_ reply: VarlinkReply, to call: VarlinkCall) {
        if !call.oneway { connection.send(reply.encoded()) }
        isBusy = false
        while !isBusy, connection.isOpen, !waiting.isEmpty { handle(waiting.removeFirst()) }
    }

    /// Sends one of the many answers to `Watch`.
    func send(_ reply: VarlinkReply) { connection.send(reply.encoded()) }

    /// Closes its connection.
    func shut() { connection.shut() }

    private func received(_ message: [UInt8]) {
        if isAuthenticated { hasAsked = true }
        guard isBusy else { return handle(message) }
        waiting.append(message)
        if waiting.count > Self.waitingLimit { connection.end(.tooManyMessages) }
    }

    private func handle(_ message: [UInt8]) {
        do throws(WireError) {
            let call = try VarlinkCall(message)
            isBusy = true
            onCall?(call, self)
        } catch {
            connection.send(VarlinkFailure(error).reply.encoded())
        }
    }
}
