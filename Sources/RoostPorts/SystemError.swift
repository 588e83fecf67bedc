internal import Glibc

/// A call to the system that failed: what was being done, to what, and the `errno`.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being done, as a verb phrase: "open the log file".
    public let doing: String
    /// The path, app or descriptor it was done to.
    public let subject: String
    /// The `errno` it failed with; 0 where the failure has none.
    public let errno: Int32
    /// The kernel's text for `errno`, or what else there is to say.
    public let reason: String

    /// An error with these parts.
    public init(doing: String, subject: String, errno: Int32, reason: String) {
        self.doing = doing
        self.subject = subject
        self.errno = errno
        self.reason = reason
    }

    /// The failure of a call with this `errno`, in the kernel's words and, if there is any, with advice.
    public init(doing: String, subject: String, errno: Int32, advice: String? = nil) {
        let text = String(cString: strerror(errno))
        self.init(
            doing: doing, subject: subject, errno: errno, reason: advice.map { "\(text); \($0)" } ?? text)
    }

    /// The failure of the call just made, from `errno`.
    public static func now(_ doing: String, _ subject: String, advice: String? = nil) -> SystemError {
        SystemError(doing: doing, subject: subject, errno: Glibc.errno, advice: advice)
    }

    /// The parts, as a sentence.
    public var description: String { "could not \(doing) (\(subject)): \(reason)" }
}
