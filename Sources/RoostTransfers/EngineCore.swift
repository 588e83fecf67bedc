internal import Glibc
internal import LifeCycleModel
internal import RoostCarrier
internal import RoostPorts
internal import Synchronization

/// The state shared by all threads of an engine: the work for each transfer, in sequence, and the threads for it while
/// there is work.
final class EngineCore: Sendable {
    /// The work for one transfer. A lane exists as long as there is work.
    private struct Lane {
        /// Nil before the attempt is created.
        var attempt: Attempt?
        /// Whether the attempt must be stopped as soon as it is created.
        var isToStop = false
        var waiting: [TransferJob] = []
    }

    private struct State {
        var lanes: [TransferID: Lane] = [:]
        var carrier: Carrier?
        var isClosed = false
    }

    let options: TransferOptions
    let files: PartialFiles
    let room: DiskRoom
    let reports: ReportQueue<TransferReport>
    private let names: NameLookUp
    let settings: RequestSettings
    let commits: GroupCommit
    /// Whether the loop runs on the thread of the engine's owner, for good.
    private let isRunByOwner: Bool
    private let state = Mutex(State())

    init(options: TransferOptions, names: NameLookUp = NameLookUp(), isRunByOwner: Bool = false) throws(SystemError) {
        self.options = options
        self.names = names
        self.isRunByOwner = isRunByOwner
        settings = RequestSettings(options)
        if let roots = options.additionalRoots, access(roots, R_OK) != 0 {
            throw .now("read the additional certificates", roots)
        }
        files = try PartialFiles(path: options.directory)
        room = DiskRoom(leaving: options.roomLeft)
        reports = try ReportQueue()
        commits = GroupCommit(files: files, announcingReportsBy: reports.announce)
        if isRunByOwner { state.withLock { $0.carrier = Carrier(names: names) } }
    }

    /// Runs the loop on this thread, until the engine closes.
    func run(beside companion: any LoopCompanion) {
        let carrier = state.withLock { state in
            rest(&state)
            return state.carrier
        }
        carrier?.loop.run(beside: companion)
    }

    // MARK: Work in sequence

    func submit(_ job: TransferJob) {
        let isFirst = state.withLock { state in
            if state.isClosed { return false }
            guard state.lanes[job.id] == nil else {
                state.lanes[job.id]?.waiting.append(job)
                return false
            }
            state.lanes[job.id] = Lane()
            return true
        }
        if isFirst { start(job) }
    }

    private func start(_ job: TransferJob) {
        let carrier = state.withLock { state in
            if let carrier = state.carrier { return carrier }
            let carrier = Carrier(names: names)
            carrier.loop.start()
            state.carrier = carrier
            return carrier
        }
        let attempt = Attempt(job, core: self, carrier: carrier)
        let isToStop = state.withLock { state in
            state.lanes[job.id]?.attempt = attempt
            return state.isClosed || state.lanes[job.id]?.isToStop ?? false
        }
        attempt.start()
        if isToStop { attempt.stop() }
    }

    /// The current work for a transfer has ended. Starts the next work.
    func finished(_ id: TransferID) {
        let next = state.withLock { state -> TransferJob? in
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
        if let next { start(next) }
    }

    /// Stops a transfer that is under way or queued.
    func stop(_ id: TransferID) {
        let (attempt, dropped) = state.withLock { state -> (Attempt?, [TransferJob]) in
            guard var lane = state.lanes[id] else { return (nil, []) }
            let dropped = lane.waiting
            lane.waiting = []
            lane.isToStop = lane.attempt == nil
            state.lanes[id] = lane
            return (lane.attempt, dropped)
        }
        for job in dropped { reports.post(.stopped(id, attempt: job.attempt, job.checkpoint)) }
        attempt?.stop()
    }

    /// Whether no work is under way.
    var isIdle: Bool { state.withLock { $0.lanes.isEmpty } }

    /// Whether work for a transfer is under way. During this work, no other transfer may reuse the file.
    func isBusy(_ id: TransferID) -> Bool { state.withLock { $0.lanes[id] != nil } }

    // MARK: Threads on demand

    private func rest(_ state: inout State) {
        guard let carrier = state.carrier else { return }
        if state.isClosed {
            state.carrier = nil
            carrier.shutDown()
            return
        }
        carrier.loop.rest(for: .nanoseconds(options.linger.rawValue)) { self.shutDownIfIdle() }
    }

    private func shutDownIfIdle() {
        let carrier = state.withLock { state -> Carrier? in
            guard state.lanes.isEmpty else { return nil }
            defer { if !isRunByOwner { state.carrier = nil } }
            return state.carrier
        }
        if isRunByOwner { carrier?.loop.reportRest() } else { carrier?.shutDown() }
    }

    /// Accepts no further work. Transfers under way are stopped, with their files in order.
    func close() {
        let attempts = state.withLock { state in
            state.isClosed = true
            if state.lanes.isEmpty { rest(&state) }
            return state.lanes.values.compactMap(\.attempt)
        }
        for attempt in attempts { attempt.stop() }
    }
}
