import LifeCycleModel
import LifeCyclePolicy

/// Kept sockets in the reference model.
extension ReferenceModel {
    mutating func handleSocketNews(_ news: ReferenceNews) {
        switch news {
        case .removed(let app):
            sockets.endLaunch(of: app)
            sockets.ended.removeAll { $0 == app }
            sockets.launches.removeAll { $0.app == app }
            sockets.delayed.removeAll { $0.app == app }
            sockets.wakes.removeAll { $0.app == app }
        case .ending(let app): sockets.endLaunch(of: app)
        case .exitedInBackground(let launch, let reason): endedInBackground(launch.app, reason)
        case .forceQuit(let app): sockets.delayed.removeAll { $0.app == app }
        case .deviceStarted: (sockets.ended, sockets.delayed) = ([], [])
        case .attached(let launch, _):
            sockets.answers.removeAll { $0.launch == launch }
            sockets.absent.removeAll { $0 == launch }
        case .requested(let launch, .socket(let request)): requestSockets(request, launch)
        case .reported(.socket(.taken(let launch, let id, let failure))): socketTaken(id, launch, failure)
        case .reported(.socket(.readable(let launch, let id, let isOver))): socketReadable(id, launch, isOver: isOver)
        default: break
        }
    }

    private mutating func requestSockets(_ request: SocketRequest, _ launch: LaunchID) {
        guard let index = index(of: launch.app), let present = apps[index].launch, present.id == launch,
            !present.isGoing
        else { return said.append(.launch(launch, .ignoredLate)) }
        let hasMode = apps[index].manifest.backgroundModes.contains(.voip)
        switch request {
        case .keep(let socket): keepSocket(socket, launch, hasMode: hasMode)
        case .drop(let id): dropSocket(id, launch)
        case .setKeepAlive(let interval): setKeepAlive(interval, launch, hasMode: hasMode)
        }
    }

    private mutating func keepSocket(_ socket: KeptSocket, _ launch: LaunchID, hasMode: Bool) {
        let descriptors = sockets.records.filter { $0.launch == launch }.flatMap(\.sockets)
        if sockets.isKept(socket.id, launch) {
            if !descriptors.contains(socket) {
                sockets.keep(launch) { record in
                    record.sockets = record.sockets.map { $0.id == socket.id ? socket : $0 }
                }
            }
            return sockets.answer(socket.id, nil, launch)
        }
        // The answer to the first request is also that to the second.
        if let place = sockets.asked.firstIndex(where: { $0.launch == launch && $0.socket.id == socket.id }) {
            sockets.asked[place] = ReferenceSockets.Asked(launch: launch, socket: socket)
            return
        }
        let owners = sockets.owners
        let isFull =
            Int64(owners.count { $0 == launch }) >= policy.voipSockets
            || Int64(owners.count) >= policy.voipSocketsInAll
        guard hasMode, !isFull else {
            let failure: SocketFailure = hasMode ? .tooMany : .modeNotDeclared
            sockets.said.append(.notKept(launch, socket.id, failure))
            return sockets.answer(socket.id, failure, launch)
        }
        sockets.asked.append(ReferenceSockets.Asked(launch: launch, socket: socket))
        sockets.outputs.append(.take(launch, socket))
    }

    private mutating func dropSocket(_ id: SocketID, _ launch: LaunchID) {
        guard sockets.isKept(id, launch) || sockets.isAsked(id, launch) else {
            return said.append(.launch(launch, .ignoredLate))
        }
        sockets.said.append(.dropped(launch, id))
        sockets.outputs.append(.close(launch, id))
        sockets.forget(id, launch)
    }

    // MARK: Reports

    private mutating func socketTaken(_ id: SocketID, _ launch: LaunchID, _ failure: SocketFailure?) {
        let asked = sockets.asked.first { $0.launch == launch && $0.socket.id == id }
        if let failure {
            // The system may also lose a socket, or not get it again after a restart.
            guard asked != nil || sockets.isKept(id, launch) else { return }
            sockets.said.append(.notKept(launch, id, failure))
            sockets.forget(id, launch)
            // A suspended app that has lost its socket is woken.
            let isAsleep = index(of: launch.app).flatMap { apps[$0].launch }?.isSuspendedOrAboutToBe == true
            if isAsleep { isToBeWoken(launch) }
        } else {
            guard let asked else {
                // The descriptor came too late.
                if !sockets.isKept(id, launch) { sockets.outputs.append(.close(launch, id)) }
                return
            }
            sockets.said.append(.kept(launch, id))
            sockets.forget(id, launch)
            sockets.keep(launch) { $0.sockets.append(asked.socket) }
        }
        sockets.answer(id, failure, launch)
    }

