import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostPorts
import RoostTransfers

/// An engine in its own process, for tests that measure and kill it: TransferTestTool DIRECTORY ROOTS AT-ONCE URL…
///
/// It downloads the URLs, AT-ONCE of them at a time. The first is transfer 1. Checkpoints are persisted in
/// DIRECTORY/N.checkpoint as a store would do, and partial files in DIRECTORY/partial. The tool prints a line for each
/// end, and `resting` after the last. Then it waits for the end of its input.
final class Tool {
    private let directory: String
    private let atOnce: Int
    private let urls: [String]
    private let engine: HTTPTransferEngine
    private var begun = 0
    private var ended = 0

    init(_ arguments: [String]) throws {
        directory = arguments[0]
        atOnce = Int(arguments[2]) ?? 1
        urls = Array(arguments[3...])
        var options = TransferOptions(directory: directory + "/partial", bootID: "this boot")
        options.linger = .milliseconds(100)
        if arguments[1] != "-" { options.additionalRoots = arguments[1] }
        options.allowsLinkLocal = getenv("ALLOWS_LINK_LOCAL") != nil
        engine = try HTTPTransferEngine(options)
    }

    func run() throws {
        while begun < min(atOnce, urls.count) { begin() }
        while ended < urls.count {
            var entry = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            for report in engine.takeReports() { try take(report) }
        }
        say("resting")
        while read(0, UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1), 1) > 0 {}
    }

    private func begin() {
        begun += 1
        let id = TransferID(session: TransferSessionID(app: AppID(1), number: 1), number: Int64(begun))
        let stored = try? Data(contentsOf: URL(filePath: checkpointPath(id)))
        engine.begin(
            TransferJob(
                id: id, attempt: 1, request: TransferRequest(url: urls[begun - 1]),
                checkpoint: stored.flatMap { try? JSONDecoder().decode(TransferCheckpoint.self, from: $0) },
                requestTimeout: .seconds(30)))
    }

    private func checkpointPath(_ id: TransferID) -> String { "\(directory)/\(id.number).checkpoint" }

    private func take(_ report: TransferReport) throws {
        switch report {
        case .responded(let id, _, let offset, _): say("responded \(id.number) \(offset)")
        case .checkpointed(let id, _, let checkpoint):
            try JSONEncoder().encode(checkpoint).write(to: URL(filePath: checkpointPath(id)), options: .atomic)
        case .completed(let id, _, _, let size): end("completed \(id.number) \(size)")
        case .failed(let id, _, let problem): end("failed \(id.number) \(problem.code) \(problem.reason)")
        case .stopped(let id, _, _): end("stopped \(id.number)")
        case .progressed, .moved: break
        }
    }

    private func end(_ line: String) {
        say(line)
        ended += 1
        if begun < urls.count { begin() }
    }

    private func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}

try Tool(Array(CommandLine.arguments.dropFirst())).run()
