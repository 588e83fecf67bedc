/// A request of an app about its kept sockets and its keep-alive handler.
public enum SocketRequest: Hashable, Sendable, Codable {
    /// The system shall watch a socket while the app is suspended. Answered by `SocketNews.kept`. A repeated request
    /// may name another descriptor of the socket.
    case keep(KeptSocket)
    /// The system shall not watch the socket any longer: the app is about to close it.
    case drop(SocketID)
    /// `setKeepAliveTimeout(_:handler:)` with the time between two calls; nil for `clearKeepAliveTimeout()`.
    case setKeepAlive(Nanoseconds?)
}

/// A report of the watch of sockets.
public enum SocketInput: Hashable, Sendable, Codable {
    /// The system has a descriptor of the launch's socket, or the failure is the reason why not.
    case taken(LaunchID, SocketID, SocketFailure?)
    /// A watched socket can be read. With `isOver`, the peer has ended or reset the connection.
    case readable(LaunchID, SocketID, isOver: Bool)
}

/// Work for the watch of sockets.
public enum SocketOutput: Hashable, Sendable, Codable {
    /// Get a descriptor of the launch's socket; answered by `taken`.
    case take(LaunchID, KeptSocket)
    /// Report once when one of the launch's sockets can be read or is over, also if that is so already, but the same data
    /// at most `LeftData.mostReports` times.
    case watch(LaunchID)
    /// Report nothing about the launch's sockets.
    case unwatch(LaunchID)
    /// Close the descriptor of a socket.
    case close(LaunchID, SocketID)
}

/// A message to an app about its sockets.
public enum SocketNews: Hashable, Sendable, Codable {
    /// The answer to `keep`: why the system does not watch the socket, or nil if it does. Without a request: the system
    /// has lost the socket, or its connection has ended (`notConnected`).
    case kept(SocketID, SocketFailure?)
}

/// A call of an app's code that concerns its connection.
public enum SocketCall: Hashable, Sendable, Codable, DeliveredCall {
    /// The handler of `setKeepAliveTimeout(_:handler:)`.
    case keepAlive

    /// The names that the app knows the calls by.
    public enum Method: String, CaseIterable {
        case keepAliveHandler = "setKeepAliveTimeout(_:handler:)"
    }

    var method: Method { .keepAliveHandler }
    func handler(of callback: CallbackID) -> CompletionHandler? { nil }
    func replaces(_ older: ConcernCall) -> Bool { older == .socket(self) }
    func withdraws(_ older: ConcernCall) -> Bool { false }
}

extension SocketNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .sockets(of: app) }
    package var isProgress: Bool { false }
}

extension SocketOutput {
    /// The launch that has the sockets.
    package var launch: LaunchID {
        switch self {
        case .take(let launch, _), .watch(let launch), .unwatch(let launch), .close(let launch, _): launch
        }
    }
}

extension SocketOutput: AdapterWork {
    package var subjectBuiltUpon: RecordSubject? { nil }
    package var subjectInOrder: RecordSubject? { nil }
}
