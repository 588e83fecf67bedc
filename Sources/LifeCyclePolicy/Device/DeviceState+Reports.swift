import LifeCycleModel

/// Reports about processes, and reports and requests of apps.
extension DeviceState {
    mutating func report(
        _ event: ProcessEvent, of launch: LaunchID, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        var signals: [Signal] = []
        switch event {
        case .started:
            apps[slot].lifeCycle.processStarted(into: &signals)
        case .startFailed(let errno):
            // If the launch was already being ended, in the same iteration as its start, that reason counts.
            let reason = apps[slot].lifeCycle.isEnding ? nil : TerminationReason.launchFailed(errno: errno)
            return exited(launch, slot, nil, reason: reason, at: now, into: &effects)
        case .exited(let status):
            return exited(launch, slot, status, at: now, into: &effects)
        case .cutOff:
            // As above, before the restart of the system.
            let reason = apps[slot].lifeCycle.isEnding ? nil : TerminationReason.cutOff
            return exited(launch, slot, nil, reason: reason, at: now, into: &effects)
        case .froze(let attempt, let footprint):
            apps[slot].suspension.froze(
                attempt: attempt, footprint: footprint, launch: launch, into: &signals, effects: &effects)
            let isRight = apps[slot].assertions.isEmpty || !apps[slot].suspension.isFrozen
            rely(on: isRight, else: .suspendedWhileHeld, slot, at: now, into: &effects)
        case .freezeFailed(let attempt, _):
            apps[slot].suspension.freezeFailed(
                attempt: attempt, launch: launch, into: &signals, effects: &effects)
        case .thawed where apps[slot].lifeCycle.isKilled:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        case .thawed:
            if apps[slot].suspension.isFrozen { apps[slot].container.resumed() }
            apps[slot].suspension.thawedFromOutside(launch: launch, policy: policy, at: now, into: &effects)
        case .thawFailed where apps[slot].lifeCycle.isKilled:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        case .thawFailed(let errno):
            apps[slot].suspension.thawFailed(
                errno: errno, launch: launch, policy: policy, at: now, into: &effects)
        case .footprintMeasured(let size): apps[slot].suspension.measured(size)
        case .containerMeasured(let size):
            if let most = policy.containerSize, size > most { signals.append(.killDue(.tooMuchDisk)) }
        case .found where !apps[slot].lifeCycle.isRecovering:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        case .found(let isFrozen):
            effects.append(.decided(.launch(launch, .foundAgain(isFrozen: isFrozen))))
            apps[slot].suspension.found(isFrozen: isFrozen)
            if isFrozen {
                apps[slot].assertions.foundFrozen()
            } else {
                apps[slot].assertions.foundRunning()
            }
            apps[slot].lifeCycle.found(isFrozen: isFrozen, policy: policy, at: now, into: &signals)
            if isFrozen || apps[slot].lifeCycle.isAdopted { signals.append(.recoveryResolved(isActive: false)) }
            // A frozen app does not connect by itself. Notifications that were to be delivered to it in the foreground
            // are displayed.
            if isFrozen, foreground.app != ids[slot] { tell(.enteredBackground(ids[slot]), after: effects) }
            // A measurement that the restart interrupted is repeated.
            if isFrozen { signals.append(.suspended) }
        }
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    mutating func attached(
        _ launch: LaunchID, _ slot: Int, _ attachment: Attachment, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard apps[slot].lifeCycle.isLive else { return effects.append(.decided(.launch(launch, .ignoredLate))) }
        if apps[slot].lifeCycle.isPrewarmed {
            var signals: [Signal] = []
            apps[slot].lifeCycle.prewarmed(into: &signals)
            return route(signals, slot, at: now, into: &effects)
        }
        var signals: [Signal] = []
        let isBack = apps[slot].lifeCycle.isRecovering
        let isAnswered = apps[slot].lifeCycle.isAnswered(by: attachment)
        let wasSuspended = !isBack && apps[slot].suspension.isSuspendedOrAboutToBe
        if isBack {
            // The tasks come first. In the background, their clock must start with all of them.
            apps[slot].lifeCycle.reattached(attachment, policy: policy, into: &signals)
            signals.insert(.declared(attachment.open), at: 0)
            signals.insert(contentsOf: goOnWithEvents(attachment, slot, at: now), at: 0)
            tellDevice(launch, slot, into: &effects)
            tell(.attached(launch, attachment), after: effects)
            if attachment.phase == .starting { tellRestoration(slot, into: &effects) }
        } else {
            // The facts are sent before the answer counts, so that the answer causes no news of them. A suspended app
            // receives news when it runs.
            tellDevice(launch, slot, into: &effects)
            if !wasSuspended { tell(.attached(launch, attachment), after: effects) }
            if attachment.phase == .starting { tellRestoration(slot, into: &effects) }
            // An app that is being ended has no background time, even with open tasks.
            if attachment.phase != .starting, !apps[slot].lifeCycle.isEnding {
                // If the tasks are too many, the app is killed and its answer is ignored.
                route([.declared(attachment.open)], slot, at: now, into: &effects)
            }
            // The handlers come first: the answer may deliver the next event, which asserts the same again.
            apps[slot].handlers.declared(
                attachment.openEvents, after: attachment.lastCallback, into: &signals)
            if isAnswered { apps[slot].lifeCycle.acknowledged(into: &signals) }
        }
        // The background time that the app may know ended with the system that granted it.
        if isBack, attachment.phase == .background { signals.insert(.messageDue(.backgroundTime(until: nil)), at: 0) }
        // The attachment may release the app's last assertion, so the background time is sent before the freeze.
        if !isAnswered, !isBack, !apps[slot].suspension.isSuspendedOrAboutToBe {
            apps[slot].tasks.repeatClock(to: launch, into: &effects)
        }
        route(signals, slot, at: now, into: &effects)
        if wasSuspended { tell(.attached(launch, attachment), after: effects) }
        if !isAnswered, !isBack || attachment.phase == .starting {
            apps[slot].lifeCycle.repeatPending(into: &effects)
        }
    }

    mutating func requested(
        _ launch: LaunchID, _ slot: Int, _ request: AppRequest, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        // The rate limit also holds for an app that is being ended. Requests of a killed app were sent before the kill.
        guard apps[slot].lifeCycle.isKilled || allows(request, of: slot, at: now) else {
            return kill(slot, .tooManyRequests, at: now, into: &effects)
        }
        // An app that is being ended has no background time. It can still acknowledge callbacks.
        let hasTasks = apps[slot].lifeCycle.isLive && !apps[slot].lifeCycle.isEnding
        var signals: [Signal] = []
        switch request {
        case .beginTask(let task) where hasTasks:
            apps[slot].tasks.began(
                task, launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
        case .endTask(let id) where hasTasks:
            apps[slot].tasks.ended(id, launch: launch, into: &signals, effects: &effects)
        case .acknowledge(let id, let open):
            guard apps[slot].lifeCycle.awaits(id) else {
                return effects.append(.decided(.launch(launch, .ignoredLate)))
            }
            if hasTasks {
                var declared: [Signal] = []
                apps[slot].tasks.declared(
                    open, launch: launch, policy: policy, at: now, into: &declared, effects: &effects)
                route(declared, slot, at: now, into: &effects)
            }
            apps[slot].lifeCycle.acknowledged(into: &signals)
        case .setIdleTimerDisabled(let isDisabled):
            apps[slot].lifeCycle.idleTimer(isDisabled: isDisabled)
        case .eventHandled(let callback, let result):
            eventHandled(callback, result, by: launch, slot, at: now, into: &signals, effects: &effects)
        case .concern(let request):
            guard !apps[slot].record.manifest.isAdopted, !apps[slot].isBeingUninstalled else {
                return effects.append(.decided(.launch(launch, .ignoredLate)))
            }
            news.list.append(.request(launch, request))
        case .beginTask, .endTask:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        }
        route(signals, slot, at: now, into: &effects)
    }
}
