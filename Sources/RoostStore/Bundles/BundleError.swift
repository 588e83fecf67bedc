internal import LifeCycleModel

/// Why a bundle could not be installed or found: a code for programs, and a sentence for people.
public struct BundleError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not a folder called `Name.app`.
        case notABundle
        /// `Info.plist` is missing or wrong.
        case badManifest
        /// The executable is missing, or is no executable file in the bundle.
        case badExecutable
        /// The bundle holds something that must not be copied: a link out of it, a device, a socket.
        case unsafeContent
        /// The bundle is beyond `BundleInstaller.Limits`.
        case tooLarge
        /// The app is installed, and replacing it was not asked for.
        case alreadyInstalled
        /// The system refused: see `errno`.
        case system
    }

    /// What kind of failure it is.
    public let code: Code
    /// The file or folder it is about.
    public let subject: String
    /// The `errno` it failed with; 0 where the failure has none.
    public let errno: Int32
    /// What is wrong, and what to do.
    public let reason: String

    /// An error with these parts.
    public init(_ code: Code, _ subject: String, errno: Int32 = 0, _ reason: String) {
        self.code = code
        self.subject = subject
        self.errno = errno
        self.reason = reason
    }
}

extension BundleError: CustomStringConvertible {
    /// The subject and the reason, with what a bundle calls its files made visible.
    public var description: String { "\(subject): \(reason)".visible }
}
