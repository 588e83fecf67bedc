internal import Glibc
internal import LifeCycleModel

/// Who the kernel kills first when no memory is left: `oom_score_adj`, from -1000 (never) to 1000 (first).
///
/// A process may raise its own value, and others may be raised and brought back again, without any right. To go below
/// where a process began takes CAP_SYS_RESOURCE: so without root the system itself is as likely to go as an app in front.
public enum OutOfMemoryScore {
    /// What the guardian and the supervisor get.
    static let system = -900
    static let foreground = 0
    static let background = 300
    static let suspended = 900

    /// Puts this process at the bottom of the list. False where that takes rights it has not: it stays where it was.
    @discardableResult
    public static func protectSelf() -> Bool { set(system, of: getpid()) }

    static func of(_ priority: ProcessPriority) -> Int {
        switch priority {
        case .foreground: foreground
        case .background: background
        }
    }

    /// What a process has; nil where there is none.
    static func value(of pid: Int32) -> Int? {
        Files.text("/proc/\(pid)/oom_score_adj").flatMap { Int($0.split(separator: "\n").first ?? "") }
    }

    /// Sets it, where that may be. One that is gone by now is no error, and one of another's is left as it is.
    @discardableResult
    static func set(_ value: Int, of pid: Int32) -> Bool { Files.write("\(value)", to: "/proc/\(pid)/oom_score_adj") }

    /// Nothing goes below where this process is, without the right to: a value refused would leave the last one.
    static let lowest = max(foreground, value(of: getpid()) ?? foreground)
}
