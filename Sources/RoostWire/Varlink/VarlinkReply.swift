/// A reply: parameters, or an error's name and parameters; `continues` where more replies follow.
public struct VarlinkReply: Hashable, Sendable {
    /// Whether another reply to the same call follows.
    public let continues: Bool
    /// The error's full name, where the call failed.
    public let error: String?
    private let message: [UInt8]

    /// Reads a message as the framer gives it.
    public init(_ message: [UInt8]) throws(WireError) {
        try MessageText.check(message)
        let envelope = try MessageText.decode(Envelope.self, from: message)
        continues = envelope.continues ?? false
        error = envelope.error
        self.message = message
        guard !(continues && error != nil) else {
            throw .invalidParameter(field: "continues", problem: "an error ends the replies")
        }
    }

    init(parameters: some Encodable, continues: Bool = false, error: String? = nil) {
        self.continues = continues
        self.error = error
        message = MessageText.encode(
            Outgoing(parameters: parameters, continues: continues ? true : nil, error: error)
        ).dropLast()
    }

    /// The reply of a method that returns nothing.
    public static let empty = VarlinkReply(parameters: Nothing())

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { message + [0] }

    func parameters<Parameters: Decodable>(
        as type: Parameters.Type = Parameters.self
    ) throws(WireError) -> Parameters {
        try MessageText.decode(ParametersOf<Parameters>.self, from: message).parameters
    }

    private struct Envelope: Decodable {
        let continues: Bool?
        let error: String?
    }

    private struct Outgoing<Parameters: Encodable>: Encodable {
        let parameters: Parameters
        let continues: Bool?
        let error: String?
    }
}
