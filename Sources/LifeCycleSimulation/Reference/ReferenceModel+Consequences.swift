import LifeCycleModel
import LifeCyclePolicy

/// The consequences of the facts: the next callback, a freeze or a thaw, another state.
extension ReferenceModel {
    /// Draws consequences one by one until no consequence is left. The foreground app goes first.
    mutating func drawConsequences(at now: Nanoseconds) {
        var isDrawn = true
        while isDrawn {
            isDrawn = foregroundApp.flatMap(index).map { drawOne($0, at: now) } ?? false
            for index in apps.indices where !isDrawn && apps[index].launch != nil {
                isDrawn = drawOne(index, at: now)
            }
        }
        for index in apps.indices {
            guard let launch = apps[index].launch else { continue }
            move(index, to: launch.state(said: apps[index].state), of: launch.id)
        }
        keepAwake()
    }

    private mutating func drawOne(_ index: Int, at now: Nanoseconds) -> Bool {
        guard let launch = apps[index].launch else { return false }
        if launch.stage == .alive, launch.outstanding == nil, let next = due(index, launch) {
            apply(next, index, at: now)
            return true
        }
        let isHeld = !launch.holds(isWanted: isWanted(index)).isEmpty
        if isHeld, launch.isSuspendedOrAboutToBe {
            thaw(index)
            return true
        }
        if !isHeld, !launch.isSuspendedOrAboutToBe, !launch.isGoing {
            freeze(index, at: now)
            return true
        }
        return false
    }

    mutating func freeze(_ index: Int, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        apps[index].launch?.freezeCount += 1
        apps[index].launch?.ice = .freezing(until: now + policy.freeze)
        apps[index].launch?.thawDue = nil
        news.append(.suspending(launch.id))
        done.append(.launch(launch.id, .freeze(attempt: launch.freezeCount + 1)))
    }

    // MARK: The next callback

    enum Due: Hashable {
        case callback(Callback)
        /// `didBecomeActive`, while another app is active.
        case transientActivation
        case end(TerminationReason)
        /// The app is notified of scene sessions that the user closed (T18).
        case discard
        /// An event without a completion handler is delivered.
        case event
    }

    /// The next callback or consequence, if no callback is outstanding (section 1.3); nil if nothing is due yet.
    private func due(_ index: Int, _ launch: ReferenceLaunch) -> Due? {
        let isInForeground = isWanted(index)
        let isInterrupted = isInterrupted(index)
        let hasDiscardedScenes = !apps[index].sessions.nextDiscarded.isEmpty && !launch.isAdopted
        if launch.ending != nil {
            // T16, T18, T20: the app becomes inactive first, and is notified of closed scene sessions.
            if launch.phase == .active { return .callback(.willResignActive) }
            if hasDiscardedScenes, launch.phase != .starting { return .discard }
            return .callback(.willTerminate)
        }
        switch launch.phase {
        case .starting:
            return nil
        case .rising:
            if let tap = launch.pendingTap { return .callback(tap) }
            // the rise is always completed. If the app is no longer wanted, it does not wait for another app.
            if isActivityFree(for: index) { return .callback(.didBecomeActive) }
            return isInForeground ? nil : .transientActivation
        case .active:
            let isToResign = !isInForeground || isInterrupted || launch.isActivationTransient
            return isToResign ? .callback(.willResignActive) : aside(index, launch)
        case .falling:
            if !isInForeground { return launch.exitsOnSuspend ? .end(.exitsOnSuspend) : .callback(.didEnterBackground) }
            if let tap = launch.pendingTap { return .callback(tap) }
            if isInterrupted { return aside(index, launch) }
            return isActivityFree(for: index) ? .callback(.didBecomeActive) : nil
        case .background:
            if launch.isExpiryPending, !isInForeground { return .callback(.expireTasks) }
            // A suspended app is not woken only for news.
            let isCalled = launch.pendingCalls.contains { $0.place == .anywhere }
            let isToRun =
                isInForeground || launch.isDidEnterBackgroundPending || launch.awaitsEvent || isCalled
                || !launch.holds(isWanted: isInForeground).isEmpty
            if launch.isSuspendedOrAboutToBe, !isToRun { return nil }
            if let news = news(index, launch) { return news }
            if isInForeground { return .callback(.willEnterForeground) }
            if launch.isDidEnterBackgroundPending { return .callback(.didEnterBackground) }
            if launch.awaitsEvent { return .event }
            return aside(index, launch)
        }
    }

    private func news(_ index: Int, _ launch: ReferenceLaunch) -> Due? {
        guard let sentFacts = launch.sentFacts, !launch.isAdopted else { return nil }
        let facts = facts(for: index)
        return facts == sentFacts ? nil : .callback(.deviceChanged(facts))
    }

