/// The guardian's carriers of transfers: which there are, and which are wanted.
///
/// All of one supervisor's are ended with it, and those of the next one begin only when they have gone: two that wrote the
/// same files would spoil them. A pure value: the guardian does what it says.
public struct Carriers: Hashable, Sendable {
    /// A carrier that is to be started, with its end of the stream.
    public struct Wanted: Hashable, Sendable {
        /// The supervisor's number for it.
        public let number: Int64
        /// The descriptor it is to find.
        public let descriptor: Int32

        /// A wish for one.
        public init(number: Int64, descriptor: Int32) {
            self.number = number
            self.descriptor = descriptor
        }
    }

    /// Those of the supervisor there is.
    private var current: [Int64: Int32] = [:]
    /// Those that have been killed, by their pids.
    private var ending: Set<Int32> = []
    private var waiting: [Wanted] = []

    /// None.
    public init() {}

    /// The supervisor wants one.
    public mutating func want(_ wanted: Wanted) { waiting.append(wanted) }

    /// Those to be started now. Each is `started` then, or its descriptor is closed.
    public mutating func takeDue() -> [Wanted] {
        guard ending.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// One runs as this process.
    public mutating func started(_ number: Int64, pid: Int32) { current[number] = pid }

    /// The supervisor wants one no longer: the process to be killed, and the descriptor of one that was never started.
    public mutating func end(_ number: Int64) -> (kill: Int32?, close: Int32?) {
        let descriptor = waiting.first { $0.number == number }?.descriptor
        waiting.removeAll { $0.number == number }
        // Another one may be wanted for the same files at once.
        let pid = current.removeValue(forKey: number)
        if let pid { ending.insert(pid) }
        return (pid, descriptor)
    }

    /// The supervisor has gone: the processes to be killed, and the descriptors to be closed.
    public mutating func supervisorEnded() -> (kill: [Int32], close: [Int32]) {
        let (pids, descriptors) = (current.values.sorted(), waiting.map(\.descriptor))
        ending.formUnion(pids)
        (current, waiting) = ([:], [])
        return (pids, descriptors)
    }

    /// A process has been reaped: whether it was a carrier.
    public mutating func reaped(_ pid: Int32) -> Bool {
        if ending.remove(pid) != nil { return true }
        guard let number = current.first(where: { $0.value == pid })?.key else { return false }
        current[number] = nil
        return true
    }

    /// Whether this process is a carrier that nobody has ended.
    public func isCurrent(_ pid: Int32) -> Bool { current.values.contains(pid) }
}
