internal import CRoost
internal import LifeCycleModel
internal import RoostHelpers
internal import RoostPorts

/// The supervisor's side of one carrier: its jobs and its reports. A report that does not fit a job is rejected.
final class CarrierLink {
    /// A job that was given to the carrier.
    private struct Assigned {
        let attempt: Int32
        /// The newest known checkpoint.
        var checkpoint: TransferCheckpoint?
        /// The time by which the transfer must have stopped; nil if no stop was requested.
        var stopsBy: Nanoseconds?
        var news: NewsBudget
    }

    /// A rate limit on a transfer's reports. An honest carrier sends a few per second.
    private struct NewsBudget {
        private static let perSecond: Int64 = 64
        /// The largest backlog, for reports that the supervisor had no time to read.
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

    /// The number by which the guardian knows the carrier.
    let number: Int64
    /// Whether the carrier is for a single transfer, which was running when another carrier died.
    let isForOne: Bool
    private var channel: HelperChannel
    private let files: PartialFiles
    private var jobs: [TransferID: Assigned] = [:]
    /// The reason for the carrier's end, from the carrier itself or from the supervisor.
    private(set) var lastWords: String?
    /// Whether the carrier has reported that it is idle, and has received no job since.
    private(set) var isResting = false
    /// The number of idle reports that the carrier may still send: one before the first job, and one after each job.
    private var restsLeft = 1
    /// Whether the loop watches the socket for room to send.
    var isWatchedForRoom = false

    /// The most bytes of orders that may wait for the carrier to read them.
    private static let mostUnsent = 32 << 20

    /// `files` are what the carrier writes.
    init(number: Int64, taking descriptor: Int32, files: PartialFiles, isForOne: Bool) {
        self.number = number
        self.files = files
        self.isForOne = isForOne
        channel = HelperChannel(taking: descriptor, longest: CarrierWord.longest)
    }

    var descriptor: Int32 { channel.descriptor }
    var isIdle: Bool { jobs.isEmpty }
    /// Whether unsent orders wait for room in the socket.
    var isSendingLate: Bool { channel.isSendingLate }
    /// Whether so many orders are unread that the carrier must have stopped reading.
    var isBacklogged: Bool { channel.unsentBytes > Self.mostUnsent }
    /// The earliest time by which a transfer must have stopped; nil if no transfer is to stop.
    var stopsBy: Nanoseconds? { jobs.values.compactMap(\.stopsBy).min() }

    func configure(_ settings: CarrierSettings) { channel.send(CarrierOrder.settings(settings).frame) }

    /// Queues a job for the carrier; `flush` sends it.
    func begin(_ job: TransferJob) {
        isResting = false
        restsLeft += 1
        jobs[job.id] = Assigned(
            attempt: job.attempt, checkpoint: job.checkpoint, news: NewsBudget(at: Nanoseconds(croost_monotonic())))
        channel.add(CarrierOrder.begin(job).frame)
    }

    /// Sends the unsent orders without blocking.
    func flush() { channel.flush() }

    func stop(_ id: TransferID, by time: Nanoseconds) {
        guard let job = jobs[id], job.stopsBy == nil else { return }
        jobs[id]?.stopsBy = time
        channel.add(CarrierOrder.stop(id).frame)
    }

    /// Reads the carrier's messages and sends pending orders. False if the carrier has gone, sent an invalid message,
    /// stopped reading, or missed a deadline for stopping.
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
            lastWords = "it sent an invalid message"
            return false
        }
        if isBacklogged || stopsBy.map({ $0 <= now }) ?? false {
            lastWords = isBacklogged ? "it stopped reading orders" : "it did not stop a transfer in time"
            return false
        }
        return look == .open
    }

    /// The report, if it fits a job of this carrier and the file that it completes. Throws `Malformed` otherwise.
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
        case .completed(let id, _, _, let size):
            guard files.length(of: id) == size else { throw Malformed() }
            jobs[id] = nil
            return report
        case .failed(let id, let attempt, var problem):
            jobs[id] = nil
            // An unchanged checkpoint may be from an earlier boot, and keeps that boot's id.
            if problem.checkpoint != job.checkpoint { problem.checkpoint?.boot = bootID }
            return .failed(id, attempt: attempt, problem)
        case .stopped(let id, let attempt, var checkpoint):
            jobs[id] = nil
            if checkpoint != job.checkpoint { checkpoint?.boot = bootID }
            return .stopped(id, attempt: attempt, checkpoint)
        case .moved: throw Malformed()
        }
    }

    /// The final reports of all jobs after the carrier has gone. A retry resumes from the bytes on disk.
    func ends() -> [TransferReport] {
        defer { jobs = [:] }
        let said = lastWords.map { ": \($0)" } ?? ""
        return jobs.sorted { $0.key < $1.key }.map { id, job in
            if job.stopsBy != nil { return .stopped(id, attempt: job.attempt, job.checkpoint) }
            var problem = TransferProblem(
                code: Self.connectionToServiceLost, reason: "roost-carry, the process that downloads it, ended\(said)",
                isRetryable: true, checkpoint: job.checkpoint)
            problem.isCarriersEnd = true
            return .failed(id, attempt: job.attempt, problem)
        }
    }

    /// `NSURLErrorBackgroundSessionWasDisconnected`.
    static let connectionToServiceLost: Int32 = -997
}
