/// Every limit and every choice of behaviour, as data: tests and demonstrations shorten limits by another
/// `Policy`, never by other code (section 2.Q).
public struct Policy: Hashable, Sendable, Codable {
    /// The preset this one is, or was made from.
    public var name: String

    /// From the start of the process until `didFinishLaunching` returns.
    public var launch = Nanoseconds.seconds(20)
    /// When a slow launch is remarked on.
    public var launchWarning = Nanoseconds.seconds(5)
    /// `willResignActive`.
    public var resignActive = Nanoseconds.seconds(10)
    /// `didEnterBackground` (T22, R-17).
    public var enterBackground = Nanoseconds.seconds(5)
    /// `willEnterForeground` and the `didBecomeActive` that follows it, together.
    public var enterForeground = Nanoseconds.seconds(10)
    /// `willTerminate` and the exit.
    public var terminate = Nanoseconds.seconds(5)
    /// All expiration handlers together.
    public var expirationHandlers = Nanoseconds.seconds(5)
    /// Any other callback.
    public var otherCallback = Nanoseconds.seconds(10)

    /// Background time for finite-length tasks: one clock per app.
    public var backgroundTime: Nanoseconds
    /// How long before time is up the expiration handlers are called. Apple says "shortly before" and no number;
    /// the choice equals `expirationHandlers`, so that handlers may use all the time they have.
    public var expirationLead = Nanoseconds.seconds(5)
    /// How many tasks an app may have open; nil for no cap.
    public var taskCap: Int?
    /// What an app is killed with whose tasks are not ended in time.
    public var tasksNotEndedCode: TerminationCode

    /// Whether an app that runs is told `willTerminate` when the user swipes it away.
    public var forceQuitCallsWillTerminate = true
    /// Whether an app that the user has swiped away is launched for nothing until the user opens it: until iOS 6 that only
    /// ended it.
    public var forceQuitBarsWakes = true
    /// Whether it is launched for places neither: so in iOS 7 alone.
    public var forceQuitBarsLocation = false
    /// Whether a launch into the background calls `didEnterBackground`.
    public var launchCallsDidEnterBackground = true
    /// Whether the wake of a suspended app calls `didEnterBackground` again: on devices it does not.
    public var wakeCallsDidEnterBackground = false
    /// How long an app may run for an event that comes without a completion handler, from its delivery on.
    public var eventSlice = Nanoseconds.seconds(10)

    /// What is done about an app without scenes.
    public var scenes = SceneRequirement.none
    /// Whether finite-length tasks keep the device awake.
    public var tasksKeepDeviceAwake = false
    /// Whether apps with the `voip` mode are launched into the background once the device has started (T27, R-85).
    public var launchesVoIPAtStart = true
    /// Whether an app that is likely to be opened may be started early, and wait (T28).
    public var prewarms = false

    /// How many requests a second an app may make for long; nil for no limit.
    public var requestRate: Int64? = 200
    /// How many requests an app may make at once before `requestRate` counts.
    public var requestBurst: Int64 = 2000
    /// What an app does with background sessions is counted apart: so many a second for long; nil for no limit.
    public var transferActRate: Int64? = 2000
    /// So many at once: to make and resume as many tasks as it may have is no flood.
    public var transferActBurst: Int64 = 400_000
    /// How many files each of an app's processes may have open; nil for what the system itself may.
    public var openFiles: Int64? = 1024
    /// How large a file may grow by an app's hand, in bytes; nil for no limit.
    public var fileSize: Int64? = 4 << 30
    /// How many processes and threads an app may have; nil for no limit.
    public var processes: Int64? = 1024
    /// The largest container an app may have, in bytes; nil for no limit. Looked at when it is suspended.
    public var containerSize: Int64? = 16 << 30
    /// How long a container is left alone once it was measured.
    public var containerPause = Nanoseconds.seconds(60)

