public import LifeCycleModel

/// Something that happened: all the brain ever hears. In the past tense.
public enum Event: Hashable, Sendable, Codable {
    // What people and the system did.

    /// An app was installed, or installed again over itself.
    case appInstalled(AppID, AppManifest)
    /// An app is to go; if it runs it is ended first.
    case appUninstalled(AppID)
    /// The user opened an app (T01, T05).
    case appOpened(AppID)
    /// The user went to an app by the switcher; nil for the one used before.
    case appSwitched(AppID?)
    /// The user went to the home screen (T03, T20).
    case homePressed
    /// The user swiped an app away (T17, T18).
    case appForceQuit(AppID)
    /// Something an app may be woken for happened (T02, T11); of Bluetooth, to the managers with these restore identifiers.
    case wakeOccurred(AppID, LaunchReason, restoreIdentifiers: [String] = [])
    /// Memory ran low: apps that run are to give back what they can (T14).
    case memoryRanLow
    /// Memory ran short: a suspended app is to go, else one that runs in the background (T15, T16).
    case memoryRanShort
    /// Something took the user's attention from the app in front (T06).
    case interruptionBegan(Interruption)
    /// The user ignored it (T07).
    case interruptionDismissed
    /// The user took it up, and went to the app by it, or to the home screen (T08).
    case interruptionAccepted(AppID?)
    /// The screen was locked by its button (T09).
    case deviceLocked
    /// The screen was unlocked (T10).
    case deviceUnlocked
    /// The user changed a setting.
    case settingChanged(DeviceSetting)
    /// The user changed Background App Refresh of one app.
    case backgroundRefreshChanged(AppID, Bool)
    /// The user did something to the app in front.
    case inputOccurred(AppID, UserInput)
    /// The device's clock was set.
    case clockWasSet
    /// The device is shutting down (T19).
    case deviceShutdownBegan
    /// The device was started since the system last ran.
    case deviceStarted
    /// The system is to shut down (T15, T16); said again, at once.
    case shutdownBegan

    // What became of effects, and of processes.

    /// The process of a launch runs.
    case processStarted(LaunchID)
    /// The process of a launch could not be started.
    case processStartFailed(LaunchID, errno: Int32)
    /// The process of a launch ended, and nothing of it is left.
    case processExited(LaunchID, ExitStatus)
    /// A launch stands still, its requests are read to the end; `footprint` is the memory it holds, in bytes, as far
    /// as it is known.
    case processFroze(LaunchID, attempt: Int32, footprint: Int64)
    /// A launch could not be frozen.
    case freezeFailed(LaunchID, attempt: Int32, errno: Int32)
    /// A launch that was suspended runs: something else than the system has thawed it.
    case processThawed(LaunchID)
    /// A launch could not be thawed.
    case thawFailed(LaunchID, errno: Int32)
    /// The memory a suspended launch holds was measured, in bytes (T15).
    case footprintMeasured(LaunchID, size: Int64)
    /// An app's container was measured, in bytes.
    case containerMeasured(LaunchID, size: Int64)
    /// After the system's restart: no process of a launch was on record yet, and none is left.
    case launchCutOff(LaunchID)
    /// After the system's restart: a launch that was under way was found again.
    case processFound(LaunchID, isFrozen: Bool)

    /// The device has a link to elsewhere, or none any more: whatever the network's kind is, without one nothing comes
    /// from another machine.
    case networkChanged(isConnected: Bool)
    /// The engine tells of a transfer.
    case transferReported(TransferReport)
    /// The user wants something of a transfer.
    case transferWished(TransferID, TransferWish)

    /// Something has happened to notifications, or the user has dealt with one.
    case notification(NotificationEvent)

    /// A provider has sent an app a remote notification, which is as it has to be.
    indirect case pushArrived(AppID, RemoteNotification)
    /// The token that was asked for was made; nil where it could not be.
    case deviceTokenMade(AppID, DeviceToken?)

    // What apps say.

    /// An app connected, for the first time or again.
    case appAttached(LaunchID, Attachment)
    /// An app asked for something, or acknowledged a callback.
    case appRequested(LaunchID, AppRequest)

    /// The earliest deadline was reached; the brain finds out which.
    case deadlineReached
}
