public import LifeCycleModel
public import LifeCyclePolicy

/// All invariants, checked after each event. The invariants do not use the code that they check. Their input is the
/// brain's input and output, and the snapshots that any tool may see.
public struct Invariants: Sendable {
    private var grammar = CallbackGrammar()
    private var silence = SuspendedAppsReceiveNothing()
    private var tasks = TasksComeToAnEnd()
    private var kills = KillsHaveReasons()
    private var doomed = KilledAppsHoldNothing()
    private var limits: LimitsAreKept
    private var time: BackgroundTimeIsKept
    private var launches = OneLaunchPerApp()
    private var wakes = WakesFollowTheRules()
    private var priorities = PrioritiesFollowStates()
    private var containers = ContainersAreMeasured()
    private var shutdowns = NoAppActivatesInShutdown()
    /// The rules about completion handlers and all other rules of concerns.
    private var concerns: [any Invariant]
    private let slack: Nanoseconds
    /// The brain's next deadline, as of the last event; nil if there is none.
    private var wanted: Nanoseconds?

    /// Invariants without a history. `slack` is the tolerated lateness of a deadline: zero in a virtual world. A real
    /// loop wakes up a little late, and handles earlier events first.
    public init(slack: Nanoseconds = .zero) {
        self.init(slack: slack, concernsOf: Device())
    }

    private init(slack: Nanoseconds, concernsOf device: Device) {
        self.slack = slack
        concerns = [EventsAreHandled()] + SimulatedConcerns.all.flatMap { $0.invariants(of: device) }
        limits = LimitsAreKept(slack: slack)
        time = BackgroundTimeIsKept(slack: slack)
    }

    /// Invariants of a device that has a history: it was restored from its records when a journal began.
    public init(slack: Nanoseconds, start: Device) {
        self.init(slack: slack, concernsOf: start)
        wanted = start.nextLifeCycleDeadline?.at
        launches = OneLaunchPerApp(start)
        wakes = WakesFollowTheRules(start)
    }

    /// Checks one event with its effects and the resulting device. nil if no rule is broken.
    public mutating func check(
        _ event: Event, _ effects: [Effect], device: Device, now moment: Moment
    ) -> Violation? {
        let now = moment.awake
        let snapshots = device.snapshots
        let (late, isAfterStall) = noteLateness(device: device, now: now)
        let overdue = now - (event == .deadlineReached ? slack : late)
        let findings: [(String, String?)] = [
            ("callback grammar", grammar.check(event, effects, pushes: device.remoteNotification)),
            ("suspended apps receive nothing", silence.check(event, effects)),
            ("tasks come to an end", tasks.check(event, effects, snapshots)),
            ("kills have reasons", kills.check(effects)),
            ("killed apps hold nothing", doomed.check(event, effects, snapshots)),
            ("limits are kept", limits.check(event, effects, snapshots, policy: device.policy, now: now)),
            ("background time is kept", time.check(event, effects, snapshots, policy: device.policy, now: now)),
            ("one launch per app", launches.check(event, effects)),
            ("wakes follow the rules", wakes.check(event, effects, policy: device.policy)),
            ("events reach the active", EventsReachTheActive.check(event, effects, snapshots)),
            ("priorities follow states", priorities.check(effects, snapshots)),
            ("containers are measured", containers.check(effects, policy: device.policy, now: now, slack: late)),
            ("freezes are meant", FreezesAreMeant.check(effects)),
            ("one state per app", OneStatePerApp.check(effects, snapshots)),
            ("assertions alone keep apps running", AssertionsHold.check(snapshots)),
            ("deadlines have owners", DeadlinesHaveOwners.check(device.nextDeadline, snapshots, now: overdue)),
            ("no app is resumed in a shutdown", shutdowns.check(event, effects)),
            (
                "the next deadline has one time",
                device.nextDeadlineTime == device.nextDeadline?.at ? nil : "it is due, and its time says otherwise"
            ),
        ]
        for case (let name, let finding?) in findings {
            return Violation(invariant: name, finding: finding, at: now)
        }
        let turn = Observation(event, effects, snapshots, device, at: moment)
        (turn.slack, turn.isAfterStall) = (late, isAfterStall)
        for index in concerns.indices {
            guard let finding = concerns[index].check(turn) else { continue }
            return Violation(invariant: type(of: concerns[index]).name, finding: finding, at: now)
        }
        return nil
    }

    /// The tolerated lateness of a deadline in this event. After a stall, the events that have piled up are handled
    /// before the due deadlines.
    private mutating func noteLateness(device: Device, now: Nanoseconds) -> (late: Nanoseconds, isAfterStall: Bool) {
        let lateness = wanted.map { now - $0 } ?? .zero
        wanted = device.nextLifeCycleDeadline?.at
        // The body has stalled, and no app may be penalized for it.
        let isAfterStall = lateness > device.policy.stall
        if isAfterStall {
            limits.loopStalled(at: now)
            time.loopStalled(leaving: device.policy.expirationLead, at: now)
        }
        let late = max(slack, lateness)
        limits.slack = late
        time.slack = late
        return (late, isAfterStall)
    }

    /// The system was restarted and no longer knows its pending work.
    public mutating func systemRestarted() {
        grammar = CallbackGrammar()
        priorities = PrioritiesFollowStates()
        containers = ContainersAreMeasured()
        launches.systemRestarted()
        wakes.systemRestarted()
        tasks = TasksComeToAnEnd()
        kills = KillsHaveReasons()
        doomed = KilledAppsHoldNothing()
        limits = LimitsAreKept(slack: slack)
        time = BackgroundTimeIsKept(slack: slack)
        shutdowns = NoAppActivatesInShutdown()
        for index in concerns.indices { concerns[index].systemRestarted() }
        wanted = nil
    }
}
