import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// An engine, and its reports so far.
final class Rig {
    let directory: TemporaryDirectory
    let options: TransferOptions
    private(set) var engine: HTTPTransferEngine
    private let makeEngine: (TransferOptions) throws -> HTTPTransferEngine
    private(set) var reports: [TransferReport] = []

    static let boot = "this boot"

    init(
        change: (inout TransferOptions) -> Void = { _ in },
        makingEngine makeEngine: @escaping (TransferOptions) throws -> HTTPTransferEngine = {
            try HTTPTransferEngine($0)
        }
    ) throws {
        directory = try TemporaryDirectory()
        var options = TransferOptions(directory: directory.path + "/partial", bootID: Self.boot)
        options.linger = .milliseconds(50)
        change(&options)
        self.options = options
        self.makeEngine = makeEngine
        engine = try makeEngine(options)
    }

    /// Has the effect of a crash: a new engine that knows nothing, with the same files.
    func restart() throws {
        reports = []
        engine = try makeEngine(options)
    }

    static func id(_ number: Int64 = 1, of app: Int32 = 7) -> TransferID {
        TransferID(session: TransferSessionID(app: AppID(app), number: 3), number: number)
    }

    /// Begins a transfer of this address.
    func begin(
        _ url: String, _ number: Int64 = 1, attempt: Int32 = 1, checkpoint: TransferCheckpoint? = nil,
        timeout: Nanoseconds = .seconds(20), resumes: Int64? = nil, of app: Int32 = 7,
        change: (inout TransferRequest) -> Void = { _ in }
    ) {
        var request = TransferRequest(url: url)
        change(&request)
        engine.begin(
            TransferJob(
                id: Self.id(number, of: app), attempt: attempt, request: request, checkpoint: checkpoint,
                resumes: resumes.map { [Self.id($0)] } ?? [], requestTimeout: timeout))
    }

    /// Waits for a report that `pick` accepts; earlier reports are stored in `reports`.
    func wait<Found>(
        seconds: Int = 60, for pick: (TransferReport) -> Found?, at location: SourceLocation = #_sourceLocation
    ) throws -> Found {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var looked = 0
        while true {
            while looked < reports.count {
                looked += 1
                if let found = pick(reports[looked - 1]) { return found }
            }
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            try #require(left > 0, "no matching report in time: \(reports.suffix(5))", sourceLocation: location)
            var entry = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(left))
            reports += engine.takeReports()
        }
    }

    /// Whether the engine becomes idle within a minute. A transfer's report comes a moment earlier.
    func comesToRest() -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !engine.isIdle, ContinuousClock.now < deadline { sched_yield() }
        return engine.isIdle
    }

    /// Takes the reports that are there, without waiting.
    func takeReports() -> [TransferReport] {
        let new = engine.takeReports()
        reports += new
        return new
    }

    /// Waits for the end of the transfer, and returns it.
    func end(
        of number: Int64 = 1, attempt: Int32 = 1, app: Int32 = 7, seconds: Int = 60,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Ending {
        try wait(
            seconds: seconds,
            for: { report in
                switch report {
                case .completed(Self.id(number, of: app), attempt, let response, let size):
                    .completed(response, size: size)
                case .failed(Self.id(number, of: app), attempt, let problem): .failed(problem)
                case .stopped(Self.id(number, of: app), attempt, let checkpoint): .stopped(checkpoint)
                default: nil
                }
            }, at: location)
    }

    enum Ending: Equatable {
        case completed(TransferResponse, size: Int64)
        case failed(TransferProblem)
        case stopped(TransferCheckpoint?)

        var size: Int64? { if case .completed(_, let size) = self { size } else { nil } }
        var response: TransferResponse? { if case .completed(let response, _) = self { response } else { nil } }
        var problem: TransferProblem? { if case .failed(let problem) = self { problem } else { nil } }
        var checkpoint: TransferCheckpoint? {
            switch self {
            case .completed: nil
            case .failed(let problem): problem.checkpoint
            case .stopped(let checkpoint): checkpoint
            }
        }
    }

    func partial(_ number: Int64 = 1) -> String { options.directory + "/7-3-\(number).part" }

    func bytes(_ number: Int64 = 1) -> [UInt8]? {
        FileManager.default.contents(atPath: partial(number)).map { [UInt8]($0) }
    }

    /// The offsets at which bodies began.
    func offsets(of number: Int64 = 1) -> [Int64] {
        reports.compactMap { if case .responded(Self.id(number), _, let offset, _) = $0 { offset } else { nil } }
    }
}
