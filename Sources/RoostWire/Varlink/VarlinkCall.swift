/// A call: the method's full name, how it is to be answered, and its parameters, which are decoded once the method
/// is known.
public struct VarlinkCall: Hashable, Sendable {
    /// The method with its interface: `roost.App.Attach`.
    public let method: String
    /// Whether the caller takes a stream of replies.
    public let more: Bool
    /// Whether the caller wants no reply at all.
    public let oneway: Bool
    private let message: [UInt8]

    /// Reads a message as the framer gives it.
    public init(_ message: [UInt8]) throws(WireError) {
        try MessageText.check(message)
        let envelope = try MessageText.decode(Envelope.self, from: message)
        method = envelope.method
        more = envelope.more ?? false
        oneway = envelope.oneway ?? false
        self.message = message
        guard method.contains(".") else {
            throw .invalidParameter(field: "method", problem: "\"\(method)\" names no interface")
        }
        guard !(more && oneway) else { throw .invalidParameter(field: "more", problem: "contradicts oneway") }
    }

    /// A call of our own, with parameters that have a JSON form.
    init(method: String, parameters: some Encodable, more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.more = more
        self.oneway = oneway
        let whole = Outgoing(
            method: method, parameters: parameters, more: more ? true : nil, oneway: oneway ? true : nil)
        message = MessageText.encode(whole).dropLast()
    }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { message + [0] }

    /// The method's interface: what stands before the last full stop.
    public var interface: String { String(method[..<(method.lastIndex(of: ".") ?? method.startIndex)]) }

    func parameters<Parameters: Decodable>(
        as type: Parameters.Type = Parameters.self
    ) throws(WireError) -> Parameters {
        try MessageText.decode(ParametersOf<Parameters>.self, from: message).parameters
    }

    private struct Envelope: Decodable {
        let method: String
        let more: Bool?
        let oneway: Bool?
    }

    private struct Outgoing<Parameters: Encodable>: Encodable {
        let method: String
        let parameters: Parameters
        let more: Bool?
        let oneway: Bool?
    }
}
