public import LifeCycleModel
public import LifeCyclePolicy

/// Replays recorded events. The brain must make the same decisions, and break no invariant.
public struct JournalReplay: Sendable {
    /// The reason why a replay failed.
    public enum Divergence: Error, Hashable, Sendable, CustomStringConvertible {
        /// The brain's effects differ from the recorded effects.
        case differs(event: Event, recorded: [Effect], replayed: [Effect])
        /// An invariant was broken.
        case broken(Violation)

        /// The differing effects, one a line, in order. A `-` marks a recorded effect that the replay lacks, and a `+`
        /// marks an effect that only the replay has.
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

        /// The difference, or the broken invariant.
        public var description: String {
            switch self {
            case .differs(let event, let recorded, let replayed):
                "at \(event) the journal has \(recorded), the replay gives \(replayed)"
            case .broken(let violation): violation.description
            }
        }
    }

    /// An event or an effect as text, without module names.
    public static func words(_ value: some Hashable) -> String {
        "\(value)".replacing("LifeCycleModel.", with: "").replacing("LifeCyclePolicy.", with: "")
    }

    /// The device after the replayed events.
    public private(set) var device: Device
    /// How many events were replayed.
    public private(set) var eventCount = 0
    private var invariants: Invariants

    /// The journal's events must continue from `start`.
    public init(start: Device) {
        device = start
        // A deadline that is met later than this means that the loop stalled, and the rules for stalls apply.
        invariants = Invariants(slack: start.policy.stall, start: start)
    }

    /// Replays the next event of the journal. Throws `Divergence` if the effects differ or an invariant is broken.
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
