import UIKit

/// Requests the scores once a minute, and sends the user's votes at most ten seconds after the last vote.
final class ScorePoller {
    private let interval: TimeInterval
    private let started = Date()
    private var timer: Timer?
    private var retry: Timer?
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid
    private(set) var polls = 0

    init(interval: TimeInterval) {
        self.interval = interval
    }

    deinit {
        timer?.invalidate()
        retry?.invalidate()
    }

    func start() {
        guard timer == nil else { return }
        timer = Timer.scheduledTimer(withTimeInterval: interval, repeats: true) { [weak self] _ in
            self?.poll()
        }
        timer?.tolerance = 5
    }

    func poll() {
        polls += 1
        print("poll \(polls) \(seconds)")
    }

    /// Sends the votes. Ten seconds later the server must be asked again whether it has counted them.
    func flush() {
        guard backgroundTask == .invalid else { return }
        backgroundTask = UIApplication.shared.beginBackgroundTask(withName: "Flush votes") { [weak self] in
            self?.endFlush("gave up")
        }
        retry = Timer.scheduledTimer(withTimeInterval: 10, repeats: false) { [weak self] _ in
            self?.endFlush("counted")
        }
    }

    private func endFlush(_ result: String) {
        print("\(result) \(seconds)")
        retry?.invalidate()
        UIApplication.shared.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }

    private var seconds: String { "after \(Int(Date().timeIntervalSince(started).rounded())) s" }
}
