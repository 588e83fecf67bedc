import Foundation
import RoostKit
import RoostURLSession

/// Begins as many background downloads as the file `settings` next to it says, and prints the time until the last
/// outcome.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let downloads = Downloads()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        downloads.begin()
        return true
    }
}

@MainActor final class Downloads: NSObject, URLSessionDownloadDelegate {
    private lazy var session = URLSession(
        configuration: .background(withIdentifier: "downloads"), delegate: self, delegateQueue: .main)
    private var rest = 0
    private let clock = ContinuousClock()
    private lazy var start = clock.now

    func begin() {
        let path = Bundle.main.bundlePath + "/settings"
        let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        let settings = Dictionary(
            lines.compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        ) { $1 }
        guard let url = settings["url"], let count = settings["count"].flatMap({ Int($0) }) else { return }
        rest = count
        _ = start
        for number in 0..<count {
            guard let url = URL(string: url + "\(number)") else { continue }
            session.downloadTask(with: url).resume()
        }
    }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        try? FileManager.default.removeItem(at: location)
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { print("failed \(error)") }
        MainActor.assumeIsolated { tell() }
    }

    private func tell() {
        rest -= 1
        guard rest == 0 else { return }
        let time = clock.now - start
        print("seconds=\(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)")
        print("done")
        fflush(nil)
    }
}

AppDelegate.main()
