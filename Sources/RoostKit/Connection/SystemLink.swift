import Dispatch
import LifeCycleModel
import RoostWire

/// The app's link to the system: two connections that open and close together, and the logic to reconnect.
///
/// ```
///   down ──connected──▶ up ──either connection ends──▶ down: tries again, and watches for the socket
/// ```
@MainActor final class SystemLink {
    private let session: AppSession
    private let environment: AppEnvironment
    private let onMessage: @MainActor (SystemMessage) -> Void

    private var connections: [Connection] = []
    private var connectedAt: UInt64 = 0
    private var retry = Retry()
    private var watch: SocketWatch?
    /// The current connection attempt; a delay that belongs to an older attempt is ignored.
    private var attempt = 0
    private var hasSaidSo = false
    /// Whether a connection has ended, and the rest of the other one is read.
    private var isEnding = false
    /// Whether the main run loop reports data on the connections.
    private var isStarted = false

    init(
        session: AppSession, environment: AppEnvironment, onMessage: @escaping @MainActor (SystemMessage) -> Void
    ) {
        self.session = session
        self.environment = environment
        self.onMessage = onMessage
    }

    private var isUp: Bool { !connections.isEmpty }
    private var isWatching: Bool { watch?.isArmed == true }

    /// Connects, or arranges to connect later. If the connection succeeds at once, handles messages until `isDone`.
    ///
    /// A launch runs its callbacks this way, before the main run loop begins. So the launch does not wait for the start
    /// of the run loop, which for example needs a Dispatch thread.
    func connect(receivingUntil isDone: () -> Bool) {
        connect()
        while !isDone(), let callbacks = connections.first { callbacks.waitAndRead() }
        for connection in connections { connection.start() }
        isStarted = true
    }

    private func connect() {
        guard !isUp else { return }
        attempt += 1
        let path = environment.socket
        do throws(SocketError) {
            let callbacks = try StreamSocket(connectingTo: path)
            let requests: StreamSocket
            do throws(SocketError) {
                requests = try StreamSocket(connectingTo: path)
            } catch {
                callbacks.close()
                throw error
            }
            let pair = links(callbacks: callbacks, requests: requests)
            do throws(SocketError) {
                try session.introduce(
                    callbacks: callbacks, requests: requests, buffer: pair[0].buffer, token: environment.token)
            } catch {
                session.forgetConnection()
                for connection in pair { connection.close() }
                throw error
            }
            isConnected(pair)
        } catch {
            sayOnce("\(error)")
            // The socket may have appeared before the watch did, so look once more. After that, if only a change at the
            // path can help, the watch alone waits for it: no timer runs.
            let wasWatching = isWatching
            watchForSocket()
            if !wasWatching || !retry.isFutile(after: error.errno) { tryAgain() }
        }
    }

    private func isConnected(_ pair: [Connection]) {
        connectedAt = DispatchTime.now().uptimeNanoseconds
        watch?.cancel()
        watch = nil
        if hasSaidSo { AppLog.write("Roost: connected again.") }
        hasSaidSo = false
        connections = pair
        if isStarted { for connection in connections { connection.start() } }
    }

    /// The connections for callbacks and for requests, which nothing reads yet.
    private func links(callbacks: StreamSocket, requests: StreamSocket) -> [Connection] {
        let onEnd: @MainActor (String) -> Void = { [unowned self] why in isLost(why) }
        return [
            Connection(
                callbacks,
                onMessage: { [unowned self] message throws(WireError) in
                    let reply = try VarlinkReply(message)
                    if reply.error != nil { return isRefused(reply) }
                    onMessage(try SystemMessage(reply))
                }, onEnd: onEnd),
            Connection(
                requests,
                onMessage: { [unowned self] message throws(WireError) in
                    let reply = try VarlinkReply(message)
                    if reply.error != nil { isRefused(reply) }
                }, onEnd: onEnd),
        ]
    }

    private func isLost(_ why: String) {
        guard isUp, !isEnding else { return }
        // The other connection may have messages from before the end.
        isEnding = true
        for connection in connections { connection.readRest() }
        isEnding = false
        guard isUp else { return }
        disconnect()
        sayOnce(why)
        tryAgain()
    }

    private func isRefused(_ reply: VarlinkReply) {
        disconnect()
        sayOnce("it refused the connection: \(reply.error ?? "")")
        // Only another system can accept an unknown token, and that system creates a new socket.
        if AppRefusal(reply) == .unknownToken { watchForSocket() }
        if !isWatching { tryAgain() }
    }

    private func disconnect() {
        session.forgetConnection()
        for connection in connections { connection.close() }
        connections = []
        retry.lost(after: DispatchTime.now().uptimeNanoseconds - connectedAt)
    }

    private func tryAgain() {
        let expected = attempt
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(retry.next())) { [self] in
            MainActor.assumeIsolated {
                if attempt == expected { connect() }
            }
        }
    }

    /// Starts watching, if possible.
    private func watchForSocket() {
        guard !isWatching else { return }
        watch?.cancel()
        watch = SocketWatch(path: environment.socket) { [unowned self] in
            retry.reset()
            connect()
        }
    }

    private func sayOnce(_ why: String) {
        guard !hasSaidSo else { return }
        hasSaidSo = true
        AppLog.write("Roost: the system is unreachable (\(why)); the app keeps running and reconnects when it can.")
    }
}
