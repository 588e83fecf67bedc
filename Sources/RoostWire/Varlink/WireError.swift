/// What is wrong with bytes that came over a socket. The peer's fault, never ours: it costs the peer its connection.
public enum WireError: Error, Hashable, Sendable {
    /// A message goes on past the limit, ended or not.
    case messageTooLong(limit: Int)
    /// Two message ends with nothing between them.
    case emptyMessage
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is not a JSON object; why not.
    case notJSON(String)
    /// Arrays and objects are nested deeper than any of our messages is.
    case tooDeep(limit: Int)
    /// The interface is not one that is spoken here.
    case unknownInterface(String)
    /// The interface has no such method.
    case unknownMethod(String)
    /// A field is missing, of another type, or out of bounds.
    case invalidParameter(field: String, problem: String)
    /// A reply that does not answer what was asked.
    case unexpectedReply(String)
}

extension WireError: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .messageTooLong(let limit): "the message is longer than \(limit) bytes"
        case .emptyMessage: "the message is empty"
        case .notUTF8: "the message is not UTF-8"
        case .notJSON(let why): "the message is not a JSON object: \(why)"
        case .tooDeep(let limit): "the message is nested deeper than \(limit) levels"
        case .unknownInterface(let name): "there is no interface \"\(name)\" here"
        case .unknownMethod(let name): "there is no method \"\(name)\""
        case .invalidParameter(let field, let problem): "\(field): \(problem)"
        case .unexpectedReply(let what): "the reply does not answer the call: \(what)"
        }
    }
}
