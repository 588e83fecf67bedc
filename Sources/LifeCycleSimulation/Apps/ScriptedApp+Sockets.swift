import LifeCycleModel

/// An app's use of kept sockets and of its keep-alive handler, by its behavior profile or its script.
///
/// The app makes the requests itself, as an app in any language may.
extension ScriptedApp {
    /// An app's own account of its sockets and its keep-alive handler.
    struct Connections: Hashable, Sendable {
        /// The sockets that the system shall keep, oldest first.
        var kept: [KeptSocket] = []
        /// The last socket that the system shall not keep any longer. The system may not know that.
        var dropped: SocketID?
        /// The number of sockets that the app has had in this launch.
        var made: Int64 = 0
        /// The time between two calls of the keep-alive handler; nil if there is no handler.
        var keepAlive: Nanoseconds?
        /// Whether the app has ever set or removed a handler.
        var hasSetKeepAlive = false
        /// Whether the app sets no handler any longer.
        private(set) var forgoesKeepAlive = false

        mutating func forgoKeepAlive() { (keepAlive, forgoesKeepAlive) = (nil, true) }
    }

    /// The requests that the app repeats on a new connection.
    var repeatedSocketRequests: [AppRequest] {
        var requests = connections.dropped.map { [SocketRequest.drop($0)] } ?? []
        requests += connections.kept.suffix(2).map { .keep($0) }
        if connections.hasSetKeepAlive { requests.append(.setKeepAlive(connections.keepAlive)) }
        return requests.map { .concern(.socket($0)) }
    }

    // MARK: Requests

    /// Opens a connection that the system shall keep. The sockets of a launch are numbered from 1.
    mutating func keepSocket(descriptor: Int32 = 5, into acts: inout [Act]) {
        connections.made += 1
        let socket = KeptSocket(id: SocketID(rawValue: connections.made), descriptor: descriptor)
        connections.kept.append(socket)
        send(.keep(socket), into: &acts)
    }

    /// Closes the newest connection, if there is one.
    mutating func dropSocket(into acts: inout [Act]) {
        guard let socket = connections.kept.popLast() else { return }
        connections.dropped = socket.id
        send(.drop(socket.id), into: &acts)
    }

    /// Sets the keep-alive handler; nil removes it.
    mutating func setKeepAlive(_ interval: Nanoseconds?, into acts: inout [Act]) {
        if connections.forgoesKeepAlive, interval != nil { return }
        (connections.keepAlive, connections.hasSetKeepAlive) = (interval, true)
        send(.setKeepAlive(interval), into: &acts)
    }

    private func send(_ request: SocketRequest, into acts: inout [Act]) {
        acts.append(.send(.concern(.socket(request))))
    }

    // MARK: By the behavior profile

    /// In the middle of a callback, the app uses sockets or its keep-alive handler, with the mode or without.
    mutating func useSockets(random: inout RandomSource, into acts: inout [Act]) {
        guard profile.connects > 0, random.chance(profile.connects, in: 100) else { return }
        if profile.floods > 0, random.chance(1, in: 20) {
            acts.append(.fault(.flood))
            for _ in 0..<SocketRecord.mostAnswers + 4 { keepSocket(into: &acts) }
            return
        }
        switch random.below(12) {
        case 0: dropSocket(into: &acts)
        // A request that the app's side of RoostKit would not make.
        case 1: send(.drop(SocketID(rawValue: Int64(1 + random.below(4)))), into: &acts)
        case 2: if let socket = connections.kept.last { send(.keep(socket), into: &acts) }
        case 3: setKeepAlive(nil, into: &acts)
        case 4...6:
            let intervals: [Nanoseconds] = [
                .seconds(30), .seconds(100), .seconds(600), .seconds(660), .seconds(3600), .distantFuture,
            ]
            setKeepAlive(intervals[random.below(intervals.count)], into: &acts)
        default: keepSocket(into: &acts)
        }
    }
}
