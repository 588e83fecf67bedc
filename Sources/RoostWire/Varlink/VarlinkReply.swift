/// A reply: parameters, or the name and parameters of an error.
public struct VarlinkReply: Hashable, Sendable {
    /// Whether another reply to the same call follows.
    public let continues: Bool
    /// The full name of the error; nil if the call succeeded.
    public let error: String?
    /// The message, without its NUL.
    private let text: [UInt8]

    /// Reads a message from the framer.
    public init(_ message: [UInt8]) throws(WireError) {
        let envelope = try JSONParser.message(message)
        continues = try envelope["continues"].ifGiven?.bool() ?? false
        error = try envelope["error"].ifGiven?.string()
        text = message
        guard !(continues && error != nil) else {
            throw .invalidParameter(field: "continues", problem: "an error ends the replies")
        }
    }

    /// A reply to send. The parameters must be sorted by name.
    init(_ parameters: KeyValuePairs<String, JSON?> = [:], continues: Bool = false, error: String? = nil) {
        self.continues = continues
        self.error = error
        text =
            JSON.object([
                "continues": continues ? .bool(true) : nil, "error": error.map { .string($0) },
                "parameters": .object(parameters),
            ]).text
    }

    /// A reply to send to the command line.
    init(_ parameters: some Encodable, continues: Bool = false, error: String? = nil) {
        self.continues = continues
        self.error = error
        text = MessageText.encode(Outgoing(parameters: parameters, continues: continues ? true : nil, error: error))
    }

    /// The reply of a method without results.
    public static let empty = VarlinkReply()

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] { text + [0] }

    func parameters() throws(WireError) -> JSONField {
        let given = try JSONParser.message(text)["parameters"].ifGiven?.object()
        return JSONField(name: "", value: given?.value ?? .object([:]))
    }

    /// The decoded parameters of a reply to the command line.
    func decoded<Parameters: Decodable>(as type: Parameters.Type = Parameters.self) throws(WireError) -> Parameters {
        try MessageText.decode(Incoming<Parameters>.self, from: text).parameters
    }

    private struct Outgoing<Parameters: Encodable>: Encodable {
        let parameters: Parameters
        let continues: Bool?
        let error: String?
    }
    private struct Incoming<Parameters: Decodable>: Decodable { let parameters: Parameters }
}
