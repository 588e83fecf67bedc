import Dispatch
import Glibc
import Synchronization

/// A watchdog for a callback on the real clock. The watchdog uses its own thread, because the callback's thread may be
/// stuck.
final class HangWatch: Sendable {
    private static let queue = DispatchQueue(label: "roost.hang-watch", qos: .userInteractive)

    private let isLate = Mutex(false)

    /// Runs an app's code, and returns false if it took longer than `patience` seconds. While the code hangs, a line on
    /// standard error says so. After 50 s more the process ends, because no other test could continue in it.
    static func run(_ name: String, patience: Double, _ code: () -> Void) -> Bool {
        let watch = HangWatch()
        let late = DispatchWorkItem { watch.tell("\(name) has not returned after \(patience) s of real time") }
        let hopeless = DispatchWorkItem {
            fatalError("\(name) does not return: it blocks the main actor, so no test can continue in this process")
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
