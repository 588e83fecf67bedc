public import LifeCycleModel
public import LifeCyclePolicy

/// A brain, its store, and every check there is: the invariants and the reference model, after each event.
public struct CheckedDevice: Sendable {
    /// What a brain may meet.
    public enum Step: Hashable, Sendable {
        /// It hears of something.
        case event(Event, Moment)
        /// From here on no commit succeeds.
        case storeFails
        /// Commits succeed again. The commit that failed is repeated first.
        case storeWorks
        /// It is killed, and another starts with what was committed.
        case restart
    }

    /// Everything that is checked by what goes in and comes out.
    private struct Checks: Sendable {
        var invariants = Invariants()
        var reference: ReferenceComparison
        var user = WhoIsInFront()
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
    /// The first thing found wrong, if anything.
    public private(set) var violation: Violation?
    /// All steps so far, where they are kept.
    public private(set) var steps: [Step]?

    /// One more check, beside all others: what is wrong with an event and its effects; nil for nothing.
    public typealias OwnCheck = @Sendable (Event, [Effect]) -> String?

    var store = VirtualStore()
    private var checks: Checks
    /// The checks as of the last commit, while commits fail. A brain that is restarted from there has forgotten what the
    /// checks have seen since.
    private var committedChecks: Checks?
    private let ownCheck: OwnCheck?
    /// Whether anything is checked at all.
    let areChecksOn: Bool

    /// A brain that nothing has happened to yet; it keeps its steps where `keepsSteps` says so. Without `checks` nothing is
    /// ever found wrong: for measuring, not for proving.
    public init(policy: Policy, checks: Bool = true, keepsSteps: Bool = false, ownCheck: OwnCheck? = nil) {
        areChecksOn = checks
        self.ownCheck = ownCheck
        device = Device(policy: policy)
        self.checks = Checks(reference: ReferenceComparison(policy: policy))
        steps = keepsSteps ? [] : nil
    }

    /// A brain to which all of `steps` have happened, as far as the first finding.
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
    var user: WhoIsInFront { checks.user }
    /// The requests and transfers that have not come to an end yet.
    var pending: EverythingEnds { checks.pending }

    /// Gives the brain an event and checks what it makes of it; what it wants stored is committed, if the store works. The
    /// effects are the caller's to perform.
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

    /// Makes commits fail from the next event on, or succeed again. The commit that failed is then repeated first.
    public mutating func letStore(fail: Bool) {
        steps?.append(fail ? .storeFails : .storeWorks)
        store.fails = fail
        store.commit()
    }

    /// The brain is killed between two events, and another starts with what was committed.
    public mutating func restart() {
        steps?.append(.restart)
        if !store.isWhole, let committedChecks { checks = committedChecks }
        store.forgetUnwritten()
        device = Device(policy: device.policy, disk)
        checks.systemRestarted()
    }
}
