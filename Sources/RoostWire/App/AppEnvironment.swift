public import LifeCycleModel

/// The environment variables of an app's process: the socket, and the identity of the launch.
public struct AppEnvironment: Hashable, Sendable {
    /// The name of the variable with the path of the app socket.
    public static let socketVariable = "ROOST_SOCKET"
    /// The name of the variable with the launch token. An app removes it, so that its children do not inherit it.
    public static let tokenVariable = "ROOST_TOKEN"
    /// The name of the variable with the launch context, as JSON.
    public static let contextVariable = "ROOST_LAUNCH"

    /// The path of the app socket.
    public var socket: String
    /// The launch token.
    public var token: String
    /// The reason and the conditions of the launch.
    public var context: LaunchContext

    /// Created by the system for a launch.
    public init(socket: String, token: String, context: LaunchContext) {
        self.socket = socket
        self.token = token
        self.context = context
    }

    /// Reads the variables. Nil if the system did not launch the process; throws if a variable is malformed.
    public init?(reading variable: (String) -> String?) throws(WireError) {
        // A child process of an app inherits the other variables, but not the token.
        guard let socket = variable(Self.socketVariable), let token = variable(Self.tokenVariable) else { return nil }
        guard let text = variable(Self.contextVariable) else {
            throw .invalidParameter(field: Self.contextVariable, problem: "is missing")
        }
        let context = try LaunchContext(JSONParser.message([UInt8](text.utf8)))
        self.init(socket: socket, token: token, context: context)
    }

    /// The variables, as `NAME=value`.
    public var variables: [String] {
        let context = String(decoding: self.context.json.text, as: UTF8.self)
        return [
            "\(Self.socketVariable)=\(socket)", "\(Self.tokenVariable)=\(token)", "\(Self.contextVariable)=\(context)",
        ]
    }
}
