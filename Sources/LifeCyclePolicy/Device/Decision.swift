public import LifeCycleModel

/// A reason not to suspend an app, as an entry of the sorted assertion table.
public enum Assertion: Hashable, Comparable, Sendable, Codable {
    /// The app is in the foreground, or on its way there.
    case foreground
    /// A callback has not returned.
    case callback
    /// The app is being ended.
    case termination
    /// The slice of time for a wake.
    case wake
    /// An adopted app's time after leaving the foreground.
    case adopted
    /// The app has not connected again yet after a restart of the system.
    case reconnection
    /// The app has to handle the events of a background session.
    case sessionEvents
    /// The app has to handle an event that it was woken for.
    case wakeEvent
    /// Standard location updates that continue in the background.
    case location
    /// The same, and the user sees the indicator.
    case locationWithIndicator
    /// Sound that continues in the background, and a short time after its end.
    case audio
    /// A phone call, from its report or beginning to its end.
    case call
    /// A VoIP push that the app has not handled.
    case voipPush
    /// A finite-length task.
    case task(TaskID)
}

/// Why a wake is refused.
public enum WakeRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The mode that the event needs is not in `UIBackgroundModes`.
    case modeNotDeclared
    /// `BGTaskSchedulerPermittedIdentifiers` turns background fetch off.
    case fetchDisabled
    /// The user force-quit the app and has not opened it since.
    case forceQuit
    /// The app never runs in the background.
    case exitsOnSuspend
    /// The app is being ended.
    case ending
    /// The system is shutting down.
    case shuttingDown
    /// The reason is `.user`: only the user may open an app for the user.
    case notAWake
    /// Background App Refresh is off, for the app or for the device.
    case backgroundRefresh
    /// A passcode is set, and the device has not been unlocked since it started.
    case notUnlockedSinceStart
    /// The screen is locked.
    case locked
    /// The app has no scenes, and this generation does not launch apps without scenes.
    case noScenes
}

/// An action of the user, or of a client that acts for the user.
public enum UserAct: String, Hashable, Sendable, Codable, CaseIterable {
    case home, switchApp, interrupt, dismiss, accept, lock, unlock, answerCall, declineCall, endCall
    case holdCall, resumeCall, muteCall, unmuteCall
}

/// Why a user action is impossible now.
public enum ActRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The home screen is in the foreground.
    case nothingInForeground = "nothingInFront"
    /// Nothing interrupts the foreground app.
    case nothingInterrupts
    /// The foreground app is already interrupted.
    case interruptedAlready
    /// The screen is locked.
    case locked
    /// The screen is not locked.
    case notLocked
    /// The app is not in the switcher: the user has not opened it, or has swiped it away since.
    case notInSwitcher
    /// No other app is in the switcher.
    case noOtherApp
    /// No call is in a state that the action needs.
    case noCall
    /// Another call is on.
    case anotherCall
    /// The system is shutting down.
    case shuttingDown

    /// The word for scenarios and statistics. The raw value is that of the journal.
    public var word: String {
        switch self {
        case .nothingInForeground: "nothingInForeground"
        case .nothingInterrupts, .interruptedAlready, .locked, .notLocked, .notInSwitcher, .noOtherApp, .noCall,
            .anotherCall, .shuttingDown:
            rawValue
        }
    }
}

/// A decision of the brain, with its reason. `LifeCycleText` makes the text for it.
public enum Decision: Hashable, Sendable, Codable {
    /// A decision about a launch.
    case launch(LaunchID, LaunchDecision)
    /// A decision about an app, which may have no launch.
    case app(AppID, AppDecision)
    /// A decision about the device.
    case device(DeviceDecision)
    case concern(ConcernReason)
}

/// A decision about a launch.
public enum LaunchDecision: Hashable, Sendable, Codable {
    case stateChanged(from: AppState, to: AppState)
    /// The process of an app that is likely to be opened was prewarmed; it waits (T28).
    case prewarmed
    /// The launch began.
    case launched(LaunchReason)
    /// The app has no scenes, though this generation recommends them.
    case scenesAdvised
    /// The launch takes longer than it should.
    case launchIsSlow
    /// A wake reached an app that has a process already.
    case woken(LaunchReason)
    /// An interruption of the foreground app began (T06).
    case interrupted(Interruption)
    /// The interruption ended (T07, T08).
    case interruptionEnded(Interruption, isAccepted: Bool)
    /// The app received a memory warning (T14).
    case memoryWarning
    /// The system disconnected the app's scene to reclaim memory (T25).
    case sceneReclaimed
    /// The app is to be suspended: `last`, its last assertion, was released.
    case suspending(last: Assertion)
    /// The app resumes, or is not suspended after all, because of an assertion.
    case resumed(because: Assertion)
    /// Another process thawed the app: the system freezes it again.
    case thawedFromOutside
    /// The app could not be thawed. The system retries.
    case thawFailed(errno: Int32)
    /// A task became effective, or was begun in the background.
    case taskGranted(BackgroundTask)
    /// A task was not granted, because background time is already up.
    case taskRefused(BackgroundTask)
    /// A task ended; `open` are left.
    case taskEnded(TaskID, open: Int)
    /// An app ended a task that it never began, or had already ended.
    case unknownTaskEnded(TaskID)
    /// The app's background time ends at this time, on the awake clock.
    case backgroundTimeGranted(until: Nanoseconds)
    /// Background time is nearly over: the expiration handlers of these tasks are called.
    case tasksExpiring([BackgroundTask])
    /// The app called the completion handler of an event, `after` its delivery.
    case eventHandled(WakeEvent, BackgroundFetchResult, after: Nanoseconds)
    /// The launch is to be ended; `open` are its open tasks.
    case terminating(TerminationReason, open: [BackgroundTask])
    /// The launch ended; its status is nil if no process ran.
    case ended(TerminationReason, ExitStatus?)
    /// An acknowledgment, request or report was late or repeated, and ignored.
    case ignoredLate
    /// The launch was found again after a restart of the system.
    case foundAgain(isFrozen: Bool)
}

/// A decision about an app, which may have no launch.
public enum AppDecision: Hashable, Sendable, Codable {
    /// User input was dropped, because the app is not active.
    case inputDropped(AppState)
    /// Background App Refresh of the app was turned on or off.
    case backgroundRefreshChanged(Bool)
    /// A wake was refused; for `.user`, the app was not opened.
    case wakeRefused(LaunchReason, WakeRefusal)
    /// An event named an app that is not installed.
    case unknown
}

/// A decision about the device.
public enum DeviceDecision: Hashable, Sendable, Codable {
    /// A user action was refused, because it is impossible now.
    case actRefused(UserAct, ActRefusal)
    /// The screen was locked, by its button or by auto-lock (T09).
    case locked(isAutomatic: Bool)
    /// The screen was unlocked (T10).
    case unlocked
    /// The new value applies from now on.
    case settingChanged(DeviceSetting)
    /// The device's clocks show the zone of this name.
    case zoneChanged(String)
}

/// A case for each concern, which makes the decisions of its type.
public enum ConcernReason: Hashable, Sendable, Codable {
    case fetch(FetchDecision)
    case location(LocationDecision)
    case audio(AudioDecision)
    case notification(NotificationDecision)
    case push(PushDecision)
    indirect case transfer(TransferDecision)
    case voip(VoIPDecision)
    case socket(SocketDecision)
}
