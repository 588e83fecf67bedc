import Dispatch
import RoostWire

/// One of an app's two connections to the system, read on the main thread.
@MainActor final class Connection {
    /// The received data; the app's sessions also receive into it.
    let buffer: ReceiveBuffer

    private let socket: StreamSocket
    private let onMessage: @MainActor ([UInt8]) throws(WireError) -> Void
    private let onEnd: @MainActor (String) -> Void
    private var source: (any DispatchSourceRead)?
    private var framer = MessageFramer()
    private var isOpen = true

    /// Takes ownership of `socket`. `onMessage` receives each complete message. `onEnd` receives once the reason why
    /// the connection ended.
    init(
        _ socket: StreamSocket, onMessage: @escaping @MainActor ([UInt8]) throws(WireError) -> Void,
        onEnd: @escaping @MainActor (String) -> Void
    ) {
        self.socket = socket
        buffer = ReceiveBuffer(socket)
        self.onMessage = onMessage
        self.onEnd = onEnd
        buffer.onReceive = { [weak self] in
            if self?.source != nil { self?.read() }
        }
    }

    /// From now on, reads when the main run loop reports data.
    func start() {
        guard isOpen, source == nil else { return }
        let socket = socket
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: .main)
        source.setEventHandler { [unowned self] in
            MainActor.assumeIsolated { read() }
        }
        source.setCancelHandler { socket.close() }
        source.activate()
        self.source = source
        if !buffer.isEmpty { read() }
    }

    /// Blocks until there is data, and reads it.
    func waitAndRead() {
        if buffer.isEmpty { socket.waitForMore() }
        read()
    }

    /// Reads what is there.
    func readRest() { if isOpen { read() } }

    /// Stops reading and closes the socket. The system sees the end at once, before any new connection. The descriptor
    /// is closed later, when Dispatch no longer uses it.
    func close() {
        guard isOpen else { return }
        isOpen = false
        socket.shutDown()
        if let source { source.cancel() } else { socket.close() }
    }

    /// Reads all available data, up to the end of the stream. Dispatch on Linux reports a hang-up only once, even if
    /// unread data precedes it.
    private func read() {
        do throws(SocketError) {
            // A message may close this connection.
            while isOpen, let bytes = try buffer.take() {
                if bytes.isEmpty { return onEnd("it closed the connection") }
                do throws(WireError) {
                    try take(bytes)
                } catch {
                    return onEnd("it sent an invalid message: \(error)")
                }
            }
        } catch {
            onEnd("\(error)")
        }
    }

    private func take(_ bytes: [UInt8]) throws(WireError) {
        var messages: [[UInt8]] = []
        var failure: WireError?
        do throws(WireError) { try framer.feed(bytes[...], into: &messages) } catch { failure = error }
        for message in messages where isOpen { try onMessage(message) }
        if let failure, isOpen { throw failure }
    }
}
