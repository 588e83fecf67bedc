internal import Glibc
internal import LifeCyclePolicy
internal import Synchronization

/// The first line of a journal's file, put together on a thread of its own: of a device with a hundred thousand downloads
/// that takes so long that the loop may not stand still for it.
final class JournalHead: Sendable {
    private let device: Device
    private let whenReady: (@Sendable () -> Void)?
    private let made = Mutex<[UInt8]?>(nil)
    /// Nil once somebody has waited for its end.
    private let thread = Mutex<pthread_t?>(nil)

    /// The line, once it is there.
    var line: [UInt8]? { made.withLock { $0 } }

    /// Begins with the line, and calls `whenReady` on the thread when it is there; nil where there is no thread to be had.
    init?(_ device: Device, whenReady: (@Sendable () -> Void)? = nil) {
        self.device = device
        self.whenReady = whenReady
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { box in
                // Balances the retain above.
                if let box { Unmanaged<JournalHead>.fromOpaque(box).takeRetainedValue().make() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return nil
        }
        self.thread.withLock { [thread] in $0 = thread }
    }

    deinit {
        if let thread = thread.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// Waits for the line.
    func wait() -> [UInt8] {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let running { pthread_join(running, nil) }
        return line ?? []
    }

    private func make() {
        let entry = JournalEntry.start(format: JournalEntry.format, device: device)
        guard let line = try? LineEncoder().encode(entry) else {
            return assertionFailure("a device is made of strings, numbers and enums")
        }
        made.withLock { $0 = line }
        whenReady?()
    }
}
