import LifeCycleModel
import RoostPorts

@testable import RoostRuntime

/// An engine without transfers: the test decides its reports. The engine objects to orders that no engine can carry
/// out.
final class FakeEngine: TransferEngine {
    let log: CallLog
    var descriptor: Int32 { reports.descriptor }
    /// The jobs that are under way.
    private(set) var jobs: [TransferID: TransferJob] = [:]
    /// Jobs that were begun again before their end, which an engine need not support.
    private(set) var objections: [String] = []
    private(set) var kept: Set<TransferID>?
    var rates: [TransferID: TransferProgress] = [:]
    /// Whether a stop is answered at once.
    var answersStops = true
    /// A report that comes an iteration after another report, although its job is no longer under way.
    var late: TransferReport?
    private let reports: Mailbox<TransferReport>

    init(log: CallLog) throws {
        self.log = log
        reports = try Mailbox()
    }

    /// Makes the engine send a report.
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

    /// Ends a job without a report, which still has to come.
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

    /// The size of each app's partial files.
    var sizes: [AppID: Int64] = [:]

    func partialSize(of app: AppID) -> @Sendable () -> Int64 {
        let size = sizes[app] ?? 0
        return { size }
    }

    func progress() -> [TransferID: TransferProgress] {
        jobs.mapValues { rates[$0.id] ?? TransferProgress(received: 0, expected: nil, rate: 0) }
    }
}
