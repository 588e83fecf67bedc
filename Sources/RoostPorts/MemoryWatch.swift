/// The degree of a memory shortage.
public enum MemoryLevel: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// Some work waits for memory: apps are asked to free memory that they can rebuild (T14).
    case low
    /// All work waits for memory: suspended apps are terminated (T15).
    case short

    /// `low` comes before `short`.
    public static func < (left: Self, right: Self) -> Bool { left == .low && right == .short }
}

/// A descriptor that reports one memory level.
public struct MemorySignal: Hashable, Sendable {
    /// Shows EPOLLPRI when the level is reached, at most once per window while it lasts. Shows EPOLLERR when the
    /// descriptor will report nothing more. Owned by the adapter.
    public let descriptor: Int32
    /// The level that the descriptor reports.
    public let level: MemoryLevel

    /// Created by `MemoryPressure`, once for each level.
    public init(descriptor: Int32, level: MemoryLevel) {
        self.descriptor = descriptor
        self.level = level
    }
}

/// Detects low memory. Used on the loop's thread only. Does not poll.
public protocol MemoryWatch: AnyObject {
    /// The mechanism that detects low memory, in a few words, such as `PSI some 150 ms in 2 s, full 100 ms in 2 s`; or
    /// why low memory cannot be detected.
    var mechanism: String { get }

    /// The descriptors to wait on; empty if low memory cannot be detected.
    var signals: [MemorySignal] { get }
}
