public import LifeCycleModel
public import LifeCyclePolicy

/// A brain, what its store would hold, and every check there is: the invariants and the reference model, after each event.
public struct CheckedDevice: Sendable {
    /// What a brain may meet.
    public enum Step: Hashable, Sendable {
        /// It hears of something.
        case event(Event, Moment)
        /// It is killed, and another starts with what was stored.
        case restart
    }

    /// The brain.
    public private(set) var device: Device
    /// The first thing found wrong, if anything.
    public private(set) var violation: Violation?
    /// All steps so far, where they are kept.
    public private(set) var steps: [Step]?

    /// One more check, beside all others: what is wrong with an event and its effects; nil for nothing.
    public typealias OwnCheck = @Sendable (Event, [Effect]) -> String?

    private(set) var reference: ReferenceComparison
    private(set) var disk = Disk()
    private var invariants = Invariants()
    private let ownCheck: OwnCheck?
    /// Whether anything is checked at all.
    let areChecksOn: Bool

    /// A brain that nothing has happened to yet; it keeps its steps where `keepsSteps` says so. Without `checks` nothing is
    /// ever found wrong: for measuring, not for proving.
    public init(policy: Policy, checks: Bool = true, keepsSteps: Bool = false, ownCheck: OwnCheck? = nil) {
        areChecksOn = checks
        self.ownCheck = ownCheck
        device = Device(policy: policy)
        reference = ReferenceComparison(policy: policy)
        steps = keepsSteps ? [] : nil
    }

    /// A brain to which all of `steps` have happened, as far as the first finding.
    public init(policy: Policy, ownCheck: OwnCheck? = nil, _ steps: [Step]) {
        self.init(policy: policy, ownCheck: ownCheck)
        for step in steps where violation == nil {
            switch step {
            case .event(let event, let now): _ = handle(event, at: now)
            case .restart: restart()
            }
        }
    }

    /// Gives the brain an event and checks what it makes of it; what it wants stored, is. The effects are the caller's to
    /// carry out.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        steps?.append(.event(event, now))
        var effects: [Effect] = []
        device.handle(event, at: now, into: &effects)
        for case .store(let record) in effects { disk.store(record) }
        if areChecksOn, violation == nil { violation = finding(event, at: now, effects) }
        return effects
    }

    private mutating func finding(_ event: Event, at now: Moment, _ effects: [Effect]) -> Violation? {
        let broken = invariants.check(event, effects, device: device, now: now)
        let difference = reference.check(event, at: now, effects, device)
        if let broken { return broken }
        let other =
            difference.map { ("the reference model agrees", $0) }
            ?? ownCheck?(event, effects).map { ("a check of one's own", $0) }
        return other.map { Violation(invariant: $0, finding: $1, at: now.awake) }
    }

    /// The brain is killed between two events, and another starts with what was stored.
    public mutating func restart() {
        steps?.append(.restart)
        device = Device(
            policy: device.policy, record: disk.device, apps: disk.apps, launches: disk.launches,
            sessions: disk.sessions, transfers: disk.transfers, fetches: disk.fetches, pushes: disk.pushes,
            notifications: disk.notifications)
        invariants.systemRestarted()
        reference.systemRestarted()
    }
}
