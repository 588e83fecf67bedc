internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Transfers that processes of their own carry, `roost-carry`: nothing that comes from a server is read in this one.
///
/// One carrier has the transfers, and goes when there are none. A transfer whose carrier died gets one for itself alone.
/// The files of completed transfers are moved here, on threads that the caller has.
public final class CarriedTransfers: TransferEngine {
    /// What is being done for a transfer, and what is to follow.
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
    private let starter: any CarrierStarter
    private let work: FileWork
    private var board = ProgressBoard()
    private let readiness: Int32
    /// Expires when a carrier has not stopped a transfer in its time.
    private let timer: Int32
    private var timerIsFor: Nanoseconds?
    private let stopPatience: Nanoseconds
    private var lanes: [TransferID: Lane] = [:]
    private var carriers: [CarrierLink] = []
    private var lastNumber: Int64 = 0
    private var pending: [TransferReport] = []

    /// Readable when there are reports to take.
    public var descriptor: Int32 { readiness }

    /// Makes the directory where that is missing. No carrier is started yet.
    public init(
        _ options: CarriedTransferOptions, startedBy starter: any CarrierStarter, filesOn threads: FileThreads
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
        for carrier in carriers { starter.endCarrier(carrier.number) }
        close(timer)
        close(readiness)
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, changing isChange: Bool = false) {
        var event = epoll_event()
        event.events = events
        epoll_ctl(readiness, isChange ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event)
    }

    // MARK: What the supervisor wants

    /// Begins or goes on with transfers. What is under way for the same one ends before.
    public func begin(_ jobs: [TransferJob]) {
        for job in jobs { submit(.carry(job), for: job.id) }
        sendOrders()
    }

    /// Stops a transfer under way, or about to be.
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

    /// Moves a completed file to where its app finds it; answered by `moved`.
    public func move(_ id: TransferID, to path: String, below container: String) {
        submit(.move(path: path, container: container), for: id)
    }

    /// Stops a transfer if it is under way, and deletes what there is of it.
    public func discard(_ id: TransferID, delivered path: String?, below container: String?) {
        stop(id)
        submit(.discard(delivered: path, container: container), for: id)
    }

    /// Deletes the partial files of all transfers but these and those under way.
    public func keepOnly(_ ids: Set<TransferID>) {
        for id in work.files.all().subtracting(ids).sorted() where lanes[id] == nil {
            submit(.discard(delivered: nil, container: nil), for: id)
        }
    }

    /// What all partial files of an app take on the disk, to be asked on any thread.
    public func partialSize(of app: AppID) -> @Sendable () -> Int64 {
        let files = work.files
        return { files.size(of: app) }
    }

    /// How far those under way are.
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
                    code: CarrierLink.connectionToServiceLost, reason: "\(error)", mayPass: true,
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

    /// A report that came about here: the descriptor is to be readable for it.
    private func post(_ report: TransferReport) {
        pending.append(report)
        work.outcomes.wake()
    }

    // MARK: Carriers

    private func carrier(for job: TransferJob) throws(SystemError) -> CarrierLink {
        if !job.isSuspect, let carrier = carriers.first(where: { !$0.isForOne }) { return carrier }
        lastNumber += 1
        let descriptor = try starter.startCarrier(lastNumber)
        let carrier = CarrierLink(number: lastNumber, taking: descriptor, isForOne: job.isSuspect)
        carriers.append(carrier)
        watch(descriptor, EPOLLIN.rawValue)
        carrier.configure(settings)
        return carrier
    }

    /// Usually one system call sends all orders. A carrier that takes nothing just now is looked at again once it does.
    private func sendOrders() {
        for carrier in carriers {
            carrier.flush()
            // It is ended where it is looked at.
            if carrier.isDeaf { work.outcomes.wake() }
            guard carrier.isSendingLate != carrier.isWatchedForRoom else { continue }
            carrier.isWatchedForRoom = carrier.isSendingLate
            let events = carrier.isSendingLate ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
            watch(carrier.descriptor, events, changing: true)
        }
    }

    /// The reports so far, in their order.
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

    /// For the first transfer that a carrier has to have stopped by then.
    private func setTimer() {
        let first = carriers.compactMap(\.stopsBy).min()
        guard first != timerIsFor else { return }
        timerIsFor = first
        // Zero disarms it; setting it makes it unreadable.
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
                // It could not give back what it had set aside.
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
        starter.endCarrier(carrier.number)
    }
}

extension TransferReport {
    /// Whether nothing more comes of this attempt.
    fileprivate var isLast: Bool {
        switch self {
        case .completed, .failed, .stopped: true
        case .responded, .progressed, .checkpointed, .moved: false
        }
    }
}
