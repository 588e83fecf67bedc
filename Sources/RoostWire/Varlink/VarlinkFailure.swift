/// The standard errors of varlink services.
public enum VarlinkFailure: Error, Hashable, Sendable {
    /// `org.varlink.service.InterfaceNotFound`
    case interfaceNotFound(String)
    /// `org.varlink.service.MethodNotFound`
    case methodNotFound(String)
    /// `org.varlink.service.MethodNotImplemented`
    case methodNotImplemented(String)
    /// `org.varlink.service.InvalidParameter`
    case invalidParameter(String)

    /// The error to send to a caller whose message was invalid.
    public init(_ error: WireError) {
        switch error {
        case .unknownInterface(let name): self = .interfaceNotFound(name)
        case .unknownMethod(let name): self = .methodNotFound(name)
        case .invalidParameter(let field, _): self = .invalidParameter(field)
        case .messageTooLong, .emptyMessage, .notUTF8, .notJSON, .tooDeep, .unexpectedReply:
            self = .invalidParameter("message")
        }
    }

    /// The error in a reply; nil if it is not one of these.
    public init?(_ reply: VarlinkReply) throws(WireError) {
        switch reply.error {
        case "org.varlink.service.InterfaceNotFound":
            self = .interfaceNotFound(try reply.parameters()["interface"].string())
        case "org.varlink.service.MethodNotFound":
            self = .methodNotFound(try reply.parameters()["method"].string())
        case "org.varlink.service.MethodNotImplemented":
            self = .methodNotImplemented(try reply.parameters()["method"].string())
        case "org.varlink.service.InvalidParameter":
            self = .invalidParameter(try reply.parameters()["parameter"].string())
        default:
            return nil
        }
    }

    /// The reply with this error.
    public var reply: VarlinkReply {
        switch self {
        case .interfaceNotFound(let name):
            VarlinkReply(["interface": .string(name)], error: "org.varlink.service.InterfaceNotFound")
        case .methodNotFound(let name):
            VarlinkReply(["method": .string(name)], error: "org.varlink.service.MethodNotFound")
        case .methodNotImplemented(let name):
            VarlinkReply(["method": .string(name)], error: "org.varlink.service.MethodNotImplemented")
        case .invalidParameter(let name):
            VarlinkReply(["parameter": .string(name)], error: "org.varlink.service.InvalidParameter")
        }
    }
}

extension VarlinkFailure: CustomStringConvertible {
    /// A short description of the error.
    public var description: String {
        switch self {
        case .interfaceNotFound(let name): "there is no interface \"\(name)\""
        case .methodNotFound(let name): "there is no method \"\(name)\""
        case .methodNotImplemented(let name): "the method \"\(name)\" is not implemented"
        case .invalidParameter(let name): "the parameter \"\(name)\" is missing or wrong"
        }
    }
}
