/// A call: the method's full name, how it is to be answered, and its parameters.
public struct VarlinkCall: Hashable, Sendable {
    /// The method with its interface: `roost.App.Attach`.
    public let method: String
    /// Whether the caller takes a stream of replies.
    public let more: Bool
    /// Whether the caller wants no reply at all.
    public let oneway: Bool
    /// The parameters, by their names.
    let parameters: JSONField

    /// Reads a message as the framer gives it.
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

    /// A call of our own, with the members of its parameters in the order of their names.
    init(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:], more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.more = more
        self.oneway = oneway
        self.parameters = JSONField(name: "", value: .object(parameters))
    }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] {
        JSON.object([
            "method": .string(method), "more": more ? .bool(true) : nil, "oneway": oneway ? .bool(true) : nil,
            "parameters": parameters.value,
        ]).text + [0]
    }

    /// The method's interface: what stands before the last full stop.
    public var interface: Substring { method[..<(method.lastIndex(of: ".") ?? method.startIndex)] }
}
