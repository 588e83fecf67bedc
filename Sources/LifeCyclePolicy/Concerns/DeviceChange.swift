import LifeCycleModel

/// What has happened to apps and to the device that a concern may care about.
enum DeviceChange: Sendable {
    /// It is installed no more.
    case appRemoved(AppID)
    /// The user opened it.
    case appOpened(AppID)
    /// It is on its way to the foreground, or there.
    case enteredForeground(AppID)
    /// An event with a completion handler was sent to it.
    case handlerGiven(LaunchID, WakeEvent.Kind, isInBackground: Bool)
    /// It has called the completion handler of an event, after so long off the foreground.
    case eventHandled(LaunchID, WakeEvent.Kind, BackgroundFetchResult, after: Nanoseconds)
    /// It is killed; `launchEnding` follows.
    case killed(LaunchID, TerminationReason)
    /// The launch is as good as over.
    case launchEnding(LaunchID)
    /// The launch rules may allow other apps to be woken than before.
    case admissionMayDiffer
    /// The time zone of the device's clocks, or its rules, are other ones.
    case zoneChanged
    /// The wall clock was set, or the device slept.
    case clocksShifted
}

/// What concerns are told at the end of an event, in the order in which it happened.
enum ConcernNews: Sendable {
    case change(DeviceChange)
    case request(LaunchID, ConcernRequest)
    case input(ConcernInput)
}

/// What is gathered while an event is handled, and empty between events: no part of what a device is.
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
