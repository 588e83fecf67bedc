import LifeCycleModel

/// The effects of time.
extension DeviceState {
    /// Reads the clocks at an event, and notifies the concerns if the wall clock was set or the device slept.
    mutating func readClocks(
        _ event: Event, at now: Moment, persisted: @autoclosure () -> TransferClock?, after effects: [Effect]
    ) {
        let isOtherBoot = if case .device(.deviceStarted) = event { true } else { false }
        let persisted = isOtherBoot || !surroundings.clocks.areRead ? persisted() : nil
        let change = surroundings.clocks.read(
            now, after: persisted, isOtherBoot: isOtherBoot, tolerance: policy.clockTolerance)
        if change != .none { tell(.clocksShifted(wasSet: change == .set), after: effects) }
    }

    mutating func passTime(at now: Nanoseconds, into effects: inout [Effect]) {
        let lockAt = autoLockAt
        isStarted = true
        while let earliest = deadlines.best, earliest.key <= now.rawValue {
            passTime(earliest.slot, at: now, into: &effects)
        }
        if let lockAt, lockAt <= now { lockDevice(isAutomatic: true, at: now, into: &effects) }
        switch shutdown {
        case .underWay(let until) where until <= now: killForShutdown(.shutdown, at: now, into: &effects)
        case .killing(let until) where until <= now: finishShutdown(into: &effects)
        case .none, .underWay, .killing, .done: break
        }
    }

    private mutating func passTime(_ slot: Int, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let launch = apps[slot].lifeCycle.launch else { return deadlines.set(nil, at: slot) }
        var signals: [Signal] = []
        // The watchdog comes first: an app that hangs is killed for hanging, and not for a limit that it missed by
        // hanging.
        apps[slot].watchdog.timePassed(of: launch, at: now, into: &signals, effects: &effects)
        apps[slot].tasks.timePassed(
            launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
        apps[slot].suspension.timePassed(of: launch, at: now, into: &signals, effects: &effects)
        apps[slot].slices.timePassed(at: now, into: &signals)
        apps[slot].handlers.timePassed(at: now, into: &signals)
        apps[slot].container.timePassed(launch, at: now, into: &effects)
        apps[slot].lifeCycle.timePassed(at: now, into: &signals)
        route(signals, slot, at: now, into: &effects)
        // The thaw comes last: an app that is to be suspended now is not thawed before.
        let isThawDue = apps[slot].suspension.thawIsDue(at: now)
        if isThawDue, !apps[slot].lifeCycle.isKilled { effects.append(.launch(launch, .thaw)) }
        settle(slot, into: &effects)
    }

    /// Notices a stall at the first event after it. Events that piled up meanwhile are handled before the late
    /// deadline, and their answers must not hide the stall.
    mutating func noticeStall(at now: Nanoseconds) {
        let latest = now - policy.stall
        let isLate = { (due: Nanoseconds?) in due.map { $0 < latest } ?? false }
        if isLate(deadlines.smallest.map { Nanoseconds($0) }) || isLate(shutdown.until) || isLate(autoLockAt) {
            loopStalled(at: now)
        }
    }

    /// Open watchdogs get their full length again, and apps get time to end their tasks.
    private mutating func loopStalled(at now: Nanoseconds) {
        for slot in apps.indices {
            apps[slot].watchdog.loopStalled(at: now)
            apps[slot].suspension.loopStalled(policy: policy, at: now)
            apps[slot].tasks.loopStalled(policy: policy, at: now)
            apps[slot].handlers.loopStalled(policy: policy, at: now)
            apps[slot].lifeCycle.loopStalled(policy: policy, at: now)
            deadlines.set(apps[slot].nextDeadline?.at.rawValue, at: slot)
        }
    }
}
