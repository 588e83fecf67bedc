import LifeCycleModel

/// All that a concern may do to the world.
///
/// It is done in the order in which it is said. But effects that follow from a change of the device stand where the change
/// happened, so that an app hears of a change before it is called for what came after.
struct Actions<C: Concern> {
    private(set) var list: [ConcernAction] = []
    /// How many effects of the event came before the change that is looked at; nil if it is no change.
    var place: Int?

    /// The effects that follow wait until this is persisted.
    mutating func persist(_ change: C.Persisted) { put(.store(.concern(C.record(change)))) }
    /// Says why something was or was not done.
    mutating func explain(_ reason: C.Reason) { put(.decided(.concern(C.reason(reason)))) }
    /// Says that what the user or an adapter wants of an app is not done.
    mutating func refuse(_ app: AppID, _ decision: AppDecision) { put(.decided(.app(app, decision))) }
    /// Says that what a launch asks for is not done: it comes too late, or not from an app that may ask.
    mutating func ignore(_ launch: LaunchID) { put(.decided(.launch(launch, .ignoredLate))) }
    /// Has its adapter do something.
    mutating func perform(_ output: C.Output) { put(.concern(C.output(output))) }
    /// Sends a launch a message, which calls nothing in the app. Whoever sends one has seen to it that the app runs.
    mutating func send(_ message: C.Message, to launch: LaunchID) { put(.launch(launch, .send(C.message(message)))) }

    /// Calls an app that runs.
    mutating func call(_ app: AppID, _ call: ConcernCall, _ delivery: LifeCycle.Delivery) {
        list.append(.call(app, call, delivery))
    }

    /// Has an app launched into the background, or woken, and called. Who asks for it has asked the launch rules
    /// (`DeviceState.refusal`); they are asked once more when it is carried out.
    mutating func wake(_ app: AppID, for reason: LaunchReason, delivering call: ConcernCall) {
        list.append(.wake(app, reason, call))
    }

    /// What the concern relies on is not so. A debug build stops; in a release build the app is killed for it.
    mutating func fail(_ app: AppID, _ fault: SystemFault) { list.append(.fail(app, fault)) }

    /// Opens an app for the user, and calls it on its way to the foreground. One that is launched by that is called only
    /// where the concern sees to it when the app attaches.
    mutating func open(_ app: AppID, delivering call: ConcernCall) { list.append(.open(app, call)) }

    private mutating func put(_ effect: Effect) { list.append(.effect(effect, place: place)) }
}

/// An action of any concern.
enum ConcernAction {
    /// The place is the number of effects before it; nil for the end.
    case effect(Effect, place: Int?)
    case call(AppID, ConcernCall, LifeCycle.Delivery)
    case wake(AppID, LaunchReason, ConcernCall)
    case open(AppID, ConcernCall)
    case fail(AppID, SystemFault)
}
