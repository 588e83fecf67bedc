import Synchronization
import UIKit

/// The messages to send, in a file that is unreadable while the device is locked.
final class Outbox: Sendable {
    private struct State {
        var isLocked = false
        var mustStop = false
        var messages: [String] = []
    }

    private let file: URL
    private let state: Mutex<State>

    init(folder: URL) {
        file = folder.appendingPathComponent("outbox.json")
        let stored = try? JSONDecoder().decode([String].self, from: Data(contentsOf: file))
        state = Mutex(State(messages: stored ?? []))
        print("\(stored?.count ?? 0) to be sent")
    }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    var count: Int { state.withLock { $0.messages.count } }

    func write(_ message: String) {
        state.withLock { $0.messages.append(message) }
        store()
    }

    /// Sends one message per second on a thread that may block, until the system ends the background time.
    func sendInBackground() {
        state.withLock { $0.mustStop = false }
        let stopped = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Send messages") { [self] isExpired in
            if isExpired {
                // Finish the current message and store the rest before the app is suspended.
                state.withLock { $0.mustStop = true }
                return stopped.wait()
            }
            while let message = state.withLock({ $0.mustStop ? nil : $0.messages.first }) {
                Thread.sleep(forTimeInterval: 1)
                state.withLock { _ = $0.messages.removeFirst() }
                print("sent \(message)")
            }
            store()
            print("\(count) are left")
            stopped.signal()
        }
    }

    private func store() {
        guard !isLocked else { return print("locked: kept for later") }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let messages = state.withLock { $0.messages }
            try JSONEncoder().encode(messages).write(to: file, options: [.atomic, .completeFileProtection])
        } catch {
            print("cannot store the outbox: \(error)")
        }
    }
}
