import UIKit

/// Syncs under a background task when the app leaves the foreground, and waits in each of the ways an app may: by a
/// timer, a queue, and a task. What it does wrong is written in its defaults.
@MainActor final class SyncManager {
    static let shared = SyncManager()

    private var task = UIBackgroundTaskIdentifier.invalid
    private var started = Date()
    private var syncs = 0

    static let lineOfBegin = 29

    func register() {
        print("registered at \(Date().timeIntervalSince1970)")
        if UserDefaults.standard.bool(forKey: "crashes") { fatalError("as its defaults say") }
        if UserDefaults.standard.bool(forKey: "exits") { exit(3) }
        NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { _ in MainActor.assumeIsolated { self.sync() } }
    }

    private func sync() {
        if UserDefaults.standard.bool(forKey: "hangs") { while true { Thread.sleep(forTimeInterval: 1) } }
        started = Date()
        syncs += 1
        UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "syncs") + 1, forKey: "syncs")
        note("begun")
        task = UIApplication.shared.beginBackgroundTask(withName: "MyTask") { [self] in end("time is up") }
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in
            MainActor.assumeIsolated { self.note("Timer") }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { self.note("asyncAfter") }
        Task {
            try await Task.sleep(for: .seconds(3))
            note("Task.sleep")
            end("done")
        }
    }

    private func note(_ text: String) {
        let stored = UserDefaults.standard.integer(forKey: "syncs")
        print("\(text) after \(Date().timeIntervalSince(started)) s, sync \(syncs) of this launch, \(stored) in all")
    }

    private func end(_ why: String) {
        print(why)
        fflush(nil)
        guard task != .invalid, !UserDefaults.standard.bool(forKey: "forgets") else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
