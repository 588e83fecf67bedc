import CRoost
import Foundation
import LifeCycleModel
import RoostCarrier
import RoostHelpers
import RoostLinux
import RoostPorts
import Testing

/// Transfers as the supervisor has them, with carriers that are children of the tests, and the reports so far.
final class CarrierRig {
    let directory: String
    let transfers: CarriedTransfers
    let carriers: ChildHelpers
    private(set) var reports: [TransferReport] = []

    static let boot = "this boot"

    init(
        program: String = CarrierRig.program, settings: (inout CarriedTransferOptions) -> Void = { _ in }
    ) throws {
        var template = Array("\(NSTemporaryDirectory())/roost-carrier.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        carriers = ChildHelpers(program: program)
        var options = CarriedTransferOptions(directory: directory + "/partial", bootID: Self.boot)
        settings(&options)
        let (movers, deleters) = (try WorkerThread("move"), try WorkerThread("delete"))
        transfers = try CarriedTransfers(
            options, startedBy: carriers,
            filesOn: FileThreads(committing: { movers.post($0) }, slow: { deleters.post($0) }))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// `roost-carry`, built in the same folder as the tests.
    static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("roost-carry").path
    }()

    /// Writes a program. Another process does it: a child that another test starts meanwhile would inherit this process's
    /// descriptor, and the kernel refuses to execute a file that is open for writing.
    static func write(_ script: String, toProgram path: String) throws {
        let shell = try #require(popen("cat > '\(path)' && chmod 755 '\(path)'", "we"))
        fputs(script, shell)
        try #require(pclose(shell) == 0)
    }

    static func id(_ number: Int64 = 1) -> TransferID {
        TransferID(session: TransferSessionID(app: AppID(7), number: 3), number: number)
    }

    func partial(_ number: Int64 = 1) -> String { "\(directory)/partial/7-3-\(number).part" }

    func begin(
        _ url: String, _ number: Int64 = 1, attempt: Int32 = 1, checkpoint: TransferCheckpoint? = nil,
        body: String? = nil, isSuspect: Bool = false
    ) {
        var request = TransferRequest(url: url)
        request.body = body
        let job = TransferJob(
            id: Self.id(number), attempt: attempt, request: request, checkpoint: checkpoint,
            requestTimeout: .seconds(60), isSuspect: isSuspect)
        transfers.begin([job])
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
            look(milliseconds: Int32(left))
        }
    }

    private func look(milliseconds: Int32) {
        var entry = pollfd(fd: transfers.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, milliseconds)
        reports += transfers.takeReports()
    }

    /// Waits until no carrier is running.
    func waitForRest(at location: SourceLocation = #_sourceLocation) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !carriers.pids.isEmpty {
            try #require(ContinuousClock.now < deadline, "carriers are still running", sourceLocation: location)
            look(milliseconds: 1000)
        }
    }

    /// Waits for the failure of an attempt.
    func failure(of number: Int64 = 1, attempt: Int32 = 1) throws -> TransferProblem {
        try wait { report in
            if case .failed(Self.id(number), attempt, let problem) = report { problem } else { nil }
        }
    }

    /// Waits for the completion of an attempt; returns the size in bytes.
    func completion(of number: Int64 = 1, attempt: Int32 = 1) throws -> Int64 {
        try wait { report in
            if case .completed(Self.id(number), attempt, _, let size) = report { size } else { nil }
        }
    }
}
