public import LifeCycleModel

/// A violation: an invariant that was broken, and how.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The invariant's name.
    public let invariant: String
    /// A description of the violation.
    public let finding: String
    /// The time at which the violation was found, on the awake clock.
    public let at: Nanoseconds

    /// The parts, as a sentence.
    public var description: String { "\(invariant): \(finding) (at \(at))" }
}
