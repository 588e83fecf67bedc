public import LifeCycleModel

/// The brain: the whole state of a device's apps, as one value. It takes events and returns effects.
///
/// It does no I/O, reads no clock, draws no random number and logs nothing. Its effects depend only on the events. The
/// body, on Linux or in a virtual world, only reports events and performs effects.
public struct Device: Hashable, Sendable, Codable {
    var state: DeviceState
    var concerns: Concerns

    /// Makes a device without apps.
    public init(policy: Policy = .iOS26, endsLeftovers: Bool = true) {
        state = DeviceState(policy: policy, endsLeftovers: endsLeftovers)
        concerns = Concerns(on: state)
    }

    /// Restores a device from the store. The body then reports each launch by `found`, `exited` or `cutOff`.
    ///
    /// Launches and concern records of apps that are not among `apps` are ignored. If concerns have records, the device
    /// wants `deadlineReached` at once, and the concerns resume then, after all launches are reported.
    public init(
        policy: Policy, record: DeviceRecord = DeviceRecord(), apps records: [AppRecord], launches: [LaunchRecord],
        concerns persisted: [ConcernRecord] = [], endsLeftovers: Bool = true
    ) {
        state = DeviceState(
            policy: policy, record: record, apps: records, launches: launches, endsLeftovers: endsLeftovers)
        concerns = Concerns(persisted, on: state)
        state.isStarted = concerns.areIdle
        state.mayHandle(concerns.openHandlers(on: state))
        state.restore(concerns.assertions(on: state))
    }

    /// The next time at which the device wants `deadlineReached`; nil if it waits for no time.
    public var nextDeadline: Deadline? {
        let concerns = state.isStarted ? concerns.nextDeadline : Deadline(at: .zero, reason: .recovery)
        return .earlier(nextLifeCycleDeadline, concerns)
    }

    /// The time of `nextDeadline`. It reads no app, and takes a tenth of the time that `nextDeadline` takes.
    public var nextDeadlineTime: Nanoseconds? {
        let concerns = state.isStarted ? concerns.nextDeadline?.at : .zero
        return .earlier(state.nextLifeCycleTime, concerns)
    }

    /// Handles an event that happened at `now`, and appends its effects.
    public mutating func handle(_ event: Event, at now: Moment, into effects: inout [Effect]) {
        state.areConcernsListening = !concerns.areIdle
        state.begin(event, at: now, persisted: concerns.transfers.persistedClock, after: effects)
        let now = now.awake
        state.apply(event, at: now, into: &effects)
        if event.mayChangeAdmission { state.tell(.admissionMayDiffer, after: effects) }
        concerns.handleNews(of: &state, at: now, into: &effects)
        concerns.settle(with: &state, at: now, into: &effects)
        // The flag is reset, so that two devices that behave the same are equal.
        state.areConcernsListening = false
        state.end(into: &effects)
    }
}
