import LifeCycleModel

/// The sockets that the system watches for suspended `voip` apps, their keep-alive handlers, and their launch after an
/// end.
///
/// The system holds a descriptor of each kept socket and never reads from it. While the app is suspended, data or the
/// end of the connection wakes the app, which finds its own descriptor readable. The loss of a socket wakes it, too.
struct Sockets: Hashable, Sendable, Codable {
    var clients = SortedMap<AppID, SocketClient>()
    /// The records of launches that have ended while the system was gone.
    private var ended: [LaunchID] = []
    /// Whether the concern waits for the reports about the launches, after a restart of the system. The sockets of the
    /// records are taken again then, and apps that have ended meanwhile are launched again.
    private var isRestored = false
    /// The apps that have ended in the background and are to be launched again.
    var toLaunch: [AppID] = []
    /// The times at which each app was launched again, on the awake clock.
    var launches = SortedMap<AppID, [Nanoseconds]>()
    /// The apps that have ended too often, and the times on the awake clock at which they are launched.
    var delayed = SortedMap<AppID, Nanoseconds>()
    /// The times at which each app was woken by sockets, on the awake clock. They outlive its launches.
    private var wakes = SortedMap<AppID, [Nanoseconds]>()
    /// Whether something has changed since the apps were last looked at.
    private var isStale = true
    /// The foreground app when the apps were last looked at.
    private var foregroundApp: AppID?
    /// The next time at which a keep-alive handler is due, on the awake clock.
    private var next: Nanoseconds?

    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.sockets {
            if device.liveLaunch(of: record.launch.app) == record.launch {
                clients.set(SocketClient(restoring: record), for: record.launch.app)
            } else {
                ended.append(record.launch)
            }
        }
        let hasLaunches = device.ids.contains { app in
            device.hasProcess(app) && device.manifest(of: app)?.backgroundModes.contains(.voip) == true
        }
        isRestored = hasLaunches || !isEmpty
    }

    var isEmpty: Bool {
        clients.isEmpty && ended.isEmpty && toLaunch.isEmpty && launches.isEmpty && wakes.isEmpty && !isRestored
    }

    func nextDeadline(on device: DeviceState) -> Deadline? {
        let launch = delayed.map(\.value).min()
        guard let time = [next, launch].compactMap({ $0 }).min() else { return nil }
        return Deadline(at: time, reason: time == launch ? .voipLaunch : .keepAlive)
    }

    mutating func becomeStale() { isStale = true }

    mutating func change(_ app: AppID, _ change: (inout SocketClient) -> Void) {
        clients.update(app, change)
        isStale = true
    }

    /// Changes a launch's record, and persists it.
    mutating func keep(_ app: AppID, into actions: inout Actions<Self>, _ change: (inout SocketRecord) -> Void) {
        self.change(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
    }

    // MARK: Requests

    /// The client of a launch that asks for something.
    mutating func begin(_ launch: LaunchID) {
        if clients[launch.app]?.record.launch != launch { clients.set(SocketClient(launch: launch), for: launch.app) }
        isStale = true
    }

    /// An app wants the system to watch a socket.
    mutating func keep(
        _ socket: KeptSocket, of launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let app = launch.app
        // The app repeats its requests after a restart of the system. It may have another descriptor of the socket.
        if let index = clients[app]?.asked.firstIndex(where: { $0.id == socket.id }) {
            return change(app) { $0.asked[index] = socket }
        }
        if let index = clients[app]?.record.sockets.firstIndex(where: { $0.id == socket.id }) {
            let isSame = clients[app]?.record.sockets[index] == socket
            if !isSame { keep(app, into: &actions) { $0.sockets[index] = socket } }
            return answer(socket.id, nil, to: app)
        }
        let held = clients[app].map { $0.record.sockets + $0.asked } ?? []
        let failure: SocketFailure?
        if device.manifest(of: app)?.backgroundModes.contains(.voip) != true {
            failure = .modeNotDeclared
        } else if held.count >= Int(device.policy.voipSockets) || count >= Int(device.policy.voipSocketsInAll) {
            failure = .tooMany
        } else {
            failure = nil
        }
        if let failure {
            actions.explain(.notKept(launch, socket.id, failure))
            return answer(socket.id, failure, to: app)
        }
        change(app) { $0.asked.append(socket) }
        actions.perform(.take(launch, socket))
    }

    private var count: Int { clients.reduce(0) { $0 + $1.value.record.sockets.count + $1.value.asked.count } }

    private mutating func answer(_ socket: SocketID, _ failure: SocketFailure?, to app: AppID) {
        change(app) { client in
            client.answers.removeAll { $0.socket == socket }
            if client.answers.count < SocketRecord.mostAnswers {
                client.answers.append(SocketClient.Answer(socket: socket, failure: failure))
            }
        }
    }

    /// An app is about to close a socket.
    mutating func drop(_ id: SocketID, of launch: LaunchID, into actions: inout Actions<Self>) {
        guard let client = clients[launch.app] else { return }
        let isAsked = client.asked.contains { $0.id == id }
        guard isAsked || client.record.sockets.contains(where: { $0.id == id }) else { return actions.ignore(launch) }
        actions.explain(.dropped(launch, id))
        actions.perform(.close(launch, id))
        change(launch.app) { $0.asked.removeAll { $0.id == id } }
        if !isAsked { keep(launch.app, into: &actions) { $0.sockets.removeAll { $0.id == id } } }
    }

    // MARK: Reports

    /// The system has a descriptor of the socket now, or cannot have one.
    mutating func taken(
        _ id: SocketID, of launch: LaunchID, _ failure: SocketFailure?, on device: DeviceState,
        into actions: inout Actions<Self>
    ) {
        let client = clients[launch.app].flatMap { $0.record.launch == launch ? $0 : nil }
        let asked = client?.asked.first { $0.id == id }
        let isKept = client?.record.sockets.contains { $0.id == id } == true
        guard asked != nil || isKept else {
            // The app has dropped the socket, or has ended.
            if failure == nil { actions.perform(.close(launch, id)) }
            return
        }
        change(launch.app) { $0.asked.removeAll { $0.id == id } }
        if let failure {
            actions.explain(.notKept(launch, id, failure))
            if isKept { keep(launch.app, into: &actions) { $0.sockets.removeAll { $0.id == id } } }
            // Without its socket a suspended app could not be reached any longer.
            if device.isSuspended(launch.app) { change(launch.app) { ($0.isReadable, $0.isRefused) = (true, false) } }
        } else if let asked {
            actions.explain(.kept(launch, id))
            keep(launch.app, into: &actions) { $0.sockets.append(asked) }
        }
        // After a restart of the system, the app may have been answered too early.
        if asked != nil || failure != nil { answer(id, failure, to: launch.app) }
    }

    /// A watched socket can be read. With `isOver`, its connection has ended.
    mutating func readable(_ id: SocketID, of launch: LaunchID, isOver: Bool, into actions: inout Actions<Self>) {
        guard let client = clients[launch.app], client.record.launch == launch, client.isWatched,
            client.record.sockets.contains(where: { $0.id == id })
        else { return }
        actions.explain(.readable(launch, id, isOver: isOver))
        change(launch.app) { client in
            (client.isReadable, client.isRefused) = (true, false)
            if isOver, !client.over.contains(id) { client.over.append(id) }
        }
    }

    /// The app runs, and finds out by itself that these connections have ended. Until then the record has the sockets.
    /// So the app is also woken after a restart of the system.
    private mutating func closeOver(_ app: AppID, into actions: inout Actions<Self>) {
        guard let client = clients[app], !client.over.isEmpty else { return }
        for id in client.over {
            actions.perform(.close(client.record.launch, id))
            keep(app, into: &actions) { $0.sockets.removeAll { $0.id == id } }
            answer(id, .notConnected, to: app)
        }
        change(app) { $0.over = [] }
    }

    /// The app has connected to the system, for the first time or again. It repeats its requests.
    mutating func attached(_ launch: LaunchID) {
        change(launch.app) { ($0.answers, $0.isReconnecting) = ([], false) }
    }

    /// A launch ends. The descriptors of its sockets are closed, because they would keep the connections open.
    mutating func end(of launch: LaunchID, into actions: inout Actions<Self>) {
        guard let client = clients[launch.app], client.record.launch == launch else { return }
        for socket in client.record.sockets + client.asked { actions.perform(.close(launch, socket.id)) }
        if !client.record.isEmpty { actions.persist(.client(SocketRecord(launch: launch))) }
        forget(launch.app)
    }

    /// The app is not installed any longer.
    mutating func removed(_ app: AppID) {
        launches.remove(app)
        delayed.remove(app)
        wakes.remove(app)
        toLaunch.removeAll { $0 == app }
    }

    mutating func forget(_ app: AppID) {
        clients.remove(app)
        isStale = true
        // If this was the last app, the concern is idle now and does not look at the apps again.
        if clients.isEmpty { next = nil }
    }

    // MARK: Settling

    /// Looks at each app again.
    mutating func settleAll(on device: DeviceState, into actions: inout Actions<Self>) {
        let isForegroundSame = foregroundApp == device.foreground.app
        let isDue = nextDeadline(on: device).map { $0.at <= device.awakeNow } ?? false
        guard isStale || !isForegroundSame || isDue else { return }
        (isStale, foregroundApp) = (false, device.foreground.app)
        if isRestored { takeAgain(on: device, into: &actions) }
        launchAgain(on: device, into: &actions)
        for app in clients.keys {
            guard let client = clients[app] else { continue }
            // The launch may have ended while the system was gone.
            if device.liveLaunch(of: app) != client.record.launch {
                end(of: client.record.launch, into: &actions)
                continue
            }
            settleWatch(of: app, on: device, into: &actions)
            wakeForSockets(app, on: device, into: &actions)
            sendAnswers(to: app, on: device, into: &actions)
        }
        callHandlers(on: device, into: &actions)
        for (app, client) in clients where client.isEmpty { clients.remove(app) }
        let since = device.awakeNow - device.policy.voipPeriod
        for (app, times) in wakes where times.allSatisfy({ $0 <= since }) { wakes.remove(app) }
        next = clients.compactMap { $0.value.keepAlive(by: device.policy)?.latest }.min()
    }

    private mutating func takeAgain(on device: DeviceState, into actions: inout Actions<Self>) {
        isRestored = false
        // The next launch may have a record already.
        for launch in ended where clients[launch.app]?.record.isEmpty ?? true {
            actions.persist(.client(SocketRecord(launch: launch)))
        }
        ended = []
        for client in clients.map(\.value) {
            for socket in client.record.sockets { actions.perform(.take(client.record.launch, socket)) }
        }
    }

    /// Sockets are watched while the app is frozen: a running app reads them itself.
    private mutating func settleWatch(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        if !device.isSuspended(app) {
            clients.update(app) { ($0.isReadable, $0.isRefused) = (false, false) }
            closeOver(app, into: &actions)
        }
        guard let client = clients[app] else { return }
        let isWanted = !client.record.sockets.isEmpty && device.isSuspended(app) && !device.isBeingFrozen(app)
        guard isWanted != client.isWatched else { return }
        clients.update(app) { $0.isWatched = isWanted }
        actions.perform(isWanted ? .watch(client.record.launch) : .unwatch(client.record.launch))
    }

    /// Data, the end of a connection or the loss of a socket wakes a suspended app, unless it was woken too often
    ///
    private mutating func wakeForSockets(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.isReadable else { return }
        if let refusal = device.refusal(to: app, for: .voip) {
            if !client.isRefused { actions.refuse(app, .wakeRefused(.voip, refusal)) }
            clients.update(app) { $0.isRefused = true }
            return
        }
        clients.update(app) { $0.isReadable = false }
        let recent = (wakes[app] ?? []).filter { $0 > device.awakeNow - device.policy.voipPeriod }
        if recent.count >= Int(device.policy.voipWakes) {
            // The count begins again. The app is not launched for this end.
            wakes.remove(app)
            actions.kill(app, .wokenTooOften)
        } else {
            wakes.set(recent + [device.awakeNow], for: app)
            actions.wake(app, for: .voip)
        }
    }

    private mutating func sendAnswers(to app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], !client.answers.isEmpty, !device.isSuspended(app), !client.isReconnecting
        else { return }
        for answer in client.answers { actions.send(.kept(answer.socket, answer.failure), to: client.record.launch) }
        clients.update(app) { $0.answers = [] }
    }
}
