import LifeCycleModel
import LifeCyclePolicy

/// A launch's beginning and end, and the system's restart.
extension ReferenceModel {
    mutating func launch(_ index: Int, for reason: LaunchReason, hasHandler: Bool = false, at now: Nanoseconds) {
        var launch = newLaunch(index, for: reason)
        said.append(.launch(launch.id, .launched(reason)))
        launch.outstanding = outstanding(.launch(reason), at: now)
        launch.callbackCount = 1
        news.append(.resumed(launch.id))
        if reason != .user { enterBackgroundByLaunch(&launch, hasHandler: hasHandler) }
        done.append(.launch(launch.id, .start(reason)))
        apps[index].launch = launch
    }

    /// T28.
    mutating func prewarm(_ index: Int, at now: Nanoseconds) {
        var launch = newLaunch(index, for: .user)
        said.append(.launch(launch.id, .prewarmed))
        launch.isEarly = true
        launch.stage = .early(isConnected: false)
        launch.outstanding = outstanding(.launch(.user), at: now)
        news.append(.resumed(launch.id))
        done.append(.launch(launch.id, .prewarm))
        apps[index].launch = launch
    }

    private mutating func newLaunch(_ index: Int, for reason: LaunchReason) -> ReferenceLaunch {
        apps[index].launchCount += 1
        let id = LaunchID(app: apps[index].id, number: apps[index].launchCount)
        let manifest = apps[index].manifest
        let launch = ReferenceLaunch(id: id, reason: reason, manifest: manifest, isAdopted: manifest.isAdopted)
        if launch.usesScenes { _ = apps[index].sessions.open() }
        return launch
    }

    /// The process of a prewarmed app is waiting, and the app is launched now.
    mutating func launchPrewarmed(
        _ index: Int, for reason: LaunchReason, hasHandler: Bool = false, at now: Nanoseconds
    ) {
        guard var launch = apps[index].launch, case .early(let isConnected) = launch.stage else { return }
        said.append(.launch(launch.id, .launched(reason)))
        launch.isEarly = false
        launch.stage = .alive
        launch.reason = reason
        launch.outstanding = outstanding(.launch(reason), at: now)
        launch.callbackCount = 1
        if reason != .user { enterBackgroundByLaunch(&launch, hasHandler: hasHandler) }
        apps[index].launch = launch
        guard isConnected else { return }
        thaw(index)
        tellDevice(index)
        news.append(.attached(launch.id, .new))
        done.append(.launch(launch.id, .send(.callback(CallbackID(1), .launch(reason)))))
    }

    /// A launch for any reason but the user goes to the background, where its time counts at once (T02, R-39). The
    /// slice of an event without a handler begins with its delivery, after the callbacks of the launch.
    private mutating func enterBackgroundByLaunch(_ launch: inout ReferenceLaunch, hasHandler: Bool) {
        news.append(.enteredBackground(launch.id.app))
        launch.isOffForeground = true
        launch.isDidEnterBackgroundPending = policy.launchCallsDidEnterBackground
        launch.awaitsEvent = !hasHandler && !launch.isAdopted
    }

    // MARK: The end

    /// Ends the launch. The app is notified if it runs and the reason allows it (T15–T20, X-04).
    mutating func end(_ index: Int, _ reason: TerminationReason) {
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        let isTold =
            launch.isAdopted
            ? getsSIGTERM(reason, isFrozen: launch.isFrozen)
            : !launch.isFrozen && (reason != .forceQuit || policy.forceQuitCallsWillTerminate)
        guard isTold, launch.stage == .alive, launch.phase != .starting else { return kill(index, reason) }
        if launch.ending == nil { beginEnd(index, reason) }
    }

    /// Whether an adopted app receives SIGTERM before it is killed.
    func getsSIGTERM(_ reason: TerminationReason, isFrozen: Bool) -> Bool {
        reason == .memory
            ? !isFrozen || policy.memorySignalsAdopted
            : [.forceQuit, .shutdown, .exitsOnSuspend, .updated].contains(reason)
    }

    mutating func beginEnd(_ index: Int, _ reason: TerminationReason) {
        guard let launch = apps[index].launch else { return }
        said.append(.launch(launch.id, .terminating(reason, open: launch.tasks)))
        apps[index].launch?.ending = reason
        forgetTasks(index)
    }

    /// Kills every process of the launch at once.
    mutating func kill(_ index: Int, _ reason: TerminationReason) {
        guard let launch = apps[index].launch, launch.stage != .killed else { return }
        said.append(.launch(launch.id, .terminating(reason, open: launch.tasks)))
        done.append(.launch(launch.id, .kill(reason)))
        news.append(.killed(launch.id.app, reason))
        apps[index].launch?.stage = .killed
        apps[index].launch?.ending = reason
        apps[index].launch?.thawDue = nil
        forgetAll(index)
    }

