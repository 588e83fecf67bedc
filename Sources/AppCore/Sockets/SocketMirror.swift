import LifeCycleModel

/// The app's side of its kept sockets and its keep-alive handler.
struct SocketMirror: AppConcern {
    /// A socket that the system watches, or is to watch.
    private struct Entry: Hashable {
        var socket: KeptSocket
        /// The requests that the system has not answered.
        var reports: [SocketReportID] = []
    }

    /// The most drops that are repeated after a reconnection.
    private static let mostDrops = 8

    private var entries: [Entry] = []
    /// The last sockets that the system has refused or lost. If that message has crossed another request of the app,
    /// the system may watch them again.
    private var former: [SocketID] = []
    /// The last sockets that the app has dropped: the system may have missed that.
    private var drops: [SocketID] = []
    /// The time between two calls of the keep-alive handler; nil if there is no handler.
    private var keepAlive: Nanoseconds?
    /// Whether the app has set a handler in this launch, so that its removal is repeated too.
    private var hasSetKeepAlive = false
    /// The news for the app's code, oldest first.
    private(set) var deliveries: [SocketDelivery] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .received(.socket(.kept(let id, let failure))): answered(id, failure, into: &steps)
        case .connectedAgain: sendAgain(into: &steps)
        case .called, .received: break
        }
    }

    private func send(_ request: SocketRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.socket(request))))
    }

    /// The drops are first: they make room for the other sockets.
    private func sendAgain(into steps: inout [Step]) {
        for id in drops { send(.drop(id), into: &steps) }
        for entry in entries { send(.keep(entry.socket), into: &steps) }
        if hasSetKeepAlive { send(.setKeepAlive(keepAlive), into: &steps) }
    }

    // MARK: Sockets

    /// Asks the system to watch a socket. The answer is a delivery. The system also answers for a socket that it
    /// watches already: its connection may have ended while the app was suspended.
    mutating func keep(_ socket: KeptSocket, as report: SocketReportID, into steps: inout [Step]) {
        drops.removeAll { $0 == socket.id }
        former.removeAll { $0 == socket.id }
        let place = index(of: socket.id) ?? entries.endIndex
        if place == entries.endIndex { entries.append(Entry(socket: socket)) }
        // One answer is for all requests that have come meanwhile.
        if entries[place].reports.isEmpty || entries[place].socket != socket { send(.keep(socket), into: &steps) }
        entries[place].socket = socket
        entries[place].reports.append(report)
    }

    /// The system watches the socket, or does not. Without a request, it has lost the socket, or the connection has
    /// ended.
    private mutating func answered(_ id: SocketID, _ failure: SocketFailure?, into steps: inout [Step]) {
        guard let index = index(of: id) else {
            guard failure == nil, former.contains(id) else { return }
            former.removeAll { $0 == id }
            return send(.drop(id), into: &steps)
        }
        let reports = entries[index].reports
        entries[index].reports = []
        deliveries += reports.map { .kept($0, failure) }
        guard let failure else { return }
        let socket = entries.remove(at: index).socket
        former = former.suffix(Self.mostDrops - 1) + [id]
        // The app finds out by itself that a connection has ended.
        if reports.isEmpty, failure != .notConnected { deliveries.append(.lost(socket, failure)) }
    }

    mutating func drop(_ id: SocketID, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        deliveries += entries.remove(at: index).reports.map { .kept($0, .notOpen) }
        drops.append(id)
        if drops.count > Self.mostDrops { drops.removeFirst() }
        send(.drop(id), into: &steps)
    }

    /// Drops the sockets behind a descriptor, except that with the number `other`.
    mutating func drop(at descriptor: Int32, except other: SocketID?, into steps: inout [Step]) {
        for socket in entries.map(\.socket) where socket.descriptor == descriptor && socket.id != other {
            drop(socket.id, into: &steps)
        }
    }

    private func index(of id: SocketID) -> Int? { entries.firstIndex { $0.socket.id == id } }

    // MARK: Keep-alive

    /// Sets the time between two calls of the handler; nil removes the handler.
    mutating func setKeepAlive(_ interval: Nanoseconds?, into steps: inout [Step]) {
        guard interval != nil || keepAlive != nil else { return }
        (keepAlive, hasSetKeepAlive) = (interval, true)
        send(.setKeepAlive(interval), into: &steps)
    }

    // MARK: Deliveries

    /// The next news; nil if there is none.
    mutating func nextDelivery() -> SocketDelivery? { deliveries.isEmpty ? nil : deliveries.removeFirst() }
}
