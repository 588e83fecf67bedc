import LifeCycleModel
import LifeCyclePolicy

/// Reports about processes, and messages of apps.
extension ReferenceModel {
    mutating func report(_ event: ProcessEvent, _ index: Int, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        switch event {
        case .started:
            // An adopted app does not acknowledge: its launch callback ends when its process runs.
            guard launch.isAdopted, launch.stage == .alive, launch.phase == .starting else { return }
            if launch.reason != .user { apps[index].launch?.adoptedUntil = now + policy.adoptedBackgroundTime }
            finishCallback(index, at: now)
        case .startFailed(let errno):
            exited(index, nil, because: launch.ending ?? .launchFailed(errno: errno), at: now)
        case .exited(let status): exited(index, status, at: now)
        case .cutOff: exited(index, nil, because: launch.ending ?? .cutOff, at: now)
        case .froze(let attempt, let footprint):
            guard case .freezing = launch.ice, attempt == launch.freezeCount else {
                return said.append(.launch(launch.id, .ignoredLate))
            }
            froze(index, footprint: footprint, at: now)
        case .freezeFailed(let attempt, _):
            guard case .freezing = launch.ice, attempt == launch.freezeCount else {
                return said.append(.launch(launch.id, .ignoredLate))
            }
            kill(index, .notFreezable)
        case .thawed:
            guard launch.isFrozen, launch.stage != .killed else { return said.append(.launch(launch.id, .ignoredLate)) }
            said.append(.launch(launch.id, .thawedFromOutside))
            apps[index].launch?.measurementDue = nil
            freeze(index, at: now)
        case .thawFailed(let errno):
            guard !launch.isSuspendedOrAboutToBe, launch.thawDue == nil, launch.stage != .killed else {
                return said.append(.launch(launch.id, .ignoredLate))
            }
            said.append(.launch(launch.id, .thawFailed(errno: errno)))
            apps[index].launch?.thawDue = now + policy.thawRetry
        case .footprintMeasured(let size):
            if launch.isFrozen { apps[index].launch?.ice = .frozen(footprint: max(0, size)) }
        case .containerMeasured(let size):
            if let most = policy.containerSize, size > most { kill(index, .tooMuchDisk) }
        case .found(let isFrozen): found(index, isFrozen: isFrozen, at: now)
        }
    }

    mutating func received(_ event: AppEvent, _ index: Int, at now: Nanoseconds) {
        switch event {
        case .attached(let attachment): attached(index, attachment, at: now)
        case .requested(let request): requested(index, request, at: now)
        }
    }

    /// The app is suspended. Its background time is over, without notice to it (T04).
    private mutating func froze(_ index: Int, footprint: Int64, at now: Nanoseconds) {
        apps[index].launch?.ice = .frozen(footprint: max(0, footprint))
        if apps[index].launch?.timeUp != nil { apps[index].launch?.isEndOfTimePending = true }
        apps[index].launch?.timeUp = nil
        apps[index].launch?.isExpiring = false
        measureContainer(index, at: now)
    }

    /// Measures the container, unless it was measured a short time ago.
    private mutating func measureContainer(_ index: Int, at now: Nanoseconds) {
        guard policy.containerSize != nil, let launch = apps[index].launch else { return }
        if let last = apps[index].measuredAt, now < last + policy.containerPause {
            apps[index].launch?.measurementDue = last + policy.containerPause
        } else {
            apps[index].measuredAt = now
            done.append(.launch(launch.id, .measureContainer))
        }
    }

    /// The launch was found after the system's restart.
    private mutating func found(_ index: Int, isFrozen: Bool, at now: Nanoseconds) {
        guard let launch = apps[index].launch, launch.isRecovering else {
            return said.append(
                .launch(apps[index].launch?.id ?? LaunchID(app: apps[index].id, number: 0), .ignoredLate))
        }
        said.append(.launch(launch.id, .foundAgain(isFrozen: isFrozen)))
        let wantsFront = isWanted(index)
        apps[index].launch?.ice = isFrozen ? .frozen(footprint: 0) : .none
        if isFrozen {
            apps[index].launch?.locationHold = nil
            // The foreground app connects all the same.
            if !wantsFront { forgetAudioHold(index) }
            apps[index].launch?.isHeldForCall = false
        }
        if isFrozen || launch.isAdopted { recoveringActives.removeAll { $0 == launch.id.app } }
        if let reason = launch.ending {
            guard launch.isAdopted, getsSIGTERM(reason, isFrozen: isFrozen) else { return kill(index, reason) }
            apps[index].launch?.stage = .alive
            apps[index].launch?.lastMove = .didEnterBackground
            return beginEnd(index, reason)
        }
        if launch.isAdopted {
            apps[index].launch?.stage = .alive
            let isRising = wantsFront && !isFrozen
            apps[index].launch?.lastMove = isRising ? .willEnterForeground : .didEnterBackground
            apps[index].launch?.isOffForeground = !isRising
            if !isRising { news.append(.enteredBackground(launch.id.app)) }
        } else if !isFrozen || wantsFront {
            apps[index].launch?.stage = .recovering(until: now + policy.reconnect)
        }
        if isFrozen, foregroundApp != launch.id.app { news.append(.enteredBackground(launch.id.app)) }
        if isFrozen, !wantsFront { measureContainer(index, at: now) }
    }

