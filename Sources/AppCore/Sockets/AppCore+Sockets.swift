public import LifeCycleModel

/// The app's kept sockets, and its keep-alive handler.
///
/// The system decides about each socket, and answers each request. The app decides about the handler at once.
extension AppCore {
    /// Asks the system to watch a socket while the app is suspended. The answer is the delivery `kept` with the number
    /// of the request.
    public mutating func keepSocket(_ socket: KeptSocket, as report: SocketReportID, into steps: inout [Step]) {
        concerns.sockets.keep(socket, as: report, into: &steps)
    }

    /// The system shall not watch a socket any longer. An unanswered request for the socket fails. Nothing happens if
    /// the socket is unknown.
    public mutating func dropSocket(_ id: SocketID, into steps: inout [Step]) {
        concerns.sockets.drop(id, into: &steps)
    }

    /// Drops the sockets behind a descriptor, except that with the number `id`: the app has closed them.
    public mutating func dropSockets(at descriptor: Int32, except id: SocketID? = nil, into steps: inout [Step]) {
        concerns.sockets.drop(at: descriptor, except: id, into: &steps)
    }

    /// Sets the time between two calls of the keep-alive handler; nil removes the handler. The least time is that of the
    /// launch context.
    ///
    /// - Returns: Whether the handler will be called. If not, an earlier handler stays, unless the interval is nil.
    @discardableResult public mutating func setKeepAlive(
        _ interval: Nanoseconds?, into steps: inout [Step]
    ) -> Bool {
        if let interval {
            guard let floor = context.keepAliveFloor, interval >= floor else { return false }
        }
        concerns.sockets.setKeepAlive(interval, into: &steps)
        return interval != nil
    }

    /// The number of news about sockets for the app's code.
    public var socketDeliveryCount: Int { concerns.sockets.deliveries.count }

    /// Takes the next news about a socket; nil if there is none.
    public mutating func nextSocketDelivery() -> SocketDelivery? { concerns.sockets.nextDelivery() }
}
