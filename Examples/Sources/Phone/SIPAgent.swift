import Foundation

/// The phone's side of SIP over one connection: its registration, and at most one call.
///
/// ```
/// no call ── INVITE ──▶ ringing ── answer ──▶ answered ── ACK ──▶ connected
///    ▲                     │                     │                    │
///    └─────────────────────┴──── CANCEL, BYE, decline, time ──────────┘
/// ```
struct SIPAgent: Sendable {
    /// The user's account, and the addresses of the connection.
    struct Identity: Hashable, Sendable {
        let user: String
        /// The registrar's host.
        let domain: String
        /// The numeric address of this side.
        let address: String
        let port: UInt16

        /// The address of this side in a URI.
        var host: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
        var contact: String { "<sip:\(user)@\(host);transport=tcp>" }
        var account: String { "<sip:\(user)@\(domain)>" }
    }

    /// The reason why a call is over, other than an action of the user.
    enum End: Hashable, Sendable { case remote, unanswered, failed }

    enum Effect: Hashable, Sendable {
        case send(SIPMessage)
        case ring(UUID, caller: String)
        /// The caller has confirmed the answer.
        case connected(UUID)
        case over(UUID, End)
        /// The server has registered the phone for this number of seconds.
        case registered(Int)
        case notRegistered(String)
    }

    static let allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS"
    private static let otherMethods: Set = [
        "INFO", "MESSAGE", "NOTIFY", "PRACK", "PUBLISH", "REFER", "REGISTER", "SUBSCRIBE", "UPDATE",
    ]
    /// The most final responses, and the most requests of this side, that are remembered.
    private static let mostRemembered = 8

    let identity: Identity
    /// Makes names for calls, tags and branches.
    let makeID: @Sendable () -> UUID
    private(set) var call: SIPCall?
    /// The newest final responses to an `INVITE` that were no answer.
    private var refused: [Refused] = []
    /// The sequence number of the latest `REGISTER`; 0 before the first.
    private var registerSequence = 0
    private var registerID = ""
    /// The requests of this side without a final response, by method and `Call-ID`.
    private var pending: [String] = []

    private struct Refused: Hashable {
        let transaction: SIPRequest.Transaction
        let response: SIPMessage
        var isConfirmed = false
    }

    init(identity: Identity, makeID: @escaping @Sendable () -> UUID = { UUID() }) {
        (self.identity, self.makeID) = (identity, makeID)
        registerID = token()
    }

    /// Whether the server will soon send something: a response, or an `ACK`.
    var isWaiting: Bool { !pending.isEmpty || refused.contains { !$0.isConfirmed } }
    /// Whether a `REGISTER` has no final response.
    var isRegistering: Bool { pending.contains("REGISTER \(registerID)") }

    /// Expects no response any longer.
    mutating func giveUpWaiting() {
        pending = []
        for index in refused.indices { refused[index].isConfirmed = true }
    }

    // MARK: Messages of the server

    mutating func receive(_ message: SIPMessage, into effects: inout [Effect]) {
        switch message.start {
        case .response(let status, let reason): receiveResponse(message, status, reason, into: &effects)
        case .request("ACK", _): if let request = SIPRequest(message) { acknowledge(request, into: &effects) }
        case .request:
            guard let request = SIPRequest(message) else {
                // Without `Via`, no response finds its way.
                if message["Via"] != nil { effects.append(.send(message.response(400, tag: token()))) }
                return
            }
            switch request.method {
            case "INVITE": invite(request, into: &effects)
            case "CANCEL": cancel(request, into: &effects)
            case "BYE": bye(request, into: &effects)
            case "OPTIONS":
                var response = message.response(200, tag: token())
                response.add("Accept", SDP.type)
                effects.append(.send(allowing(response)))
            case let method:
                let status = Self.otherMethods.contains(method) ? 405 : 501
                effects.append(.send(allowing(message.response(status, tag: token()))))
            }
        }
    }

