import LifeCycleModel

/// The actions that a concern may take.
///
/// The actions are carried out in order. If a concern answers a change of the device, its effects are placed at the
/// point of the change. An app is thus notified of the change before it is called for anything that came later.
struct Actions<C: Concern> {
    private(set) var list: [ConcernAction]
    /// The number of effects that came before the change that is being answered; nil if no change is being answered.
    var place: Int?

    /// The actions of this concern come after these.
    init(after list: consuming [ConcernAction] = []) { self.list = list }

    /// The effects that follow wait until this is persisted.
    mutating func persist(_ change: C.Persisted) { put(.store(.concern(C.record(change)))) }
    /// Says why something was or was not done.
    mutating func explain(_ reason: C.Reason) { put(.decided(.concern(C.reason(reason)))) }
    /// Records why a request of the user or of an adapter, about this app, is refused.
    mutating func refuse(_ app: AppID, _ decision: AppDecision) { put(.decided(.app(app, decision))) }
    /// Records that the request of a launch is ignored: it came too late, or the app may not make it.
    mutating func ignore(_ launch: LaunchID) { put(.decided(.launch(launch, .ignoredLate))) }
    /// Gives the adapter work.
    mutating func perform(_ output: C.Output) { put(.concern(C.output(output))) }
    /// Sends a launch a message, which calls no code of the app. The caller makes sure that the app is not suspended.
    mutating func send(_ message: C.Message, to launch: LaunchID) {
        put(.launch(launch, .send(.concern(C.message(message)))))
    }

    /// Calls a running app.
    mutating func call(_ app: AppID, _ call: ConcernCall, _ delivery: LifeCycle.Delivery) {
        list.append(.call(app, call, delivery))
    }

    /// Launches an app into the background, or wakes it, and calls it. The caller asks the launch rules first
    /// (`DeviceState.refusal`); they are asked again when the action is carried out.
    mutating func wake(_ app: AppID, for reason: LaunchReason, delivering call: ConcernCall) {
        list.append(.wake(app, reason, call))
    }

    /// The same without a call: the caller makes the call once the app has made the object that receives it.
    mutating func wake(_ app: AppID, for reason: LaunchReason) { list.append(.wake(app, reason, nil)) }

    /// Keeps a running app from being suspended.
    mutating func hold(_ app: AppID, _ assertion: Assertion) { list.append(.hold(app, assertion)) }
    /// Ends a hold.
    mutating func release(_ app: AppID, _ assertion: Assertion) { list.append(.release(app, assertion)) }

    /// Records that the app has called the completion handler of a call.
    mutating func closeHandler(_ app: AppID, _ handler: CompletionHandler) {
        list.append(.closeHandler(app, handler))
    }

    /// Reports that a statement the concern relies on is false. A debug build stops; a release build kills the app.
    mutating func fail(_ app: AppID, _ fault: SystemFault) { list.append(.fail(app, fault)) }

    /// States that a condition is true. If it is false, `fail` reports the fault. Returns the condition.
    @discardableResult mutating func rely(on isSo: Bool, else fault: SystemFault, about app: AppID) -> Bool {
        if !isSo { fail(app, fault) }
        return isSo
    }

    /// Opens an app for the user, and calls it on its way to the foreground. If the app has to be launched, the concern
    /// makes the call when the app attaches.
    mutating func open(_ app: AppID, delivering call: ConcernCall) { list.append(.open(app, call)) }

    /// Records that a user action is impossible now.
    mutating func refuse(_ act: UserAct, _ refusal: ActRefusal) { put(.decided(.device(.actRefused(act, refusal)))) }
    /// Interrupts the foreground app, if there is one that nothing else interrupts (T06).
    mutating func interrupt(_ kind: Interruption) { list.append(.interrupt(kind)) }
    /// Ends an interruption of this kind, if it lasts (T07).
    mutating func endInterruption(_ kind: Interruption) { list.append(.endInterruption(kind)) }
    /// Ends an app that broke a rule.
    mutating func kill(_ app: AppID, _ reason: TerminationReason) { list.append(.kill(app, reason)) }
    /// Tells the other concerns of a change.
    mutating func tell(_ change: DeviceChange) { list.append(.tell(change)) }

    private mutating func put(_ effect: Effect) { list.append(.effect(effect, place: place)) }
}

enum ConcernAction {
    /// The place is the number of effects before this effect; nil for the end.
    case effect(Effect, place: Int?)
    case call(AppID, ConcernCall, LifeCycle.Delivery)
    case wake(AppID, LaunchReason, ConcernCall?)
    case open(AppID, ConcernCall)
    case hold(AppID, Assertion)
    case release(AppID, Assertion)
    case closeHandler(AppID, CompletionHandler)
    case fail(AppID, SystemFault)
    case kill(AppID, TerminationReason)
    case interrupt(Interruption)
    case endInterruption(Interruption)
    case tell(DeviceChange)

    /// Whether the action tells the other concerns of a change.
    var isTelling: Bool { if case .tell = self { true } else { false } }

    /// The call of an app's code that the action makes; nil if the action makes no call.
    var call: ConcernCall? {
        if case .wake(_, _, let call) = self { return call }
        if case .call(_, let call, _) = self { return call }
        return if case .open(_, let call) = self { call } else { nil }
    }
}
