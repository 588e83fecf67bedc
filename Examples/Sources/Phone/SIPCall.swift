import Foundation

/// An incoming call.
struct SIPCall: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// `180` is sent.
        case ringing
        /// `200` is sent.
        case answered
        /// The `ACK` has come.
        case connected
    }

    /// The name of the call for CallKit.
    let id: UUID
    let invite: SIPRequest
    /// The tag of this side.
    let tag: String
    var state = State.ringing
    /// The response to the `INVITE`, which is sent again if the `INVITE` comes again.
    var response: SIPMessage
    /// The sequence number of the newest request of the caller.
    var sequence: Int

    /// Whether a request belongs to this call, by its `Call-ID` and tags.
    func contains(_ request: SIPRequest) -> Bool {
        request.callID == invite.callID && request.from.tag == invite.from.tag && request.to.tag == tag
    }

    /// The request that ends the call from this side, without `Via` and `Contact`.
    func bye() -> SIPMessage {
        let target = invite.message["Contact"].flatMap(SIPAddress.init)?.uri ?? invite.from.uri
        var bye = SIPMessage(start: .request(method: "BYE", uri: target))
        for route in invite.message.values(of: "Record-Route") { bye.add("Route", route) }
        bye.add("From", response["To"] ?? "")
        bye.add("To", invite.message["From"] ?? "")
        bye.add("Call-ID", invite.callID)
        bye.add("CSeq", "1 BYE")
        return bye
    }
}
