import LifeCycleModel

/// Reports of the engine, and actions of the user.
extension Transfers {
    mutating func reported(_ report: TransferReport, policy: Policy, into actions: inout Actions<Transfers>) {
        let id = report.id
        guard let transfer = self[id], report.attempt == transfer.attempt, report.attempt != nil || report.isMoved
        else { return actions.explain(.reportIgnored(id)) }
        switch report {
        case .responded(_, _, let offset, let expected):
            responded(id, offset: offset, expected: expected, into: &actions)
        case .progressed(_, _, let received, let expected):
            change(id) { ($0.received, $0.expected) = (received, expected) }
            tell(id, .progressed(id.number, received: received, expected: expected), into: &actions)
        case .checkpointed(_, _, let checkpoint):
            guard transfer.record.outcome == nil else { return }
            change(id) { transfer in
                // The checkpoint must have new bytes, and not only a validator.
                if checkpoint.received > transfer.record.checkpoint?.received ?? 0 { transfer.deaths = 0 }
                transfer.record.checkpoint = checkpoint
                transfer.record.failures = 0
                transfer.received = max(transfer.received, checkpoint.received)
            }
            takenOver(by: id, into: &actions)
            store(id, into: &actions)
        case .completed(_, _, let response, let size):
            over(id, into: &actions)
            takenOver(by: id, into: &actions)
            if transfer.record.outcome == nil {
                downloaded(id, response, size: size, into: &actions)
            } else {
                stopped(id, nil, into: &actions)
            }
        case .failed(_, _, let problem):
            over(id, into: &actions)
            if transfer.record.outcome == nil {
                failed(id, problem, policy: policy, into: &actions)
            } else {
                stopped(id, problem.checkpoint, into: &actions)
            }
        case .stopped(_, _, let checkpoint):
            over(id, into: &actions)
            stopped(id, checkpoint, into: &actions)
        case .moved(_, let errno): moved(id, errno, policy: policy, into: &actions)
        }
    }

    private mutating func responded(
        _ id: TransferID, offset: Int64, expected: Int64?, into actions: inout Actions<Transfers>
    ) {
        let isRestart = offset < self[id]?.record.checkpoint?.received ?? 0
        change(id) { transfer in
            (transfer.received, transfer.expected) = (offset, expected)
            if isRestart, transfer.record.outcome == nil { transfer.record.checkpoint = nil }
        }
        takenOver(by: id, into: &actions)
        if isRestart { store(id, into: &actions) }
        if offset > 0 { tell(id, .resumed(id.number, offset: offset, expected: expected), into: &actions) }
    }

    /// Sends the app news of a task without an outcome.
    private func tell(_ id: TransferID, _ news: TransferNews, into actions: inout Actions<Transfers>) {
        if canSendNews(id.session), self[id]?.record.outcome == nil { send(news, of: id.session, into: &actions) }
    }

    /// The engine has reused or rejected the partial file. The tasks from which the file came are no longer needed.
    private mutating func takenOver(by id: TransferID, into actions: inout Actions<Transfers>) {
        guard let record = self[id]?.record, record.resumes != nil else { return }
        let donors = donors(of: record)
        change(id) { $0.record.resumes = nil }
        store(id, into: &actions)
        for donor in donors { giveUpPartial(of: donor, into: &actions) }
    }

    private mutating func giveUpPartial(of donor: TransferID, into actions: inout Actions<Transfers>) {
        guard let old = self[donor], case .failed(var failure) = old.record.outcome else { return }
        if old.isKept { return remove(donor, into: &actions) }
        failure.resumable = nil
        change(donor) { transfer in
            transfer.record.outcome = .failed(failure)
            transfer.record.resumes = nil
        }
        store(donor, into: &actions)
    }

    private mutating func failed(
        _ id: TransferID, _ problem: TransferProblem, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        guard let before = self[id] else { return }
        let hasProgress = problem.checkpoint?.received ?? 0 > before.record.checkpoint?.received ?? 0
        let failures = hasProgress ? 1 : min(before.record.failures, .max - 1) + 1
        change(id) { transfer in
            transfer.state = .resting
            transfer.record.checkpoint = problem.checkpoint
            transfer.received = problem.checkpoint?.received ?? 0
            transfer.record.failures = failures
            transfer.isForced = false
            if problem.wastesBytes { transfer.wastedAttempts = min(transfer.wastedAttempts, .max - 1) + 1 }
            transfer.deaths = problem.isCarriersEnd ? min(transfer.deaths, .max - 1) + 1 : 0
        }
        let isWorthIt =
            (!problem.wastesBytes || Int64(before.wastedAttempts) + 1 < policy.transferVainTries)
            && (!problem.isCarriersEnd || Int64(before.deaths) + 1 < policy.transferDeaths)
        guard isWorthIt, problem.isRetryable || problem.isForLackOfRoom else {
            let failure = TransferFailure(code: problem.code, reason: problem.reason)
            return fail(id, failure, keepsPartial: true, into: &actions)
        }
        let backoff = policy.transferRetry.grown(by: 2, times: failures - 1, most: policy.transferRetryMost)
        let asked = problem.retryAfter.map { max($0, .zero) }
        let length = max(backoff, asked ?? .zero)
        let until = steadyNow + length
        let isAsked = asked.map { $0 >= backoff } ?? false
        change(id) { transfer in
            transfer.hold = problem.isForLackOfRoom ? .room(until: until) : .retry(until: until, isAsked: isAsked)
        }
        actions.explain(.retries(id, problem, after: length))
        store(id, into: &actions)
    }

