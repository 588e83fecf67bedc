import LifeCycleModel

/// A message from one machine of an app to the others. `DeviceState` routes all signals, depth first, until no signal
/// is left.
enum Signal: Hashable, Sendable {
    // From the life cycle.

    /// A launch began: every machine resets itself.
    case launchBegan(LaunchID, LaunchReason)
    /// The life cycle's own reasons not to suspend the app may have changed.
    case lifeCycleHoldsChanged
    /// A callback is to be sent.
    case callbackDue(CallbackID, Callback)
    /// The callback under way is answered, or will never be answered.
    case callbackReturned(Callback)
    /// The app's own code runs in the background from now on.
    case enteredBackground
    /// The app is on its way to the foreground.
    case leftBackground
    /// A slice of time is to be given, because no callback bounds it.
    case sliceOfTimeDue(TimeSlices.Kind)
    /// The app wants to become active.
    case activationWanted
    /// The app is no longer active, or no longer wants to be.
    case activationReleased
    /// The app is being ended, and will receive `willTerminate`.
    case terminationBegan(TerminationReason)
    /// An adopted app is to be asked to exit.
    case exitRequested
    /// The launch is practically over: its process exits by itself, or a kill is on its way.
    case launchEnding(awaitsExit: Bool)
    /// The app reported its open tasks without being asked.
    case declared([BackgroundTask])
    /// The app was notified which of its scene sessions are discarded.
    case scenesDiscarded(SceneSessionRange)
    /// The app connected again after a restart of the system, or it is known that it will not.
    case recoveryResolved(isActive: Bool)

    // From the other machines.

    /// A reason not to suspend the app began.
    case asserted(Assertion)
    /// A reason not to suspend the app ended.
    case released(Assertion)
    /// The empty table of assertions got its first entry.
    case firstAsserted(Assertion)
    /// The table of assertions lost its last entry.
    case lastReleased(Assertion)
    /// The app is suspended.
    case suspended
    /// A message is to be sent to the app, unless it is suspended or about to be.
    case messageDue(SystemMessage)
    /// The expiration handlers are to be called.
    case expiryDue
    /// The app has broken a rule and is to be killed.
    case killDue(TerminationReason)
}