    // MARK: Connections

    mutating func tellDevice(_ index: Int) {
        guard let launch = apps[index].launch, !launch.isSuspendedOrAboutToBe, !launch.isGoing else { return }
        let facts = facts(for: index)
        apps[index].launch?.sentFacts = facts
        if case .deviceChanged = launch.outstanding?.callback {
            apps[index].launch?.outstanding?.callback = .deviceChanged(facts)
        }
        done.append(.launch(launch.id, .send(.device(facts))))
    }

    private mutating func attached(_ index: Int, _ attachment: Attachment, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        switch launch.stage {
        case .killed, .leaving: said.append(.launch(launch.id, .ignoredLate))
        case .early:
            apps[index].launch?.stage = .early(isConnected: true)
            apps[index].launch?.outstanding = nil
        case .recovering:
            reconnected(index, attachment, at: now)
        case .alive:
            tellDevice(index)
            news.append(.attached(launch.id, attachment))
            if attachment.phase != .starting, launch.ending == nil { declare(index, attachment.open, at: now) }
            defer { declareEvents(index, attachment) }
            guard let outstanding = apps[index].launch?.outstanding else { return sayTime(index) }
            if attachment.lastCallback >= outstanding.id { return finishCallback(index, at: now) }
            sayTime(index)
            done.append(.launch(launch.id, .send(.callback(outstanding.id, outstanding.callback))))
        }
    }

    /// Sends background time and refusals again on a new connection, unless the app is to be suspended at once.
    private mutating func sayTime(_ index: Int) {
        guard let launch = apps[index].launch, !launch.isSuspendedOrAboutToBe, !launch.isGoing else { return }
        if launch.outstanding == nil, launch.holds(isWanted: isWanted(index)).isEmpty { return }
        if let timeUp = launch.timeUp { done.append(.launch(launch.id, .send(.backgroundTime(until: timeUp)))) }
        for task in launch.refusedTasks { done.append(.launch(launch.id, .send(.taskRefused(task)))) }
    }

    /// The app has come back, and continues from the phase that it reports.
    private mutating func reconnected(_ index: Int, _ attachment: Attachment, at now: Nanoseconds) {
        guard var launch = apps[index].launch else { return }
        launch.stage = .alive
        launch.wasActive = false
        launch.lastMove =
            switch attachment.phase {
            case .starting: nil
            case .rising: .willEnterForeground
            case .active: .didBecomeActive
            case .falling: .willResignActive
            case .background: .didEnterBackground
            }
        launch.keepsScreenOn = attachment.isIdleTimerDisabled
        launch.isSceneConnected = attachment.isSceneConnected
        launch.callbackCount = attachment.lastCallback.rawValue
        if launch.reason != .user, attachment.lastCallback <= CallbackID(1) {
            // The app has received no callback but the launch (T02, R-127).
            launch.isDidEnterBackgroundPending = policy.launchCallsDidEnterBackground
            let withHandler: [LaunchReason] = [.backgroundFetch, .remoteNotification, .newsstand, .urlSession]
            if !withHandler.contains(launch.reason), !isWanted(index) { launch.awaitsEvent = true }
        }
        recoveringActives.removeAll { $0 == launch.id.app }
        launch.isActivationTransient = attachment.phase == .active && isSomeoneElseActive(index)
        apps[index].launch = launch
        if attachment.phase == .background {
            for event in attachment.openEvents.suffix(OpenEvent.most) {
                work(index, on: .event(event), isBlamed: true, isAwaited: true, at: now)
            }
            goOnWithSessions(index, at: now)
        }
        tellDevice(index)
        news.append(.attached(launch.id, attachment))
        // A suspended app that another process thawed is sent nothing.
        if attachment.phase == .background, !launch.isSuspendedOrAboutToBe {
            done.append(.launch(launch.id, .send(.backgroundTime(until: nil))))
        }
        for task in attachment.open { begin(index, task, at: now) }
        if hasTooManyTasks(index) { return kill(index, .tooManyTasks) }
        // In the background the clock starts for all of the app's tasks.
        let isOffForeground =
            attachment.phase == .background || attachment.phase == .starting && launch.reason != .user
        apps[index].launch?.isOffForeground = isOffForeground
        // Notifications for an app that was thought to be in the foreground are displayed.
        if isOffForeground {
            news.append(.enteredBackground(launch.id.app))
            apps[index].launch?.leaveCallsBehind()
        }
        startTime(index, at: now)
        guard attachment.phase == .starting else { return }
        call(index, .launch(launch.reason), at: now)
    }

    private func isSomeoneElseActive(_ index: Int) -> Bool {
        apps.indices.contains { $0 != index && apps[$0].launch?.holdsActivity == true }
    }

    // MARK: Requests

