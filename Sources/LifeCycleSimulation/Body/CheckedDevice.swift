public import LifeCycleModel
public import LifeCyclePolicy

/// A brain with its store. The invariants and the reference model check it after each event.
public struct CheckedDevice: Sendable {
    /// A step in the history of a brain.
    public enum Step: Hashable, Sendable {
        /// The brain handles an event.
        case event(Event, Moment)
        /// Commits fail from now on.
        case storeFails
        /// Commits succeed again. The commit that failed is repeated first.
        case storeWorks
        /// The brain is killed, and another starts from the committed records.
        case restart
    }

    /// The checks that follow the brain by its input and output.
    private struct Checks: Sendable {
        var invariants = Invariants()
        var reference: ReferenceComparison
        var user = ExpectedForeground()
        var pending = EverythingEnds()

        mutating func systemRestarted() {
            invariants.systemRestarted()
            reference.systemRestarted()
            user.systemRestarted()
            pending.systemRestarted()
        }
    }

    /// The brain.
    public private(set) var device: Device
    /// The first violation; nil if there is none.
    public private(set) var violation: Violation?
    /// All steps so far; nil unless steps are recorded.
    public private(set) var steps: [Step]?

    /// An additional check: a description of a wrong reaction to an event; nil if the effects are right.
    public typealias OwnCheck = @Sendable (Event, [Effect]) -> String?

    var store = VirtualStore()
    private var checks: Checks
    /// The state of the checks at the last commit, while commits fail. A brain that restarts from that commit has lost
    /// everything that the checks have seen since.
    private var committedChecks: Checks?
    private let ownCheck: OwnCheck?
    /// Whether anything is checked.
    let areChecksOn: Bool

    /// A brain without a history. With `keepsSteps` it records its steps. Without `checks` no violation is ever found,
    /// which is for measuring only.
    public init(policy: Policy, checks: Bool = true, keepsSteps: Bool = false, ownCheck: OwnCheck? = nil) {
        areChecksOn = checks
        self.ownCheck = ownCheck
        device = Device(policy: policy)
        self.checks = Checks(reference: ReferenceComparison(policy: policy))
        steps = keepsSteps ? [] : nil
    }

    /// A brain that has gone through `steps`, up to the first violation.
    public init(policy: Policy, ownCheck: OwnCheck? = nil, _ steps: [Step]) {
        self.init(policy: policy, ownCheck: ownCheck)
        for step in steps where violation == nil {
            switch step {
            case .event(let event, let now): _ = handle(event, at: now)
            case .storeFails: letStore(fail: true)
            case .storeWorks: letStore(fail: false)
            case .restart: restart()
            }
        }
    }

    var disk: Disk { store.disk }
    var reference: ReferenceComparison { checks.reference }
    /// The app that the user sees or waits for.
    var user: ExpectedForeground { checks.user }
    /// The requests and transfers that have not ended yet.
    var pending: EverythingEnds { checks.pending }

    /// Passes an event to the brain, commits its records if the store works, and checks the reaction. The caller
    /// performs the returned effects.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        steps?.append(.event(event, now))
        if store.fails, store.isWhole { committedChecks = checks }
        var effects: [Effect] = []
        device.handle(event, at: now, into: &effects)
        for case .store(let record) in effects { store.write(device.filled(record)) }
        store.commit()
        if areChecksOn, violation == nil { violation = finding(event, at: now, effects) }
        return effects
    }

    private mutating func finding(_ event: Event, at now: Moment, _ effects: [Effect]) -> Violation? {
        let broken = checks.invariants.check(event, effects, device: device, now: now)
        let difference = checks.reference.check(event, at: now, effects, device)
        checks.user.note(event, effects)
        checks.pending.note(event, effects)
        if let broken { return broken }
        let other =
            difference.map { ("the reference model agrees", $0) }
            ?? ownCheck?(event, effects).map { ("a check of one's own", $0) }
        return other.map { Violation(invariant: $0, finding: $1, at: now.awake) }
    }

    /// Makes commits fail from the next event on, or succeed again. In the second case the failed commit is repeated
    /// first.
    public mutating func letStore(fail: Bool) {
        steps?.append(fail ? .storeFails : .storeWorks)
        store.fails = fail
        store.commit()
    }

    /// Kills the brain between two events, and starts another from the committed records.
    public mutating func restart() {
        steps?.append(.restart)
        if !store.isWhole, let committedChecks { checks = committedChecks }
        store.forgetUnwritten()
        device = Device(policy: device.policy, disk)
        checks.systemRestarted()
    }
}