    /// The next callback that does not change the phase.
    private func aside(_ index: Int, _ launch: ReferenceLaunch) -> Due? {
        if launch.isAdopted { return nil }
        if let news = news(index, launch) { return news }
        if !apps[index].sessions.nextDiscarded.isEmpty { return .discard }
        if let call = launch.nextCall { return .callback(call) }
        if launch.isMemoryWarningPending { return .callback(.memoryWarning) }
        let isReclaimed = launch.isDisconnectionPending && launch.isSceneConnected && launch.phase == .background
        return isReclaimed ? .callback(.disconnectScene) : nil
    }

    private mutating func apply(_ due: Due, _ index: Int, at now: Nanoseconds) {
        switch due {
        case .end(let reason): beginEnd(index, reason)
        case .event:
            apps[index].launch?.awaitsEvent = false
            apps[index].launch?.wakeUntil = now + policy.eventSlice
        case .discard: call(index, .discardScenes(apps[index].sessions.nextDiscarded), at: now)
        case .transientActivation:
            apps[index].launch?.isActivationTransient = true
            call(index, .didBecomeActive, at: now)
        case .callback(let callback): call(index, callback, at: now)
        }
    }

    // MARK: Callbacks

    func outstanding(
        _ callback: Callback, id: CallbackID = CallbackID(1), remainingRiseTime: Nanoseconds? = nil, at now: Nanoseconds
    ) -> ReferenceLaunch.Outstanding {
        let limit: Nanoseconds
        var isRemarkDue = false
        switch callback {
        case .launch:
            limit = policy.launch
            isRemarkDue = policy.launchWarning < policy.launch
        case .willResignActive: limit = policy.resignActive
        case .didEnterBackground: limit = policy.enterBackground
        case .willEnterForeground: limit = policy.enterForeground
        case .didBecomeActive: limit = remainingRiseTime ?? policy.otherCallback
        case .expireTasks: limit = policy.expirationHandlers
        case .willTerminate: limit = policy.terminate
        case .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
            limit = policy.otherCallback
        }
        return ReferenceLaunch.Outstanding(
            id: id, callback: callback, since: now, limit: limit, isRemarkDue: isRemarkDue)
    }

    /// Calls the app, which is not suspended until it has returned.
    mutating func call(_ index: Int, _ callback: Callback, at now: Nanoseconds) {
        thaw(index)
        if case .concern(let call) = callback, let launch = apps[index].launch {
            apps[index].launch?.called(call)
            news.append(.called(launch.id, call, isInBackground: isInBackground(index)))
        }
        switch callback {
        case .willEnterForeground: leaveBackground(index)
        case .didEnterBackground:
            apps[index].launch?.isDidEnterBackgroundPending = false
            if apps[index].launch?.phase == .falling {
                enterBackground(index, at: now)
                apps[index].launch?.leaveCallsBehind()
            }
        case .expireTasks: apps[index].launch?.isExpiryPending = false
        case .deviceChanged(let facts): apps[index].launch?.sentFacts = facts
        case .memoryWarning: apps[index].launch?.isMemoryWarningPending = false
        case .disconnectScene: apps[index].launch?.isDisconnectionPending = false
        case .concern(let call): giveHandler(index, with: call, at: now)
        default: break
        }
        guard var launch = apps[index].launch else { return }
        launch.callbackCount += 1
        let id = CallbackID(launch.callbackCount)
        launch.outstanding = outstanding(callback, id: id, remainingRiseTime: launch.remainingRiseTime, at: now)
        launch.remainingRiseTime = nil
        apps[index].launch = launch
        move(index, to: launch.state(said: apps[index].state), of: launch.id)
        if launch.isAdopted {
            answerForAdopted(index, callback, at: now)
        } else {
            done.append(.launch(launch.id, .send(.callback(id, callback))))
        }
    }

    /// An adopted app sends no acknowledgments: its callbacks count as answered, and `willTerminate` is SIGTERM.
    private mutating func answerForAdopted(_ index: Int, _ callback: Callback, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        if case .launch = callback { return }
        guard callback == .willTerminate else { return finishCallback(index, at: now) }
        done.append(.launch(launch.id, .requestExit))
        forgetAll(index)
        apps[index].launch?.stage = .leaving(until: now + policy.adoptedExit)
    }

    /// in the background its time counts.
    private mutating func enterBackground(_ index: Int, at now: Nanoseconds) {
        apps[index].launch?.isOffForeground = true
        news.append(.enteredBackground(apps[index].id))
        startTime(index, at: now)
        if apps[index].launch?.isAdopted == true {
            apps[index].launch?.adoptedUntil = now + policy.adoptedBackgroundTime
        }
    }

