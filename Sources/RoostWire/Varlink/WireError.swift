/// An error in bytes from a socket. It is the peer's fault, and closes the peer's connection.
public enum WireError: Error, Hashable, Sendable {
    /// The message exceeds the limit, whether or not it ended.
    case messageTooLong(limit: Int)
    /// Two NUL bytes follow each other.
    case emptyMessage
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is not a JSON object, for this reason.
    case notJSON(String)
    /// Arrays and objects are nested deeper than in any valid message.
    case tooDeep(limit: Int)
    /// The interface is not available on this socket.
    case unknownInterface(String)
    /// The interface does not have this method.
    case unknownMethod(String)
    /// A field is missing, has the wrong type, or is out of bounds.
    case invalidParameter(field: String, problem: String)
    /// The reply does not answer the call.
    case unexpectedReply(String)
}

extension WireError: CustomStringConvertible {
    /// A short description of the error.
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
