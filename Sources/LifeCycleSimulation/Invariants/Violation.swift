public import LifeCycleModel

/// Something that must never be, and was: which invariant, and what it saw.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The invariant's name.
    public let invariant: String
    /// What it saw.
    public let finding: String
    /// When, on the awake clock.
    public let at: Nanoseconds

    /// The parts, as a sentence.
    public var description: String { "\(invariant): \(finding) (at \(at))" }
}
