public import LifeCycleModel

/// How the guardian's children ended: kept for whoever supervises them, also for one that was not there when they did.
public struct ExitLedger: Hashable, Sendable {
    /// The end of one process.
    public struct Entry: Hashable, Sendable {
        /// Its pid, which may be another's by now.
        public let pid: Int32
        /// When it started, in the kernel's ticks since boot: with the pid it tells the process from every other.
        public let startTime: UInt64
        /// How it ended.
        public let status: ExitStatus

        /// An entry with these values.
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
    /// None is lost that matters: while there is a supervisor it asks at once, and while there is none nothing is
    /// started, so that no more apps can end than run.
    public init(limit: Int = 1024) { self.limit = limit }

    /// Notes that a process has ended.
    public mutating func note(_ entry: Entry) {
        if entries.count == limit { entries.removeFirst() }
        entries.append(entry)
    }

    /// The end of the process with this number and this start, or of the last one that had the number where the start
    /// is nil. An entry is not used up: who asked may die before it has stored the answer.
    public func entry(pid: Int32, startTime: UInt64?) -> Entry? {
        entries.last { $0.pid == pid && (startTime == nil || $0.startTime == startTime) }
    }
}
