import LifeCycleModel
import Logging
import RoostPorts
import RoostWire

/// The connections of apps: identification, requests and messages. For the loop's thread only.
///
/// An app identifies itself with the token of its launch, and must be one of the launch's processes. A bad message
/// closes its connection, and affects no other connection.
final class AppSessions {
    private struct Session {
        let token: String
        var callbacks: Connection?
        var requests: Connection?
        /// Whether the app's attachment has arrived since the requests connection opened, or before.
        var isAccounted = false
        /// Requests that were read before the attachment. The app had sent the attachment first, on the other
        /// connection.
        var early: [[UInt8]] = []
        var earlyBytes = 0
    }

    /// Called with an app's attachment when it connects.
    var onAttach: ((LaunchID, Attachment) -> Void)?
    /// Called with each request of an app.
    var onRequest: ((LaunchID, AppRequest) -> Void)?

    private let reception: Reception
    private let logger: Logger
    /// Warnings about unidentified connections and about apps. Each log has its own limit, so that a flood of one kind
    /// does not hide warnings of the other kind.
    private var strangersLog: BoundedLog
    private var appsLog: BoundedLog
    private let processes: any ProcessControl
    private var sessions: [LaunchID: Session] = [:]
    private var launches: [String: LaunchID] = [:]
    /// Unidentified connections, by their own numbers.
    private var strangers: [Int: Connection] = [:]
    private var nextStranger = 0

    private static let service = VarlinkService(version: RoostVersion.current, interfaces: [.app])
    /// The most unread bytes of an app. Callbacks are sent one at a time, so an app with more unread bytes does not
    /// read.
    private static let unsentLimit = 1 << 20
    /// The most silent connections per process and in all. An honest app identifies itself as soon as it connects.
    private static let strangersOfOne = 8
    private static let strangerLimit = 256
    /// The most bytes that an unidentified connection may send. The limit suffices for a token and for queries of the
    /// interfaces.
    private static let unknownLimit = 1024
    /// The most bytes of requests that may precede the attachment. An honest app sends the attachment first.
    private static let earlyLimit = 1 << 20

    init(reception: Reception, processes: any ProcessControl, logger: Logger) {
        self.reception = reception
        self.processes = processes
        self.logger = logger
        (strangersLog, appsLog) = (BoundedLog(logger), BoundedLog(logger))
    }

    /// Accepts this token for the launch from now on.
    func expect(_ launch: LaunchID, token: String) {
        sessions[launch] = Session(token: token)
        launches[token] = launch
    }

    /// Ends a launch: its token becomes invalid, and its connections are closed.
    func forget(_ launch: LaunchID) {
        guard let session = sessions.removeValue(forKey: launch) else { return }
        launches[session.token] = nil
        session.callbacks?.shut()
        session.requests?.shut()
    }

    /// Sends a message to an app, or drops it if the app is not connected.
    func send(_ message: SystemMessage, to launch: LaunchID) {
        sessions[launch]?.callbacks?.send(message.encoded())
    }

    /// Handles all requests that a launch has sent by now.
    func readToTheEnd(_ launch: LaunchID) {
        sessions[launch]?.requests?.readToTheEnd()
    }

    /// Takes ownership of a new connection.
    func accept(_ descriptor: Int32) {
        guard let connection = Connection(descriptor, at: reception, unsentLimit: Self.unsentLimit) else { return }
        connection.allowance = Self.unknownLimit
        // An app's attachment may be long, so processes that the kernel shows to be apps may send more.
        connection.mayExceed = { [processes, unowned connection] in
            processes.isAppProcess(connection.peer) == true ? WireLimits.message : 0
        }
        makeRoom(for: connection.peer.pid)
        nextStranger += 1
        let number = nextStranger
        strangers[number] = connection
        connection.onMessage = { [weak self] in self?.firstMessage($0, from: connection, number) }
        connection.onEnd = { [weak self] _ in self?.strangers[number] = nil }
    }

    /// Whether both connections of a launch are closed.
    func hasNoConnection(of launch: LaunchID) -> Bool {
        sessions[launch].map { $0.callbacks?.isOpen != true && $0.requests?.isOpen != true } ?? true
    }

    /// Evicts the oldest silent connection if a limit is reached: of the same process first, otherwise of all. Silent
    /// connections thus never prevent a new connection.
    private func makeRoom(for pid: Int32) {
        let own = strangers.filter { $0.value.peer.pid == pid }.keys
        let oldest =
            own.count >= Self.strangersOfOne
            ? own.min() : strangers.count >= Self.strangerLimit ? strangers.keys.min() : nil
        guard let oldest, let connection = strangers.removeValue(forKey: oldest) else { return }
        strangersLog.warning("too many connections are silent", metadata: ["pid": "\(connection.peer.pid)"])
        connection.shut()
    }

    // MARK: Identification

