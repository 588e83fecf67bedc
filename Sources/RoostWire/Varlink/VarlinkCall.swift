/// A call: the full name of the method, the kind of answer, and the parameters.
public struct VarlinkCall: Hashable, Sendable {
    /// The method with its interface, such as `roost.App.Attach`.
    public let method: String
    /// Whether the caller accepts a stream of replies.
    public let more: Bool
    /// Whether the caller wants no reply.
    public let oneway: Bool
    /// An object; empty if the call has no parameters.
    let parameters: JSONField

    /// Reads a message from the framer.
    public init(_ message: [UInt8]) throws(WireError) {
        let envelope = try JSONParser.message(message)
        method = try envelope["method"].string()
        more = try envelope["more"].ifGiven?.bool() ?? false
        oneway = try envelope["oneway"].ifGiven?.bool() ?? false
        parameters = JSONField(name: "", value: try envelope["parameters"].ifGiven?.object().value ?? .object([:]))
        guard method.utf8.contains(UInt8(ascii: ".")) else {
            throw .invalidParameter(field: "method", problem: "\"\(method)\" names no interface")
        }
        guard !(more && oneway) else { throw .invalidParameter(field: "more", problem: "contradicts oneway") }
    }

    /// A call to send. The parameters must be sorted by name.
    init(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:], more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.more = more
        self.oneway = oneway
        self.parameters = JSONField(name: "", value: .object(parameters))
    }

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] {
        JSON.object([
            "method": .string(method), "more": more ? .bool(true) : nil, "oneway": oneway ? .bool(true) : nil,
            "parameters": parameters.value,
        ]).text + [0]
    }

    /// The interface of the method, which is the part before the last period.
    public var interface: Substring { method[..<(method.lastIndex(of: ".") ?? method.startIndex)] }
}
