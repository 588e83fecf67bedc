import LifeCycleModel
import RoostPorts

@testable import RoostRuntime

/// Transfers that do not happen: the test says what the engine would report. It objects to what no engine could do.
final class FakeEngine: TransferEngine {
    let log: CallLog
    var descriptor: Int32 { reports.descriptor }
    /// What is under way.
    private(set) var jobs: [TransferID: TransferJob] = [:]
    /// Begun more than once without an end between, which no engine has to bear.
    private(set) var objections: [String] = []
    private(set) var kept: Set<TransferID>?
    var rates: [TransferID: TransferProgress] = [:]
    /// Whether a stop is answered at once.
    var answersStops = true
    /// What is told one turn after something else, though it is not under way any more.
    var late: TransferReport?
    private let reports: Mailbox<TransferReport>

    init(log: CallLog) throws {
        self.log = log
        reports = try Mailbox()
    }

    /// Lets the engine tell something.
    func report(_ report: TransferReport) {
        switch report {
        case .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _): jobs[id] = nil
        case .responded, .progressed, .checkpointed, .moved: break
        }
        reports.post(report)
    }

    func takeReports() -> [TransferReport] {
        let taken = reports.takeAll()
        if !taken.isEmpty, let late {
            self.late = nil
            report(late)
        }
        return taken
    }

    /// It is not under way any more, which has still to be told.
    func forget(_ id: TransferID) { jobs[id] = nil }

    func begin(_ new: [TransferJob]) {
        for job in new {
            log.calls.append("begin \(job.id)")
            if jobs[job.id] != nil { objections.append("\(job.id) is under way") }
            jobs[job.id] = job
        }
    }

    func stop(_ id: TransferID) {
        log.calls.append("stop \(id)")
        guard answersStops, let job = jobs[id] else { return }
        report(.stopped(id, attempt: job.attempt, job.checkpoint))
    }

    func move(_ id: TransferID, to path: String, below container: String) {
        log.calls.append("move \(id) to \(path) below \(container)")
    }

    func discard(_ id: TransferID, delivered path: String?, below container: String?) {
        log.calls.append("discard \(id) below \(container ?? "nothing")")
    }

    func keepOnly(_ ids: Set<TransferID>) { kept = ids }

    /// What is held of each app.
    var sizes: [AppID: Int64] = [:]

    func partialSize(of app: AppID) -> @Sendable () -> Int64 {
        let size = sizes[app] ?? 0
        return { size }
    }

    func progress() -> [TransferID: TransferProgress] {
        jobs.mapValues { rates[$0.id] ?? TransferProgress(received: 0, expected: nil, rate: 0) }
    }
}
