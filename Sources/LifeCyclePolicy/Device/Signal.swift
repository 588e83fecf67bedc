import LifeCycleModel

/// What one machine of an app says to the others; `Device` routes it, deepest first, until none is left.
enum Signal: Hashable, Sendable {
    // From the life cycle.

    /// A launch began: every machine starts anew.
    case launchBegan(LaunchID, LaunchReason)
    /// What the life cycle itself keeps the app from being suspended for may have changed.
    case lifeCycleHoldsChanged
    /// A callback is to be sent.
    case callbackDue(CallbackID, Callback)
    /// The callback under way is answered, or will never be.
    case callbackReturned(Callback)
    /// The app's own code runs off the foreground from here on.
    case enteredBackground
    /// The app is on its way to the foreground.
    case leftBackground
    /// A wake without a callback to bound it.
    case sliceOfTimeDue(TimeSlices.Kind)
    /// The app may be active from here on.
    case activationWanted
    /// The app is active no more, or never will be.
    case activationReleased
    /// The app is being ended, and will be told `willTerminate`.
    case terminationBegan(TerminationReason)
    /// An adopted app is to be asked to exit.
    case exitRequested
    /// The launch is as good as over: its process exits of its own accord, or a kill is on its way.
    case launchEnding(awaitsExit: Bool)
    /// The app said, unasked, what it has open.
    case declared([BackgroundTask])
    /// The app has heard which of its scene sessions are gone.
    case scenesDiscarded(SceneSessionRange)
    /// The app was heard from again after the system's restart.
    case heardFrom(isActive: Bool)

    // From the other machines.

    /// Something keeps the app from being suspended.
    case asserted(Assertion)
    /// It does so no more.
    case released(Assertion)
    /// The first entry of an empty table.
    case firstAsserted(Assertion)
    /// The last entry of a table.
    case lastReleased(Assertion)
    /// The app stands still.
    case suspended
    /// The app is to be told, if it is not suspended, nor about to be.
    case messageDue(SystemMessage)
    /// The expiration handlers are to be called.
    case expiryDue
    /// The app has broken a rule and is to be killed.
    case killDue(TerminationReason)
}