    private mutating func receiveResponse(
        _ message: SIPMessage, _ status: Int, _ reason: String, into effects: inout [Effect]
    ) {
        guard status >= 200, let (sequence, method) = SIPRequest.sequence(of: message) else { return }
        let name = "\(method) \(message["Call-ID"] ?? "")"
        guard method != "REGISTER" || sequence == registerSequence, let index = pending.firstIndex(of: name) else {
            return
        }
        pending.remove(at: index)
        guard method == "REGISTER" else { return }
        effects.append(status < 300 ? .registered(expiry(message)) : .notRegistered("\(status) \(reason)"))
    }

    private mutating func invite(_ request: SIPRequest, into effects: inout [Effect]) {
        let message = request.message
        if let call, call.invite.transaction == request.transaction { return effects.append(.send(call.response)) }
        if let refused = refused.first(where: { $0.transaction == request.transaction }) {
            return effects.append(.send(refused.response))
        }
        if request.to.tag != nil { return change(request, into: &effects) }
        if let required = message["Require"] {
            var response = message.response(420, tag: token())
            response.add("Unsupported", required)
            return refuse(request, with: response, into: &effects)
        }
        guard message.body.isEmpty || Self.isDescription(message["Content-Type"]) else {
            var response = message.response(415, tag: token())
            response.add("Accept", SDP.type)
            return refuse(request, with: response, into: &effects)
        }
        guard call == nil else { return refuse(request, with: message.response(486, tag: token()), into: &effects) }
        let (id, tag) = (makeID(), token())
        var ringing = message.response(180, tag: tag)
        ringing.copy("Record-Route", from: message)
        ringing.add("Contact", identity.contact)
        call = SIPCall(id: id, invite: request, tag: tag, response: ringing, sequence: request.sequence)
        effects += [.send(message.response(100)), .send(ringing), .ring(id, caller: request.from.caller)]
    }

    /// A caller changes the media of the call.
    private mutating func change(_ request: SIPRequest, into effects: inout [Effect]) {
        guard let call, call.contains(request), call.state != .ringing else {
            return refuse(request, with: request.message.response(481), into: &effects)
        }
        guard isInOrder(request, into: &effects) else { return }
        effects.append(.send(answer(request.message, tag: nil)))
    }

    private mutating func acknowledge(_ request: SIPRequest, into effects: inout [Effect]) {
        if let index = refused.firstIndex(where: { $0.transaction == request.transaction }) {
            refused[index].isConfirmed = true
        } else if let call, call.state == .answered, call.contains(request), call.invite.sequence == request.sequence {
            self.call?.state = .connected
            effects.append(.connected(call.id))
        }
    }

    private mutating func cancel(_ request: SIPRequest, into effects: inout [Effect]) {
        guard let call, call.invite.transaction == request.transaction else {
            let isKnown = refused.contains { $0.transaction == request.transaction }
            return effects.append(.send(request.message.response(isKnown ? 200 : 481, tag: token())))
        }
        effects.append(.send(request.message.response(200, tag: call.tag)))
        if call.state == .ringing { end(call, with: 487, .remote, into: &effects) }
    }

    private mutating func bye(_ request: SIPRequest, into effects: inout [Effect]) {
        guard let call, call.contains(request) else {
            return effects.append(.send(request.message.response(481, tag: token())))
        }
        guard isInOrder(request, into: &effects) else { return }
        effects.append(.send(request.message.response(200)))
        if call.state == .ringing {
            end(call, with: 487, .remote, into: &effects)
        } else {
            self.call = nil
            effects.append(.over(call.id, .remote))
        }
    }

    /// Refuses a request that is older than another one of the call.
    private mutating func isInOrder(_ request: SIPRequest, into effects: inout [Effect]) -> Bool {
        guard let call, request.sequence >= call.sequence else {
            effects.append(.send(request.message.response(500)))
            return false
        }
        self.call?.sequence = request.sequence
        return true
    }

    // MARK: This side

    /// Registers the phone, or refreshes its registration.
    mutating func register(for seconds: Int, into effects: inout [Effect]) {
        registerSequence += 1
        var message = SIPMessage(start: .request(method: "REGISTER", uri: "sip:\(identity.domain)"))
        message.add("From", "\(identity.account);tag=\(token())")
        message.add("To", identity.account)
        message.add("Call-ID", registerID)
        message.add("CSeq", "\(registerSequence) REGISTER")
        message.add("Expires", String(seconds))
        pending.removeAll { $0 == "REGISTER \(registerID)" }
        send(message, into: &effects)
    }

