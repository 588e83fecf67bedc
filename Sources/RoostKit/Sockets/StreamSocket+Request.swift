import CRoostNote
import LifeCycleModel
import RoostWire

extension StreamSocket {
    /// Sends a request, like `send(_:receivingInto:)` for bytes. Before the app asks the system to keep a socket, it
    /// lets the system, at the other end of this connection, take its descriptors.
    func send(_ request: AppRequest, receivingInto buffer: ReceiveBuffer) throws(SocketError) {
        if case .concern(.socket(.keep)) = request { roost_let_peer_take_descriptors(descriptor) }
        try send(AppCall.request(request).encoded(), receivingInto: buffer)
    }
}
