public import LifeCycleModel

/// The exit statuses of the guardian's children. A supervisor can also ask about processes that ended while no
/// supervisor was running.
public struct ExitLedger: Hashable, Sendable {
    /// The end of one process.
    public struct Entry: Hashable, Sendable {
        /// The process's pid, which the kernel may have reused since.
        public let pid: Int32
        /// The start time of the process, in the kernel's ticks since boot. Pid and start time together identify the
        /// process.
        public let startTime: UInt64
        /// The process's exit code or signal.
        public let status: ExitStatus

        /// Created by the guardian when it has reaped a child.
        public init(pid: Int32, startTime: UInt64, status: ExitStatus) {
            self.pid = pid
            self.startTime = startTime
            self.status = status
        }
    }

    /// Oldest first.
    private var entries: [Entry] = []
    private let limit: Int

    /// An empty ledger that keeps the newest `limit` entries.
    ///
    /// No entry that matters is lost. A supervisor asks at once. Without a supervisor no app is started, so only the
    /// running apps can end.
    public init(limit: Int = 1024) { self.limit = limit }

    /// Records that a process has ended.
    public mutating func note(_ entry: Entry) {
        if entries.count == limit { entries.removeFirst() }
        entries.append(entry)
    }

    /// The entry of the process with this pid and start time; if `startTime` is nil, of the last process with this pid.
    /// Reading an entry does not remove it: the supervisor may die before it has stored the answer.
    public func entry(pid: Int32, startTime: UInt64?) -> Entry? {
        entries.last { $0.pid == pid && (startTime == nil || $0.startTime == startTime) }
    }
}
