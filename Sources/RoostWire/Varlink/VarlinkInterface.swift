/// A varlink interface and its description, which clients may request: the text of the `.varlink` file with the
/// additions of each concern.
public struct VarlinkInterface: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `roost.App`.
    public let name: String
    /// The text in varlink's interface language.
    public let description: String

    private init(name: String, text: [UInt8], concerns: [[UInt8]] = []) {
        self.name = name
        let parts = ([text] + concerns.filter { !$0.isEmpty }).map { String(decoding: $0, as: UTF8.self) }
        description = ConcernInterface.filled(parts.joined(separator: "\n"))
    }

    /// The interface between apps and the system.
    public static let app = VarlinkInterface(
        name: "roost.App", text: PackageResources.roost_App_varlink, concerns: WireConcerns.interfaces.map(\.app))

    /// The interface between the command line and the system.
    public static let control = VarlinkInterface(
        name: "roost.Control", text: PackageResources.roost_Control_varlink,
        concerns: WireConcerns.interfaces.map(\.control))

    /// The standard interface of all varlink services.
    public static let service = VarlinkInterface(
        name: "org.varlink.service", text: PackageResources.org_varlink_service_varlink)
}
