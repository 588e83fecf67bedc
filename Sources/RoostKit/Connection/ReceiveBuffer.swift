import Dispatch
import Synchronization

/// The bytes that the system has sent on a connection and the app has not handled.
///
/// The main thread handles them, but is busy while the app's code runs. An app that schedules ten thousand notifications
/// in a loop is sent more in return than a socket holds, and the system disconnects an app that does not read. So the
/// main thread also receives while it sends.
final class ReceiveBuffer: Sendable {
    /// Called on the main thread after `receive` has stored the first bytes, because the socket no longer reports them.
    @MainActor var onReceive: (() -> Void)?

    private let socket: StreamSocket
    private let bytes = Mutex<[UInt8]>([])

    init(_ socket: StreamSocket) { self.socket = socket }

    var descriptor: Int32 { socket.descriptor }
    var isEmpty: Bool { bytes.withLock { $0.isEmpty } }

    /// Stores the available data. False if the stream has ended or failed; `take` then reports that.
    func receive() -> Bool {
        let (isOpen, isFirst) = bytes.withLock { bytes in
            let count = bytes.count
            var isOpen = true
            do throws(SocketError) {
                while isOpen, let more = try socket.read() {
                    bytes += more
                    isOpen = !more.isEmpty
                }
            } catch {
                isOpen = false
            }
            return (isOpen, count == 0 && !bytes.isEmpty)
        }
        if isFirst { DispatchQueue.main.async { [self] in MainActor.assumeIsolated { onReceive?() } } }
        return isOpen
    }

    /// The next data: nil if no data is available yet, empty at the end of the stream.
    func take() throws(SocketError) -> [UInt8]? {
        let stored = bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        return try stored.isEmpty ? socket.read() : stored
    }
}
