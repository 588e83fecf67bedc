import LifeCycleModel

/// A launch with kept sockets or a keep-alive handler.
struct SocketClient: Hashable, Sendable, Codable {
    /// The answer to a request to keep a socket.
    struct Answer: Hashable, Sendable, Codable {
        let socket: SocketID
        let failure: SocketFailure?
    }

    /// The record that is persisted.
    var record: SocketRecord
    /// The sockets that the app asked for, and that the system does not have yet.
    var asked: [KeptSocket] = []
    /// The answers that the app has not been sent.
    var answers: [Answer] = []
    /// Whether the sockets are watched, because the app is suspended.
    var isWatched = false
    /// The sockets whose connections have ended while the app was suspended. They are closed as soon as the app runs.
    var over: [SocketID] = []
    /// Whether the app has not connected since the restart of the system. It repeats its requests then.
    var isReconnecting = false
    /// Whether a socket can be read, or is lost, and the app was not woken for it yet.
    var isReadable = false
    /// Whether the launch rules have refused that wake.
    var isRefused = false
    /// The beginning of the interval between two calls of the keep-alive handler, on the awake clock; nil if there is
    /// no handler, or while the app is in the foreground.
    var keepAliveSince: Nanoseconds?

    init(launch: LaunchID) { record = SocketRecord(launch: launch) }
    /// The launch had these sockets before a restart of the system.
    init(restoring record: SocketRecord) { (self.record, isReconnecting) = (record, true) }

    /// Whether nothing is left to be done for the launch, and nothing to be remembered.
    var isEmpty: Bool { record.isEmpty && asked.isEmpty && answers.isEmpty && !isReadable }
}
