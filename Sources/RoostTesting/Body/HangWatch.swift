import Dispatch
import Glibc
import Synchronization

/// Watches that a callback returns, by the real clock and on a thread of its own: the one the callback has may be stuck.
final class HangWatch: Sendable {
    private static let queue = DispatchQueue(label: "roost.hang-watch", qos: .userInteractive)

    private let isLate = Mutex(false)

    /// Runs code of an app's; false if it took longer than `patience` seconds. Whoever looks at the run is told while it
    /// hangs, and where it does for 50 s more, the process ends: nothing could go on in it any more.
    static func run(_ name: String, patience: Double, _ code: () -> Void) -> Bool {
        let watch = HangWatch()
        let late = DispatchWorkItem { watch.tell("\(name) has not returned after \(patience) s of real time") }
        let hopeless = DispatchWorkItem {
            fatalError("\(name) does not return: it holds the main actor, so that no test can go on in this process")
        }
        queue.asyncAfter(deadline: .now() + patience, execute: late)
        queue.asyncAfter(deadline: .now() + patience + 50, execute: hopeless)
        code()
        late.cancel()
        hopeless.cancel()
        return watch.isLate.withLock { !$0 }
    }

    private func tell(_ line: String) {
        isLate.withLock { $0 = true }
        let bytes = [UInt8]((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
