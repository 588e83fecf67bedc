public import LifeCycleModel

/// The brain: the whole state of a device's apps, as one value. An event in, effects out.
///
/// It does no I/O, reads no clock, draws no random number and logs nothing: what it puts out depends on nothing but
/// what went in. Whatever touches Linux, or a virtual world, only reports events and performs effects.
public struct Device: Hashable, Sendable, Codable {
    var state: DeviceState
    var concerns: Concerns

    /// A device without apps.
    public init(policy: Policy = .iOS26, endsLeftovers: Bool = true) {
        state = DeviceState(policy: policy, endsLeftovers: endsLeftovers)
        concerns = Concerns(on: state)
    }

    /// A device as the store remembers it. Each launch is then reported by `found`, `exited` or `cutOff`.
    /// Launches of apps that are not among `apps` are left out, and so is what concerns persist of them. If there is any, the
    /// device wants `deadlineReached` at once, and the concerns go on then: after what was found of the launches.
    public init(
        policy: Policy, record: DeviceRecord = DeviceRecord(), apps records: [AppRecord], launches: [LaunchRecord],
        concerns persisted: [ConcernRecord] = [], endsLeftovers: Bool = true
    ) {
        state = DeviceState(
            policy: policy, record: record, apps: records, launches: launches, endsLeftovers: endsLeftovers)
        concerns = Concerns(persisted, on: state)
        state.isStarted = concerns.areIdle
        state.mayHandle(concerns.openHandlers(on: state))
    }

    /// When `deadlineReached` is wanted next; nil where nothing is waited for.
    public var nextDeadline: Deadline? {
        let concerns = state.isStarted ? concerns.nextDeadline : Deadline(at: .zero, reason: .recovery)
        return .earlier(nextLifeCycleDeadline, concerns)
    }

    /// The time of `nextDeadline`. It looks at no app, and takes a tenth of the time that `nextDeadline` takes.
    public var nextDeadlineTime: Nanoseconds? {
        let concerns = state.isStarted ? concerns.nextDeadline?.at : .zero
        return .earlier(state.nextLifeCycleTime, concerns)
    }

    /// Takes in what happened at `now`, and appends what is to be done.
    public mutating func handle(_ event: Event, at now: Moment, into effects: inout [Effect]) {
        state.isHeard = !concerns.areIdle
        state.begin(event, at: now, persisted: concerns.transfers.persistedClock, after: effects)
        let now = now.awake
        state.carryOut(event, at: now, into: &effects)
        if event.mayChangeAdmission { state.tell(.admissionMayDiffer, after: effects) }
        concerns.hear(of: &state, at: now, into: &effects)
        concerns.settle(with: &state, at: now, into: &effects)
        // Two devices that will do the same are equal.
        state.isHeard = false
        state.end(into: &effects)
    }
}
