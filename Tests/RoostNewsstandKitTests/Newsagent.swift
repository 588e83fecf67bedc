import AppCore
import Foundation
import LifeCycleModel
import RoostKit
import RoostNewsstandKit
import Synchronization

/// The system of an app in the test's process: records the app's messages.
final class System: HostLink {
    private let state = Mutex<(requests: [AppRequest], lines: [String])>(([], []))
    let container = FileManager.default.temporaryDirectory.appendingPathComponent("newsstand-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: container) }

    var now: Nanoseconds { .zero }
    func began(_ task: TaskID, file: String, line: Int) {}
    // App: nothing in it waits.
    func sleep(until deadline: Nanoseconds) async throws {}
    func log(_ line: String) { state.withLock { $0.lines.append(line) } }
    func send(_ request: AppRequest) { state.withLock { $0.requests.append(request) } }

    var lines: [String] { state.withLock(\.lines) }

    /// The app's messages about its downloads.
    var acts: [TransferAct] {
        state.withLock(\.requests).compactMap { request in
            if case .concern(.transfer(.newsstand, let act)) = request { act } else { nil }
        }
    }

    /// The downloads that the app has made.
    var made: [NewTransfer] { acts.compactMap { if case .make(let new) = $0 { new } else { nil } } }
    var names: [String?] { acts.compactMap { if case .setText(_, let text) = $0 { text } else { nil } } }

    func forget() { state.withLock { $0.requests = [] } }

    /// Waits until the app has sent this, on any thread.
    func until(_ isSaid: @Sendable (TransferAct) -> Bool) async {
        while !acts.contains(where: isSaid) { await Task.yield() }
    }

    /// Writes a file to the place where the app finds its downloads.
    func put(_ text: String, _ name: String) throws -> String {
        let file = "\(TransferRecord.directory)/\(name)"
        let url = container.appendingPathComponent(file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return file
    }
}

/// A launch of a Newsstand app, in the test's process.
@MainActor final class Launch {
    let runner: AppRunner
    private let system: System

    init(
        _ system: System, modes: [String] = ["newsstand-content"], reason: LaunchReason = .user
    ) {
        self.system = system
        let context = LaunchContext(
            reason: reason, backgroundTime: .seconds(30), isMultitaskingSupported: true)
        runner = AppRunner(
            session: AppSession(context: context, link: system), code: HostedCode(info: ["UIBackgroundModes": modes]))
        runner.begin()
    }

    func end() { runner.end() }

    func say(_ news: TransferNews...) {
        for news in news { runner.receive(.concern(.transfer(.newsstand, news))) }
    }

    /// The session is open, with these tasks of earlier launches.
    func open(_ tasks: [(number: Int64, name: String)] = []) {
        let summaries = tasks.map {
            TransferSummary(
                number: $0.number, request: TransferRequest(url: "http://localhost/may"), text: $0.name, priority: 500,
                earliestBegin: nil, isSuspended: false, received: 0, expected: nil)
        }
        say(
            .opened(TransferSessionID(app: AppID(1), number: 1), lowestFree: 1000), .listed(summaries, isLast: true))
    }

    func arrive(_ number: Int64, _ text: String, status: Int32 = 200) throws {
        let response = TransferResponse(url: "http://localhost/may", status: status, fields: [])
        say(
            .downloaded(
                number, file: try system.put(text, "\(number)"), response, size: Int64(text.utf8.count)))
    }
}

/// Receives the results of assets, and can be awaited.
@MainActor final class Reader: NSObject, NSURLConnectionDownloadDelegate {
    private(set) var lines: [String] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var receivesProgress = false
    var onFile: (URL) -> Void = { _ in }
    var onFailure: (NSURLConnection) -> Void = { _ in }

    func note(_ line: String) {
        lines.append(line)
        let due = waiting.filter { $0.count <= lines.count }
        waiting.removeAll { $0.count <= lines.count }
        for (_, continuation) in due { continuation.resume() }
    }

    func lines(_ count: Int) async -> [String] {
        if lines.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
        return lines
    }

    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
        let text = (try? String(contentsOf: destinationURL, encoding: .utf8)) ?? "no file"
        let issue = connection.newsstandAssetDownload?.issue?.name ?? "?"
        onFile(destinationURL)
        note("\(issue): \(text)")
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        let issue = connection.newsstandAssetDownload?.issue?.name ?? "?"
        onFailure(connection)
        note("\(issue) failed: \((error as? URLError)?.code.rawValue ?? 0)")
    }

    func connection(
        _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {
        if receivesProgress { note("\(bytesWritten), \(totalBytesWritten) of \(expectedTotalBytes)") }
    }
}

/// Counts how often an issue was reported complete.
final class Completions: Sendable {
    private let counted = Atomic(0)

    init(of issue: NKIssue) {
        NotificationCenter.default.addObserver(forName: .NKIssueDownloadCompleted, object: issue, queue: nil) {
            [weak self] _ in _ = self?.counted.add(1, ordering: .relaxed)
        }
    }

    var count: Int { counted.load(ordering: .relaxed) }
}
