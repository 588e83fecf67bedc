import LifeCycleModel
import LifeCyclePolicy

/// Shortens a history with a violation, by leaving out steps as long as the same rule is still broken.
struct Shrinker {
    /// The largest number of trials for one list, which take a minute at most.
    private static let mostTrials = 4000

    let seed: UInt64
    let policy: Policy
    let steps: Int
    var ownCheck: CheckedDevice.OwnCheck?

    /// The shortened history; nil if the history has no violation.
    func shrink() -> ShrunkHistory? {
        let whole = history(of: Array(0..<steps))
        guard let violation = whole.violation else { return nil }
        let kept = Self.smallest(Array(0..<steps)) { kept in
            history(of: kept).violation.map { Self.isAlike($0, violation) } ?? false
        }
        let short = history(of: kept)
        let wanted = short.violation ?? violation
        let isBroken = { (steps: [[CheckedDevice.Step]]) in
            let device = CheckedDevice(policy: short.device.policy, ownCheck: ownCheck, Array(steps.joined()))
            return device.violation.map { Self.isAlike($0, wanted) } ?? false
        }
        // A violation seen from outside needs the world; the brain's steps alone do not show it.
        let events = Self.units(of: short.core.checked.steps ?? [])
        let shortest = isBroken(events) ? Array(Self.smallest(events, isBroken).joined()) : nil
        return ShrunkHistory(
            seed: seed, policy: policy, historyPolicy: short.device.policy, steps: steps, kept: kept, events: shortest,
            before: whole.eventCount, violation: wanted)
    }

    /// The steps in groups that are left out together: a restart belongs to the reports about all launches that follow
    /// it.
    private static func units(of steps: [CheckedDevice.Step]) -> [[CheckedDevice.Step]] {
        var units: [[CheckedDevice.Step]] = []
        var isStarting = false
        for step in steps {
            switch step {
            case .restart: isStarting = true
            case .event(.process(_, .found), _), .event(.process(_, .exited), _), .event(.process(_, .cutOff), _):
                if isStarting {
                    units[units.count - 1].append(step)
                    continue
                }
            case .event, .storeFails, .storeWorks: isStarting = false
            }
            units.append([step])
        }
        return units
    }

    /// Whether both are the same violation, apart from the app and the time.
    private static func isAlike(_ one: Violation, _ other: Violation) -> Bool {
        let words = { (violation: Violation) in violation.finding.prefix { $0 != "[" }.filter { !$0.isNumber } }
        return one.invariant == other.invariant && words(one) == words(other)
    }

    private func history(of kept: [Int]) -> World {
        var history = History(seed: seed, policy: policy, keepsSteps: true, ownCheck: ownCheck)
        let kept = Set(kept)
        history.run(steps: steps) { !kept.contains($0) }
        return history.world
    }

    /// Delta debugging: leaves out parts of a list, large parts first, while `holds` is true for the rest.
    static func smallest<Element>(_ all: [Element], _ holds: ([Element]) -> Bool) -> [Element] {
        var rest = all
        var size = max(1, all.count / 2)
        var trials = 0
        while true {
            var start = 0
            var isShorter = false
            while start < rest.count, trials < mostTrials {
                let shorter = Array(rest[..<start] + rest[min(start + size, rest.count)...])
                trials += 1
                if holds(shorter) {
                    rest = shorter
                    isShorter = true
                } else {
                    start += size
                }
            }
            if trials >= mostTrials || (size == 1 && !isShorter) { return rest }
            size = max(1, size / 2)
        }
    }
}
