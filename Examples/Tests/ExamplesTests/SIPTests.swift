import Foundation
import Testing

@testable import Phone

extension SIPMessage {
    /// The messages in a text, which is received in pieces of `size` bytes.
    fileprivate static func all(in text: String, size: Int = .max) throws -> [SIPMessage] {
        var (stream, messages): (SIPStream, [SIPMessage]) = (SIPStream(), [])
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            stream.receive(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let message = try stream.message() { messages.append(message) }
        }
        return messages
    }

    /// The first message in a text.
    fileprivate static func first(in text: String) throws -> SIPMessage {
        try #require(try all(in: text).first, "the message is incomplete")
    }

    /// The code of a response; nil for a request.
    var status: Int? {
        if case .response(let status, _) = start { status } else { nil }
    }

    var method: String? {
        if case .request(let method, _) = start { method } else { nil }
    }
}

/// Requests of a caller with the tag `a`.
func request(
    _ method: String, _ sequence: Int, call: String = "1", to tag: String? = nil, more: String = "", body: String = ""
) -> String {
    let body = body.replacingOccurrences(of: "\n", with: "\r\n")
    let head = """
        \(method) sip:phone@127.0.0.1 SIP/2.0
        Via: SIP/2.0/TCP proxy.example;branch=z9hG4bK1
        Via: SIP/2.0/UDP caller.example;branch=z9hG4bK2
        Record-Route: <sip:proxy.example;lr>
        From: "Ada L." <sip:ada@example.org>;tag=a
        To: <sip:phone@example.org>\(tag.map { ";tag=\($0)" } ?? "")
        Call-ID: \(call)
        CSeq: \(sequence) \(method)
        Contact: <sip:ada@caller.example>
        \(more)Content-Length: \(body.utf8.count)


        """
    return head.replacingOccurrences(of: "\n", with: "\r\n") + body
}

func invite(_ call: String = "1", more: String = "") -> String {
    request("INVITE", 1, call: call, more: more)
}

@Suite struct SIPStreamTests {
    /// A message that arrives in pieces of any size is the same.
    @Test func piecesOfAnySize() throws {
        let text = request("MESSAGE", 1, more: "Content-Type: text/plain\n", body: "Hello\n\nthere") + invite()
        let whole = try SIPMessage.all(in: "\r\n\r\n" + text + "\r\n")
        #expect(whole.map(\.method) == ["MESSAGE", "INVITE"])
        #expect(whole[0].body == Array("Hello\r\n\r\nthere".utf8) && whole[1].values(of: "Via").count == 2)
        for size in 1...text.utf8.count {
            #expect(try SIPMessage.all(in: "\r\n\r\n" + text + "\r\n", size: size) == whole, "\(size)")
        }
    }

    @Test func shortNamesAndFoldedLines() throws {
        let text = "OPTIONS sip:a SIP/2.0\r\nv: 1\r\nV:2\r\nF : <sip:b>\r\n ;tag=x\r\nt: c\r\ni: d\r\nm: e\r\nl: 0\r\n"
        let message = try SIPMessage.first(in: text + "cseq: 1 OPTIONS\r\nno field\r\nX-pay: \u{7}ok\r\n\r\n")
        #expect(message.values(of: "Via") == ["1", "2"] && message["From"] == "<sip:b> ;tag=x")
        #expect(message["To"] == "c" && message["Call-ID"] == "d" && message["Contact"] == "e")
        #expect(message["CSeq"] == "1 OPTIONS" && message["X-Pay"] == "ok")
    }

    /// Each of these closes the connection.
    @Test(arguments: [
        "\u{0}", " INVITE", "hello\r\n", "GET / HTTP/1.1\r\n", "SIP/2.0 OK\r\n", "SIP/2.0 99 No\r\n",
        "SIP/2.0 +20 No\r\n", "\rX", "A sip:a SIP/2.0\r\n\r\n", "A sip:a SIP/2.0\r\nl: -1\r\n\r\n",
        "A sip:a SIP/2.0\r\nl: 1x\r\n\r\n", "A sip:a SIP/2.0\r\nl:\r\n\r\n",
        "A sip:a SIP/2.0\r\nl: 1\r\nContent-Length: 2\r\n\r\n", "A sip:a SIP/2.0\r\nl: 65536\r\n\r\n",
        "A sip:a SIP/2.0\r\nl: 99999999999999999999\r\n\r\n", String(repeating: "a", count: 8200),
        "A sip:a SIP/2.0\r\n" + String(repeating: "x: y\r\n", count: 11_000),
    ])
    func nonsense(text: String) {
        #expect(throws: Problem.self) { try SIPMessage.all(in: text) }
        #expect(throws: Problem.self) { try SIPMessage.all(in: text, size: 1) }
    }

