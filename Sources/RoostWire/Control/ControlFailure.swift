/// The error `roost.Control.Failed`.
public struct ControlFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The app is not installed.
        case noSuchApp
        /// The app is already installed, and the call did not ask to replace it.
        case alreadyInstalled
        /// The bundle cannot be installed.
        case badBundle
        /// The setting does not exist, or cannot have this value.
        case badSetting
        /// The rules of the life cycle or the state of the device forbid the action.
        case refused
        /// The transfer does not exist.
        case noSuchTransfer
        /// A system call failed.
        case systemFault
    }

    /// The kind of failure.
    public var code: Code
    /// A message for users, who can act on it.
    public var message: String

    /// Created by the control server, which sends it as the reply.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message, without the code.
    public var description: String { message }
}
