internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostHelpers
public import RoostPorts

/// Transfers in separate processes, the carriers (`roost-carry`). The supervisor's own process never parses data from a
/// server.
///
/// One carrier runs all transfers, and exits when no transfer is left. If a carrier dies, each of its transfers is
/// retried in a carrier of its own. Files of completed transfers are moved in this process, on the caller's threads.
public final class CarriedTransfers: TransferEngine {
    /// The current work for a transfer, and the work queued behind it.
    private struct Lane {
        enum Doing {
            case carrying(CarrierLink)
            case files
        }
        var doing: Doing
        var waiting: [Work] = []
    }

    private enum Work {
        case carry(TransferJob)
        case move(path: String, container: String)
        case discard(delivered: String?, container: String?)
    }

    private let settings: CarrierSettings
    private let starter: any HelperStarter
    private let work: FileWork
    private var board = ProgressBoard()
    private let readiness: Int32
    /// Expires when a carrier has exceeded its time to stop a transfer.
    private let timer: Int32
    private var timerIsFor: Nanoseconds?
    private let stopPatience: Nanoseconds
    private var lanes: [TransferID: Lane] = [:]
    private var carriers: [CarrierLink] = []
    private var lastNumber: Int64 = 0
    private var pending: [TransferReport] = []

    /// Readable when reports can be taken.
    public var descriptor: Int32 { readiness }

    /// Creates the directory if it is missing. Starts no carrier yet.
    public init(
        _ options: CarriedTransferOptions, startedBy starter: any HelperStarter, filesOn threads: FileThreads
    ) throws(SystemError) {
        var settings = CarrierSettings(directory: options.directory, bootID: options.bootID)
        settings.additionalRoots = options.additionalRoots
        settings.user = options.user
        settings.reservedAhead = options.reservedAhead
        settings.roomLeft = options.roomLeft
        settings.allowsLinkLocal = options.allowsLinkLocal
        if let roots = options.additionalRoots, access(roots, R_OK) != 0 {
            throw .now("read the additional certificates", roots)
        }
        self.settings = settings
        self.starter = starter
        work = try FileWork(directory: options.directory, on: threads)
        if geteuid() == 0 { try work.files.give(to: options.user ?? 0) }
        readiness = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard readiness >= 0 else { throw .now("watch carriers", "epoll") }
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard timer >= 0 else {
            let error = SystemError.now("watch carriers", "timerfd")
            close(readiness)
            throw error
        }
        stopPatience = options.stopPatience
        watch(work.outcomes.descriptor, EPOLLIN.rawValue)
        watch(timer, EPOLLIN.rawValue)
    }

    deinit {
        for carrier in carriers { starter.endHelper(carrier.number) }
        close(timer)
        close(readiness)
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, changing isChange: Bool = false) {
        var event = epoll_event()
        event.events = events
        epoll_ctl(readiness, isChange ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event)
    }

    // MARK: Orders from the supervisor

    /// Begins or resumes transfers. If work for the same transfer is under way, the new job waits for its end.
    public func begin(_ jobs: [TransferJob]) {
        for job in jobs { submit(.carry(job), for: job.id) }
        sendOrders()
    }

    /// Stops a transfer that is under way or queued.
    public func stop(_ id: TransferID) {
        guard let lane = lanes[id] else { return }
        for case .carry(let job) in lane.waiting { post(.stopped(id, attempt: job.attempt, job.checkpoint)) }
        lanes[id]?.waiting.removeAll { if case .carry = $0 { true } else { false } }
        if case .carrying(let carrier) = lane.doing {
            carrier.stop(id, by: Nanoseconds(croost_monotonic()) + stopPatience)
            sendOrders()
            setTimer()
        }
    }

    /// Moves a completed file to the path where its app finds it. A `moved` report follows.
    public func move(_ id: TransferID, to path: String, below container: String) {
        submit(.move(path: path, container: container), for: id)
    }

    /// Stops a transfer if it is under way, and deletes its files.
    public func discard(_ id: TransferID, delivered path: String?, below container: String?) {
        stop(id)
        submit(.discard(delivered: path, container: container), for: id)
    }

    /// Deletes the partial files of all transfers except `ids` and the transfers under way.
    public func keepOnly(_ ids: Set<TransferID>) {
        for id in work.files.all().subtracting(ids).sorted() where lanes[id] == nil {
            submit(.discard(delivered: nil, container: nil), for: id)
        }
    }

    /// The disk space of an app's partial files, in bytes. The closure may be called on any thread.
    public func partialSize(of app: AppID) -> @Sendable () -> Int64 {
        let files = work.files
        return { files.size(of: app) }
    }

    /// The progress of the transfers under way.
    public func progress() -> [TransferID: TransferProgress] {
        board.progress(at: Nanoseconds(croost_monotonic()))
    }

    private func submit(_ work: Work, for id: TransferID) {
        if lanes[id] != nil { lanes[id]?.waiting.append(work) } else { start(work, for: id, then: []) }
    }

