public import LifeCycleModel
public import LifeCyclePolicy
public import LifeCycleSimulation

/// A scenario: the actions of the user, the device and the apps, in order, and the expectations.
public struct Scenario: Hashable, Sendable {
    /// The subject, in a few words.
    public var title = ""
    /// An explanation of a sentence or two; may be empty.
    public var about = ""
    /// The rows of the rule book that the scenario demonstrates.
    public var shows: [String] = []
    /// The limits in force.
    public var policy = Policy.iOS26
    /// The settings of the device at the beginning.
    public var settings: [DeviceSetting] = []
    /// The apps, numbered from 1.
    public var apps: [ScenarioApp] = []
    /// The files on servers at the beginning, as in the scenario file.
    public var serves: [ScenarioServing] = []
    /// The steps, in order.
    public var steps: [ScenarioStep] = []

    /// A scenario without steps.
    public init() {}

    /// The longest duration of a scenario: a year.
    public static let longest = Nanoseconds.seconds(366 * 86_400)
}

/// A file on a server.
public struct ScenarioServing: Hashable, Sendable {
    /// An absolute HTTP or HTTPS URL, by which apps' downloads ask for the file.
    public let url: String
    /// The size and the server's behavior; the file has no contents.
    public let file: ServedFile
}

/// An app, with its manifest and the behavior of its code.
public struct ScenarioApp: Hashable, Sendable {
    /// The name by which steps and expectations refer to the app.
    public let name: String
    /// The content of its `Info.plist`.
    public let manifest: AppManifest
    /// The behavior of its code.
    public internal(set) var script: AppScript
    /// Whether it is installed at the beginning.
    public let isInstalled: Bool
}

/// A step: an occurrence, or an expectation.
public struct ScenarioStep: Hashable, Sendable {
    /// The position in the file.
    public let place: Place
    /// The step as a line of the trace: `wake Notes for location`.
    public let words: String
    /// The time of the step, from the beginning; nil for at once.
    public let time: Placed<Nanoseconds>?
    /// The occurrence or the expectation.
    public let act: Act
    /// The expected refusal; nil if the step is expected to succeed.
    public let refusal: Placed<String>?

    /// The act of a step.
    public enum Act: Hashable, Sendable {
        /// Nothing happens for this long.
        case wait(Nanoseconds)
        /// An action of the user.
        case user(Event)
        case device(Event)
        /// An app is installed, or installed again over itself.
        case install(AppID)
        /// A file is put on a server.
        case serve(ScenarioServing)
        /// The network connection changes. The speed is for each download; nil keeps it.
        case network(Network, bytesPerSecond: Int64?)
        /// Nothing arrives for this long, although the network seems to be up.
        case outage(Nanoseconds)
        /// The device sleeps for this long.
        case sleep(Nanoseconds)
        /// The user taps or dismisses the newest displayed notification of an app.
        case answer(AppID, NotificationAnswer)
        /// The device moves. The position gets the time of the step.
        case move(LocationFix)
        /// Data arrives on a socket of an app. With `isOver`, the peer ends the connection.
        case traffic(AppID, SocketID, isOver: Bool)
        /// The system is killed and started again.
        case restart
        /// The device loses power and is started again.
        case reboot
        /// An app's code acts outside any callback.
        case app(AppID, AppScript.Act)
        /// Expectations are checked.
        case expect([Expectation])
    }
}

/// A single expectation.
public struct Expectation: Hashable, Sendable {
    /// The position in the file.
    public let place: Place
    /// The expected fact.
    public let claim: Claim

    /// A fact that can be expected.
    public enum Claim: Hashable, Sendable {
        case state(AppID, AppState)
        /// All calls to an app's delegates and expiration handlers since the last such expectation.
        case called(AppID, [String])
        /// All notifications posted in an app since the last such expectation.
        case posted(AppID, [String])
        /// All inputs of the user that have reached an app since the last such expectation.
        case received(AppID, [UserInput])
        /// The kinds of decisions about an app since the step before the last expectation. There may be others.
        case decided(AppID, [String])
        /// The progress of the app's newest download of a URL, by a word of `DownloadWord`.
        case download(AppID, url: String, String)
        /// The names of the open tasks, in the order in which they were begun.
        case tasks(AppID, [String])
        /// The texts of the displayed notifications of an app, in the order in which they fired.
        case shows(AppID, [String])
        /// The remaining background time of an app; nil if no time is counted.
        case backgroundTime(AppID, Nanoseconds?)
        /// The reason for the end of its last launch.
        case ended(AppID, String)
        /// The code of its last end.
        case code(AppID, String)
        case prewarmed(AppID, Bool)
        /// A fact about the device.
        case device(DeviceClaim)
    }

    /// A fact about the device.
    public enum DeviceClaim: Hashable, Sendable {
        /// The foreground app; nil for the home screen.
        case foreground(AppID?)
        /// Whether the screen is locked.
        case locked(Bool)
        /// The interruption of the foreground app; nil for none.
        case interrupted(Interruption?)
        /// Whether the device is kept awake.
        case awake(Bool)
    }
}