    /// How long an app may take for a background fetch, off the foreground.
    public var backgroundFetch = Nanoseconds.seconds(30)
    /// The least time between two opportunities of an app to fetch, whatever it asks for. Apple names no number.
    public var fetchInterval = Nanoseconds.seconds(900)
    /// How long all fetches of an app may take in a day; beyond, it has none until the day is over. Apple names no
    /// number.
    public var fetchBudget = Nanoseconds.seconds(900)
    /// How many apps may be at a fetch at once.
    public var fetchesAtOnce: Int64 = 3
    /// Whether `BGTaskSchedulerPermittedIdentifiers` in an app's `Info.plist` turns background fetch off for it.
    public var taskSchedulerEndsFetch = true

    /// How long an app may take for a remote notification, off the foreground.
    public var remoteNotification = Nanoseconds.seconds(30)
    /// How many silent remote notifications may wake an app within `silentPushPeriod`.
    public var silentPushes: Int64 = 3
    /// See `silentPushes`.
    public var silentPushPeriod = Nanoseconds.seconds(3600)
    /// How long after a remote notification has woken an app for a Newsstand download no other one does.
    public var newsstandPeriod = Nanoseconds.seconds(86_400)
    /// Whether an app may have that lifted, by `NKDontThrottleNewsstandContentNotifications`: for development.
    public var liftsNewsstandThrottle = false

    /// How many scheduled notifications of an app are kept: the soonest.
    public var notificationsPerApp: Int64 = 64
    /// How many that have fired are kept of an app until the user has dealt with them: the newest. Apple names no number.
    public var deliveredPerApp: Int64 = 100
    /// How much of an app's scheduled notifications, and as much of its shown ones, is kept, in bytes of their words.
    public var notificationBytesPerApp: Int64 = 1 << 20
    /// A sound as long as this, or longer, is not played.
    public var notificationSound = Nanoseconds.seconds(30)
    /// Whether an app has to register what it wants to show before it may.
    public var notificationsNeedRegistration = true
    /// What an app does with its notifications is counted apart: so many a second for long; nil for no limit.
    public var notificationActRate: Int64? = 1000
    /// So many at once: who schedules ten thousand has the soonest of them.
    public var notificationActBurst: Int64 = 20_000

    /// How long an app may take for the events of a background session, off the foreground.
    public var sessionEvents = Nanoseconds.seconds(30)
    /// How many background sessions an app may have.
    public var sessionsPerApp: Int64 = 1000
    /// How many tasks of background sessions an app may have.
    public var transfersPerApp: Int64 = 100_000
    /// How much of these tasks is kept of an app, in bytes: their requests, their texts and what servers answered.
    public var transferBytesPerApp: Int64 = 16 << 20
    /// How many transfers are under way at once, of all apps; twice as many where the user wants them at once.
    public var transfersAtOnce: Int64 = 16
    /// How long a transfer is under way before it may have to make way for one of an app that has fewer.
    public var transferTurn = Nanoseconds.seconds(60)
    /// How many outcomes an app is sent before it has acknowledged the first.
    public var transferWindow: Int64 = 64
    /// How long a transfer waits after it has failed for the first time; twice as long each time after.
    public var transferRetry = Nanoseconds.seconds(1)
    /// The longest it waits.
    public var transferRetryMost = Nanoseconds.seconds(600)
    /// How often in all a server is asked that does not keep to what it says: all of it comes anew each time.
    public var transferVainTries: Int64 = 3
    /// How often in a row the process that carries a transfer may end under it, until the transfer fails.
    public var transferDeaths: Int64 = 3
    /// How much room is set aside at most ahead of what has arrived of a transfer, in bytes.
    public var transferReserve: Int64 = 32 << 20
    /// How much room transfers leave on the disk, in bytes, for the system's own store; a twentieth of a small disk.
    public var transferRoomLeft: Int64 = 64 << 20
    /// After how long a discretionary transfer only waits for Wi-Fi, and no low battery.
    public var discretionaryPatience = Nanoseconds.seconds(86_400)
    /// What a task waits that is resumed off the foreground, after the second wake in short order; four times as long
    /// after each further one. Apple names no number.
    public var resumptionDelay = Nanoseconds.seconds(60)
    /// The longest it waits.
    public var resumptionDelayMost = Nanoseconds.seconds(3600)

