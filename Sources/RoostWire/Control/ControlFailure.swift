/// Why the system did not do what it was asked: `roost.Control.Failed`.
public struct ControlFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// No such app is installed.
        case noSuchApp
        /// The app is installed, and replacing it was not asked for.
        case alreadyInstalled
        /// The bundle is not one that can be installed.
        case badBundle
        /// There is no such setting, or it cannot have that value.
        case badSetting
        /// The rules of the life cycle forbid it, or the device is not in a state for it.
        case refused
        /// There is no such transfer.
        case noSuchTransfer
        /// A call to Linux failed.
        case systemFault
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence for people, who can act on it.
    public var message: String

    /// A failure with these values.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