    /// A length that is too small makes the rest of the body the next message.
    @Test func aWrongLength() throws {
        let text = "OPTIONS sip:a SIP/2.0\r\nl: 2\r\n\r\nbody\r\n"
        #expect(throws: Problem.self) { try SIPMessage.all(in: text) }
        #expect(try SIPMessage.all(in: "OPTIONS sip:a SIP/2.0\r\nl: 9\r\n\r\nbody").isEmpty, "it waits")
    }

    @Test func randomBytesNeverTrap() {
        var generator = SystemRandomNumberGenerator()
        let source = Array((invite() + request("BYE", 2)).utf8)
        for _ in 0..<300 {
            var (bytes, stream) = (source, SIPStream())
            for _ in 0..<generator.next(upperBound: UInt(8)) {
                bytes[Int(generator.next(upperBound: UInt(bytes.count)))] = UInt8.random(in: 0...255)
            }
            stream.receive(bytes)
            var agent = SIPAgent.test
            var effects: [SIPAgent.Effect] = []
            while let message = try? stream.message() { agent.receive(message, into: &effects) }
            for case .send(let message) in effects {
                #expect(throws: Never.self) {
                    try SIPMessage.all(in: String(decoding: message.encoded, as: UTF8.self))
                }
            }
        }
    }
}

