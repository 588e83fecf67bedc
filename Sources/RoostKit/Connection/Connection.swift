import Dispatch
import RoostWire

/// One of an app's two connections, read on the main thread.
@MainActor final class Connection {
    private let socket: StreamSocket
    private let onMessage: @MainActor ([UInt8]) throws(WireError) -> Void
    private let onEnd: @MainActor (String) -> Void
    private var source: (any DispatchSourceRead)?
    private var framer = MessageFramer()
    private var isOpen = true

    /// Takes over `socket`. `onMessage` gets each whole message; `onEnd` hears once why there will be no more.
    init(
        _ socket: StreamSocket, onMessage: @escaping @MainActor ([UInt8]) throws(WireError) -> Void,
        onEnd: @escaping @MainActor (String) -> Void
    ) {
        self.socket = socket
        self.onMessage = onMessage
        self.onEnd = onEnd
    }

    /// Reads from now on whenever there is something to read, as the main run loop tells.
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
    }

    /// Waits until there is something to read, and reads it.
    func waitAndRead() {
        socket.waitForMore()
        read()
    }

    /// Hears nothing more and closes the socket. The system sees the end at once, before any new connection: the
    /// descriptor itself goes later, when Dispatch is done with it.
    func close() {
        guard isOpen else { return }
        isOpen = false
        socket.shutDown()
        if let source { source.cancel() } else { socket.close() }
    }

    /// Reads all there is, to the end of the stream if it has come: Dispatch on Linux reports a hang-up once and then
    /// never again, also where there was still something to read before it.
    private func read() {
        do throws(SocketError) {
            // A message may be what closes this connection.
            while isOpen, let bytes = try socket.read() {
                if bytes.isEmpty { return onEnd("it closed the connection") }
                do throws(WireError) {
                    try take(bytes)
                } catch {
                    return onEnd("it sent garbage: \(error)")
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
