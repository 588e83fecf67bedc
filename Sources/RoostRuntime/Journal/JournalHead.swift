internal import LifeCyclePolicy
internal import Synchronization

/// The first line of a journal's file, put together on another thread: of a device with a hundred thousand downloads that
/// takes so long that the loop may not stand still for it.
final class JournalHead: Sendable {
    private let device: Device
    private let whenReady: (@Sendable () -> Void)?
    /// Held while the line is made.
    private let making = Mutex(())
    private let made = Mutex<[UInt8]?>(nil)

    /// The line, once it is there.
    var line: [UInt8]? { made.withLock { $0 } }

    /// Has the line made by `aside`, and calls `whenReady` there when it is done.
    init(_ device: Device, aside: Journal.Aside, whenReady: (@Sendable () -> Void)? = nil) {
        self.device = device
        self.whenReady = whenReady
        aside { self.make() }
    }

    /// Waits for the line, or makes it where that has not begun.
    func wait() -> [UInt8] {
        make()
        return line ?? []
    }

    private func make() {
        making.withLock { _ in
            guard line == nil else { return }
            let entry = JournalEntry.start(format: JournalEntry.format, device: device)
            guard let line = try? LineEncoder().encode(entry) else {
                return assertionFailure("a device is made of strings, numbers and enums")
            }
            made.withLock { $0 = line }
            whenReady?()
        }
    }
}
