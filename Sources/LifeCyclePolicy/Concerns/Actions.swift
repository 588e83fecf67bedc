import LifeCycleModel

/// All that a concern may do to the world, in the order in which it is to be done.
struct Actions<C: Concern> {
    private(set) var list: [ConcernAction] = []

    /// The effects that follow wait until this is persisted.
    mutating func persist(_ change: C.Persisted) { list.append(.effect(.store(.concern(C.record(change))))) }

    mutating func explain(_ reason: C.Reason) { list.append(.effect(.decided(.concern(C.reason(reason))))) }

    /// Has an app launched into the background, or woken, and called with the event. Who asks for it has asked the launch
    /// rules (`DeviceState.refusal`); they are asked once more when it is carried out.
    mutating func wake(_ app: AppID, for reason: LaunchReason, delivering event: WakeEvent) {
        list.append(.wake(app, reason, event))
    }
}

/// An action of any concern.
enum ConcernAction {
    case effect(Effect)
    case wake(AppID, LaunchReason, WakeEvent)
}