    /// In the foreground no time is counted, and no time is needed.
    private mutating func leaveBackground(_ index: Int) {
        guard let launch = apps[index].launch else { return }
        news.append(.enteredForeground(launch.id.app))
        if launch.timeUp != nil { done.append(.launch(launch.id, .send(.backgroundTime(until: nil)))) }
        apps[index].launch?.timeUp = nil
        apps[index].launch?.isExpiring = false
        apps[index].launch?.isOffForeground = false
        for place in launch.work.indices { apps[index].launch?.work[place].until = nil }
        apps[index].launch?.wakeUntil = nil
        apps[index].launch?.adoptedUntil = nil
        apps[index].launch?.awaitsEvent = false
        apps[index].launch?.isDidEnterBackgroundPending = false
        apps[index].launch?.isExpiryPending = false
    }

    /// The outstanding callback has returned.
    mutating func finishCallback(_ index: Int, at now: Nanoseconds) {
        guard var launch = apps[index].launch, let outstanding = launch.outstanding else { return }
        launch.outstanding = nil
        switch outstanding.callback {
        case .launch(let reason):
            launch.lastMove = outstanding.callback
            launch.isSceneConnected = launch.usesScenes && reason == .user
        case .willEnterForeground:
            launch.lastMove = .willEnterForeground
            launch.isSceneConnected = launch.usesScenes
            launch.isDisconnectionPending = false
            launch.remainingRiseTime = max(.milliseconds(1), outstanding.until - now)
        case .didBecomeActive, .didEnterBackground: launch.lastMove = outstanding.callback
        case .willResignActive:
            launch.lastMove = .willResignActive
            launch.isActivationTransient = false
        case .disconnectScene: launch.isSceneConnected = false
        case .discardScenes(let sessions):
            launch.isSceneConnected = false
            apps[index].sessions.reported(sessions)
        case .expireTasks, .deviceChanged, .memoryWarning, .concern:
            break
        case .willTerminate:
            // The exit falls under the limit of `willTerminate`.
            forgetAll(index)
            apps[index].launch?.stage = .leaving(until: outstanding.until)
            return
        }
        apps[index].launch = launch
        move(index, to: launch.state(said: apps[index].state), of: launch.id)
    }

    // MARK: Freezing, states, staying awake

    /// The app runs again. The app is first notified that its background time ended with its suspension.
    mutating func thaw(_ index: Int) {
        guard let launch = apps[index].launch, launch.isSuspendedOrAboutToBe else { return }
        done.append(.launch(launch.id, .thaw))
        news.append(.resumed(launch.id))
        apps[index].launch?.ice = .none
        apps[index].launch?.measurementDue = nil
        if launch.isEndOfTimePending {
            apps[index].launch?.isEndOfTimePending = false
            done.append(.launch(launch.id, .send(.backgroundTime(until: nil))))
        }
    }

    /// The arrows of Apple's figure (section 1.1). No arrow connects active and background.
    private static let arrows: [(from: AppState, to: AppState)] = [
        (.notRunning, .inactive), (.notRunning, .background), (.inactive, .active), (.active, .inactive),
        (.inactive, .background), (.background, .inactive), (.background, .suspended), (.suspended, .background),
        (.inactive, .notRunning), (.active, .notRunning), (.background, .notRunning), (.suspended, .notRunning),
    ]

    /// Decides a state, along the shortest path of arrows.
    mutating func move(_ index: Int, to state: AppState, of launch: LaunchID) {
        guard apps[index].state != state else { return }
        let ways = (1...Self.arrows.count).lazy.compactMap { [from = apps[index].state] length in
            Self.way(from: from, to: state, within: length)
        }
        for next in ways.first ?? [] {
            said.append(.launch(launch, .stateChanged(from: apps[index].state, to: next)))
            apps[index].state = next
        }
    }

    private static func way(from: AppState, to: AppState, within length: Int) -> [AppState]? {
        if arrows.contains(where: { $0 == (from, to) }) { return [to] }
        guard length > 1 else { return nil }
        for arrow in arrows where arrow.from == from && arrow.to != .notRunning {
            if let rest = way(from: arrow.to, to: to, within: length - 1) { return [arrow.to] + rest }
        }
        return nil
    }

    /// on generations in which a task keeps the device awake.
    private mutating func keepAwake() {
        guard policy.tasksKeepDeviceAwake else { return }
        let isKept = apps.contains { $0.launch.map { $0.timeUp != nil && !$0.tasks.isEmpty } ?? false }
        guard isKept != isKeptAwake else { return }
        isKeptAwake = isKept
        done.append(.device(.keepAwake(isKept)))
    }
}
