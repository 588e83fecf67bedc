public import LifeCycleModel

/// Why an app is not suspended: an entry of the assertion table.
public enum Assertion: Hashable, Sendable, Codable {
    /// It is in the foreground, or on its way there.
    case foreground
    /// A callback has not returned.
    case callback
    /// It is being ended.
    case termination
    /// A wake's slice of time.
    case wake
    /// An adopted app's time after leaving the foreground.
    case adopted
    /// It has still to come back after the system's restart.
    case reconnection
    /// The events of a background session are to be handled.
    case sessionEvents
    /// An event it was woken for is to be handled.
    case wakeEvent
    /// A finite-length task.
    case task(TaskID)
}

/// Why a wake came to nothing.
public enum WakeRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The mode the event needs is not in `UIBackgroundModes`.
    case modeNotDeclared
    /// `BGTaskSchedulerPermittedIdentifiers` turns background fetch off.
    case fetchDisabled
    /// The user swiped the app away and has not opened it since.
    case forceQuit
    /// The app never runs in the background.
    case exitsOnSuspend
    /// The app is being ended.
    case ending
    /// The system is shutting down.
    case shuttingDown
    /// Only the user opens apps for the user's sake.
    case notAWake
    /// Background App Refresh is off, for the app or for all.
    case backgroundRefresh
    /// A passcode is set, and the device was not unlocked since its start.
    case notUnlockedSinceStart
    /// The screen is locked.
    case locked
    /// The app has no scenes, and this generation launches none without.
    case noScenes
}

/// What the user, or whoever stands in for one, can do to the device.
public enum UserAct: String, Hashable, Sendable, Codable, CaseIterable {
    case home, switchApp, interrupt, dismiss, accept, lock, unlock
}

/// Why an act is impossible as things are.
public enum ActRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The home screen is in front.
    case nothingInFront
    /// Nothing interrupts the app in front.
    case nothingInterrupts
    /// Something interrupts it already.
    case interruptedAlready
    /// The screen is locked.
    case locked
    /// The screen is not locked.
    case notLocked
    /// The app is not in the switcher: it was not opened, or swiped away since.
    case notInSwitcher
    /// No other app is in the switcher.
    case noOtherApp
    /// The system is shutting down.
    case shuttingDown
}

/// A decision of the brain, as a value: its reader puts it into words.
public enum Decision: Hashable, Sendable, Codable {
    /// About a launch.
    case launch(LaunchID, LaunchDecision)
    /// About an app that may not run.
    case app(AppID, AppDecision)
    /// About the device.
    case device(DeviceDecision)
    /// The reason of a concern.
    case concern(ConcernReason)
}

/// What was decided about a launch, and why.
public enum LaunchDecision: Hashable, Sendable, Codable {
    /// The app's state is now another one.
    case stateChanged(from: AppState, to: AppState)
    /// A process was started early, for an app that is likely to be opened; it waits (T28).
    case prewarmed
    /// A launch was begun.
    case launched(LaunchReason)
    /// The app has no scenes, which this generation advises it to have.
    case scenesAdvised
    /// A launch takes longer than it should.
    case launchIsSlow
    /// A wake reached an app that was there already.
    case woken(LaunchReason)
    /// The app in front is interrupted (T06).
    case interrupted(Interruption)
    /// It is interrupted no more (T07, T08).
    case interruptionEnded(Interruption, isAccepted: Bool)
    /// The app is warned that memory is low (T14).
    case memoryWarning
    /// The app's scene is taken back (T25).
    case sceneReclaimed
    /// Nothing keeps it from being suspended any more; `last` is what kept it until now.
    case suspending(last: Assertion)
    /// A suspended app, or one about to be, goes on because of this.
    case resumed(because: Assertion)
    /// Something else than the system has thawed it: it is frozen again.
    case thawedFromOutside
    /// It could not be thawed, which is tried again after a while.
    case thawFailed(errno: Int32)
    /// A task became effective, or was begun off the foreground.
    case taskGranted(BackgroundTask)
    /// A task was not granted, because time is up already.
    case taskRefused(BackgroundTask)
    /// A task ended; `open` are left.
    case taskEnded(TaskID, open: Int)
    /// An app ended a task that it never began, or ended already.
    case unknownTaskEnded(TaskID)
    /// The app's background clock runs until then, on the awake clock.
    case backgroundTimeGranted(until: Nanoseconds)
    /// Background time is nearly up: expiration handlers are called for these tasks.
    case tasksExpiring([BackgroundTask])
    /// The app has called the completion handler of an event, after so long.
    case eventHandled(WakeEvent.Kind, BackgroundFetchResult, after: Nanoseconds)
    /// A launch is to be ended, and why; `open` are the tasks it had open.
    case terminating(TerminationReason, open: [BackgroundTask])
    /// A launch is over.
    case ended(TerminationReason, ExitStatus?)
    /// An acknowledgement, request or report was late or repeated, and ignored.
    case ignoredLate
    /// After the system's restart: the launch was found again.
    case foundAgain(isFrozen: Bool)
}

/// What was decided about an app that may not run, and why.
public enum AppDecision: Hashable, Sendable, Codable {
    /// What the user did was not delivered: the app is not active.
    case inputDropped(AppState)
    /// Background App Refresh of one app is another one now.
    case backgroundRefreshChanged(Bool)
    /// A wake was refused; for `.user`, an app was not opened.
    case wakeRefused(LaunchReason, WakeRefusal)
    /// An event named an app that is not installed.
    case unknown
}

/// What was decided about the device, and why.
public enum DeviceDecision: Hashable, Sendable, Codable {
    /// The user did what is impossible as things are.
    case actRefused(UserAct, ActRefusal)
    /// The screen is locked, by its button or for lack of a touch (T09).
    case locked(isAutomatic: Bool)
    /// The screen is unlocked (T10).
    case unlocked
    /// A setting is another one now.
    case settingChanged(DeviceSetting)
}

/// The reason of a concern.
public enum ConcernReason: Hashable, Sendable, Codable {
    /// About background fetch.
    case fetch(FetchDecision)
    /// About local notifications.
    case notification(NotificationDecision)
    /// About remote notifications.
    case push(PushDecision)
    /// About a background session, or a task of it.
    indirect case transfer(TransferDecision)
}
