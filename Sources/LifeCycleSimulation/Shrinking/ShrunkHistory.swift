import LifeCycleModel
import LifeCyclePolicy

/// A history with a violation and few other steps.
public struct ShrunkHistory: Sendable {
    /// The seed of the original history.
    public let seed: UInt64
    /// The violation that the shrunk history still shows.
    public let violation: Violation
    /// The number of the brain's events in the original history.
    public let before: Int
    /// The brain's steps after shrinking; nil if the violation shows only in the world around the brain.
    public let events: [CheckedDevice.Step]?

    /// The preset, and below it the policy that the history derived from it at random.
    private let policy: Policy
    private let historyPolicy: Policy
    private let steps: Int
    /// The indices of the remaining steps.
    private let kept: [Int]

    init(
        seed: UInt64, policy: Policy, historyPolicy: Policy, steps: Int, kept: [Int], events: [CheckedDevice.Step]?,
        before: Int, violation: Violation
    ) {
        self.seed = seed
        self.policy = policy
        self.historyPolicy = historyPolicy
        self.steps = steps
        self.kept = kept
        self.events = events
        self.before = before
        self.violation = violation
    }

    /// A test that fails while the violation exists, ready to be pasted into `LifeCycleSimulationTests`.
    public var swiftTest: String {
        let head = [
            "/// Seed \(seed), \(steps) steps: \(violation.invariant).",
            "@Test func seed\(seed)Of\(steps)Steps() throws {",
        ]
        return (head + (events.map(test) ?? testOfWorld) + ["}"]).joined(separator: "\n")
    }

    private func test(of events: [CheckedDevice.Step]) -> [String] {
        var lines = policyLines + ["    let device = CheckedDevice(policy: policy, ["]
        for step in events {
            switch step {
            case .event(let event, let now):
                lines.append("        .event(\(SwiftSource.expression(event)), \(SwiftSource.expression(now))),")
            case .storeFails, .storeWorks, .restart: lines.append("        .\(step),")
            }
        }
        return lines + ["    ])", "    #expect(device.violation == nil)"]
    }

    private var testOfWorld: [String] {
        [
            "    var history = History(seed: \(seed), policy: .\(policy.name))",
            "    history.run(steps: \(steps)) { !\(kept).contains($0) }",
            "    #expect(history.world.violation == nil)",
        ]
    }

    private var policyLines: [String] {
        let preset = Mirror(reflecting: policy).children
        let changes = zip(preset, Mirror(reflecting: historyPolicy).children).compactMap { old, new -> String? in
            let (before, after) = (SwiftSource.expression(old.value), SwiftSource.expression(new.value))
            return before == after ? nil : "    policy.\(new.label ?? "") = \(after)"
        }
        return ["    \(changes.isEmpty ? "let" : "var") policy = Policy.\(policy.name)"] + changes
    }
}
