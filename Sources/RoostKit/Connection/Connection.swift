import Dispatch
import RoostWire

/// One of an app's two connections, read on the main thread.
@MainActor final class Connection {
    private let socket: StreamSocket
    private let source: any DispatchSourceRead
    private var framer = MessageFramer()
    private var isOpen = true

    /// Reads `socket`, which it owns from now on. `onMessage` gets each whole message; `onEnd` hears once why there
    /// will be no more.
    init(
        _ socket: StreamSocket, onMessage: @escaping @MainActor ([UInt8]) throws(WireError) -> Void,
        onEnd: @escaping @MainActor (String) -> Void
    ) {
        self.socket = socket
        source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: .main)
        source.setEventHandler { [unowned self] in
            MainActor.assumeIsolated { read(onMessage, onEnd) }
        }
        source.setCancelHandler { socket.close() }
        source.activate()
    }

    /// Hears nothing more and closes the socket.
    func close() {
        guard isOpen else { return }
        isOpen = false
        source.cancel()
    }

    private func read(
        _ onMessage: @MainActor ([UInt8]) throws(WireError) -> Void, _ onEnd: @MainActor (String) -> Void
    ) {
        do throws(SocketError) {
            guard let bytes = try socket.read() else { return }
            guard !bytes.isEmpty else { return onEnd("it closed the connection") }
            var messages: [[UInt8]] = []
            var failure: WireError?
            do throws(WireError) { try framer.feed(bytes, into: &messages) } catch { failure = error }
            for message in messages where isOpen {
                // A message may be what closes this connection.
                do throws(WireError) { try onMessage(message) } catch { return onEnd("it sent garbage: \(error)") }
            }
            if let failure, isOpen { onEnd("it sent garbage: \(failure)") }
        } catch {
            onEnd("\(error)")
        }
    }
}
