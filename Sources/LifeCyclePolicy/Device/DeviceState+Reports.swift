import LifeCycleModel

/// What processes do, and what apps say.
extension DeviceState {
    mutating func report(
        _ event: ProcessEvent, of launch: LaunchID, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        var signals: [Signal] = []
        switch event {
        case .started:
            apps[slot].lifeCycle.processStarted(into: &signals)
        case .startFailed(let errno):
            // What it was to be ended for counts, where that was decided in the same turn as its start.
            let reason = apps[slot].lifeCycle.isEnding ? nil : TerminationReason.launchFailed(errno: errno)
            return exited(launch, slot, nil, reason: reason, at: now, into: &effects)
        case .exited(let status):
            return exited(launch, slot, status, at: now, into: &effects)
        case .cutOff:
            // As above, before the system's restart.
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
            if isFrozen || apps[slot].record.manifest.isAdopted { signals.append(.heardFrom(isActive: false)) }
            // It does not come back by itself: what it was to be handed in front is shown.
            if isFrozen, foreground.front != ids[slot] { tell(.enteredBackground(ids[slot]), after: effects) }
            // A measurement that the restart has cut off is made up for.
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
            // Its tasks come first: where it is off the foreground, their clock starts with all of them.
            apps[slot].lifeCycle.reattached(attachment, policy: policy, into: &signals)
            signals.insert(.declared(attachment.open), at: 0)
            signals.insert(contentsOf: goOnWithEvents(attachment, slot, at: now), at: 0)
            tellDevice(launch, slot, into: &effects)
            tell(.attached(launch, attachment), after: effects)
            if attachment.phase == .starting { tellRestoration(slot, into: &effects) }
        } else {
            // What it is told now is no news to it when its answer counts. A suspended app is told once it runs.
            tellDevice(launch, slot, into: &effects)
            if !wasSuspended { tell(.attached(launch, attachment), after: effects) }
            if attachment.phase == .starting { tellRestoration(slot, into: &effects) }
            // One that is being ended has no background time any more, whatever it has open.
            if attachment.phase != .starting, !apps[slot].lifeCycle.isEnding {
                // Where these are too many, it answers nothing any more.
                route([.declared(attachment.open)], slot, at: now, into: &effects)
            }
            // The handlers come first: the answer may deliver the next event, which asserts the same again.
            apps[slot].handlers.declared(
                attachment.openEvents, after: attachment.lastCallback, into: &signals)
            if isAnswered { apps[slot].lifeCycle.acknowledged(into: &signals) }
        }
        // The clock it may know of ended with the system that gave it.
        if isBack, attachment.phase == .background { signals.insert(.messageDue(.backgroundTime(until: nil)), at: 0) }
        // The app's account may release its last assertion: the clock is sent before the freeze.
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
        // Also one that is being ended may not flood; one that is killed already says only what it had said by then.
        guard apps[slot].lifeCycle.isKilled || allows(request, of: slot, at: now) else {
            return kill(slot, .tooManyRequests, at: now, into: &effects)
        }
        // One that is being ended has no background time any more; all it can still do is to acknowledge.
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
                apps[slot].tasks.declared(
                    open, launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
                route(signals, slot, at: now, into: &effects)
                signals.removeAll(keepingCapacity: true)
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