    private mutating func socketReadable(_ id: SocketID, _ launch: LaunchID, isOver: Bool) {
        guard sockets.watched.contains(launch), sockets.isKept(id, launch) else { return }
        sockets.said.append(.readable(launch, id, isOver: isOver))
        isToBeWoken(launch)
        let ended = ReferenceSockets.Asked(launch: launch, socket: KeptSocket(id: id, descriptor: 0))
        if isOver, !sockets.over.contains(ended) { sockets.over.append(ended) }
    }

    private mutating func isToBeWoken(_ launch: LaunchID) {
        sockets.readable.removeAll { $0 == launch }
        sockets.readable.append(launch)
        sockets.refused.removeAll { $0 == launch }
    }

    // MARK: The end of an event

    /// After a restart of the system, it gets the sockets of the launches that still run.
    mutating func takeSocketsAgain() {
        guard sockets.isRestarted else { return }
        sockets.isRestarted = false
        for record in sockets.records { sockets.outputs += record.sockets.map { .take(record.launch, $0) } }
    }

    mutating func settleSockets(of app: AppID) {
        guard let index = index(of: app), let launch = apps[index].launch, !launch.isGoing,
            sockets.records.allSatisfy({ $0.launch.app != app || $0.launch == launch.id })
        else { return sockets.endLaunch(of: app) }
        watchSockets(launch)
        wakeForSockets(launch.id, index)
        // A suspended app is sent the answers when it runs again.
        if launch.isSuspendedOrAboutToBe || sockets.absent.contains(launch.id) { return }
        for answer in sockets.answers where answer.launch == launch.id {
            let news = SocketNews.kept(answer.socket, answer.failure)
            sockets.messages.append(ReferenceSockets.Message(launch: launch.id, news: news))
        }
        sockets.answers.removeAll { $0.launch == launch.id }
    }

    /// The sockets are watched as long as the app is frozen. A running app reads them by itself.
    private mutating func watchSockets(_ launch: ReferenceLaunch) {
        if !launch.isSuspendedOrAboutToBe {
            sockets.readable.removeAll { $0 == launch.id }
            sockets.refused.removeAll { $0 == launch.id }
            for ended in sockets.over where ended.launch == launch.id {
                sockets.outputs.append(.close(launch.id, ended.socket.id))
                sockets.forget(ended.socket.id, launch.id)
                sockets.answer(ended.socket.id, .notConnected, launch.id)
            }
        }
        let hasSockets = sockets.records.contains { $0.launch == launch.id && !$0.sockets.isEmpty }
        let isWatched = sockets.watched.contains(launch.id)
        if hasSockets, launch.isFrozen {
            if isWatched { return }
            sockets.watched.append(launch.id)
            sockets.outputs.append(.watch(launch.id))
        } else if isWatched {
            sockets.watched.removeAll { $0 == launch.id }
            sockets.outputs.append(.unwatch(launch.id))
        }
    }

    private mutating func wakeForSockets(_ launch: LaunchID, _ index: Int) {
        guard sockets.readable.contains(launch) else { return }
        let obstacles = obstacles(index, .voip)
        if !obstacles.isEmpty {
            // The wake follows as soon as the rules allow it. Only the first refusal is on record.
            guard !sockets.refused.contains(launch) else { return }
            sockets.refused.append(launch)
            return refuseVoIPWake(launch.app, obstacles)
        }
        sockets.readable.removeAll { $0 == launch }
        let recent = sockets.wakes.count { $0.app == launch.app && now < $0.at + policy.voipPeriod }
        if Int64(recent) < policy.voipWakes {
            sockets.wakes.append(ReferenceSockets.Time(app: launch.app, at: now))
            requests.append(.wake(launch.app, .voip, nil))
        } else {
            sockets.wakes.removeAll { $0.app == launch.app }
            requests.append(.kill(launch.app, .wokenTooOften))
        }
    }

    /// A wake for VoIP is refused.
    mutating func refuseVoIPWake(_ app: AppID, _ obstacles: [WakeRefusal]) {
        sockets.obstacles.append(ReferenceSockets.Refused(app: app, obstacles: obstacles))
    }
}
