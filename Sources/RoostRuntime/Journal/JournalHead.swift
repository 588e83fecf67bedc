internal import LifeCyclePolicy
internal import RoostWire
internal import Synchronization

/// The first line of a journal file, encoded on another thread. For a device with a hundred thousand downloads,
/// encoding would stall the loop too long.
final class JournalHead: Sendable {
    private let device: Device
    private let whenReady: (@Sendable () -> Void)?
    /// Held while the line is being encoded.
    private let making = Mutex(())
    private let made = Mutex<[UInt8]?>(nil)

    /// The line; nil while it is not ready.
    var line: [UInt8]? { made.withLock { $0 } }

    /// Encodes the line by `aside`, and calls `whenReady` there at the end.
    init(_ device: Device, aside: Journal.Aside, whenReady: (@Sendable () -> Void)? = nil) {
        self.device = device
        self.whenReady = whenReady
        aside { self.make() }
    }

    /// Waits for the line, or encodes the line on this thread if the encoding has not begun.
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
