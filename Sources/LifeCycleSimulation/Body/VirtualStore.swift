import LifeCycleModel

/// A store whose commits can fail: the disk, and the open transaction.
struct VirtualStore: Hashable, Sendable {
    /// The committed records. A restarted system reads these.
    var disk = Disk()
    /// The records of the open transaction, in order. After a failed commit they stay for the next commit.
    private(set) var unwritten: [Record] = []
    /// Whether commits fail, as on a full disk.
    var fails = false

    /// Whether every record is on disk.
    var isWhole: Bool { unwritten.isEmpty }

    mutating func write(_ record: Record) { unwritten.append(record) }

    mutating func commit() {
        guard !fails else { return }
        for record in unwritten { disk.store(record) }
        unwritten.removeAll(keepingCapacity: true)
    }

    /// The system ended: the open transaction is lost.
    mutating func forgetUnwritten() { unwritten.removeAll() }
}
