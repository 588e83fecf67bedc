import Foundation
import RoostKit
import RoostURLSession

/// The app of the tests of background sessions, which run it against a scripted system. The app prints its events. At
/// its launch it does what the variable `TEST_BACKGROUND` names.
@main
final class SessionTestApp: UIResponder, UIApplicationDelegate {
    private let downloads = Downloads()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        switch ProcessInfo.processInfo.environment["TEST_BACKGROUND"] {
        case "download": downloads.begin()
        case "attach": _ = downloads.session
        case "completion": downloads.beginWithHandler()
        case "upload": downloads.beginUpload()
        default: break
        }
        return true
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        print("events of \(identifier)")
        downloads.whenDone(completionHandler)
    }
}

/// Downloads in a background session, and prints the events.
@MainActor final class Downloads: NSObject, URLSessionDownloadDelegate {
    private var handler: (() -> Void)?

    lazy var session = URLSession(
        configuration: .background(withIdentifier: "test"), delegate: self, delegateQueue: nil)

    func begin() {
        guard let url = URL(string: "http://localhost/a") else { return }
        let task = session.downloadTask(with: url)
        task.taskDescription = "first"
        print("task \(task.taskIdentifier)")
        task.resume()
    }

    func beginWithHandler() {
        guard let url = URL(string: "http://localhost/a") else { return }
        session.downloadTask(with: url) { _, _, _ in }.resume()
    }

    func beginUpload() {
        guard let url = URL(string: "http://localhost/a") else { return }
        session.uploadTask(with: URLRequest(url: url), from: Data()).resume()
    }

    func whenDone(_ call: @escaping () -> Void) {
        handler = call
        _ = session
    }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let text = (try? String(contentsOf: location, encoding: .utf8)) ?? "no file"
        print(
            "finished \(downloadTask.taskDescription ?? "-") \(downloadTask.originalRequest?.url?.path ?? "-") \(text)")
        let kept = location.deletingLastPathComponent().appendingPathComponent("moved")
        try? FileManager.default.removeItem(at: kept)
        try? FileManager.default.moveItem(at: location, to: kept)
        // App: it dies while its delegate has the file.
        if ProcessInfo.processInfo.environment["TEST_DIES"] != nil { kill(getpid(), SIGKILL) }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        print("completed \((error as? URLError).map { "\($0.code.rawValue)" } ?? "well")")
    }

    nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        print("events finished")
        DispatchQueue.main.async { [self] in
            handler?()
            // The second call is one too many.
            handler?()
            handler = nil
        }
    }
}

/// Writes a line at once, also if the output is a pipe.
private func print(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
