import LifeCycleModel
import LifeCyclePolicy

/// The body's part in kept sockets.
extension World {
    fileprivate mutating func perform(_ output: SocketOutput) {
        switch output {
        case .take(let launch, let socket): take(socket, of: launch)
        case .watch(let launch):
            sockets.watch(launch)
            // Data that is there already is reported as well.
            for socket in sockets.reportable where socket.launch == launch && areFaultsOn {
                if random.chance(1, in: 6) { report(socket, in: latency()) }
            }
        case .unwatch(let launch): sockets.unwatch(launch)
        case .close(let launch, let id):
            sockets.close(VirtualSockets.Socket(launch: launch, id: id))
            // A socket that is closed is not reported as taken any longer.
            _ = core.agenda.take { happening in
                if case .adapterReports(.socket(.taken(launch, id, _))) = happening { true } else { false }
            }
        }
    }

    /// Gets a descriptor of an app's socket. The answer takes a while.
    private mutating func take(_ kept: KeptSocket, of launch: LaunchID) {
        let socket = VirtualSockets.Socket(launch: launch, id: kept.id)
        let failure = failure(of: kept, socket)
        if failure == nil { sockets.hold(socket) }
        plan(.adapterReports(.socket(.taken(launch, kept.id, failure))), in: latency())
    }

    /// Why the socket cannot be taken; nil if it can. A negative descriptor is never open.
    private mutating func failure(of kept: KeptSocket, _ socket: VirtualSockets.Socket) -> SocketFailure? {
        guard index(of: socket.launch) != nil else { return .unavailable }
        if kept.descriptor < 0 { return .notOpen }
        if let known = sockets.failure(of: socket) { return known }
        guard areFaultsOn, random.chance(1, in: 5) else { return nil }
        let failures: [SocketFailure] = [.notOpen, .notTCP, .notConnected, .unavailable]
        let failure = failures[random.below(failures.count)]
        sockets.fail(socket, failure)
        return failure
    }

    private mutating func report(_ socket: VirtualSockets.Socket, in span: Nanoseconds) {
        sockets.report(socket)
        let isOver = random.chance(1, in: 6)
        plan(.adapterReports(.socket(.readable(socket.launch, socket.id, isOver: isOver))), in: span)
    }

    /// Data arrives on a watched socket, or its connection ends. Some reports are late: the socket is not watched any
    /// longer, or was never kept.
    mutating func receiveData(for app: AppID) {
        if random.chance(1, in: 8) {
            let id = SocketID(rawValue: Int64(1 + random.below(3)))
            let launch = device.snapshot(of: app)?.launch ?? LaunchID(app: app, number: 1)
            return handle(.concern(.socket(.readable(launch, id, isOver: random.chance(1, in: 2)))))
        }
        let reportable = sockets.reportable
        if !reportable.isEmpty { report(reportable[random.below(reportable.count)], in: .zero) }
    }

    /// The kernel does not watch a socket any longer.
    mutating func loseSocket() {
        let held = sockets.held
        guard !held.isEmpty else { return }
        let lost = held[random.below(held.count)]
        sockets.close(lost)
        handle(.concern(.socket(.taken(lost.launch, lost.id, .unavailable))))
    }

    /// Every app removes its keep-alive handler when it runs next, and sets none any longer. Otherwise the apps would
    /// never be at rest.
    mutating func endKeepAlive() {
        let isOfHandler = { (happening: Happening) in
            if case .requestIsMade(_, .concern(.socket(.setKeepAlive))) = happening { true } else { false }
        }
        _ = core.agenda.take(where: isOfHandler)
        for index in processes.indices {
            processes[index].held.removeAll(where: isOfHandler)
            let (launch, hasHandler) = (processes[index].app.launch, processes[index].app.connections.hasSetKeepAlive)
            processes[index].app.connections.forgoKeepAlive()
            if hasHandler { plan(.requestIsMade(launch, .concern(.socket(.setKeepAlive(nil)))), in: .zero) }
        }
    }
}

extension SocketOutput: SimulatedOutput {
    func perform(in world: inout World) { world.perform(self) }

    func perform(in world: inout SmallWorld) {
        switch self {
        case .take(let launch, let socket): world.handle(.concern(.socket(.taken(launch, socket.id, nil))))
        case .watch, .unwatch, .close: break
        }
    }
}
