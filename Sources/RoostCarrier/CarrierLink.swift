internal import CRoost
internal import LifeCycleModel
internal import RoostPorts

/// The supervisor's side of one carrier: the jobs it was given, and what it said of them. Nothing it says is believed
/// unless it fits them.
final class CarrierLink {
    /// A job the carrier has.
    private struct Assigned {
        let attempt: Int32
        /// The newest checkpoint that is known.
        var checkpoint: TransferCheckpoint?
        /// When it has to have stopped; nil as long as nobody stops it.
        var stopsBy: Nanoseconds?
        var news: NewsBudget
    }

    /// How many reports of a transfer that has not ended are taken: an honest carrier makes a few a second.
    private struct NewsBudget {
        private static let perSecond: Int64 = 64
        /// For as long as the supervisor itself took none.
        private static let most: Int64 = 4096
        private var left: Int64 = 256
        private var asOf: Nanoseconds

        init(at now: Nanoseconds) { asOf = now }

        mutating func take(at now: Nanoseconds) throws(Malformed) {
            let gained = (now - asOf).rawValue / (1_000_000_000 / Self.perSecond)
            if gained > 0 {
                left = min(Self.most, left + gained)
                asOf = now
            }
            guard left > 0 else { throw Malformed() }
            left -= 1
        }
    }

    /// Its number, by which the guardian knows it.
    let number: Int64
    /// Whether it was made for one transfer that was under way when another carrier died.
    let isForOne: Bool
    private var channel: CarrierChannel
    private var jobs: [TransferID: Assigned] = [:]
    /// Why it ends, in its own words.
    private(set) var lastWords: String?
    /// Whether it has said that it rests, and was given nothing since.
    private(set) var isResting = false
    /// How often it may still say that it rests: once before the first job, and once after each.
    private var restsLeft = 1
    /// Whether it is watched for room to send.
    var isWatchedForRoom = false

    /// So many bytes of orders at most wait for it to read them.
    private static let mostUnsent = 32 << 20

    init(number: Int64, taking descriptor: Int32, isForOne: Bool) {
        self.number = number
        self.isForOne = isForOne
        channel = CarrierChannel(taking: descriptor, longest: CarrierWord.longest)
    }

    var descriptor: Int32 { channel.descriptor }
    var isIdle: Bool { jobs.isEmpty }
    /// Whether it takes nothing just now.
    var isSendingLate: Bool { channel.isSendingLate }
    /// Whether so many orders wait that it cannot mean to read them.
    var isDeaf: Bool { channel.unsentBytes > Self.mostUnsent }
    /// When the first of the transfers that are to stop has to have stopped.
    var stopsBy: Nanoseconds? { jobs.values.compactMap(\.stopsBy).min() }

    func configure(_ settings: CarrierSettings) { channel.send(CarrierOrder.settings(settings).frame) }

    /// Has it begin a transfer, once `flush` is called.
    func begin(_ job: TransferJob) {
        isResting = false
        restsLeft += 1
        jobs[job.id] = Assigned(
            attempt: job.attempt, checkpoint: job.checkpoint, news: NewsBudget(at: Nanoseconds(croost_monotonic())))
        channel.add(CarrierOrder.begin(job).frame)
    }

    /// Sends what has not gone yet, without waiting.
    func flush() { channel.flush() }

    func stop(_ id: TransferID, by time: Nanoseconds) {
        guard let job = jobs[id], job.stopsBy == nil else { return }
        jobs[id]?.stopsBy = time
        channel.add(CarrierOrder.stop(id).frame)
    }

    /// Takes what has come, and sends what is left. False where the carrier has gone, said what it must not, or does not do
    /// what it is told.
    func look(at now: Nanoseconds, bootID: String, into reports: inout [TransferReport]) -> Bool {
        channel.flush()
        let look = channel.receive()
        do throws(Malformed) {
            while let bytes = try channel.next() {
                switch try CarrierWord(bytes) {
                case .report(let report): reports.append(try checked(report, at: now, bootID: bootID))
                case .resting:
                    restsLeft -= 1
                    guard restsLeft >= 0 else { throw Malformed() }
                    isResting = jobs.isEmpty
                case .gaveUp(let reason):
                    lastWords = reason
                    return false
                }
            }
        } catch {
            lastWords = "it said what it must not"
            return false
        }
        if isDeaf || stopsBy.map({ $0 <= now }) ?? false {
            lastWords = isDeaf ? "it took no orders" : "it did not stop a transfer in time"
            return false
        }
        return look == .open
    }

    /// A report that fits a job it has; of any other there is none.
    private func checked(
        _ report: TransferReport, at now: Nanoseconds, bootID: String
    ) throws(Malformed) -> TransferReport {
        guard let job = jobs[report.id], job.attempt == report.attempt else { throw Malformed() }
        try jobs[report.id]?.news.take(at: now)
        switch report {
        case .responded(let id, _, let offset, let expected):
            guard offset <= expected ?? .max else { throw Malformed() }
            if offset < job.checkpoint?.received ?? 0 { jobs[id]?.checkpoint = nil }
            return report
        case .progressed(_, _, let received, let expected):
            guard received <= expected ?? .max else { throw Malformed() }
            return report
        case .checkpointed(let id, let attempt, var checkpoint):
            checkpoint.boot = bootID
            jobs[id]?.checkpoint = checkpoint
            return .checkpointed(id, attempt: attempt, checkpoint)
        case .completed(let id, _, _, _):
            jobs[id] = nil
            return report
        case .failed(let id, let attempt, var problem):
            jobs[id] = nil
            // What is kept of another boot stays so.
            if problem.checkpoint != job.checkpoint { problem.checkpoint?.boot = bootID }
            return .failed(id, attempt: attempt, problem)
        case .stopped(let id, let attempt, var checkpoint):
            jobs[id] = nil
            if checkpoint != job.checkpoint { checkpoint?.boot = bootID }
            return .stopped(id, attempt: attempt, checkpoint)
        case .moved: throw Malformed()
        }
    }

    /// It has gone: what has become of its jobs. What lies on the disk is gone on from.
    func ends() -> [TransferReport] {
        defer { jobs = [:] }
        let said = lastWords.map { ": \($0)" } ?? ""
        return jobs.sorted { $0.key < $1.key }.map { id, job in
            if job.stopsBy != nil { return .stopped(id, attempt: job.attempt, job.checkpoint) }
            var problem = TransferProblem(
                code: Self.connectionToServiceLost, reason: "the process that carried it, roost-carry, ended\(said)",
                mayPass: true, checkpoint: job.checkpoint)
            problem.isCarriersEnd = true
            return .failed(id, attempt: job.attempt, problem)
        }
    }

    /// `NSURLErrorBackgroundSessionWasDisconnected`.
    static let connectionToServiceLost: Int32 = -997
}
