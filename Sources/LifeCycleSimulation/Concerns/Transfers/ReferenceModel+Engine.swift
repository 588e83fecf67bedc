import LifeCycleModel
import LifeCyclePolicy

/// The engine's reports.
extension ReferenceModel {
    mutating func received(_ report: TransferReport) {
        let id = report.id
        guard let task = sessions[id] else { return sessions.said.append(.reportIgnored(id)) }
        if case .moved(_, let errno) = report { return moved(task, errno) }
        guard report.attempt != nil, report.attempt == task.attempt else {
            return sessions.said.append(.reportIgnored(id))
        }
        switch report {
        case .responded(_, _, let offset, let expected):
            let isRestart = offset < task.record.checkpoint?.received ?? 0
            sessions.change(id) { task in
                (task.received, task.expected) = (offset, expected)
                if isRestart, task.record.outcome == nil { task.record.checkpoint = nil }
            }
            takeOver(id)
            if isRestart { sessions.keep(id) }
            if offset > 0 { tell(id, .resumed(id.number, offset: offset, expected: expected)) }
        case .progressed(_, _, let received, let expected):
            sessions.change(id) { ($0.received, $0.expected) = (received, expected) }
            tell(id, .progressed(id.number, received: received, expected: expected))
        case .checkpointed(_, _, let checkpoint):
            guard task.record.outcome == nil else { return }
            sessions.change(id) { task in
                if checkpoint.received > task.record.checkpoint?.received ?? 0 { task.deaths = 0 }
                (task.record.checkpoint, task.record.failures) = (checkpoint, 0)
                task.received = max(task.received, checkpoint.received)
            }
            takeOver(id)
            sessions.keep(id)
        case .completed(_, _, let response, let size):
            takeOver(id)
            guard task.record.outcome == nil else { return stopped(id, nil) }
            sessions.said.append(.completed(id, size: size))
            sessions.change(id) { task in
                task.stage = .moving
                (task.received, task.expected) = (size, size)
                task.record.checkpoint = nil
            }
            sessions.end(id, .downloaded(response, size: size, isMoved: false))
            sessions.keep(id)
            sessions.outputs.append(.move(id))
        case .failed(_, _, let problem):
            if task.record.outcome == nil { failed(task, problem) } else { stopped(id, problem.checkpoint) }
        case .stopped(_, _, let checkpoint): stopped(id, checkpoint)
        case .moved: break
        }
    }

    private mutating func tell(_ id: TransferID, _ news: TransferNews) {
        guard sessions[id]?.record.outcome == nil, let index = sessions.index(of: id.session),
            let launch = listener(index)
        else { return }
        let name = sessions.sessions[index].record.identifier
        sessions.messages.append(ReferenceSessions.Message(launch: launch, session: name, news: news))
    }

    /// The launch that can be told of a session's news; nil if there is none.
    func listener(_ index: Int) -> LaunchID? {
        let session = sessions.sessions[index]
        guard let launch = session.openIn, session.call != .asked, isReachable(launch) else { return nil }
        return launch
    }

    /// The engine has used, or rejected, the partial file that the task resumes: its former owners give it up.
    private mutating func takeOver(_ id: TransferID) {
        guard let first = sessions[id]?.record.resumes else { return }
        var owners: [TransferID] = []
        var next: TransferID? = first
        while let owner = next, owner != id, !owners.contains(owner), let task = sessions[owner],
            case .failed(let failure) = task.record.outcome, failure.resumable != nil
        {
            owners.append(owner)
            next = task.record.resumes
        }
        sessions.change(id) { $0.record.resumes = nil }
        sessions.keep(id)
        for owner in owners.reversed() {
            guard let task = sessions[owner], case .failed(var failure) = task.record.outcome else { continue }
            if task.isKept {
                sessions.remove(owner)
            } else {
                failure.resumable = nil
                sessions.change(owner) { ($0.record.outcome, $0.record.resumes) = (.failed(failure), nil) }
                sessions.keep(owner)
            }
        }
    }

