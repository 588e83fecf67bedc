import LifeCycleModel
import LifeCyclePolicy

/// The consequences of the passage of time.
extension ReferenceModel {
    mutating func timePassed(at now: Nanoseconds) {
        areConcernsStarted = true
        let isLockDue = lockDue.map { $0 <= now } ?? false
        while let due = apps.indices.first(where: { isDue($0, at: now) }) {
            timePassed(due, at: now)
            drawConsequences(at: now)
        }
        if isLockDue { lock() }
        switch shutdown {
        case .asked(let until) where until <= now:
            shutdown = .killing(until: now + policy.shutdownGrace)
            for index in apps.indices { kill(index, .shutdown) }
        case .killing(let until) where until <= now:
            shutdown = .done
            done.append(.device(.finishShutdown))
        case .none, .asked, .killing, .done: break
        }
    }

    /// Whether a deadline is so late that the system itself must have stalled. Then no app is penalized.
    func loopStalled(at now: Nanoseconds) -> Bool { deadlines.contains { now - $0.at > policy.stall } }

    private func isDue(_ index: Int, at now: Nanoseconds) -> Bool {
        apps[index].launch?.deadlines(policy: policy).contains { $0.at <= now } ?? false
    }

    /// Repeats a failed thaw, unless the app may be suspended anyway.
    private mutating func thawAgain(_ index: Int, at now: Nanoseconds) {
        guard let launch = apps[index].launch, let due = launch.thawDue, due <= now else { return }
        apps[index].launch?.thawDue = nil
        guard launch.stage != .killed, !launch.holds(isWanted: isWanted(index)).isEmpty else { return }
        done.append(.launch(launch.id, .thaw))
    }

    /// An app that hangs is killed for the hang, even if the hang has made it miss other deadlines.
    private mutating func timePassed(_ index: Int, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        defer { thawAgain(index, at: now) }
        if case .leaving(let until) = launch.stage, until <= now {
            return kill(index, launch.isAdopted ? .didNotExit : .watchdog(.willTerminate))
        }
        if let outstanding = launch.outstanding {
            if outstanding.until <= now { return kill(index, .watchdog(outstanding.callback)) }
            if outstanding.isRemarkDue, outstanding.since + policy.launchWarning <= now {
                apps[index].launch?.outstanding?.isRemarkDue = false
                said.append(.launch(launch.id, .launchIsSlow))
            }
        }
        if let timeUp = launch.timeUp, !launch.tasks.isEmpty {
            if launch.isExpiring, timeUp <= now {
                return kill(index, .tasksNotEnded(policy.tasksNotEndedCode))
            }
            if !launch.isExpiring, timeUp - policy.expirationLead <= now {
                apps[index].launch?.isExpiring = true
                apps[index].launch?.isExpiryPending = true
                said.append(.launch(launch.id, .tasksExpiring(launch.tasks)))
            }
        }
        if case .freezing(let until) = launch.ice, until <= now { return kill(index, .notFreezable) }
        if let until = launch.wakeUntil, until <= now { apps[index].launch?.wakeUntil = nil }
        if let until = launch.adoptedUntil, until <= now { apps[index].launch?.adoptedUntil = nil }
        if passWork(index, at: now) { return }
        if let due = launch.measurementDue, due <= now {
            apps[index].launch?.measurementDue = nil
            apps[index].measuredAt = now
            done.append(.launch(launch.id, .measureContainer))
        }
        if case .recovering(let until?) = launch.stage, until <= now { kill(index, .lostContact) }
    }

    /// After a stall every app has the full time again, also for its end.
    mutating func loopStalled(until now: Nanoseconds) {
        for index in apps.indices {
            guard var launch = apps[index].launch else { continue }
            launch.outstanding?.since = now
            launch.outstanding?.isRemarkDue = false
            if case .leaving = launch.stage {
                launch.stage = .leaving(until: now + (launch.isAdopted ? policy.adoptedExit : policy.terminate))
            }
            if case .recovering(_?) = launch.stage { launch.stage = .recovering(until: now + policy.reconnect) }
            if case .freezing = launch.ice { launch.ice = .freezing(until: now + policy.freeze) }
            for place in launch.work.indices where launch.work[place].until != nil {
                launch.work[place].until = now + launch.work[place].limit(policy)
            }
            launch.timeUp = launch.timeUp.map { max($0, now + policy.expirationLead) }
            apps[index].launch = launch
        }
    }
}
