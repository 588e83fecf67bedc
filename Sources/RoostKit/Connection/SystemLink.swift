import Dispatch
import LifeCycleModel
import RoostWire

/// The app's link with the system: two connections that live and die together, and the way back to them.
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
    /// Tells a wait that is over from one that was overtaken.
    private var attempt = 0
    private var hasSaidSo = false
    /// Whether connections are read as the main run loop tells.
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

    /// Connects, or sees to it that this happens once it can; and, where it happens at once, takes what the system says
    /// until `isDone`.
    ///
    /// A launch takes its callbacks this way, before the main run loop begins: what that needs, a thread of Dispatch's
    /// among it, does not hold the launch up.
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
            do throws(SocketError) {
                try session.introduce(callbacks: callbacks, requests: requests, token: environment.token)
            } catch {
                session.forgetConnection()
                callbacks.close()
                requests.close()
                throw error
            }
            isConnected(callbacks: callbacks, requests: requests)
        } catch {
            sayOnce("\(error)")
            // The socket may have appeared before the watch did: one more look is due. Later, what only a change at
            // its path can mend is waited for by the watch alone: no timer runs.
            let wasWatching = isWatching
            watchForSocket()
            if !wasWatching || !retry.isFutile(after: error.errno) { tryAgain() }
        }
    }

    private func isConnected(callbacks: StreamSocket, requests: StreamSocket) {
        connectedAt = DispatchTime.now().uptimeNanoseconds
        watch?.cancel()
        watch = nil
        if hasSaidSo { AppLog.write("Roost: connected again.") }
        hasSaidSo = false
        let onEnd: @MainActor (String) -> Void = { [unowned self] why in isLost(why) }
        connections = [
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
        if isStarted { for connection in connections { connection.start() } }
    }

    private func isLost(_ why: String) {
        guard isUp else { return }
        disconnect()
        sayOnce(why)
        tryAgain()
    }

    private func isRefused(_ reply: VarlinkReply) {
        disconnect()
        sayOnce("it refused the connection: \(reply.error ?? "")")
        // What an unknown token is worth changes only with another system, and that makes its socket anew.
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

    /// Watches, if that is possible now.
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
        AppLog.write("Roost: the system is out of reach (\(why)); the app goes on and connects again when it can.")
    }
}