    private mutating func failed(_ before: ReferenceTask, _ problem: TransferProblem) {
        let id = before.record.id
        let hasProgress = problem.checkpoint?.received ?? 0 > before.record.checkpoint?.received ?? 0
        let failures = hasProgress ? 1 : before.record.failures + 1
        let wasted = before.wasted + (problem.wastesBytes ? 1 : 0)
        let deaths = problem.isCarriersEnd ? before.deaths + 1 : 0
        sessions.change(id) { task in
            task.stage = .resting
            (task.record.checkpoint, task.record.failures) = (problem.checkpoint, failures)
            task.received = problem.checkpoint?.received ?? 0
            (task.isForced, task.wasted, task.deaths) = (false, wasted, deaths)
        }
        let isVain = problem.wastesBytes && Int64(wasted) >= policy.transferVainTries
        let isDeadly = problem.isCarriersEnd && Int64(deaths) >= policy.transferDeaths
        if isVain || isDeadly || !problem.isRetryable && !problem.isForLackOfRoom {
            let failure = TransferFailure(code: problem.code, reason: problem.reason)
            return sessions.fail(
                id, failure, keepsPartial: true, until: steadyNow + policy.partialsKept)
        }
        let own = retryPause(failures)
        let asked = problem.retryAfter.map { max(.zero, $0) }
        let pause = max(own, asked ?? .zero)
        let until = steadyNow + pause
        sessions.change(id) { task in
            task.hold =
                problem.isForLackOfRoom
                ? .room(until: until) : .retry(until: until, isAsked: asked.map { $0 >= own } ?? false)
        }
        sessions.said.append(.retries(id, problem, after: pause))
        sessions.keep(id)
    }

    /// `transferRetry` after the first failure, and twice as long after each further one.
    private func retryPause(_ failures: Int32) -> Nanoseconds {
        var pause = policy.transferRetry
        for _ in 1..<max(1, failures) where pause < policy.transferRetryMost { pause = pause + pause }
        return min(pause, policy.transferRetryMost)
    }

    private mutating func stopped(_ id: TransferID, _ checkpoint: TransferCheckpoint?) {
        guard let task = sessions[id] else { return }
        var keeps = false
        if case .stopping(_, partial: true) = task.stage { keeps = checkpoint?.validator != nil }
        sessions.change(id) { task in
            (task.stage, task.deaths) = (.resting, 0)
            if case .failed(var failure) = task.record.outcome {
                failure.resumable = keeps ? checkpoint : nil
                task.record.outcome = .failed(failure)
            } else {
                task.received = checkpoint?.received ?? 0
            }
            task.record.checkpoint = checkpoint
        }
        sessions.keep(id)
    }

    private mutating func moved(_ task: ReferenceTask, _ errno: Int32?) {
        let id = task.record.id
        guard task.stage == .moving, task.hold == nil, case .downloaded(let response, let size, _) = task.record.outcome
        else { return sessions.said.append(.reportIgnored(id)) }
        switch errno {
        case nil:
            sessions.change(id) { task in
                task.stage = .resting
                task.record.outcome = .downloaded(response, size: size, isMoved: true)
            }
        // ENOMEM, ENFILE, EMFILE, ENOSPC, EDQUOT.
        case 12?, 23?, 24?, 28?, 122?:
            let failures = task.record.failures + 1
            let until = steadyNow + retryPause(failures)
            sessions.change(id) { task in
                task.record.failures = failures
                task.hold = [28, 122].contains(errno) ? .room(until: until) : .retry(until: until, isAsked: false)
            }
        case let errno?:
            let failure = TransferFailure(
                code: -3003, reason: "its file could not be moved into the app's container (errno \(errno))")
            sessions.said.append(.failed(id, failure))
            sessions.change(id) { ($0.stage, $0.record.outcome) = (.resting, .failed(failure)) }
        }
        sessions.keep(id)
    }
}
