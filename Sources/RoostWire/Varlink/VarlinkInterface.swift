/// A varlink interface with its description, which clients may ask for: the text of the `.varlink` file, with what each concern
/// adds to it.
public struct VarlinkInterface: Hashable, Sendable, CustomStringConvertible {
    /// Its name: `roost.App`.
    public let name: String
    /// Its text in varlink's own language.
    public let description: String

    private init(name: String, text: [UInt8], concerns: [[UInt8]] = []) {
        self.name = name
        let parts = ([text] + concerns.filter { !$0.isEmpty }).map { String(decoding: $0, as: UTF8.self) }
        description = ConcernInterface.filled(parts.joined(separator: "\n"))
    }

    /// App ⇄ system.
    public static let app = VarlinkInterface(
        name: "roost.App", text: PackageResources.roost_App_varlink, concerns: WireConcerns.interfaces.map(\.app))

    /// Command line ⇄ system.
    public static let control = VarlinkInterface(
        name: "roost.Control", text: PackageResources.roost_Control_varlink,
        concerns: WireConcerns.interfaces.map(\.control))

    /// What every varlink service has.
    public static let service = VarlinkInterface(
        name: "org.varlink.service", text: PackageResources.org_varlink_service_varlink)
}
