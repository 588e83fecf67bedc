public import LifeCycleModel

/// The number that the app's side gives to a request to keep a socket, unique in a launch of the app.
public struct SocketReportID: Hashable, Sendable {
    let rawValue: Int64

    /// The request with this number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// News about a kept socket for the app's code.
public enum SocketDelivery: Hashable, Sendable {
    /// The answer to a request: why the system does not watch the socket, or nil if it does.
    case kept(SocketReportID, SocketFailure?)
    /// The system does not watch a kept socket any longer, as after its restart. The end of the connection is not
    /// delivered: the app finds it at its own descriptor.
    case lost(KeptSocket, SocketFailure)
}
