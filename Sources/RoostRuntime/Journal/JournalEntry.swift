public import LifeCycleModel
public import LifeCyclePolicy

/// A line of the journal. The first is a `start`. Replaying the `turn`s from there produces the same effects.
public enum JournalEntry: Hashable, Sendable, Codable {
    /// The device when the journal began.
    case start(format: Int, device: Device)
    /// An event and the brain's effects.
    case turn(at: Moment, event: Event, effects: [Effect])

    /// The format that this version writes.
    public static let format = 17
}
