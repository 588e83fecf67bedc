internal import Glibc

/// A failed system call: what was attempted, on what, and the `errno`.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted action, as a verb phrase: "open the log file".
    public let doing: String
    /// The path, app or descriptor that the action was for.
    public let subject: String
    /// The `errno`; 0 if the failure has none.
    public let errno: Int32
    /// The kernel's text for `errno`, or another reason.
    public let reason: String

    /// For a reason other than the kernel's text for `errno`.
    public init(doing: String, subject: String, errno: Int32, reason: String) {
        self.doing = doing
        self.subject = subject
        self.errno = errno
        self.reason = reason
    }

    /// An error with this `errno`. Its reason is the kernel's text, followed by the advice unless it is nil.
    public init(doing: String, subject: String, errno: Int32, advice: String? = nil) {
        let text = String(cString: strerror(errno))
        self.init(
            doing: doing, subject: subject, errno: errno, reason: advice.map { "\(text); \($0)" } ?? text)
    }

    /// The error of the call just made, from `errno`.
    public static func now(_ doing: String, _ subject: String, advice: String? = nil) -> SystemError {
        SystemError(doing: doing, subject: subject, errno: Glibc.errno, advice: advice)
    }

    /// All parts: "cannot open the log file: /var/log/x: No such file or directory".
    public var description: String { "cannot \(doing): \(subject): \(reason)" }
}
