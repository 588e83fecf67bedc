internal import Glibc
internal import LifeCycleModel

/// The order in which the kernel kills processes when no memory is left: `oom_score_adj`, from -1000 (never) to 1000
/// (first).
///
/// Without privileges, a process may raise its own value. It may also raise and lower the values of other processes,
/// but not below their initial value. A lower value takes CAP_SYS_RESOURCE. Therefore, without root, the system itself
/// is as likely to be killed as the foreground app.
public enum OutOfMemoryScore {
    /// The value of the guardian and the supervisor.
    static let system = -900
    static let foreground = 0
    static let background = 300
    static let suspended = 900

    /// Makes the kernel kill this process last. False, and no change, without the privilege for it.
    @discardableResult
    public static func protectSelf() -> Bool { set(system, of: getpid()) }

    static func of(_ priority: ProcessPriority) -> Int {
        switch priority {
        case .foreground: foreground
        case .background: background
        }
    }

    /// The value of a process; nil if it does not exist.
    static func value(of pid: Int32) -> Int? {
        Files.text("/proc/\(pid)/oom_score_adj").flatMap { Int($0.split(separator: "\n").first ?? "") }
    }

    /// Sets the value of a process. False if it is gone, or if it is another user's and cannot be changed.
    @discardableResult
    static func set(_ value: Int, of pid: Int32) -> Bool { Files.write("\(value)", to: "/proc/\(pid)/oom_score_adj") }

    /// The lowest value to set without privileges: the value of this process. If the kernel refused a lower value, the
    /// previous value would stay.
    static let lowest = max(foreground, value(of: getpid()) ?? foreground)
}
