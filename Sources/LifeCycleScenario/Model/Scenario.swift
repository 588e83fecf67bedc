public import LifeCycleModel
public import LifeCyclePolicy
public import LifeCycleSimulation

/// What the user, the device and the apps do, one thing after the other, and what is expected of it.
public struct Scenario: Hashable, Sendable {
    /// What it shows, in a few words.
    public var title = ""
    /// What there is to see, in a sentence or two; may be empty.
    public var about = ""
    /// The rows of the rule book it shows.
    public var shows: [String] = []
    /// The limits in force.
    public var policy = Policy.iOS26
    /// What is set on the device when it begins.
    public var settings: [DeviceSetting] = []
    /// The apps, numbered from 1.
    public var apps: [ScenarioApp] = []
    /// What servers have when it begins, in the order it is written.
    public var serves: [ScenarioServing] = []
    /// What happens, in order.
    public var steps: [ScenarioStep] = []

    /// A scenario in which nothing happens.
    public init() {}

    /// The longest a scenario may last: a year.
    public static let longest = Nanoseconds.seconds(366 * 86_400)
}

/// What a server has at a URL.
public struct ScenarioServing: Hashable, Sendable {
    /// The URL.
    public let url: String
    /// What is there.
    public let file: ServedFile
}

/// An app of a scenario.
public struct ScenarioApp: Hashable, Sendable {
    /// What people call it.
    public let name: String
    /// What its `Info.plist` says.
    public let manifest: AppManifest
    /// What its code does.
    public internal(set) var script: AppScript
    /// Whether it is installed from the start.
    public let isInstalled: Bool
}

/// One step: something that happens, or is expected.
public struct ScenarioStep: Hashable, Sendable {
    /// Where it is written.
    public let place: Place
    /// It as a line of the trace: `wake Notes for location`.
    public let words: String
    /// When it happens, from the beginning; nil for at once.
    public let time: Placed<Nanoseconds>?
    /// What happens.
    public let act: Act
    /// Why it is expected to be refused; nil where it is expected to be possible.
    public let refusal: Placed<String>?

    /// What happens in a step.
    public enum Act: Hashable, Sendable {
        /// Nothing, for so long.
        case wait(Nanoseconds)
        /// The user does something.
        case user(Event)
        /// The device does something.
        case device(Event)
        /// An app is installed, or installed anew over itself.
        case install(AppID)
        /// A server has this from now on.
        case serve(ScenarioServing)
        /// The device reaches the network by this, so many bytes a second to each download; nil for as many as before.
        case network(Network, bytesPerSecond: Int64?)
        /// Nothing arrives for so long, though the network seems to be there.
        case outage(Nanoseconds)
        /// The device sleeps for so long.
        case sleep(Nanoseconds)
        /// The user taps, or takes away, the newest notification of an app that is shown.
        case answer(AppID, NotificationAnswer)
        /// The system is killed and started again.
        case restart
        /// The device loses its power and is started again.
        case reboot
        /// An app's code does something, outside any callback.
        case app(AppID, AppScript.Act)
        /// These are expected.
        case expect([Expectation])
    }
}

/// One thing that is expected.
public struct Expectation: Hashable, Sendable {
    /// Where it is written.
    public let place: Place
    /// What is expected.
    public let claim: Claim

    /// What can be expected.
    public enum Claim: Hashable, Sendable {
        /// The state of an app.
        case state(AppID, AppState)
        /// The delegate's methods and expiration handlers an app's code has run since this was last asked, all of them.
        case heard(AppID, [String])
        /// The notifications posted in an app since this was last asked, all of them.
        case posted(AppID, [String])
        /// The events of the user's that have reached an app since this was last asked, all of them.
        case received(AppID, [UserInput])
        /// The kinds of decisions about an app since the step before the last expectation: these among others.
        case decided(AppID, [String])
        /// How far the app's newest download of a URL is, by a word of `DownloadWord`.
        case download(AppID, url: String, String)
        /// The tasks open, by name, in the order they were begun.
        case tasks(AppID, [String])
        /// What the notifications say that are shown of an app, in the order they came.
        case shows(AppID, [String])
        /// The background time an app has left; nil for no clock.
        case backgroundTime(AppID, Nanoseconds?)
        /// Why its last launch ended.
        case ended(AppID, String)
        /// What its last end is filed under.
        case code(AppID, String)
        /// Whether a process waits to be launched.
        case prewarmed(AppID, Bool)
        /// How the device is.
        case device(DeviceClaim)
    }

    /// What can be expected of the device.
    public enum DeviceClaim: Hashable, Sendable {
        /// Who is in front; nil for the home screen.
        case front(AppID?)
        /// Whether the screen is locked.
        case locked(Bool)
        /// What interrupts the app in front.
        case interrupted(Interruption?)
        /// Whether the device is kept from going to sleep.
        case keptAwake(Bool)
    }
}
