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
    /// A finite-length task.
    case task(TaskID)
}

/// Why a wake came to nothing.
public enum WakeRefusal: String, Hashable, Sendable, Codable {
    /// The mode the event needs is not in `UIBackgroundModes`.
    case modeNotDeclared
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
}

/// A decision of the brain's, as a value: its text is made by whoever reads it.
public enum Decision: Hashable, Sendable, Codable {
    /// The app's state is now another one.
    case stateChanged(LaunchID, from: AppState, to: AppState)
    /// A launch was begun.
    case launched(LaunchID, LaunchReason)
    /// A launch takes longer than it should.
    case launchIsSlow(LaunchID)
    /// A wake reached an app that was there already.
    case woken(LaunchID, LaunchReason)
    /// A wake was refused; for `.user`, an app was not opened.
    case wakeRefused(AppID, LaunchReason, WakeRefusal)
    /// Nothing keeps it from being suspended any more; `last` is what kept it until now.
    case suspending(LaunchID, last: Assertion)
    /// A suspended app, or one about to be, goes on because of this.
    case resumed(LaunchID, because: Assertion)
    /// A task became effective, or was begun off the foreground.
    case taskGranted(LaunchID, BackgroundTask)
    /// A task was not granted, because time is up already.
    case taskRefused(LaunchID, BackgroundTask)
    /// A task ended; `open` are left.
    case taskEnded(LaunchID, TaskID, open: Int)
    /// An app ended a task that it never began, or ended already.
    case unknownTaskEnded(LaunchID, TaskID)
    /// The app's background clock runs until then, on the awake clock.
    case backgroundTimeGranted(LaunchID, until: Nanoseconds)
    /// Background time is nearly up: expiration handlers are called for these tasks.
    case tasksExpiring(LaunchID, [BackgroundTask])
    /// A launch is to be ended, and why; `open` are the tasks it had open.
    case terminating(LaunchID, TerminationReason, open: [BackgroundTask])
    /// A launch is over.
    case ended(LaunchID, TerminationReason, ExitStatus?)
    /// An acknowledgement, request or report was late or repeated, and ignored.
    case ignoredLate(LaunchID)
    /// An event named an app that is not installed.
    case unknownApp(AppID)
    /// After the system's restart: the launch was found again.
    case foundAgain(LaunchID, isFrozen: Bool)
}