    private func start(_ next: Work, for id: TransferID, then waiting: [Work]) {
        switch next {
        case .carry(let job):
            do throws(SystemError) {
                let carrier = try carrier(for: job)
                lanes[id] = Lane(doing: .carrying(carrier), waiting: waiting)
                carrier.begin(job)
            } catch {
                lanes[id] = Lane(doing: .files, waiting: waiting)
                let problem = TransferProblem(
                    code: CarrierLink.connectionToServiceLost, reason: "\(error)", isRetryable: true,
                    checkpoint: job.checkpoint)
                post(.failed(id, attempt: job.attempt, problem))
                finished(id)
            }
        case .move(let path, let container):
            lanes[id] = Lane(doing: .files, waiting: waiting)
            work.move(id, to: path, below: container)
        case .discard(let path, let container):
            lanes[id] = Lane(doing: .files, waiting: waiting)
            work.discard(id, delivered: path, below: container)
        }
    }

    private func finished(_ id: TransferID) {
        guard let lane = lanes.removeValue(forKey: id), let next = lane.waiting.first else { return }
        start(next, for: id, then: Array(lane.waiting.dropFirst()))
    }

    /// Queues a report that this process made, and makes the descriptor readable.
    private func post(_ report: TransferReport) {
        pending.append(report)
        work.outcomes.wake()
    }

    // MARK: Carriers

    private func carrier(for job: TransferJob) throws(SystemError) -> CarrierLink {
        if !job.isSuspect, let carrier = carriers.first(where: { !$0.isForOne }) { return carrier }
        lastNumber += 1
        let descriptor = try starter.startHelper(lastNumber)
        let carrier = CarrierLink(
            number: lastNumber, taking: descriptor, files: work.files, isForOne: job.isSuspect)
        carriers.append(carrier)
        watch(descriptor, EPOLLIN.rawValue)
        carrier.configure(settings)
        return carrier
    }

    /// Sends all orders, usually with one system call. A carrier whose socket is full is watched until it is writable.
    private func sendOrders() {
        for carrier in carriers {
            carrier.flush()
            // `look` ends the carrier when the reports are next taken.
            if carrier.isBacklogged { work.outcomes.wake() }
            guard carrier.isSendingLate != carrier.isWatchedForRoom else { continue }
            carrier.isWatchedForRoom = carrier.isSendingLate
            let events = carrier.isSendingLate ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
            watch(carrier.descriptor, events, changing: true)
        }
    }

    /// The reports so far, in order.
    public func takeReports() -> [TransferReport] {
        for outcome in work.outcomes.takeAll() {
            switch outcome {
            case .moved(let id, let errno):
                pending.append(.moved(id, errno: errno))
                finished(id)
            case .discarded(let id), .trimmed(let id): finished(id)
            }
        }
        let now = Nanoseconds(croost_monotonic())
        for carrier in carriers { look(at: carrier, now) }
        sendOrders()
        setTimer()
        defer { pending = [] }
        return pending
    }

    /// Arms the timer for the earliest time by which a carrier must have stopped a transfer.
    private func setTimer() {
        let first = carriers.compactMap(\.stopsBy).min()
        guard first != timerIsFor else { return }
        timerIsFor = first
        // Zero disarms the timer. Setting the timer also clears its readiness.
        let time = first?.rawValue ?? 0
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private func look(at carrier: CarrierLink, _ now: Nanoseconds) {
        var reports: [TransferReport] = []
        let isThere = carrier.look(at: now, bootID: settings.bootID, into: &reports)
        if !isThere { reports += carrier.ends() }
        for report in reports { note(report) }
        pending += reports
        if !isThere || carrier.isIdle && (carrier.isResting || carrier.isForOne) { end(carrier) }
        for report in reports where report.isLast {
            if isThere {
                finished(report.id)
            } else {
                // The dead carrier could not release the space that it had reserved beyond the file's end.
                lanes[report.id]?.doing = .files
                work.trim(report.id)
            }
        }
    }

    private func note(_ report: TransferReport) {
        let now = Nanoseconds(croost_monotonic())
        switch report {
        case .responded(let id, _, let offset, let expected):
            board.begin(id, received: offset, expected: expected, at: now)
        case .progressed(let id, _, let received, _): board.note(id, received: received, at: now)
        case .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _): board.end(id)
        case .checkpointed, .moved: break
        }
    }

    private func end(_ carrier: CarrierLink) {
        epoll_ctl(readiness, EPOLL_CTL_DEL, carrier.descriptor, nil)
        carriers.removeAll { $0 === carrier }
        starter.endHelper(carrier.number)
    }
}

extension TransferReport {
    /// Whether this is the last report of its attempt.
    fileprivate var isLast: Bool {
        switch self {
        case .completed, .failed, .stopped: true
        case .responded, .progressed, .checkpointed, .moved: false
        }
    }
}
