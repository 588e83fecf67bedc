import Foundation
import RoostKit
import RoostURLSession

/// The app of the end-to-end tests of background downloads. The app downloads the URLs in the file `plan` among its
/// documents, one a line, and prints the events.
///
/// The app looks for `plan` at its launch, and when it is woken for its session. A line may begin with a name for the
/// task. The file `timeouts` may contain the timeouts of a request and of a resource, in seconds. With a file `silent`
/// the app never calls a completion handler.
@main
final class DownloadTestApp: UIResponder, UIApplicationDelegate {
    private let downloads = Downloads()

    /// Runs the bundle's `program.py`, if it has one, in place of the app. The program speaks to the system without the
    /// library. Because of this executable's note, the system still calls the app.
    static func main() {
        let program = Bundle.main.bundleURL.appendingPathComponent("program.py").path
        if access(program, R_OK) == 0 {
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("python3"), strdup(program), nil]
            execv("/usr/bin/python3", &arguments)
            exit(1)
        }
        UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(DownloadTestApp.self))
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say("launched \(application.applicationState == .background ? "off" : "on") the screen")
        downloads.begin()
        return true
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        say("events of \(identifier)")
        downloads.begin()
        downloads.whenDone(completionHandler)
    }
}

/// The app's only session.
@MainActor final class Downloads: NSObject, URLSessionDownloadDelegate {
    private var handler: (() -> Void)?
    nonisolated private let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]

    private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)

    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.background(withIdentifier: "downloads")
        let text = try? String(contentsOf: documents.appendingPathComponent("timeouts"), encoding: .utf8)
        let numbers = text?.split(separator: " ").compactMap { TimeInterval($0) } ?? []
        if numbers.count == 2 {
            configuration.timeoutIntervalForRequest = numbers[0]
            configuration.timeoutIntervalForResource = numbers[1]
        }
        return configuration
    }

    func begin() {
        let plan = documents.appendingPathComponent("plan")
        guard let text = try? String(contentsOf: plan, encoding: .utf8) else { return }
        for (index, line) in text.split(separator: "\n").enumerated() {
            let words = line.split(separator: " ")
            guard let url = words.last.flatMap({ URL(string: String($0)) }) else { continue }
            let task = session.downloadTask(with: url)
            task.taskDescription = words.count > 1 ? String(words[0]) : "\(index + 1)"
            task.resume()
            say("begun \(task.name)")
        }
        try? FileManager.default.removeItem(at: plan)
    }

    func whenDone(_ call: @escaping () -> Void) {
        handler = call
        _ = session
    }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let kept = documents.appendingPathComponent("\(downloadTask.name).bin")
        do {
            try FileManager.default.moveItem(at: location, to: kept)
            say("finished \(downloadTask.name)")
        } catch {
            say("lost \(downloadTask.name) \(error)")
        }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        say("completed \(task.name) \((error as? URLError).map { "\($0.code.rawValue)" } ?? "well")")
    }

    nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        say("events finished")
        if access(documents.appendingPathComponent("silent").path, F_OK) == 0 { return }
        DispatchQueue.main.async { [self] in
            handler?()
            handler = nil
        }
    }
}

extension URLSessionTask {
    /// The task's line in the plan, which every launch knows.
    fileprivate var name: String { taskDescription ?? "?" }
}

/// Writes a line at once, also if the output is a pipe.
private func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