    /// How long what has arrived of a task is kept once the app was given resume data for it.
    public var partialsKept = Nanoseconds.seconds(604_800)
    /// Of how many tasks of an app, the newest.
    public var partialsPerApp: Int64 = 100

    /// How long an adopted app runs in the background before it is suspended.
    public var adoptedBackgroundTime = Nanoseconds.seconds(5)
    /// How long an adopted app may take to exit after SIGTERM.
    public var adoptedExit = Nanoseconds.seconds(10)
    /// Whether a suspended adopted app gets SIGTERM as well when memory is short; otherwise it is killed without notice.
    public var memorySignalsAdopted = false
    /// How long the kernel may take to freeze an app, as the suspend watchdog.
    public var freeze = Nanoseconds.seconds(10)
    /// How long after a thaw that failed it is tried again.
    public var thawRetry = Nanoseconds.seconds(1)
    /// How long a running app may take to come back after the system's restart.
    public var reconnect = Nanoseconds.seconds(10)
    /// How long a shutdown waits for apps to end before it kills them.
    public var shutdown = Nanoseconds.seconds(8)
    /// How long it then waits for the kernel: together with `shutdown`, all a shutdown takes.
    public var shutdownGrace = Nanoseconds.seconds(2)
    /// How long apps may be without a supervisor before suspended ones are ended and the others let run.
    public var supervisorAbsence = Nanoseconds.seconds(10)

    /// How long the supervisor may be at one turn of its loop, or late for a deadline, or stopped, before the guardian
    /// replaces it.
    public var supervisorHang = Nanoseconds.seconds(30)

    /// A policy with the limits that all generations share.
    public init(name: String, backgroundTime: Nanoseconds, taskCap: Int?, tasksNotEndedCode: TerminationCode) {
        self.name = name
        self.backgroundTime = backgroundTime
        self.taskCap = taskCap
        self.tasksNotEndedCode = tasksNotEndedCode
    }

    /// iOS 4 to 6: ten minutes of background time, during which the device stays awake.
    public static let iOS4 = Policy(
        name: "iOS4", backgroundTime: .seconds(600), taskCap: nil, tasksNotEndedCode: .watchdog
    ).with {
        $0.tasksKeepDeviceAwake = true
        $0.taskSchedulerEndsFetch = false
        $0.notificationsNeedRegistration = false
        $0.forceQuitBarsWakes = false
    }
    /// iOS 7 to 12: three minutes. What came with iOS 8, that places launch an app which was swiped away, is a setting.
    public static let iOS7 = Policy(
        name: "iOS7", backgroundTime: .seconds(180), taskCap: nil, tasksNotEndedCode: .watchdog
    ).with {
        $0.taskSchedulerEndsFetch = false
        $0.forceQuitBarsLocation = true
    }
    /// iOS 13 and later: thirty seconds, and a cap on tasks.
    public static let iOS13 = Policy(
        name: "iOS13", backgroundTime: .seconds(30), taskCap: 1000, tasksNotEndedCode: .taskNotCompleted)
    /// iOS 26, the default: an app without scenes is warned.
    public static let iOS26 = iOS13.with {
        $0.name = "iOS26"
        $0.scenes = .advised
        $0.prewarms = true
    }
    /// iOS 27: an app without scenes is not launched.
    public static let iOS27 = iOS26.with {
        $0.name = "iOS27"
        $0.scenes = .required
    }

    /// The presets, oldest first.
    public static let presets: [Policy] = [.iOS4, .iOS7, .iOS13, .iOS26, .iOS27]

    /// The preset called `name`; nil if there is none.
    public static func preset(named name: String) -> Policy? { presets.first { $0.name == name } }

    private func with(_ change: (inout Policy) -> Void) -> Policy {
        var copy = self
        change(&copy)
        return copy
    }
}

/// What is done about an app that has no `UIApplicationSceneManifest`.
public enum SceneRequirement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing: it has the life cycle of its app delegate.
    case none
    /// It is launched, and told so in its record.
    case advised
    /// It is not launched.
    case required
}
