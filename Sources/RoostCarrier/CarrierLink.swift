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
        var isToStop = false
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

    init(number: Int64, taking descriptor: Int32, isForOne: Bool) {
        self.number = number
        self.isForOne = isForOne
        channel = CarrierChannel(taking: descriptor, longest: CarrierWord.longest)
    }

    var descriptor: Int32 { channel.descriptor }
    var isIdle: Bool { jobs.isEmpty }
    /// Whether it takes nothing just now.
    var isSendingLate: Bool { channel.isSendingLate }

    func configure(_ settings: CarrierSettings) { channel.send(CarrierOrder.settings(settings).frame) }

    func begin(_ job: TransferJob) {
        isResting = false
        jobs[job.id] = Assigned(attempt: job.attempt, checkpoint: job.checkpoint)
        channel.send(CarrierOrder.begin(job).frame)
    }

    func stop(_ id: TransferID) {
        guard jobs[id]?.isToStop == false else { return }
        jobs[id]?.isToStop = true
        channel.send(CarrierOrder.stop(id).frame)
    }

    /// Takes what has come, and sends what is left. False where the carrier has gone, or said what it must not.
    func look(bootID: String, into reports: inout [TransferReport]) -> Bool {
        channel.flush()
        let look = channel.receive()
        do throws(Malformed) {
            while let bytes = try channel.next() {
                switch try CarrierWord(bytes) {
                case .report(let report): reports.append(try checked(report, bootID: bootID))
                case .resting: isResting = jobs.isEmpty
                case .gaveUp(let reason): lastWords = reason
                }
            }
        } catch {
            lastWords = "it said what it must not"
            return false
        }
        return look == .open
    }

    /// A report that fits a job it has; of any other there is none.
    private func checked(_ report: TransferReport, bootID: String) throws(Malformed) -> TransferReport {
        guard let job = jobs[report.id], job.attempt == report.attempt else { throw Malformed() }
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
            if job.isToStop { return .stopped(id, attempt: job.attempt, job.checkpoint) }
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

extension TransferReport {
    fileprivate var attempt: Int32? {
        switch self {
        case .responded(_, let attempt, _, _), .progressed(_, let attempt, _, _), .checkpointed(_, let attempt, _),
            .completed(_, let attempt, _, _), .failed(_, let attempt, _), .stopped(_, let attempt, _):
            attempt
        case .moved: nil
        }
    }
}
