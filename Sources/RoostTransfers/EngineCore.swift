internal import Glibc
internal import LifeCycleModel
internal import NIOCore
internal import NIOPosix
internal import RoostPorts
internal import Synchronization

/// What all threads of an engine share: what is done for which transfer, one thing after the other, and the threads
/// that do it, while there is anything to do.
final class EngineCore: Sendable {
    /// Something to be done for a transfer.
    enum Work: Sendable {
        case carry(TransferJob)
        case move(path: String, container: String)
        case discard(delivered: String?, container: String?)
    }

    /// What is done for one transfer. There is one as long as anything is.
    private struct Lane {
        /// Nil while files are moved or deleted, and before it is made.
        var attempt: Attempt?
        /// What is being begun is to be stopped at once.
        var isToStop = false
        var waiting: [Work] = []
    }

    private struct State {
        var lanes: [TransferID: Lane] = [:]
        var carrier: Carrier?
        var rest: Scheduled<Void>?
        var isClosed = false
    }

    let options: TransferOptions
    let files: PartialFiles
    let reports: ReportQueue
    let board = ProgressBoard()
    private let askName: NameLookUp.Asking?
    let commits: GroupCommit
    private let state = Mutex(State())

    init(options: TransferOptions, askingNamesBy askName: NameLookUp.Asking? = nil) throws(SystemError) {
        self.options = options
        self.askName = askName
        if let roots = options.additionalRoots, access(roots, R_OK) != 0 {
            throw .now("read the additional certificates", roots)
        }
        files = try PartialFiles(path: options.directory)
        reports = try ReportQueue()
        commits = GroupCommit(files: files, reports: reports)
    }

    // MARK: One thing after the other

    func submit(_ work: Work, for id: TransferID) {
        let isFirst = state.withLock { state in
            if state.isClosed { return false }
            guard state.lanes[id] == nil else {
                state.lanes[id]?.waiting.append(work)
                return false
            }
            state.lanes[id] = Lane()
            return true
        }
        if isFirst { start(work, for: id) }
    }

    private func start(_ work: Work, for id: TransferID) {
        let carrier = state.withLock { state in
            let carrier = state.carrier ?? Carrier(options: options, askingNamesBy: askName)
            state.carrier = carrier
            return carrier
        }
        switch work {
        case .carry(let job):
            let attempt = Attempt(job, core: self, carrier: carrier)
            let isToStop = state.withLock { state in
                state.lanes[id]?.attempt = attempt
                return state.isClosed || state.lanes[id]?.isToStop ?? false
            }
            attempt.start()
            if isToStop { attempt.stop() }
        case .move(let path, let container): move(id, to: path, below: container, by: carrier)
        case .discard(let path, let container):
            carrier.pool.submit { _ in
                self.files.remove(id)
                if let path, let container { try? Destination(path: path, below: container).remove() }
                self.finished(id)
            }
        }
    }

    private func move(_ id: TransferID, to path: String, below container: String, by carrier: Carrier) {
        let files = files
        commits.enqueue(
            GroupCommit.Job { () throws(SystemError) in
                try Destination(path: path, below: container).take(id, from: files)
            } outcome: { error in
                guard error?.errno == EXDEV else { return [.moved(id, errno: error?.errno)] }
                carrier.pool.submit { _ in self.copy(id, to: path, below: container) }
                return nil
            } reported: {
                self.finished(id)
            },
            by: carrier)
    }

    /// What lies on another filesystem takes its time: nothing else is to wait for it.
    private func copy(_ id: TransferID, to path: String, below container: String) {
        let result = Result { () throws(SystemError) in
            try Destination(path: path, below: container).takeCopy(id, from: files)
        }
        var code: Int32?
        if case .failure(let error) = result { code = error.errno }
        reports.post(.moved(id, errno: code))
        finished(id)
    }

    /// What was being done for it is done.
    func finished(_ id: TransferID) {
        let next = state.withLock { state -> Work? in
            guard var lane = state.lanes.removeValue(forKey: id) else { return nil }
            if lane.waiting.isEmpty || state.isClosed {
                if state.lanes.isEmpty { rest(&state) }
                return nil
            }
            let next = lane.waiting.removeFirst()
            lane.attempt = nil
            lane.isToStop = false
            state.lanes[id] = lane
            return next
        }
        if let next { start(next, for: id) }
    }

    /// Stops the transfer if it is under way, or about to be.
    func stop(_ id: TransferID) {
        let (attempt, dropped) = state.withLock { state -> (Attempt?, [TransferJob]) in
            guard var lane = state.lanes[id] else { return (nil, []) }
            let dropped = lane.waiting.compactMap { if case .carry(let job) = $0 { job } else { nil } }
            lane.waiting.removeAll { if case .carry = $0 { true } else { false } }
            lane.isToStop = lane.attempt == nil
            state.lanes[id] = lane
            return (lane.attempt, dropped)
        }
        for job in dropped { reports.post(.stopped(id, attempt: job.attempt, job.checkpoint)) }
        attempt?.stop()
    }

    /// Whether anything is being done for a transfer. One whose file another wants to go on with is left alone.
    func isBusy(_ id: TransferID) -> Bool { state.withLock { $0.lanes[id] != nil } }

    // MARK: What a crash has left

    func keepOnly(_ ids: Set<TransferID>) {
        for id in files.all().subtracting(ids).sorted() where !isBusy(id) {
            submit(.discard(delivered: nil, container: nil), for: id)
        }
    }

    // MARK: Threads, while they are needed

    private func rest(_ state: inout State) {
        guard let carrier = state.carrier else { return }
        state.rest?.cancel()
        if state.isClosed {
            state.carrier = nil
            carrier.shutDown()
            return
        }
        state.rest = carrier.loop.scheduleTask(in: .nanoseconds(options.linger.rawValue)) { self.shutDownIfIdle() }
    }

    private func shutDownIfIdle() {
        let carrier = state.withLock { state -> Carrier? in
            guard state.lanes.isEmpty else { return nil }
            state.rest = nil
            defer { state.carrier = nil }
            return state.carrier
        }
        carrier?.shutDown()
    }

    /// Nothing is begun any more; what is under way ends with its files in order.
    func close() {
        let attempts = state.withLock { state in
            state.isClosed = true
            if state.lanes.isEmpty { rest(&state) }
            return state.lanes.values.compactMap(\.attempt)
        }
        for attempt in attempts { attempt.stop() }
    }
}
