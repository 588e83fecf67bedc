public import LifeCycleModel
public import LifeCyclePolicy

/// Runs recorded events again: the brain must decide the same, and break no invariant.
public struct JournalReplay: Sendable {
    /// How a replay went wrong.
    public enum Divergence: Error, Hashable, Sendable, CustomStringConvertible {
        /// The brain put out something else; the effects, in order, that are not the same.
        case differs(event: Event, recorded: [Effect], replayed: [Effect])
        /// An invariant was broken.
        case broken(Violation)

        /// What the journal has and the replay does not give, after a `-`, and what the replay gives instead, after a `+`:
        /// an effect each, in their order.
        public var differences: [String] {
            guard case .differs(_, let recorded, let replayed) = self else { return [] }
            var (gone, come): (Set<Int>, Set<Int>) = ([], [])
            for change in replayed.difference(from: recorded) {
                switch change {
                case .remove(let offset, _, _): gone.insert(offset)
                case .insert(let offset, _, _): come.insert(offset)
                }
            }
            var lines: [String] = []
            var (old, new) = (0, 0)
            while old < recorded.count || new < replayed.count {
                if gone.contains(old) {
                    lines.append("- \(JournalReplay.words(recorded[old]))")
                    old += 1
                } else if come.contains(new) {
                    lines.append("+ \(JournalReplay.words(replayed[new]))")
                    new += 1
                } else {
                    (old, new) = (old + 1, new + 1)
                }
            }
            return lines
        }

        /// What is not the same, or which invariant was broken.
        public var description: String {
            switch self {
            case .differs(let event, let recorded, let replayed):
                "at \(event) the journal has \(recorded), the replay gives \(replayed)"
            case .broken(let violation): violation.description
            }
        }
    }

    /// An event or an effect as text, without the names of the modules its parts are from.
    public static func words(_ value: some Hashable) -> String {
        "\(value)".replacing("LifeCycleModel.", with: "").replacing("LifeCyclePolicy.", with: "")
    }

    /// The device as the events so far have left it.
    public private(set) var device: Device
    /// How many events were run.
    public private(set) var eventCount = 0
    private var invariants: Invariants

    /// A replay from the device at the journal's start.
    public init(start: Device) {
        device = start
        // A deadline met later than this means that the loop stood still, and the rules for that apply.
        invariants = Invariants(slack: .seconds(2), start: start)
    }

    /// Runs the next event of the journal.
    public mutating func replay(_ event: Event, at now: Moment, recorded: [Effect]) throws(Divergence) {
        var effects: [Effect] = []
        device.handle(event, at: now, into: &effects)
        eventCount += 1
        guard effects == recorded else {
            throw .differs(event: event, recorded: recorded, replayed: effects)
        }
        if let violation = invariants.check(event, effects, device: device, now: now) {
            throw .broken(violation)
        }
    }
}