@Suite struct SIPAddressTests {
    @Test(arguments: [
        (#""Ada \"L\" <x>" <sip:ada@a>;Tag=1"#, #"Ada "L" <x>"#, "sip:ada@a", "1"),
        ("Ada <sips:ada@a;tag=2> ; x ; tag = 3", "Ada", "sips:ada@a;tag=2", "3"),
        ("sip:ada@a;tag=4", "ada", "sip:ada@a", "4"), ("<tel:+1234>", "+1234", "tel:+1234", nil),
        ("<sip:a@b>, <sip:c@d>;tag=5", "a", "sip:a@b", nil),
    ])
    func parses(text: String, caller: String, uri: String, tag: String?) throws {
        let address = try #require(SIPAddress(text))
        #expect(address.caller == caller && address.uri == uri && address.tag == tag)
    }

    @Test(arguments: ["", "<>", "Ada", "\"Ada", "<sip:a", "\"Ada\"", "<sip: a>"])
    func refuses(text: String) { #expect(SIPAddress(text) == nil) }

    @Test(arguments: [
        ("sip:ada@127.0.0.1:5070", "127.0.0.1", 5070), ("SIP:a@sip.example.org", "sip.example.org", 5060),
        ("sip:a@[::1]:70", "::1", 70),
    ])
    func server(text: String, host: String, port: UInt16) throws {
        let server = try #require(Server(text))
        #expect(server.host == host && server.port == port)
    }

    @Test(arguments: [
        "", "sip:", "http://a@b", "sip:a", "sip:@b", "sip:a@b:0", "sip:a@b:70000", "sip:a@b@c", "sip:a@b c",
        "sip:a b@c",
        "sip:a@[x]",
    ])
    func noServer(text: String) { #expect(Server(text) == nil) }
}

extension SIPAgent {
    fileprivate static let test = SIPAgent(
        identity: Identity(user: "phone", domain: "example.org", address: "127.0.0.1", port: 7000))
}

/// An agent, and everything that it does.
private struct Talk {
    private(set) var agent = SIPAgent.test
    private(set) var effects: [SIPAgent.Effect] = []
    private(set) var sent: [SIPMessage] = []

    /// Lets the agent act. The list of effects is that of the latest action.
    mutating func act(_ body: (inout SIPAgent, inout [SIPAgent.Effect]) -> Void) {
        effects = []
        sent = []
        body(&agent, &effects)
        for case .send(let message) in effects { sent.append(message) }
    }

    mutating func receive(_ text: String) throws {
        let message = try SIPMessage.first(in: text)
        act { $0.receive(message, into: &$1) }
    }

    var statuses: [Int?] { sent.map(\.status) }

    /// An agent with a call that rings, or that the user has answered.
    static func ringing() throws -> (Talk, UUID, tag: String) {
        var talk = Talk()
        try talk.receive(invite())
        let call = try #require(talk.agent.call)
        return (talk, call.id, call.tag)
    }

    static func answered(isConfirmed: Bool = true) throws -> (Talk, UUID, tag: String) {
        var (talk, id, tag) = try ringing()
        talk.act { #expect($0.answer(id, into: &$1)) }
        if isConfirmed { try talk.receive(request("ACK", 1, to: tag)) }
        return (talk, id, tag)
    }
}

@Suite struct SIPAgentTests {
    @Test func anInviteRings() throws {
        let (talk, id, tag) = try Talk.ringing()
        #expect(talk.statuses == [100, 180] && talk.effects.last == .ring(id, caller: "Ada L."))
        let ringing = talk.sent[1]
        #expect(ringing.values(of: "Via").map { $0.suffix(1) } == ["1", "2"] && ringing["Record-Route"] != nil)
        #expect(ringing["From"] == #""Ada L." <sip:ada@example.org>;tag=a"# && ringing["CSeq"] == "1 INVITE")
        #expect(ringing["To"] == "<sip:phone@example.org>;tag=\(tag)" && ringing["Call-ID"] == "1")
        #expect(ringing["Contact"] == "<sip:phone@127.0.0.1:7000;transport=tcp>")
        #expect(try SIPMessage.first(in: String(decoding: ringing.encoded, as: UTF8.self))["To"] == ringing["To"])
    }

    @Test func theUserAnswersAndTheCallerHangsUp() throws {
        var (talk, id, tag) = try Talk.answered(isConfirmed: false)
        #expect(talk.statuses == [200] && talk.sent[0]["Content-Type"] == "application/sdp")
        #expect(String(decoding: talk.sent[0].body, as: UTF8.self).contains("m=audio 9 RTP/AVP 0\r\na=inactive"))
        try talk.receive(invite())
        #expect(talk.statuses == [200], "the answer again")
        try talk.receive(request("ACK", 1, to: tag))
        #expect(talk.effects == [.connected(id)])
        try talk.receive(request("ACK", 1, to: tag))
        #expect(talk.effects.isEmpty)
        try talk.receive(request("INVITE", 2, to: tag))
        #expect(talk.statuses == [200], "other media")
        try talk.receive(request("BYE", 1, to: tag))
        #expect(talk.statuses == [500], "older than the INVITE before")
        try talk.receive(request("BYE", 3, to: tag))
        #expect(talk.statuses == [200] && talk.effects.last == .over(id, .remote) && talk.agent.call == nil)
        try talk.receive(request("BYE", 3, to: tag))
        #expect(talk.statuses == [481] && !talk.agent.isWaiting)
    }

    @Test func theUserHangsUp() throws {
        var (talk, id, tag) = try Talk.answered()
        talk.act { $0.hangUp(id, into: &$1) }
        let bye = try #require(talk.sent.first)
        #expect(bye.start == .request(method: "BYE", uri: "sip:ada@caller.example") && talk.effects.count == 1)
        #expect(bye["Route"] == "<sip:proxy.example;lr>" && bye["From"] == "<sip:phone@example.org>;tag=\(tag)")
        #expect(bye["To"] == #""Ada L." <sip:ada@example.org>;tag=a"# && bye["CSeq"] == "1 BYE")
        #expect(talk.agent.isWaiting && talk.agent.call == nil)
        let response = try #require(bye["Via"])
        try talk.receive("SIP/2.0 200 OK\r\nv: \(response)\r\ni: 1\r\nCSeq: 1 BYE\r\nl: 0\r\n\r\n")
        #expect(!talk.agent.isWaiting && talk.effects.isEmpty)
    }

    @Test func theUserDeclines() throws {
        var (talk, id, tag) = try Talk.ringing()
        talk.act { $0.hangUp(id, into: &$1) }
        #expect(talk.statuses == [603] && talk.effects.count == 1 && talk.agent.isWaiting)
        try talk.receive(invite())
        #expect(talk.statuses == [603], "the same again")
        try talk.receive(request("CANCEL", 1))
        #expect(talk.statuses == [200], "too late")
        try talk.receive(request("ACK", 1, to: tag))
        #expect(talk.effects.isEmpty && !talk.agent.isWaiting)
        talk.act { #expect(!$0.answer(id, into: &$1)) }
    }

    @Test func theCallerCancels() throws {
        var (talk, id, _) = try Talk.ringing()
        try talk.receive(request("CANCEL", 2))
        #expect(talk.statuses == [481], "another transaction")
        try talk.receive(request("CANCEL", 1))
        #expect(talk.statuses == [200, 487] && talk.sent.map { $0["CSeq"] } == ["1 CANCEL", "1 INVITE"])
        #expect(talk.effects.last == .over(id, .remote) && talk.agent.call == nil)
        (talk, id, _) = try Talk.answered(isConfirmed: false)
        try talk.receive(request("CANCEL", 1))
        #expect(talk.statuses == [200] && talk.agent.call?.id == id)
    }

    @Test func aSecondCallIsBusy() throws {
        var (talk, id, _) = try Talk.ringing()
        for number in 2...20 {
            try talk.receive(invite("\(number)"))
            #expect(talk.statuses == [486] && talk.effects.count == 1)
        }
        #expect(talk.agent.call?.id == id)
        try talk.receive(invite("20"))
        #expect(talk.statuses == [486])
    }

    @Test func timeAndFailures() throws {
        var (talk, id, _) = try Talk.ringing()
        talk.act { $0.timeOut(id, into: &$1) }
        #expect(talk.statuses == [480] && talk.effects.last == .over(id, .unanswered))
        (talk, id, _) = try Talk.ringing()
        talk.act { $0.reject(id, into: &$1) }
        #expect(talk.statuses == [480] && talk.effects.count == 1)
        (talk, id, _) = try Talk.answered(isConfirmed: false)
        talk.act { $0.timeOut(id, into: &$1) }
        #expect(talk.sent.map(\.method) == ["BYE"] && talk.effects.last == .over(id, .failed))
        (talk, id, _) = try Talk.answered()
        talk.act { $0.timeOut(id, into: &$1) }
        #expect(talk.effects.isEmpty)
        talk.act { $0.connectionEnded(into: &$1) }
        #expect(talk.effects == [.over(id, .failed)] && !talk.agent.isWaiting)
    }

    @Test(arguments: [
        (request("OPTIONS", 1), 200), (request("MESSAGE", 1), 405), (request("JUMP", 1), 501), (request("BYE", 1), 481),
        (invite(more: "Require: 100rel\n"), 420), (request("INVITE", 1, to: "x"), 481),
        (request("INVITE", 1, more: "Content-Type: text/plain\n", body: "x"), 415),
        ("INVITE sip:a SIP/2.0\r\nv: x\r\nl: 0\r\n\r\n", 400),
        (invite().replacingOccurrences(of: "1 INVITE", with: "1 BYE"), 400),
        (invite().replacingOccurrences(of: "1 INVITE", with: "-1 INVITE"), 400),
    ])
    func otherRequests(text: String, status: Int) throws {
        var talk = Talk()
        try talk.receive(text)
        #expect(talk.statuses == [status] && talk.agent.call == nil)
    }

    @Test func theRegistration() throws {
        var talk = Talk()
        talk.act { $0.register(for: 1800, into: &$1) }
        let register = try #require(talk.sent.first)
        #expect(register.start == .request(method: "REGISTER", uri: "sip:example.org") && register["Expires"] == "1800")
        #expect(talk.agent.isRegistering)
        let call = try #require(register["Call-ID"])
        @Sendable func response(_ status: String, _ sequence: Int, _ more: String = "") -> String {
            "SIP/2.0 \(status)\r\ni: \(call)\r\nCSeq: \(sequence) REGISTER\r\n\(more)l: 0\r\n\r\n"
        }
        try talk.receive(response("100 Trying", 1))
        try talk.receive(response("200 OK", 2))
        #expect(talk.effects.isEmpty && talk.agent.isRegistering)
        try talk.receive(
            response("200 OK", 1, "m: <sip:x@y>;expires=5\r\nm: <sip:phone@127.0.0.1:7000>;expires=60\r\n"))
        #expect(talk.effects == [.registered(60)] && !talk.agent.isRegistering)
        talk.act { $0.register(for: 1800, into: &$1) }
        #expect(talk.sent.first?["CSeq"] == "2 REGISTER" && talk.sent.first?["Call-ID"] == call)
        try talk.receive(response("403 No", 2))
        #expect(talk.effects == [.notRegistered("403 No")])
    }

    @Test func theAnswerHasAsManyMediaAsTheOffer() {
        let offer = "v=0\r\nm=video 5 RTP/AVP 96 97\r\nm=audio 6 RTP/AVP 8 0\r\nm=audio 7 RTP/AVP 0\r\nm=x\r\n"
        let lines = String(decoding: SDP.answer(to: Array(offer.utf8), from: "::1"), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        #expect(lines.contains("c=IN IP6 ::1"))
        #expect(
            lines.suffix(4) == ["m=video 0 RTP/AVP 96", "m=audio 9 RTP/AVP 8", "a=inactive", "m=audio 0 RTP/AVP 0"])
    }
}
