internal import Glibc
internal import RoostPorts

extension SystemError {
    /// The failure of a call with this `errno`, in the kernel's words.
    init(doing: String, subject: String, errno code: Int32) {
        self.init(doing: doing, subject: subject, errno: code, reason: String(cString: strerror(code)))
    }

    /// The failure of the call just made, from `errno`.
    static func now(_ doing: String, _ subject: String) -> SystemError {
        SystemError(doing: doing, subject: subject, errno: Glibc.errno)
    }
}
