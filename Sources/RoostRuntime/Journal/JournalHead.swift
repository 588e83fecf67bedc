internal import Glibc
internal import LifeCyclePolicy
internal import Synchronization

/// The first line of a journal's file, put together on a thread of its own: of a device with a hundred thousand downloads
/// that takes so long that the loop may not stand still for it.
final class JournalHead: Sendable {
    private let device: Device
    private let made = Mutex<[UInt8]?>(nil)

    /// The line, once it is there.
    var line: [UInt8]? { made.withLock { $0 } }

    /// Begins with the line; nil where there is no thread to be had.
    init?(_ device: Device) {
        self.device = device
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
        pthread_detach(thread)
    }

    private func make() {
        let entry = JournalEntry.start(format: JournalEntry.format, device: device)
        guard let line = try? LineEncoder().encode(entry) else {
            return assertionFailure("a device is made of strings, numbers and enums")
        }
        made.withLock { $0 = line }
    }
}
