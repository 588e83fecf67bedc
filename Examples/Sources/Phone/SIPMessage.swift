/// A request or a response of SIP (RFC 3261).
struct SIPMessage: Hashable, Sendable {
    /// The first line.
    enum Start: Hashable, Sendable {
        case request(method: String, uri: String)
        case response(status: Int, reason: String)
    }

    /// A header field. The name is in its long, usual form.
    struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    var start: Start
    var fields: [Field] = []
    var body: [UInt8] = []

    /// The value of the first field with this name, in the usual form; nil if there is none.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The values of all fields with this name, in their order.
    func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Appends a field.
    mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Appends copies of another message's fields with this name, in their order.
    mutating func copy(_ name: String, from other: SIPMessage) { fields += other.fields.filter { $0.name == name } }

    /// The bytes to send. They contain the length of the body.
    var encoded: [UInt8] {
        var text =
            switch start {
            case .request(let method, let uri): "\(method) \(uri) SIP/2.0\r\n"
            case .response(let status, let reason): "SIP/2.0 \(status) \(reason)\r\n"
            }
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        text += "Content-Length: \(body.count)\r\n\r\n"
        return Array(text.utf8) + body
    }
}

/// Responses to a request.
extension SIPMessage {
    private static let reasons = [
        100: "Trying", 180: "Ringing", 200: "OK", 400: "Bad Request", 405: "Method Not Allowed",
        415: "Unsupported Media Type", 420: "Bad Extension", 480: "Temporarily Unavailable",
        481: "Call/Transaction Does Not Exist", 486: "Busy Here", 487: "Request Terminated",
        500: "Server Internal Error", 501: "Not Implemented", 603: "Decline",
    ]

    /// A response to this request, with the fields that the sender needs to recognize it.
    ///
    /// - Parameter tag: The tag of this side, unless `To` has a tag.
    func response(_ status: Int, tag: String? = nil) -> SIPMessage {
        var response = SIPMessage(start: .response(status: status, reason: Self.reasons[status] ?? "Response"))
        for name in ["Via", "From"] { response.copy(name, from: self) }
        if let to = self["To"] {
            let isTagged = SIPAddress(to).map { $0.tag != nil } ?? true
            response.add("To", isTagged ? to : "\(to)\(tag.map { ";tag=\($0)" } ?? "")")
        }
        for name in ["Call-ID", "CSeq"] { response.copy(name, from: self) }
        return response
    }
}
