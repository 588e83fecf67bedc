import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostCarrier
import RoostHelpers
import RoostLinux
import RoostPorts

/// Runs transfers like the service, with the `roost-carry` next to this program: carry DIRECTORY ROOTS AT-ONCE URL…
///
/// It downloads the URLs, AT-ONCE at a time, and moves each whole file to DIRECTORY/files. ROOTS is a file of
/// certificates, or `-`. The program prints its memory before the first download, and the largest memory of itself and
/// the carrier. The carrier's usage counts as this process's, which waits for it.
struct Carrying {
    let directory: String
    let atOnce: Int
    let urls: [String]
    let carriers: ChildHelpers
    let engine: CarriedTransfers
    var begun = 0
    var moved = 0

    init(_ arguments: [String]) throws {
        guard arguments.count > 3, let atOnce = Int(arguments[2]) else {
            throw Complaint(text: "usage: carry DIRECTORY ROOTS AT-ONCE URL…")
        }
        directory = arguments[0]
        self.atOnce = atOnce
        urls = Array(arguments[3...])
        var options = CarriedTransferOptions(directory: directory + "/partial", bootID: "this boot")
        if arguments[1] != "-" { options.additionalRoots = arguments[1] }
        let own = CommandLine.arguments[0]
        carriers = ChildHelpers(program: (own.lastIndex(of: "/").map { own[...$0] } ?? "") + "roost-carry")
        let (movers, deleters) = (try WorkerThread("move"), try WorkerThread("delete"))
        engine = try CarriedTransfers(
            options, startedBy: carriers,
            filesOn: FileThreads(committing: { movers.post($0) }, slow: { deleters.post($0) }))
        guard mkdir(directory + "/files", 0o700) == 0 else { throw Complaint(text: "there is \(directory)/files") }
    }

    mutating func run() throws {
        let before = try Self.kilobytes("VmRSS:")
        begin(atOnce)
        while moved < urls.count {
            var entry = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            let reports = engine.takeReports()
            for report in reports { try take(report) }
            begin(reports.count { if case .completed = $0 { true } else { false } })
        }
        var peak = try Self.kilobytes("VmHWM:")
        for pid in carriers.pids { peak += try Self.kilobytes("VmHWM:", of: "\(pid)") }
        print("before=\(before) peak=\(peak)")
    }

    /// Begins the next `count` transfers.
    private mutating func begin(_ count: Int) {
        let next = begun..<min(begun + count, urls.count)
        guard !next.isEmpty else { return }
        begun = next.upperBound
        engine.begin(
            next.map { index in
                let id = TransferID(session: TransferSessionID(app: AppID(1), number: 1), number: Int64(index + 1))
                return TransferJob(
                    id: id, attempt: 1, request: TransferRequest(url: urls[index]), checkpoint: nil,
                    requestTimeout: .seconds(60))
            })
    }

    private mutating func take(_ report: TransferReport) throws {
        switch report {
        case .completed(let id, _, let response, _):
            guard response.status == 200 else { throw Complaint(text: "\(response.url): \(response.status)") }
            engine.move(id, to: "\(id.number)", below: directory + "/files")
        case .moved(let id, let code):
            guard code == nil else { throw Complaint(text: "\(id.number) was not moved: \(code ?? 0)") }
            moved += 1
        case .failed(let id, _, let problem): throw Complaint(text: "\(id.number): \(problem.reason)")
        case .stopped(let id, _, _): throw Complaint(text: "\(id.number) was stopped")
        case .responded, .checkpointed, .progressed: break
        }
    }

    private static func kilobytes(_ name: String, of pid: String = "self") throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

struct Complaint: Error {
    let text: String
}

do {
    var carrying = try Carrying(Array(CommandLine.arguments.dropFirst()))
    try carrying.run()
} catch {
    print("carry: \(error)")
    exit(1)
}
