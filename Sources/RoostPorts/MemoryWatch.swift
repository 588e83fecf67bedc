/// How badly the device lacks memory.
public enum MemoryLevel: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// Some work waits for memory: apps should give back what they can make again (T14).
    case low
    /// All work waits for memory: suspended apps have to go (T15).
    case short

    /// In the order of badness.
    public static func < (left: Self, right: Self) -> Bool { left == .low && right == .short }
}

/// A descriptor that tells of one level.
public struct MemorySignal: Hashable, Sendable {
    /// Shows EPOLLPRI when the level is reached, at most once per window while it lasts, and EPOLLERR when it will tell
    /// nothing more. Owned by the organ.
    public let descriptor: Int32
    /// What it tells of.
    public let level: MemoryLevel

    /// A signal of these.
    public init(descriptor: Int32, level: MemoryLevel) {
        self.descriptor = descriptor
        self.level = level
    }
}

/// Tells when memory runs low. Used on the loop's thread only; asks for nothing while nothing happens.
public protocol MemoryWatch: AnyObject {
    /// What tells, in a few words: `PSI some 150 ms in 2 s, full 100 ms in 2 s`; or why nothing does.
    var mechanism: String { get }

    /// What to wait on; empty where nothing tells.
    var signals: [MemorySignal] { get }
}
