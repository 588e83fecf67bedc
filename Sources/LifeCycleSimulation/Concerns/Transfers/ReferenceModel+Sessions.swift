import LifeCycleModel
import LifeCyclePolicy

/// The news that background sessions react to, and the effects on their apps.
extension ReferenceModel {
    mutating func handleSessionNews(_ news: ReferenceNews) {
        lookAtLaunches()
        switch news {
        case .requested(let launch, .transfer(let session, let act)): transfer(launch, session, act)
        case .reported(.transfer(.reported(let report))): received(report)
        case .reported(.transfer(.userAction(let id, let action))): userAction(id, action)
        case .removed(let app): removeSessions(of: app)
        case .opened(let app): openedApp(app)
        case .forceQuit(let app): forceQuitApp(app)
        case .called(let launch, .transfer(.handleEvents(let name)), _):
            if let index = sessions.index(of: launch.app, name) { sessions.sessions[index].call = .made }
        case .attached(let launch, _):
            for index in sessions.indices(of: launch.app) { sessions.sessions[index].lists = [] }
        case .deviceMayDiffer: lookAtDevice()
        default: break
        }
    }

    /// A request arrives. An app that has handled events is free of that work.
    mutating func transfer(_ index: Int, _ session: SessionIdentifier, _ act: TransferAct) {
        guard let launch = apps[index].launch else { return }
        guard !launch.isEarly, !apps[index].manifest.isAdopted, !apps[index].isToBeRemoved else {
            return said.append(.launch(launch.id, .ignoredLate))
        }
        if act == .handled { apps[index].launch?.work.removeAll { $0.handler == .session(session) } }
        news.append(.requested(launch.id, .transfer(session, act)))
    }

    /// The steady clock, which does not stop while the device sleeps or is off.
    var steadyNow: Nanoseconds { now + clocks.sleep + clocks.steadyAhead }
    private var partialsUntil: Nanoseconds { steadyNow + policy.partialsKept }

    // MARK: The apps

    /// Notices launches that are over.
    mutating func lookAtLaunches() {
        for client in sessions.clients {
            guard let index = index(of: client.app) else { continue }
            let launch = apps[index].launch.flatMap { $0.isEarly ? nil : $0.id }
            guard launch != client.launch else { continue }
            if client.launch != nil { sessions.launchEnded(client.app) }
            sessions.changeClient(client.app) { $0.launch = launch }
        }
    }

    /// Whether the launch runs, so that messages can be sent to it.
    func isReachable(_ launch: LaunchID) -> Bool {
        guard let index = index(of: launch.app), let present = apps[index].launch, present.id == launch else {
            return false
        }
        return !present.isEarly && !present.isGoing && !present.isSuspendedOrAboutToBe
    }

    /// Whether the app cannot receive messages, because it does not run or is frozen.
    func isAtRest(_ index: Int) -> Bool {
        guard let launch = apps[index].launch else { return true }
        return !launch.isGoing && (launch.isEarly || launch.isFrozen)
    }

    func allowsRefresh(_ app: AppID) -> Bool {
        index(of: app).map { facts(for: $0).backgroundRefresh == .available } ?? false
    }

    func isRunningInForeground(_ index: Int) -> Bool {
        guard let launch = apps[index].launch, !launch.isEarly, !launch.isGoing else { return false }
        return apps[index].state == .active || apps[index].state == .inactive
    }

    private mutating func removeSessions(of app: AppID) {
        for index in sessions.indices(of: app).reversed() {
            let session = sessions.sessions[index]
            for task in session.tasks {
                sessions.stop(task.record.id)
                sessions.remove(task.record.id)
            }
            sessions.sessions.removeAll { $0.id == session.id }
            sessions.keep(session.id)
        }
        sessions.clients.removeAll { $0.app == app }
    }

    ///
    private mutating func openedApp(_ app: AppID) {
        sessions.changeClient(app) { ($0.wakes, $0.lastWake) = (0, .zero) }
        for index in sessions.indices(of: app) {
            if sessions.sessions[index].record.wakes != nil {
                sessions.sessions[index].record.wakes = nil
                sessions.keep(sessions.sessions[index].id)
            }
            for id in sessions.open(index) where sessions[id]?.record.isFromBackground == true {
                sessions.change(id) { task in
                    task.record.isFromBackground = false
                    if case .delay = task.hold { task.hold = nil }
                }
                sessions.keep(id)
            }
        }
    }

    ///
    private mutating func forceQuitApp(_ app: AppID) {
        let failure = TransferFailure(
            code: -999, reason: "the user swiped the app away", cancelledReason: .userForceQuit)
        for index in sessions.indices(of: app) {
            for id in sessions.open(index) { sessions.fail(id, failure, keepsPartial: true, until: partialsUntil) }
            sessions.sessions[index].record.lastWokenPlace = sessions.sessions[index].lastPlace
            sessions.sessions[index].record.areEventsPending = false
            sessions.sessions[index].call = .none
            sessions.keep(sessions.sessions[index].id)
        }
    }

    // MARK: The device

    private var conditions: ReferenceConditions {
        ReferenceConditions(
            network: device.settings.network, isConnected: isConnected, isMetered: device.settings.isMetered,
            isConstrained: device.settings.lowDataMode, isLow: isBatteryLow, isSaving: device.settings.lowPowerMode)
    }

    mutating func lookAtConditions() { sessions.conditions = conditions }