    /// The user answers. Returns false if no such call rings.
    mutating func answer(_ id: UUID, into effects: inout [Effect]) -> Bool {
        guard let call, call.id == id, call.state == .ringing else { return false }
        let response = answer(call.invite.message, tag: call.tag)
        self.call?.state = .answered
        self.call?.response = response
        effects.append(.send(response))
        return true
    }

    /// The user declines the call, or ends it.
    mutating func hangUp(_ id: UUID, into effects: inout [Effect]) { finish(id, with: 603, nil, into: &effects) }

    /// The system does not show the call.
    mutating func reject(_ id: UUID, into effects: inout [Effect]) { finish(id, with: 480, nil, into: &effects) }

    /// The user has not answered, or the caller has not confirmed the answer, in time.
    mutating func timeOut(_ id: UUID, into effects: inout [Effect]) {
        guard let call, call.id == id, call.state != .connected else { return }
        finish(id, with: 480, call.state == .ringing ? .unanswered : .failed, into: &effects)
    }

    /// The connection is over, and its call too.
    mutating func connectionEnded(into effects: inout [Effect]) {
        giveUpWaiting()
        guard let call else { return }
        self.call = nil
        effects.append(.over(call.id, .failed))
    }

    /// Ends a call from this side: by a response if it rings, otherwise by `BYE`.
    private mutating func finish(_ id: UUID, with status: Int, _ end: End?, into effects: inout [Effect]) {
        guard let call, call.id == id else { return }
        if call.state == .ringing { return self.end(call, with: status, end, into: &effects) }
        self.call = nil
        send(call.bye(), into: &effects)
        if let end { effects.append(.over(id, end)) }
    }

    /// Ends a call that rings.
    private mutating func end(_ call: SIPCall, with status: Int, _ end: End?, into effects: inout [Effect]) {
        self.call = nil
        refuse(call.invite, with: call.invite.message.response(status, tag: call.tag), into: &effects)
        if let end { effects.append(.over(call.id, end)) }
    }

    private mutating func refuse(
        _ request: SIPRequest, with response: SIPMessage, into effects: inout [Effect]
    ) {
        refused.append(Refused(transaction: request.transaction, response: response))
        if refused.count > Self.mostRemembered { refused.removeFirst() }
        effects.append(.send(response))
    }

    private mutating func send(_ request: SIPMessage, into effects: inout [Effect]) {
        var request = request
        let via = "SIP/2.0/TCP \(identity.host);branch=z9hG4bK\(token());rport"
        request.fields.insert(SIPMessage.Field(name: "Via", value: via), at: 0)
        request.add("Max-Forwards", "70")
        request.add("Contact", identity.contact)
        guard case .request(let method, _) = request.start else { return }
        pending.append("\(method) \(request["Call-ID"] ?? "")")
        if pending.count > Self.mostRemembered { pending.removeFirst() }
        effects.append(.send(request))
    }

    private func answer(_ message: SIPMessage, tag: String?) -> SIPMessage {
        var response = message.response(200, tag: tag)
        response.copy("Record-Route", from: message)
        response.add("Contact", identity.contact)
        response.add("Content-Type", SDP.type)
        response.body = SDP.answer(to: message.body, from: identity.address)
        return allowing(response)
    }

    private func allowing(_ response: SIPMessage) -> SIPMessage {
        var response = response
        response.add("Allow", Self.allowed)
        return response
    }

    private static func isDescription(_ type: String?) -> Bool {
        type?.prefix { $0 != ";" && $0 != " " }.lowercased() == SDP.type
    }

    /// The time for which the server has registered this phone, in seconds.
    private func expiry(_ response: SIPMessage) -> Int {
        let contact = response.values(of: "Contact").first { $0.contains("@\(identity.host)") } ?? ""
        let parameter = contact.split(separator: ";").map(String.init).first { $0.lowercased().hasPrefix("expires=") }
        let text = parameter.map { String($0.dropFirst("expires=".count)) } ?? response["Expires"] ?? ""
        return min(Int(text.prefix { $0.isNumber }) ?? 0, Int(Int32.max))
    }

    private func token() -> String { String(makeID().uuidString.filter { $0 != "-" }.prefix(16)).lowercased() }
}