    private func firstMessage(_ message: [UInt8], from connection: Connection, _ number: Int) {
        do throws(WireError) {
            let call = try VarlinkCall(message)
            if let reply = try Self.service.reply(to: call) { return connection.send(reply.encoded()) }
            switch try AppCall(call) {
            case .attach(let token, let attachment):
                guard let launch = identify(token, connection, number, isTaken: { $0.callbacks?.isOpen == true }) else {
                    return
                }
                // The old connection's requests were sent before this attachment, so they are handled first.
                if let old = sessions[launch]?.requests, sessions[launch]?.isAccounted == true {
                    old.readToTheEnd()
                    old.shut()
                }
                sessions[launch]?.callbacks = connection
                sessions[launch]?.isAccounted = true
                connection.onMessage = { [weak self] _ in
                    self?.cutOff(connection, launch, "it sent a message on the connection for callbacks")
                }
                connection.onEnd = { [weak self] in self?.ended(launch, $0) }
                onAttach?(launch, attachment)
                takeEarlyRequests(of: launch)
            case .identify(let token):
                guard let launch = identify(token, connection, number, isTaken: { $0.requests?.isOpen == true }) else {
                    return
                }
                sessions[launch]?.requests = connection
                sessions[launch]?.early = []
                sessions[launch]?.earlyBytes = 0
                let isAttached = sessions[launch]?.callbacks?.isOpen == true
                sessions[launch]?.isAccounted = isAttached
                connection.onMessage = { [weak self] in self?.request($0, from: connection, launch) }
                connection.onEnd = { [weak self] in self?.ended(launch, $0) }
                connection.send(VarlinkReply.empty.encoded())
            case .request:
                refuse(connection, number, .notIdentified)
            }
        } catch {
            strangersLog.warning(
                "a connection was closed for a bad message",
                metadata: ["pid": "\(connection.peer.pid)", "problem": "\(error)"])
            connection.send(VarlinkFailure(error).reply.encoded())
            strangers[number] = nil
            connection.shut()
        }
    }

    private func identify(
        _ token: String, _ connection: Connection, _ number: Int, isTaken: (Session) -> Bool
    ) -> LaunchID? {
        guard let launch = launches[token], let session = sessions[launch],
            processes.contains(launch, connection.peer)
        else {
            refuse(connection, number, .unknownToken)
            return nil
        }
        guard !isTaken(session) else {
            refuse(connection, number, .alreadyConnected)
            return nil
        }
        strangers[number] = nil
        connection.allowance = nil
        connection.forgetPeer()
        return launch
    }

    private func refuse(_ connection: Connection, _ number: Int, _ refusal: AppRefusal) {
        strangersLog.warning(
            "a connection was refused", metadata: ["pid": "\(connection.peer.pid)", "refusal": "\(refusal.rawValue)"])
        connection.send(refusal.reply.encoded())
        strangers[number] = nil
        connection.shut()
    }

    // MARK: Requests

    private func takeEarlyRequests(of launch: LaunchID) {
        guard let session = sessions[launch], let connection = session.requests else { return }
        sessions[launch]?.early = []
        sessions[launch]?.earlyBytes = 0
        for message in session.early where connection.isOpen { request(message, from: connection, launch) }
    }

    private func request(_ message: [UInt8], from connection: Connection, _ launch: LaunchID) {
        guard sessions[launch]?.isAccounted == true else {
            sessions[launch]?.early.append(message)
            sessions[launch]?.earlyBytes += message.count
            if let bytes = sessions[launch]?.earlyBytes, bytes > Self.earlyLimit {
                cutOff(connection, launch, "it sends requests and never attaches")
            }
            return
        }
        do throws(WireError) {
            let call = try VarlinkCall(message)
            if let reply = try Self.service.reply(to: call) { return connection.send(reply.encoded()) }
            guard case .request(let request) = try AppCall(call) else {
                return cutOff(connection, launch, "it identified itself twice")
            }
            onRequest?(launch, request)
            if !call.oneway { connection.send(VarlinkReply.empty.encoded()) }
        } catch {
            connection.send(VarlinkFailure(error).reply.encoded())
            cutOff(connection, launch, error.description)
        }
    }

    private func cutOff(_ connection: Connection, _ launch: LaunchID, _ problem: String) {
        appsLog.warning(
            "an app lost its connection for a bad message", metadata: ["launch": "\(launch)", "problem": "\(problem)"])
        connection.shut()
    }

    private func ended(_ launch: LaunchID, _ reason: Connection.End) {
        switch reason {
        case .peerClosed:
            logger.debug("an app closed its connection", metadata: ["launch": "\(launch)"])
        case .garbled, .peerDoesNotRead, .tooManyMessages, .tooMuchUnknown, .descriptorsPassed:
            appsLog.warning(
                "an app lost its connection", metadata: ["launch": "\(launch)", "problem": "\(reason)"])
        }
    }
}
