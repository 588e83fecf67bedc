import Foundation
import UIKit

/// The phone's line: it connects to the server, stays registered, and connects again after a failure.
/// Main thread only.
@MainActor
final class Line {
    /// The time for which the phone registers, in seconds. The keep-alive handler registers again much earlier.
    private static let registration = 1800
    /// The time for a response to `REGISTER`.
    private static let patience: TimeInterval = 20
    /// The longest pause between two attempts to connect.
    private static let longestPause: TimeInterval = 300
    /// A connection that has lasted this long was a good one: the next pause is short again.
    private static let steady: TimeInterval = 60

    private enum State {
        case idle
        /// A name is looked up.
        case searching(Int)
        case connecting(Connection)
        case open(Connection, SIPStream, SIPAgent)
        case pausing(DispatchWorkItem)
    }

    /// Performs the agent's effects on calls.
    var perform: @MainActor (SIPAgent.Effect) -> Void = { _ in }

    private let documents: URL
    private var state = State.idle
    private var attempts = 0
    private var registeredAt: DispatchTime?
    private var limit: DispatchWorkItem?
    private var task = UIBackgroundTaskIdentifier.invalid

    /// Whether the server has registered the phone on this connection.
    var isRegistered: Bool { registeredAt != nil }
    /// Whether the line lets the app run in the background.
    var isBusy: Bool { task != .invalid }

    init(documents: URL) { self.documents = documents }

    /// Connects now if the phone is not connected.
    func connect() { if case .open = state {} else { refresh() } }

    /// Connects now, or refreshes the registration.
    func refresh() {
        switch state {
        case .idle: dial()
        case .pausing(let retry):
            retry.cancel()
            dial()
        case .searching, .connecting: break
        case .open: change { $0.register(for: Self.registration, into: &$1) }
        }
    }

    /// Lets the agent act, and sends the messages that follow. Returns nil if the phone is not connected.
    @discardableResult
    func change<Value>(_ change: (inout SIPAgent, inout [SIPAgent.Effect]) -> Value) -> Value? {
        guard case .open(let connection, let stream, var agent) = state else { return nil }
        var effects: [SIPAgent.Effect] = []
        let value = change(&agent, &effects)
        state = .open(connection, stream, agent)
        carryOut(effects, over: connection)
        settle()
        return value
    }

    // MARK: Connecting

    private func dial() {
        let server: Server
        do throws(Problem) {
            server = try Server.named(in: documents)
        } catch {
            state = .idle
            release()
            return print("not connected: \(error)")
        }
        attempts += 1
        let attempt = attempts
        state = .searching(attempt)
        hold()
        SocketAddress.find(server) { [weak self] result in
            guard let self, case .searching(attempt) = self.state else { return }
            do throws(Problem) {
                let connection = try Connection(to: try result.get()) { [weak self] event in
                    self?.handle(event, server)
                }
                self.state = .connecting(connection)
            } catch {
                self.pause(error)
            }
        }
    }

    private func handle(_ event: Connection.Event, _ server: Server) {
        switch event {
        case .opened(let address, let port):
            guard case .connecting(let connection) = state else { return }
            let identity = SIPAgent.Identity(user: server.user, domain: server.domain, address: address, port: port)
            state = .open(connection, SIPStream(), SIPAgent(identity: identity))
            change { $0.register(for: Self.registration, into: &$1) }
        // The time of the app may be up just now. If it were suspended between reading and answering, no data would be
        // left that wakes it.
        case .arrived: hold()
        case .received(let bytes): receive(bytes)
        case .idle: settle()
        case .ended(let problem): lose(problem)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        guard case .open(let connection, var stream, var agent) = state else { return }
        var effects: [SIPAgent.Effect] = []
        var fault: Problem?
        stream.receive(bytes)
        do throws(Problem) {
            while let message = try stream.message() { agent.receive(message, into: &effects) }
        } catch {
            fault = error
        }
        state = .open(connection, stream, agent)
        carryOut(effects, over: connection)
        if let fault { close(connection, fault) }
    }

    /// Sends all messages together, and performs the other effects. An effect may lead to further ones.
    private func carryOut(_ effects: [SIPAgent.Effect], over connection: Connection) {
        var bytes: [UInt8] = []
        for case .send(let message) in effects { bytes += message.encoded }
        connection.send(bytes)
        for effect in effects {
            switch effect {
            case .send, .notRegistered: break
            case .registered(let seconds): registered(for: seconds)
            case .ring, .connected, .over: perform(effect)
            }
        }
        // The end of the connection ends a call that has rung before.
        for case .notRegistered(let reason) in effects {
            close(connection, Problem("the server refuses the phone: \(reason)"))
        }
    }

    private func registered(for seconds: Int) {
        print("registered")
        if registeredAt == nil { registeredAt = .now() }
        if seconds < Int(UIMinimumKeepAliveTimeout) { print("the server forgets the phone after \(seconds) s") }
    }

    // MARK: Failures

    private func close(_ connection: Connection, _ problem: Problem) {
        guard case .open(let current, _, _) = state, current === connection else { return }
        connection.close()
        lose(problem)
    }

    /// The connection is over.
    private func lose(_ problem: Problem) {
        var effects: [SIPAgent.Effect] = []
        if case .open(_, _, var agent) = state { agent.connectionEnded(into: &effects) }
        if let registeredAt, .now() >= registeredAt + Self.steady { attempts = 0 }
        registeredAt = nil
        pause(problem)
        for effect in effects { perform(effect) }
    }

    private func pause(_ problem: Problem) {
        let seconds = min(Self.longestPause, pow(2, Double(min(attempts, 10))) / 2)
        print("not connected: \(problem); the next attempt is in \(Int(seconds.rounded(.up))) s")
        let retry = DispatchWorkItem { [weak self] in self?.dial() }
        state = .pausing(retry)
        hold()
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: retry)
        limit?.cancel()
        limit = nil
    }

    // MARK: Time in the background

    /// Lets the app run while the server will soon send something, so that this does not wake the app.
    private func settle() {
        guard case .open(_, _, let agent) = state else { return }
        if agent.isWaiting { hold() } else { release() }
        guard agent.isRegistering else {
            limit?.cancel()
            limit = nil
            return
        }
        guard limit == nil else { return }
        let limit = DispatchWorkItem { [weak self] in
            guard let self, case .open(let connection, _, _) = self.state else { return }
            self.close(connection, Problem("the server does not answer"))
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.patience, execute: limit)
        self.limit = limit
    }

    private func hold() {
        guard task == .invalid else { return }
        task = UIApplication.shared.beginBackgroundTask(withName: "talk to the server") { [weak self] in
            if case .open(let connection, let stream, var agent)? = self?.state {
                agent.giveUpWaiting()
                self?.state = .open(connection, stream, agent)
            }
            self?.release()
        }
    }

    private func release() {
        guard task != .invalid else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
