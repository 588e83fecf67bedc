/// A program that the guardian starts for the supervisor, from the directory of `roost`. Its processes are the helpers.
public enum HelperProgram: String, Sendable, CaseIterable {
    /// Transfers downloads.
    case carry = "roost-carry"
    /// Reads positions from gpsd.
    case gps = "roost-gps"
}

/// The processes of one helper program: the running, the killed and the requested helpers. A pure value; the guardian
/// performs the returned actions.
///
/// When a supervisor ends, all its helpers are killed. The next supervisor's helpers start only after the killed
/// helpers have exited: two carriers that write the same files would corrupt them.
public struct Helpers: Hashable, Sendable {
    /// A requested helper, with its end of the stream to the supervisor.
    public struct Wanted: Hashable, Sendable {
        /// The number that the supervisor gave the helper.
        public let number: Int64
        /// The descriptor that is passed to the helper.
        public let descriptor: Int32

        /// Created when the guardian has received the supervisor's request with its descriptor.
        public init(number: Int64, descriptor: Int32) {
            self.number = number
            self.descriptor = descriptor
        }
    }

    /// The running helpers of the current supervisor: pids by helper number.
    private var current: [Int64: Int32] = [:]
    /// The pids of helpers that were killed and are not reaped yet.
    private var ending: Set<Int32> = []
    private var waiting: [Wanted] = []

    /// An empty set of helpers.
    public init() {}

    /// Records that the supervisor requests a helper.
    public mutating func want(_ wanted: Wanted) { waiting.append(wanted) }

    /// The requested helpers that can start now; empty while a killed helper still runs. The caller starts each
    /// helper and calls `started`, or closes its descriptor.
    public mutating func takeDue() -> [Wanted] {
        guard ending.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Records that the helper with this number runs as this process.
    public mutating func started(_ number: Int64, pid: Int32) { current[number] = pid }

    /// Removes a helper that the supervisor no longer wants. Returns the process to kill, and the descriptor to close
    /// if the helper was never started.
    public mutating func end(_ number: Int64) -> (kill: Int32?, close: Int32?) {
        let descriptor = waiting.first { $0.number == number }?.descriptor
        waiting.removeAll { $0.number == number }
        // The supervisor may request a new helper for the same files at once. The new helper has to wait until this
        // process has exited.
        let pid = current.removeValue(forKey: number)
        if let pid { ending.insert(pid) }
        return (pid, descriptor)
    }

    /// Removes all helpers because the supervisor has ended. Returns the processes to kill and the descriptors to
    /// close.
    public mutating func supervisorEnded() -> (kill: [Int32], close: [Int32]) {
        let (pids, descriptors) = (current.values.sorted(), waiting.map(\.descriptor))
        ending.formUnion(pids)
        (current, waiting) = ([:], [])
        return (pids, descriptors)
    }

    /// Records that a process was reaped. Returns whether it was a helper.
    public mutating func reaped(_ pid: Int32) -> Bool {
        if ending.remove(pid) != nil { return true }
        guard let number = current.first(where: { $0.value == pid })?.key else { return false }
        current[number] = nil
        return true
    }

    /// Whether this process is a helper that was not killed.
    public func isCurrent(_ pid: Int32) -> Bool { current.values.contains(pid) }
}
