/// A varlink interface with its description, which clients may ask for: the text of the `.varlink` file beside this one.
public struct VarlinkInterface: Hashable, Sendable, CustomStringConvertible {
    /// Its name: `roost.App`.
    public let name: String
    private let text: [UInt8]
    /// Its text in varlink's own language.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// App ⇄ system.
    public static let app = VarlinkInterface(name: "roost.App", text: PackageResources.roost_App_varlink)

    /// Command line ⇄ system.
    public static let control = VarlinkInterface(name: "roost.Control", text: PackageResources.roost_Control_varlink)

    /// What every varlink service has.
    public static let service = VarlinkInterface(
        name: "org.varlink.service", text: PackageResources.org_varlink_service_varlink)
}
