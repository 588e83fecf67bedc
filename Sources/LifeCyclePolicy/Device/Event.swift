public import LifeCycleModel

/// An event: the only input of the brain. Named in the past tense.
public enum Event: Hashable, Sendable, Codable {
    /// The user or the system did something to the device or to an app.
    case device(DeviceEvent)
    /// The process of a launch changed, or an effect on that process succeeded or failed.
    case process(LaunchID, ProcessEvent)
    /// An app connected or sent a request.
    case app(LaunchID, AppEvent)
    /// An adapter of a concern reported something, or the user acted on what the concern shows.
    case concern(ConcernInput)
    /// The earliest deadline was reached; the brain finds out which deadline that is.
    case deadlineReached
}

/// Something that the user or the system did to the device or to an app.
public enum DeviceEvent: Hashable, Sendable, Codable {
    /// An app was installed, or installed again over itself.
    indirect case appInstalled(AppID, AppManifest)
    /// An app is to be removed; if it runs, it is ended first.
    case appUninstalled(AppID)
    /// The user opened an app (T01, T05).
    case appOpened(AppID)
    /// The user went to an app by the switcher; nil for the previous app.
    case appSwitched(AppID?)
    /// The user went to the home screen (T03, T20).
    case homePressed
    /// The user swiped an app away (T17, T18).
    case appForceQuit(AppID)
    /// An event happened for which an app may be woken (T02, T11). Restore identifiers name the app's Bluetooth
    /// managers.
    case wakeOccurred(AppID, LaunchReason, restoreIdentifiers: [String] = [])
    /// Memory ran low: running apps are to free memory (T14).
    case memoryRanLow
    /// Memory ran short: a suspended app is killed, or a background app if no app is suspended (T15, T16).
    case memoryRanShort
    /// An interruption of the foreground app began (T06).
    case interruptionBegan(Interruption)
    /// The user ignored the interruption (T07).
    case interruptionDismissed
    /// The user accepted the interruption, and went to this app, or to the home screen if it is nil (T08).
    case interruptionAccepted(AppID?)
    /// The screen was locked by its button (T09).
    case deviceLocked
    /// The screen was unlocked (T10).
    case deviceUnlocked
    /// The user changed a setting.
    case settingChanged(DeviceSetting)
    /// The user changed Background App Refresh of one app.
    case backgroundRefreshChanged(AppID, Bool)
    /// The user typed into an app or touched it.
    indirect case inputOccurred(AppID, UserInput)
    /// The user or the carrier set the device's clock.
    case clockWasSet
    /// The kernel reports that the wall clock was stepped by this time. Programs that keep the clock right step it often
    /// and by little: apps are notified of steps from `Policy.significantTimeChange` on.
    case clockStepped(by: Nanoseconds)
    /// The device's time zone was reported for the first time, or changed.
    indirect case zoneChanged(String, ZoneRules)
    /// The device's network link came up or went down. Without a link, no data comes from other machines, for any kind
    /// of network.
    case networkChanged(isConnected: Bool)
    /// The device was started since the system last ran.
    case deviceStarted
    /// The device is shutting down (T19).
    case deviceShutdownBegan
    /// The system is to shut down (T15, T16); a second request kills the apps at once.
    case shutdownBegan
}

/// A change of a launch's process.
public enum ProcessEvent: Hashable, Sendable, Codable {
    /// The process runs.
    case started
    /// The process could not be started.
    case startFailed(errno: Int32)
    /// The process exited, and no process of the launch is left.
    case exited(ExitStatus)
    /// The launch is frozen, and its requests were read to the end; `footprint` is its memory in bytes, 0 if unknown.
    case froze(attempt: Int32, footprint: Int64)
    /// The launch could not be frozen.
    case freezeFailed(attempt: Int32, errno: Int32)
    /// The launch was suspended and runs again, because another process thawed it.
    case thawed
    /// The launch could not be thawed.
    case thawFailed(errno: Int32)
    /// The memory of the suspended launch was measured, in bytes (T15).
    case footprintMeasured(size: Int64)
    /// The container of the launch's app was measured, in bytes.
    case containerMeasured(size: Int64)
    /// After a restart of the system: no process of the launch was on record, and none is left.
    case cutOff
    /// After a restart of the system: the process of the launch was found again.
    case found(isFrozen: Bool)
}

/// A message from an app.
public enum AppEvent: Hashable, Sendable, Codable {
    /// The app connected, for the first time or again.
    case attached(Attachment)
    /// The app asked for something, or acknowledged a callback.
    case requested(AppRequest)
}

extension Event {
    /// Whether the sender of this event asks for an app to run. A launch that fails is then the sender's failure.
    public var asksForLaunch: Bool {
        switch self {
        case .device(.appSwitched), .device(.interruptionAccepted): true
        default: appAskedFor != nil
        }
    }

    /// The app that this event asks to run; nil if the event asks for no app, or leaves the choice to the brain.
    public var appAskedFor: AppID? {
        switch self {
        case .device(.appOpened(let app)), .device(.wakeOccurred(let app, _, _)): app
        case .device(.appSwitched(let app)), .device(.interruptionAccepted(let app)): app
        case .concern(let input): input.appAskedFor
        default: nil
        }
    }
}
