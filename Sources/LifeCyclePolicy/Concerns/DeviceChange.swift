import LifeCycleModel

/// A change of an app or of the device that may matter to a concern.
enum DeviceChange: Sendable {
    case appRemoved(AppID)
    /// The app was installed over itself.
    case appReplaced(AppID)
    /// The user opened the app.
    case appOpened(AppID)
    /// The user swiped the app away.
    case appForceQuit(AppID)
    /// The app is in the foreground, or on its way there.
    case enteredForeground(AppID)
    /// The app's own code runs in the background from now on.
    case enteredBackground(AppID)
    /// The app has connected, for the first time or again, or the app of a prewarmed process is launched.
    case attached(LaunchID, Attachment)
    /// The app was suspended, or about to be, and runs again.
    case resumed(LaunchID)
    /// The system sends the app a call of a concern.
    case called(LaunchID, ConcernCall, isInBackground: Bool)
    /// The app has called the completion handler of an event. The time is the duration in the background until the
    /// call.
    case eventHandled(LaunchID, WakeEvent, BackgroundFetchResult, after: Nanoseconds)
    /// The system kills the app; `launchEnding` follows.
    case killed(LaunchID, TerminationReason)
    case launchEnding(LaunchID)
    /// The process of a launch is gone. If the app exited by itself, `launchEnding` follows.
    case exited(LaunchID, TerminationReason, inBackground: Bool)
    /// The set of apps that the launch rules allow to be woken may have grown.
    case admissionMayDiffer
    /// The device's time zone, or its rules, changed.
    case zoneChanged
    /// The wall clock was set, or the device slept.
    case clocksShifted(wasSet: Bool)
    /// The app's launch changed, or the app started or stopped running or being reachable.
    case statusChanged(AppID)
    /// The device was started.
    case deviceStarted
    /// These apps have calls that ring or are on, and are not on hold.
    case callsChanged([AppID])
    /// The system shuts down.
    case shutdownBegan
}

/// News for the concerns. It is delivered at the end of an event, in the order in which it happened.
enum ConcernNews: Sendable {
    /// The place is the number of the event's effects before the change.
    case change(DeviceChange, place: Int)
    case request(LaunchID, ConcernRequest)
    case input(ConcernInput)
}

/// A list that grows while an event is handled and is empty between events. Equality, hashing and coding ignore it.
struct Gathered<Element: Sendable>: Hashable, Sendable, Codable {
    var list: [Element] = []

    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
    func hash(into hasher: inout Hasher) {}
    static func == (left: Self, right: Self) -> Bool { true }
}
