internal import Glibc
internal import RoostPorts

extension SystemError {
    /// The failure of a call with this `errno`, in the kernel's words and, where there is any, with advice.
    init(doing: String, subject: String, errno code: Int32, advice: String? = nil) {
        let text = String(cString: strerror(code))
        self.init(
            doing: doing, subject: subject, errno: code, reason: advice.map { "\(text); \($0)" } ?? text)
    }

    /// The failure of the call just made, from `errno`.
    static func now(_ doing: String, _ subject: String, advice: String? = nil) -> SystemError {
        SystemError(doing: doing, subject: subject, errno: Glibc.errno, advice: advice)
    }
}
