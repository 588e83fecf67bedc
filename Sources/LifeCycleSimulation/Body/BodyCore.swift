package import LifeCycleModel
package import LifeCyclePolicy

/// The common part of all virtual bodies: a checked brain with its store, the virtual clock, and the waiting effects.
package struct BodyCore<Happening: Sendable>: Sendable {
    /// The brain with all its checks.
    package internal(set) var checked: CheckedDevice
    /// The virtual time. Only the body advances it.
    package var now: Moment
    /// The planned happenings, without the brain's deadlines.
    package var agenda = Agenda<Happening>()
    /// Effects that wait for records which could not be committed. The supervisor holds such effects back in the same
    /// way.
    private var held = HeldEffects()
    private var unwritten: Set<RecordSubject> = []  // ordered: looked up only
    /// The first violation found in the world around the brain.
    private var seen: Violation?

    package init(_ checked: CheckedDevice, now: Moment) {
        self.checked = checked
        self.now = now
    }

    package var device: Device { _read { yield checked.device } }
    /// The broken rule; nil if no rule is broken.
    package var violation: Violation? { checked.violation ?? seen }
    /// The time of the next `deadlineReached`; `.distantFuture` if the brain has no deadline.
    package var deadline: Nanoseconds { checked.device.nextDeadlineTime ?? .distantFuture }

    /// Records a violation that is seen from outside the brain, unless an earlier violation exists.
    mutating func fail(_ invariant: String, _ finding: String) {
        if violation == nil { seen = Violation(invariant: invariant, finding: finding, at: now.awake) }
    }

    /// Advances the clock to `time`, and never sets it back.
    package mutating func move(to time: Nanoseconds) {
        if time > now.awake { now = now.advanced(by: time - now.awake) }
    }

    /// The next occurrence: a planned happening, or a deadline of the brain.
    package enum Next {
        case happening(Happening)
        case deadline
    }

    /// Advances the clock to the next happening or deadline. Returns nil if nothing is due by `limit`, or after a
    /// violation. This is one mutating call, because the body copies the core each time it reads it.
    mutating func takeNext(until limit: Nanoseconds) -> Next? {
        guard violation == nil else { return nil }
        let (deadline, planned) = (deadline, agenda.nextTime ?? .distantFuture)
        guard min(deadline, planned) <= limit, min(deadline, planned) < .distantFuture else { return nil }
        if planned <= deadline, let (time, happening) = agenda.takeNext() {
            move(to: time)
            return .happening(happening)
        }
        move(to: deadline)
        return .deadline
    }

    /// The end of a span that starts now.
    mutating func end(of span: Nanoseconds) -> Nanoseconds { now.awake + span }

    // MARK: The brain and its store

    /// Passes an event to the brain, commits the records, and returns the effects to perform.
    package mutating func handle(_ event: Event) -> [Effect] {
        let effects = checked.handle(event, at: now)
        if !checked.store.isWhole { unwritten = Set(checked.store.unwritten.flatMap(\.subjects)) }
        return effects
    }

    /// Whether an effect has to wait for the store. If so, it is held until the store works.
    mutating func holds(_ effect: Effect) -> Bool {
        !checked.store.isWhole && held.takes(effect, waitingFor: unwritten)
    }

    /// Whether the start of a launch was held. The start and the launch's later effects are then dropped.
    mutating func dropHeldStart(of launch: LaunchID) -> Bool { held.count > 0 && held.drop(launch) }

    /// Makes commits fail, or succeed again. Returns the effects that no longer have to wait.
    mutating func letStore(fail: Bool) -> [Effect] {
        checked.letStore(fail: fail)
        return checked.store.isWhole ? held.takeAll() : []
    }

    /// Kills the system and starts it again from the committed records. Held effects are lost.
    package mutating func restart() {
        held = HeldEffects()
        checked.restart()
    }
}
