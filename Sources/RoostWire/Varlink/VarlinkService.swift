/// The implementation of `org.varlink.service`, by which any client can explore a service.
public struct VarlinkService: Hashable, Sendable {
    /// The program's version.
    public let version: String
    /// The interfaces on this socket, in addition to `org.varlink.service`.
    public let interfaces: [VarlinkInterface]

    /// `org.varlink.service` itself need not be among the interfaces.
    public init(version: String, interfaces: [VarlinkInterface]) {
        self.version = version
        self.interfaces = interfaces
    }

    /// The reply to a call of `org.varlink.service`; nil for a call of any other interface.
    public func reply(to call: VarlinkCall) throws(WireError) -> VarlinkReply? {
        guard call.interface == VarlinkInterface.service.name else { return nil }
        switch call.method {
        case "org.varlink.service.GetInfo":
            let names = [VarlinkInterface.service.name] + interfaces.map(\.name)
            return VarlinkReply([
                "interfaces": .array(names.map { .string($0) }), "product": .string("roost"), "url": .string(""),
                "vendor": .string("Roost"), "version": .string(version),
            ])
        case "org.varlink.service.GetInterfaceDescription":
            let name = try call.parameters["interface"].string()
            guard let interface = ([.service] + interfaces).first(where: { $0.name == name }) else {
                return VarlinkFailure.interfaceNotFound(name).reply
            }
            return VarlinkReply(["description": .string(interface.description)])
        default:
            throw .unknownMethod(call.method)
        }
    }
}
