/// A request with all fields that SIP demands.
struct SIPRequest: Hashable, Sendable {
    let message: SIPMessage
    let method: String
    let callID: String
    let sequence: Int
    let from: SIPAddress
    let to: SIPAddress

    /// Nil for a response, and for a request without a usable `Call-ID`, `CSeq`, `From` or `To`.
    init?(_ message: SIPMessage) {
        guard case .request(let method, _) = message.start, let callID = message["Call-ID"], !callID.isEmpty,
            let from = message["From"].flatMap(SIPAddress.init), let to = message["To"].flatMap(SIPAddress.init),
            let (sequence, name) = Self.sequence(of: message), name == method
        else { return nil }
        (self.message, self.method, self.callID, self.sequence) = (message, method, callID, sequence)
        (self.from, self.to) = (from, to)
    }

    /// The number and the method of `CSeq`.
    static func sequence(of message: SIPMessage) -> (Int, String)? {
        let words = (message["CSeq"] ?? "").split(separator: " ")
        guard words.count == 2, let number = UInt32(words[0]), number <= Int32.max else { return nil }
        return (Int(number), String(words[1]))
    }

    /// The name of the transaction of an `INVITE`, which its `ACK` and its `CANCEL` have in common.
    var transaction: Transaction { Transaction(callID: callID, tag: from.tag, sequence: sequence) }

    struct Transaction: Hashable, Sendable {
        let callID: String
        let tag: String?
        let sequence: Int
    }
}
