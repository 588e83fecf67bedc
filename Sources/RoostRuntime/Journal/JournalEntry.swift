public import LifeCycleModel
public import LifeCyclePolicy

/// A line of the journal. The first is a `start`; replaying the `turn`s from it gives the same effects again.
public enum JournalEntry: Hashable, Sendable, Codable {
    /// The device as it was when the journal began.
    case start(format: Int, device: Device)
    /// One event, and what the brain made of it.
    case turn(at: Moment, event: Event, effects: [Effect])

    /// The format this program writes.
    public static let format = 6
}