    private mutating func stopped(
        _ id: TransferID, _ checkpoint: TransferCheckpoint?, into actions: inout Actions<Transfers>
    ) {
        guard let transfer = self[id] else { return }
        var keepsPartial = false
        if case .stopping(_, let partial) = transfer.state { keepsPartial = partial }
        change(id) { transfer in
            transfer.state = .resting
            transfer.deaths = 0
            if case .failed(var failure) = transfer.record.outcome {
                let isUsable = keepsPartial && checkpoint?.validator != nil
                failure.resumable = isUsable ? checkpoint : nil
                transfer.record.outcome = .failed(failure)
            } else {
                transfer.received = checkpoint?.received ?? 0
            }
            transfer.record.checkpoint = checkpoint
        }
        store(id, into: &actions)
        attend(id.session)
    }

    private mutating func moved(
        _ id: TransferID, _ errno: Int32?, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        guard let transfer = self[id], transfer.state == .moving, transfer.hold == nil,
            case .downloaded(let response, let size, _) = transfer.record.outcome
        else { return actions.explain(.reportIgnored(id)) }
        switch errno {
        case nil:
            change(id) { transfer in
                transfer.state = .resting
                transfer.record.outcome = .downloaded(response, size: size, isMoved: true)
            }
        case let errno? where Self.transientErrors.contains(errno):
            let failures = min(transfer.record.failures, .max - 1) + 1
            let until =
                steadyNow + policy.transferRetry.grown(by: 2, times: failures - 1, most: policy.transferRetryMost)
            let isForRoom = errno == Self.noSpace || errno == Self.overQuota
            change(id) { transfer in
                transfer.record.failures = failures
                transfer.hold = isForRoom ? .room(until: until) : .retry(until: until, isAsked: false)
            }
            return store(id, into: &actions)
        case let errno?:
            let failure = TransferFailure(
                code: -3003, reason: "its file could not be moved into the app's container (errno \(errno))")
            actions.explain(.failed(id, failure))
            change(id) { transfer in
                transfer.state = .resting
                transfer.record.outcome = .failed(failure)
            }
        }
        store(id, into: &actions)
        attend(id.session)
    }

    /// Linux error numbers: ENOSPC and EDQUOT.
    private static var noSpace: Int32 { 28 }
    private static var overQuota: Int32 { 122 }
    /// Temporary Linux errors: lack of disk space, and ENOMEM, ENFILE and EMFILE of an overloaded machine.
    private static var transientErrors: [Int32] { [noSpace, overQuota, 12, 23, 24] }

    // MARK: Actions of the user

    mutating func userAction(_ action: TransferUserAction, of id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id], transfer.record.outcome == nil else {
            return actions.explain(.userActionIgnored(id, action))
        }
        switch action {
        case .pause:
            guard !transfer.record.isPaused else { return }
            change(id) { transfer in
                transfer.record.isPaused = true
                transfer.isForced = false
            }
            stop(id, into: &actions)
            store(id, into: &actions)
        case .resume:
            guard transfer.record.isPaused else { return }
            change(id) { $0.record.isPaused = false }
            store(id, into: &actions)
        case .cancel:
            fail(id, TransferFailure(code: -999, reason: "the user canceled it"), into: &actions)
        case .now:
            // Only the app may begin a task that the app has not resumed.
            guard !transfer.record.isSuspended else {
                return actions.explain(.userActionIgnored(id, action))
            }
            change(id) { transfer in
                transfer.record.isPaused = false
                transfer.hold = nil
                transfer.isEarly = false
                transfer.isForced = true
            }
            // The transfer begins at the end of this event, unless too many are under way.
            store(id, into: &actions)
        }
    }
}

extension TransferReport {
    fileprivate var isMoved: Bool {
        if case .moved = self { true } else { false }
    }
}