    private mutating func requested(_ index: Int, _ request: AppRequest, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        if case .concern(.transfer(let session, let act)) = request { return transfer(index, session, act) }
        if case .concern(.notification(.act)) = request { return ask(index, request) }
        if launch.stage != .killed, !isSound(index, at: now) { return kill(index, .tooManyRequests) }
        let hasTime = !launch.isGoing && launch.ending == nil
        switch request {
        case .beginTask(let task):
            guard hasTime else { return said.append(.launch(launch.id, .ignoredLate)) }
            begin(index, task, at: now)
            if hasTooManyTasks(index) { kill(index, .tooManyTasks) }
        case .endTask(let id):
            if hasTime { endTask(index, id) } else { said.append(.launch(launch.id, .ignoredLate)) }
        case .concern(.transfer): break
        case .concern: ask(index, request)
        case .eventHandled(let callback, let result): eventHandled(index, callback, result, at: now)
        case .setIdleTimerDisabled(let isDisabled):
            if launch.stage == .alive { apps[index].launch?.keepsScreenOn = isDisabled }
        case .acknowledge(let id, let open):
            guard launch.stage == .alive, launch.outstanding?.id == id else {
                return said.append(.launch(launch.id, .ignoredLate))
            }
            if hasTime { declare(index, open, at: now) }
            if apps[index].launch?.stage == .alive { finishCallback(index, at: now) }
        }
    }

    private mutating func ask(_ index: Int, _ request: AppRequest) {
        guard let launch = apps[index].launch, case .concern(let request) = request else { return }
        if apps[index].manifest.isAdopted || apps[index].isToBeRemoved {
            said.append(.launch(launch.id, .ignoredLate))
        } else {
            news.append(.requested(launch.id, request))
        }
    }

    /// Whether the app keeps to `requestRate` on average, and to `requestBurst` at once. Each request counts for some
    /// time, one after the other.
    private mutating func isSound(_ index: Int, at now: Nanoseconds) -> Bool {
        guard let rate = policy.requestRate, let launch = apps[index].launch else { return true }
        let each = Nanoseconds(1_000_000_000 / max(1, rate))
        let load = max(.zero, launch.requestLoad - (now - launch.requestedAt)) + each
        guard load.rawValue <= each.rawValue * policy.requestBurst else { return false }
        apps[index].launch?.requestLoad = load
        apps[index].launch?.requestedAt = now
        return true
    }

    // MARK: Tasks

    ///
    mutating func begin(_ index: Int, _ task: BackgroundTask, at now: Nanoseconds) {
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        if launch.tasks.contains(where: { $0.id == task.id }) { return }
        if launch.isTimeUp(lead: policy.expirationLead, at: now) {
            guard !launch.refusedTasks.contains(task.id) else { return }
            apps[index].launch?.refusedTasks = (launch.refusedTasks + [task.id]).sorted()
            said.append(.launch(launch.id, .taskRefused(task)))
            if !launch.isSuspendedOrAboutToBe { done.append(.launch(launch.id, .send(.taskRefused(task.id)))) }
            return
        }
        apps[index].launch?.tasks = (launch.tasks + [task]).sorted { $0.id < $1.id }
        said.append(.launch(launch.id, .taskGranted(task)))
        // A suspended app runs again, and first receives the news that it has missed.
        if launch.isSuspendedOrAboutToBe { drawConsequences(at: now) }
        startTime(index, at: now)
    }

    ///
    private func hasTooManyTasks(_ index: Int) -> Bool {
        guard let cap = policy.taskCap, let launch = apps[index].launch else { return false }
        return launch.tasks.count > cap
    }

    mutating func endTask(_ index: Int, _ id: TaskID) {
        guard let launch = apps[index].launch else { return }
        if launch.tasks.contains(where: { $0.id == id }) {
            apps[index].launch?.tasks.removeAll { $0.id == id }
            said.append(.launch(launch.id, .taskEnded(id, open: launch.tasks.count - 1)))
        } else if launch.refusedTasks.contains(id) {
            apps[index].launch?.refusedTasks.removeAll { $0 == id }
        } else {
            said.append(.launch(launch.id, .unknownTaskEnded(id)))
        }
    }

    /// The app's list of open tasks is authoritative.
    private mutating func declare(_ index: Int, _ open: [BackgroundTask], at now: Nanoseconds) {
        for task in open { begin(index, task, at: now) }
        // Counted before the others are ended: for an instant the app had all of them.
        let isKilled = hasTooManyTasks(index)
        guard let launch = apps[index].launch else { return }
        for task in launch.tasks where !open.contains(where: { $0.id == task.id }) { endTask(index, task.id) }
        apps[index].launch?.refusedTasks.removeAll { id in !open.contains { $0.id == id } }
        if isKilled { kill(index, .tooManyTasks) }
    }

    /// One clock for all tasks, once in each stretch in the background.
    mutating func startTime(_ index: Int, at now: Nanoseconds) {
        guard let launch = apps[index].launch, !launch.isGoing, launch.isOffForeground, launch.timeUp == nil,
            !launch.tasks.isEmpty, launch.unlimitedHolds.isEmpty
        else { return }
        apps[index].launch?.timeUp = now + policy.backgroundTime
        done.append(.launch(launch.id, .send(.backgroundTime(until: now + policy.backgroundTime))))
    }
}