    private mutating func lookAtDevice() {
        if !sessions.wasShutDown, shutdown != .none {
            sessions.wasShutDown = true
            for id in runningTransfers { sessions.stop(id) }
        }
        let (old, new) = (sessions.conditions, conditions)
        sessions.conditions = new
        if new != old {
            for id in runningTransfers { if let wait = deviceWait(id) { sessions.stop(id, because: wait) } }
            if !old.isOnline, new.isOnline { retryNow() }
        }
        let failure = TransferFailure(
            code: -999, reason: "Background App Refresh is off, and it was begun in the background",
            cancelledReason: .backgroundUpdatesDisabled)
        for index in sessions.sessions.indices where !allowsRefresh(sessions.sessions[index].id.app) {
            for id in sessions.open(index) where sessions[id]?.record.isFromBackground == true {
                sessions.fail(id, failure, keepsPartial: true, until: partialsUntil)
            }
        }
    }

    /// With a network, failed attempts are repeated at once, unless the server asked for a pause.
    private mutating func retryNow() {
        for task in sessions.tasks(where: { $0.stage == .resting }) {
            guard case .retry(_, isAsked: false) = task.hold else { continue }
            sessions.change(task.record.id) { $0.hold = nil }
            sessions.keep(task.record.id)
        }
    }

    var runningTransfers: [TransferID] {
        sessions.tasks(where: \.isRunning).map(\.record.id)
    }

    /// The condition of the device that the task waits for; nil if the task may run.
    func deviceWait(_ id: TransferID) -> TransferWait? {
        guard let task = sessions[id], let index = sessions.index(of: id.session) else { return nil }
        let configuration = sessions.sessions[index].record.configuration
        if task.isForced { return sessions.conditions.isOnline ? nil : .network }
        return sessions.conditions.wait(
            configuration.networks.and(task.record.request.networks),
            isDiscretionary: configuration.isDiscretionary || task.record.isFromBackground, isRelaxed: task.isRelaxed)
    }

    // MARK: Wakes

    /// After the system's restart: before the restart, an app may have been called for a finished session.
    mutating func sessionsRestarted() {
        sessions.conditions = conditions
        for index in sessions.sessions.indices {
            let session = sessions.sessions[index]
            guard let place = self.index(of: session.id.app) else { continue }
            if session.record.isFinishing { sessions.sessions[index].finishedBy = apps[place].launch?.id }
            if session.record.areEventsPending, session.isDone {
                apps[place].launch?.earlierSessions.append(session.record.identifier)
            }
        }
        lookAtLaunches()
    }

    /// Continues the app's work on session events that the system's restart interrupted.
    mutating func goOnWithSessions(_ index: Int, at now: Nanoseconds) {
        for session in apps[index].launch?.earlierSessions ?? [] {
            work(index, on: .session(session), isBlamed: false, isAwaited: true, at: now)
        }
    }

    mutating func isWakeDue(_ index: Int, _ place: Int) -> Bool {
        let session = sessions.sessions[index]
        guard session.isDone, isAtRest(place) else { return false }
        if session.lastPlace > session.record.lastWokenPlace ?? 0, !apps[place].isForceQuit {
            sessions.sessions[index].record.lastWokenPlace = session.lastPlace
            sessions.sessions[index].record.areEventsPending = true
            sessions.sessions[index].isFinishTold = false
            sessions.done.append(session.id)
            sessions.keep(session.id)
        }
        return sessions.sessions[index].record.areEventsPending && session.record.configuration.sendsLaunchEvents
            && session.wakeAt == nil && session.call != .asked && shutdown == .none && !apps[place].manifest.isAdopted
    }

    mutating func wake(_ index: Int, _ place: Int) {
        let session = sessions.sessions[index]
        let reason: LaunchReason = session.record.identifier == .newsstand ? .newsstand : .urlSession
        guard mayWake(place, for: reason) else { return }
        sessions.woken.append(session.id)
        let count = min(session.wakes + 1, 32)
        sessions.sessions[index].call = .asked
        sessions.sessions[index].wakes = count
        // If the app does not finish the events, it is woken again, after longer and longer pauses.
        sessions.sessions[index].wakeAt = steadyNow + pause(afterWakes: count + 1)
        let now = steadyNow
        let isOver = sessions.client(session.id.app).map { now - $0.lastWake >= pause(afterWakes: $0.wakes + 1) }
        sessions.changeClient(session.id.app) { client in
            client.wakes = min((isOver == true ? 0 : client.wakes) + 1, 32)
            client.lastWake = now
        }
        if let client = sessions.client(session.id.app) {
            sessions.sessions[index].record.wakes = TransferWakes(count: client.wakes, last: client.lastWake)
        }
        sessions.keep(session.id)
        requests.append(.wake(apps[place].id, reason, .transfer(.handleEvents(session.record.identifier))))
    }

    /// None after the first wake, then `resumptionDelay`, then four times as long with each wake.
    func pause(afterWakes count: Int32) -> Nanoseconds {
        guard count > 1 else { return .zero }
        var pause = policy.resumptionDelay
        for _ in 2..<count { pause = min(pause + pause + pause + pause, policy.resumptionDelayMost) }
        return min(pause, policy.resumptionDelayMost)
    }

    /// Whether a concern may wake the app, also for a reason that is not reported from outside. Sessions need no mode
    /// but the user's settings apply.
    func mayWake(_ place: Int, for reason: LaunchReason) -> Bool {
        guard obstacles(place, reason).allSatisfy({ $0 == .notAWake }) else { return false }
        guard reason == .urlSession else { return true }
        return !apps[place].isForceQuit && facts(for: place).backgroundRefresh == .available
    }
}
