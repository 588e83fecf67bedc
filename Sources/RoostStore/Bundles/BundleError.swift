internal import LifeCycleModel

/// Why a bundle could not be installed or found: a code for programs, and a sentence for users.
public struct BundleError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not a folder called `Name.app`.
        case notABundle
        /// `Info.plist` is missing or wrong.
        case badManifest
        /// The executable is missing, is not executable, or is outside the bundle.
        case badExecutable
        /// The bundle holds a file that must not be copied: a link out of it, a device or a socket.
        case unsafeContent
        /// The bundle exceeds `BundleInstaller.Limits`.
        case tooLarge
        /// The app is already installed, and replacing it was not requested.
        case alreadyInstalled
        /// A system call failed: see `errno`.
        case system
    }

    /// The kind of failure.
    public let code: Code
    /// The file or folder that is at fault.
    public let subject: String
    /// The `errno`; 0 if the failure has none.
    public let errno: Int32
    /// The fault, and what to do about it.
    public let reason: String

    /// Without an `errno` unless a system call failed.
    public init(_ code: Code, _ subject: String, errno: Int32 = 0, _ reason: String) {
        self.code = code
        self.subject = subject
        self.errno = errno
        self.reason = reason
    }
}

extension BundleError: CustomStringConvertible {
    /// The subject and the reason. Unprintable characters in file names are made visible.
    public var description: String { "\(subject): \(reason)".visible }
}
