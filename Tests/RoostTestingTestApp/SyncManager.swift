import UIKit

/// Syncs under a background task, in each of the ways an app may wait: by a timer, a queue, and a task.
@MainActor final class SyncManager {
    static let shared = SyncManager()

    private var task = UIBackgroundTaskIdentifier.invalid
    private var started = Date()

    func register() {
        NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { _ in MainActor.assumeIsolated { self.sync() } }
    }

    func sync() {
        started = Date()
        UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "syncs") + 1, forKey: "syncs")
        task = UIApplication.shared.beginBackgroundTask(withName: "MyTask") { [self] in end("time is up") }
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in
            MainActor.assumeIsolated { self.note("timer") }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { self.note("asyncAfter") }
        Task {
            try await Task.sleep(for: .seconds(3))
            note("Task.sleep")
            end("done")
        }
    }

    private func note(_ text: String) {
        print(
            "\(text) after \(Date().timeIntervalSince(started)) s, syncs \(UserDefaults.standard.integer(forKey: "syncs"))"
        )
        fflush(nil)
    }

    private func end(_ why: String) {
        print(why)
        guard !UserDefaults.standard.bool(forKey: "forgets") else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
