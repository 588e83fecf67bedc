package import LifeCycleModel
package import LifeCyclePolicy

/// The common part of all virtual bodies: a checked brain with its store, the virtual clock, and the effects that wait.
package struct BodyCore<Happening: Sendable>: Sendable {
    /// The brain, with every check on it.
    package internal(set) var checked: CheckedDevice
    /// The virtual time: it moves only when the body moves it.
    package var now: Moment
    /// The planned happenings. The brain's deadlines are not among them.
    package var agenda = Agenda<Happening>()
    /// Effects that build on records which could not be committed, as in the supervisor.
    private var held = HeldEffects()
    private var unwritten: Set<RecordSubject> = []  // ordered: looked up only
    /// The first thing found wrong in the world around the brain.
    private var seen: Violation?

    package init(_ checked: CheckedDevice, now: Moment) {
        self.checked = checked
        self.now = now
    }

    package var device: Device { _read { yield checked.device } }
    /// The rule that was broken; nil if none was.
    package var violation: Violation? { checked.violation ?? seen }
    /// When the brain wants `deadlineReached`; never, if it waits for nothing.
    package var deadline: Nanoseconds { checked.device.nextDeadlineTime ?? .distantFuture }

    /// Records something wrong that is seen from outside.
    mutating func fail(_ invariant: String, _ finding: String) {
        if violation == nil { seen = Violation(invariant: invariant, finding: finding, at: now.awake) }
    }

    /// Moves the clock on, never back.
    package mutating func move(to time: Nanoseconds) {
        if time > now.awake { now = now.advanced(by: time - now.awake) }
    }

    /// The next thing to happen: what the body planned, or a deadline of the brain.
    package enum Next {
        case happening(Happening)
        case deadline
    }

    /// Moves the clock to what comes next, be it planned or a deadline of the brain's. Nil if nothing comes by `limit`, or
    /// something was found wrong. It is one mutating call, because each look at the core from the body copies the core.
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

    /// When `span` will be over.
    mutating func end(of span: Nanoseconds) -> Nanoseconds { now.awake + span }

    // MARK: The brain and its store

    /// Gives the brain an event, commits the records, and returns what is to be performed.
    package mutating func handle(_ event: Event) -> [Effect] {
        let effects = checked.handle(event, at: now)
        if !checked.store.isWhole { unwritten = Set(checked.store.unwritten.flatMap(\.subjects)) }
        return effects
    }

    /// Whether an effect has to wait for the store; it is kept until then.
    mutating func holds(_ effect: Effect) -> Bool {
        !checked.store.isWhole && held.takes(effect, waitingFor: unwritten)
    }

    /// Whether the start of a launch was waiting; neither that nor what was to follow is performed any more.
    mutating func dropHeldStart(of launch: LaunchID) -> Bool { held.count > 0 && held.drop(launch) }

    /// Lets commits fail, or succeed again; returns the effects that no longer wait.
    mutating func letStore(fail: Bool) -> [Effect] {
        checked.letStore(fail: fail)
        return checked.store.isWhole ? held.takeAll() : []
    }

    /// The system is killed, and started again with what was committed. What waited is lost.
    package mutating func restart() {
        held = HeldEffects()
        checked.restart()
    }
}
