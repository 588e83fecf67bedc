import Foundation
import RoostURLSession
import Synchronization

/// A delegate that records its callbacks, and can be awaited.
final class Listener: NSObject, URLSessionDownloadDelegate {
    private struct State {
        var lines: [String] = []
        var errors: [any Error] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    /// Called with each file.
    private let onFile: @Sendable (URL) -> Void
    private let onDelayed: (disposition: URLSession.DelayedRequestDisposition, request: URLRequest?)

    init(
        onDelayed: (URLSession.DelayedRequestDisposition, URLRequest?) = (.continueLoading, nil),
        onFile: @escaping @Sendable (URL) -> Void = { _ in }
    ) {
        self.onFile = onFile
        self.onDelayed = onDelayed
    }

    var lines: [String] { state.withLock(\.lines) }
    var errors: [any Error] { state.withLock(\.errors) }

    private func add(_ line: String) {
        let due = state.withLock { state in
            state.lines.append(line)
            let count = state.lines.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }
        }
        for (_, continuation) in due { continuation.resume() }
    }

    /// Waits until this many lines are recorded; returns them.
    func lines(_ count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.count < count { state.waiting.append((count, continuation)) }
                return state.lines.count >= count
            }
            if isThere { continuation.resume() }
        }
        return lines
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let text = (try? String(contentsOf: location, encoding: .utf8)) ?? "no file"
        onFile(location)
        let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
        add("file \(text) \(status) \(downloadTask.taskDescription ?? "-")")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { add("wrote \(bytesWritten) \(totalBytesWritten) \(totalBytesExpectedToWrite)") }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { add("resumed \(fileOffset) \(expectedTotalBytes)") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { state.withLock { $0.errors.append(error) } }
        add("done \((error as? URLError).map { "\($0.code.rawValue)" } ?? "well")")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        add("delayed \(request.url?.absoluteString ?? "-")")
        completionHandler(onDelayed.disposition, onDelayed.request)
        completionHandler(.cancel, nil)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { add("events finished") }
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { add("invalid") }
}
