import UIKit

/// Syncs under a background task when the app leaves the foreground. The manager waits in each way that an app may:
/// with a timer, a queue, and a task. The app's defaults choose its faults.
@MainActor final class SyncManager {
    private var task = UIBackgroundTaskIdentifier.invalid
    private var observer: (any NSObjectProtocol)?
    private var started = Date()
    private var syncs = 0
    private let defaults = UserDefaults.standard

    func register() {
        note("registered at \(Date().timeIntervalSince1970)")
        if defaults.bool(forKey: "crashes") { fatalError("as its defaults say") }
        if defaults.bool(forKey: "exits") { exit(3) }
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.sync() } }
    }

    private func sync() {
        // App: it represents a call that never returns.
        if defaults.bool(forKey: "hangs") { while true { Thread.sleep(forTimeInterval: 1) } }
        started = Date()
        syncs += 1
        defaults.set(defaults.integer(forKey: "syncs") + 1, forKey: "syncs")
        noteTime("begun")
        task = UIApplication.shared.beginBackgroundTask(withName: "MyTask") { [self] in end("time is up") }
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in
            MainActor.assumeIsolated { self.noteTime("Timer") }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { self.noteTime("asyncAfter") }
        Task {
            // App: its work takes three seconds.
            try await Task.sleep(for: .seconds(3))
            noteTime("Task.sleep")
            end("done")
        }
    }

    private func noteTime(_ text: String) {
        note("\(text) after \(Date().timeIntervalSince(started)) s, sync \(syncs) of this launch")
    }

    private func note(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private func end(_ why: String) {
        note(why)
        guard task != .invalid, !forgets else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }

    private var forgets: Bool {
        defaults.bool(forKey: "forgets") || Bundle.main.object(forInfoDictionaryKey: "Forgets") as? Bool == true
    }

    isolated deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