    /// Replaces the reason of an end that is under way.
    mutating func file(_ index: Int, under reason: TerminationReason) {
        guard let launch = apps[index].launch, launch.isGoing, launch.ending != reason else { return }
        said.append(.launch(launch.id, .terminating(reason, open: [])))
        apps[index].launch?.ending = reason
    }

    /// A launch that is being ended has no background time.
    private mutating func forgetTasks(_ index: Int) {
        apps[index].launch?.tasks = []
        apps[index].launch?.refusedTasks = []
        apps[index].launch?.timeUp = nil
        apps[index].launch?.isExpiring = false
        apps[index].launch?.isEndOfTimePending = false
        apps[index].launch?.isExpiryPending = false
        apps[index].launch?.isOffForeground = false
    }

    /// Clears everything that is outstanding, and all assertions.
    mutating func forgetAll(_ index: Int) {
        forgetTasks(index)
        news.append(.ending(apps[index].id))
        apps[index].launch?.outstanding = nil
        apps[index].launch?.work = []
        apps[index].launch?.wakeUntil = nil
        apps[index].launch?.adoptedUntil = nil
        apps[index].launch?.locationHold = nil
        apps[index].launch?.audioHold = nil
        apps[index].launch?.isHeldForCall = false
        apps[index].launch?.isHeldForPush = false
        apps[index].launch?.measurementDue = nil
        // A kill reaches frozen processes; a pending freeze is dropped.
        if case .freezing = apps[index].launch?.ice { apps[index].launch?.ice = .none }
    }

    /// The process is gone (T26 and all others).
    mutating func exited(
        _ index: Int, _ status: ExitStatus?, because known: TerminationReason? = nil, at now: Nanoseconds
    ) {
        guard let launch = apps[index].launch else { return }
        // A launch that exits before it is notified has exited by itself, even if an end was planned.
        let isAsPlanned = launch.stage != .alive || launch.outstanding?.callback == .willTerminate
        let planned = isAsPlanned ? launch.ending : nil
        let reason = known ?? planned ?? .exited(status ?? .unknown)
        said.append(.launch(launch.id, .ended(reason, status)))
        apps[index].launch = nil
        news.append(.exited(launch.id, reason))
        if foregroundApp != launch.id.app { news.append(.exitedInBackground(launch.id, reason)) }
        news.append(.ending(launch.id.app))
        recoveringActives.removeAll { $0 == apps[index].id }
        move(index, to: .notRunning, of: launch.id)
        if apps[index].isToBeRemoved {
            remove(index)
        } else if launch.isOpenedAgain, shutdown == .none {
            self.launch(index, for: .user, at: now)
        } else {
            leftForeground(launch.id.app)
        }
    }

    // MARK: The system's restart

    /// The system was killed and started again. Pending duties and running launches remain. Lost are the apps' reports,
    /// the messages to them, and outstanding callbacks.
    mutating func systemRestarted() {
        shutdown = .none
        touchedAt = nil
        isKeptAwake = false
        recoveringActives = []
        concernsRestarted()
        let wanted = apps.indices.first { isWanted($0) }
        for index in apps.indices {
            apps[index].measuredAt = nil
            apps[index].opening = nil
            guard let launch = apps[index].launch else { continue }
            // A prewarmed launch has no record, unless an uninstallation waits for it.
            if launch.isEarly, launch.ending != .uninstalled {
                apps[index].launch = nil
                continue
            }
            let restarted = restarted(launch, apps[index].manifest, isWanted: wanted == index)
            if restarted.wasActive { recoveringActives.append(apps[index].id) }
            apps[index].launch = restarted
            apps[index].state = restarted.isFrozen ? .suspended : wanted == index ? .inactive : .background
        }
        if wanted == nil { foregroundApp = nil }
        sessionsRestarted()
        audioRestarted()
        callsRestarted()
        // It must be known first which launches still run.
        let isAwaited = apps.contains {
            $0.launch != nil && !$0.isToBeRemoved && $0.manifest.backgroundModes.contains(.voip)
        }
        if isAwaited { areConcernsStarted = false }
    }

    private func restarted(
        _ launch: ReferenceLaunch, _ manifest: AppManifest, isWanted: Bool
    ) -> ReferenceLaunch {
        var new = ReferenceLaunch(
            id: launch.id, reason: launch.reason, manifest: manifest, isAdopted: launch.isAdopted)
        new.stage = .recovering(until: nil)
        new.ending = launch.ending
        let isActive = launch.phase == .active || launch.outstanding?.callback == .didBecomeActive
        new.wasActive = isWanted || !launch.isGoing && isActive || launch.wasActive && launch.isRecovering
        new.ice = launch.isFrozen ? .frozen(footprint: 0) : .none
        new.locationHold = launch.isFrozen || launch.isGoing ? nil : holdBeforeRestart(of: launch.id)
        new.isHeldForCall = !launch.isFrozen && !launch.isGoing && voip[launch.id.app]?.launch == launch.id
        return new
    }
}
