/// All limits and choices of behavior, as data. Tests and demonstrations shorten limits with another `Policy`, never
/// with other code (section 2.Q).
public struct Policy: Hashable, Sendable, Codable {
    /// The name of the preset that this policy is or is made from.
    public var name: String

    /// The longest time from the start of the process until `didFinishLaunching` returns.
    public var launch = Nanoseconds.seconds(20)
    /// The time after which a launch is logged as slow.
    public var launchWarning = Nanoseconds.seconds(5)
    /// The longest time for `willResignActive`.
    public var resignActive = Nanoseconds.seconds(10)
    /// The longest time for `didEnterBackground` (T22, R-17).
    public var enterBackground = Nanoseconds.seconds(5)
    /// The longest time for `willEnterForeground` and the following `didBecomeActive` together.
    public var enterForeground = Nanoseconds.seconds(10)
    /// The longest time for `willTerminate` and the exit.
    public var terminate = Nanoseconds.seconds(5)
    /// The longest time for all expiration handlers together.
    public var expirationHandlers = Nanoseconds.seconds(5)
    /// The longest time for any other callback.
    public var otherCallback = Nanoseconds.seconds(10)

    /// Background time for finite-length tasks: one clock per app.
    public var backgroundTime: Nanoseconds
    /// The time before the end of background time at which the expiration handlers are called. Apple says "shortly
    /// before" and gives no number. The value equals `expirationHandlers`, so that handlers may use all the time they
    /// have.
    public var expirationLead = Nanoseconds.seconds(5)
    /// The most open tasks of an app; nil for no cap.
    public var taskCap: Int?
    /// The code of the kill if an app does not end its tasks in time.
    public var tasksNotEndedCode: TerminationCode

    /// Whether a running app is called with `willTerminate` when the user force-quits it.
    public var forceQuitCallsWillTerminate = true
    /// Whether a force-quit app is not launched for events until the user opens it. Until iOS 6, a force-quit only
    /// ended the app.
    public var forceQuitBarsWakes = true
    /// Whether location monitoring does not launch a force-quit app either, as in iOS 7.
    public var forceQuitBarsLocation = false
    /// Whether a VoIP push launches a force-quit app.
    public var pushKitOvercomesForceQuit = true
    /// Whether a launch into the background calls `didEnterBackground`.
    public var launchCallsDidEnterBackground = true
    /// Whether the wake of a suspended app calls `didEnterBackground` again. Devices do not do that.
    public var wakeCallsDidEnterBackground = false
    /// The time that an app may run for an event without a completion handler, from its delivery on.
    public var eventSlice = Nanoseconds.seconds(10)

    /// The treatment of an app without scenes.
    public var scenes = SceneRequirement.none
    /// Whether finite-length tasks keep the device awake.
    public var tasksKeepDeviceAwake = false
    /// Whether apps with the `voip` mode are launched into the background once the device has started (T27, R-85), and
    /// again after an end in the background.
    public var launchesVoIPAtStart = true
    /// Whether an app that is likely to be opened may be prewarmed (T28).
    public var prewarms = false

    /// The sustained rate of an app's requests, per second; nil for no limit.
    public var requestRate: Int64? = 200
    /// The number of requests that an app may make at once before `requestRate` counts.
    public var requestBurst: Int64 = 2000
    /// The sustained rate of an app's requests about background sessions, per second; nil for no limit. These requests
    /// do not count for `requestRate`.
    public var transferActRate: Int64? = 2000
    /// The number of requests that an app may make at once before `transferActRate` counts. The default lets an app
    /// make and resume as many tasks as it may have.
    public var transferActBurst: Int64 = 400_000
    /// The most open files of each of an app's processes; nil for the system's own limit.
    public var openFiles: Int64? = 1024
    /// The largest file that an app may write, in bytes; nil for no limit.
    public var fileSize: Int64? = 4 << 30
    /// The most processes and threads of an app; nil for no limit.
    public var processes: Int64? = 1024
    /// The largest container of an app, in bytes; nil for no limit. The container is measured when the app is
    /// suspended.
    public var containerSize: Int64? = 16 << 30
    /// The least time between two measurements of a container.
    public var containerPause = Nanoseconds.seconds(60)

    /// The longest time for a background fetch in the background.
    public var backgroundFetch = Nanoseconds.seconds(30)
    /// The least time between two fetch opportunities of an app, for any interval that it sets. Apple gives no number
    ///
    public var fetchInterval = Nanoseconds.seconds(900)
    /// The longest time for all fetches of an app in a day. An app that reaches it has no opportunity until the day is
    /// over. Apple gives no number.
    public var fetchBudget = Nanoseconds.seconds(900)
    /// The most apps that fetch at once.
    public var fetchesAtOnce: Int64 = 3
    /// The number of unproductive fetches in a row after which an app's interval doubles.
    public var unproductiveFetches: Int64 = 8
    /// The length of an unproductive fetch that counts as one more.
    public var longFetch = Nanoseconds.seconds(10)
    /// The time before the hour in which the user usually opens an app at which the app has its opportunity.
    public var fetchLead = Nanoseconds.seconds(300)
    /// Whether `BGTaskSchedulerPermittedIdentifiers` in an app's `Info.plist` turns background fetch off for it.
    public var taskSchedulerEndsFetch = true

    /// The least distance between two significant changes of the location, in centimetres.
    public var significantDistance: Int64 = 50_000
    /// The least time between two significant changes of the location.
    public var significantPause = Nanoseconds.seconds(300)
    /// The most location updates that wait until an app may receive them; the newest are kept. Apple gives no
    /// number.
    public var locationQueue: Int64 = 100
    /// The longest time for which a new position is awaited that an app has requested, or the states of its regions
    /// . Apple gives no number.
    public var locationRequest = Nanoseconds.seconds(10)
    /// Whether standard updates keep an app running in the background; otherwise each update wakes the app (R-136,
    ///
    public var locationKeepsRunning = true
    /// The time without a change of the position after which the system pauses standard updates in the background
    /// . Apple gives no number.
    public var locationPause = Nanoseconds.seconds(900)
    /// The distance in centimetres up to which the position counts as unchanged for `locationPause`. Apple gives no
    /// number.
    public var locationPauseDistance: Int64 = 5000
    /// The least radius of a monitored region in centimetres; a smaller region counts as this large. Apple gives no
    /// number.
    public var regionFloor: Int64 = 10_000
    /// The most that a position has to be beyond the edge of a region in centimetres to count as a crossing; half of
    /// the radius, if that is less. Apple gives no number.
    public var regionBuffer: Int64 = 10_000
    /// The time that the device has to stay beyond the edge of a region.
    public var regionDwell = Nanoseconds.seconds(20)
    /// The longest time that the receiver looks for a position for significant changes alone, and then rests.
    public var locationLook = Nanoseconds.seconds(60)
    /// The longest rest of the receiver while an app monitors significant changes, and between two attempts to reach its
    /// source.
    public var locationRest = Nanoseconds.seconds(600)
    /// The time that the receiver stays on after the last app needed it.
    public var receiverLinger = Nanoseconds.seconds(2)
    /// The least time between two times that the receiver is switched off. gpsd takes 61 s to close it.
    public var receiverPause = Nanoseconds.seconds(60)

    /// The time for which an app stays running in the background after its sound has ended. Apple gives no
    /// number.
    public var audioGrace = Nanoseconds.seconds(5)
    /// The time for which an app stays running in the background after its sound was interrupted. Apple gives no
    /// number.
    public var audioResumeWindow = Nanoseconds.seconds(30)

    /// The time for which a VoIP push keeps an app running in the background if the app does not call the completion
    /// handler. Apple gives no number.
    public var voipPush = Nanoseconds.seconds(30)
    /// Whether an app is killed if it reports no call for a VoIP push. It is since iOS 13.
    public var voipPushNeedsCall = true
    /// The number of pushes without a call, or without a registry in time, after which an app gets no VoIP push until it
    /// is installed again or the device is started. Apple gives no number.
    public var voipMisses: Int64 = 3
    /// The time for which an app may answer or end a call that the user has answered or ended. Apple gives no
    /// number.
    public var callAction = Nanoseconds.seconds(60)
    /// The most sockets of an app that the system watches while the app is suspended: the one for signaling.
    public var voipSockets: Int64 = 1
    /// The most such sockets of all apps. Apple gives no number.
    public var voipSocketsInAll: Int64 = 400
    /// The most wakes of an app by its sockets within `voipPeriod`; the next one ends the app. Apple gives no
    /// number.
    public var voipWakes: Int64 = 15
    /// The most launches of an app within `voipPeriod` because it ended. Apple gives no number.
    public var voipRelaunches: Int64 = 3
    /// The period of the limits `voipWakes` and `voipRelaunches`.
    public var voipPeriod = Nanoseconds.seconds(300)
    /// The least time between two calls of a keep-alive handler that an app may ask for. RoostKit itself
    /// refuses less than 600 s.
    public var keepAliveFloor = Nanoseconds.seconds(600)

    /// The longest time for a remote notification in the background.
    public var remoteNotification = Nanoseconds.seconds(30)
    /// The most wakes of an app by silent pushes within `silentPushPeriod`.
    public var silentPushes: Int64 = 3
    /// The period of the rate limit `silentPushes`.
    public var silentPushPeriod = Nanoseconds.seconds(3600)
    /// The least time between two wakes of an app by remote notifications for Newsstand downloads.
    public var newsstandPeriod = Nanoseconds.seconds(86_400)
    /// Whether an app in development may lift that limit by `NKDontThrottleNewsstandContentNotifications`.
    public var liftsNewsstandThrottle = false

    /// The most scheduled notifications of an app; the soonest are kept.
    public var notificationsPerApp: Int64 = 64
    /// The most delivered notifications of an app; the newest are kept until the user answers them. Apple gives no
    /// number.
    public var deliveredPerApp: Int64 = 100
    /// The most bytes of an app's scheduled notifications, and also of its delivered notifications.
    public var notificationBytesPerApp: Int64 = 1 << 20
    /// The length from which a notification sound is too long to be played.
    public var notificationSound = Nanoseconds.seconds(30)
    /// Whether an app must register for notifications before it may display them.
    public var notificationsNeedRegistration = true
    /// The sustained rate of an app's requests about notifications, per second; nil for no limit. These requests do not
    /// count for `requestRate`.
    public var notificationActRate: Int64? = 1000
    /// The number of requests that an app may make at once before `notificationActRate` counts. The default lets an app
    /// schedule ten thousand notifications; only the soonest are kept.
    public var notificationActBurst: Int64 = 20_000

    /// The longest time for the events of a background session in the background.
    public var sessionEvents = Nanoseconds.seconds(30)
    /// The most background sessions of an app.
    public var sessionsPerApp: Int64 = 1000
    /// The most tasks in an app's background sessions.
    public var transfersPerApp: Int64 = 100_000
    /// The most bytes in these tasks' records: requests, task descriptions and server responses.
    public var transferBytesPerApp: Int64 = 16 << 20
    /// The most transfers under way at once, of all apps; twice as many if the user starts transfers at once.
    public var transfersAtOnce: Int64 = 16
    /// The most downloads at once from one server that an app may allow for a session.
    public var connectionsPerHost: Int64 = 64
    /// The longest time for an app's answer whether a delayed task may begin.
    public var delayedTaskAnswer = Nanoseconds.seconds(30)
    /// The least time that a transfer is under way before it may be stopped in favor of an app with fewer transfers.
    public var transferTurn = Nanoseconds.seconds(60)
    /// The most outcomes that are sent to an app and not acknowledged.
    public var transferWindow: Int64 = 64
    /// The time before the first retry of a failed transfer. The time doubles with each failure.
    public var transferRetry = Nanoseconds.seconds(1)
    /// The longest time before a retry.
    public var transferRetryMost = Nanoseconds.seconds(600)
    /// The most attempts at a transfer whose received bytes must all be thrown away because the server contradicts
    /// itself.
    public var transferVainTries: Int64 = 3
    /// The number of times in a row that the carrier process may end during a transfer, until the transfer fails.
    public var transferDeaths: Int64 = 3
    /// The most disk space to preallocate ahead of a transfer's received bytes, in bytes.
    public var transferReserve: Int64 = 32 << 20
    /// The disk space that transfers leave free for the system's own store, in bytes; a twentieth of a small disk.
    public var transferRoomLeft: Int64 = 64 << 20
    /// The time after which a discretionary transfer needs only Wi-Fi and a battery that is not low.
    public var discretionaryPatience = Nanoseconds.seconds(86_400)
    /// The delay of a task that is resumed in the background, after the second wake within a short time. The delay
    /// quadruples with each further wake. Apple gives no number.
    public var resumptionDelay = Nanoseconds.seconds(60)
    /// The longest resumption delay.
    public var resumptionDelayMost = Nanoseconds.seconds(3600)

    /// The time that a task's partial file is kept once the app was given resume data for it.
    public var partialsKept = Nanoseconds.seconds(604_800)
    /// The most partial files of an app's delivered tasks; the newest are kept.
    public var partialsPerApp: Int64 = 100

    /// The time after which the steady clock of background sessions is persisted again. If the device loses power, it
    /// loses at most this much of the steady clock, unless the wall clock continues.
    public var clockPersistence = Nanoseconds.seconds(3600)
    /// The largest difference between two readings of clocks that run alike. A larger difference means that a clock was
    /// set or the device slept.
    public var clockTolerance = Nanoseconds.milliseconds(100)
    /// The smallest step of the wall clock that apps are notified of.
    public var significantTimeChange = Nanoseconds.seconds(1)
    /// The charge below which a battery is low, in percent.
    public var lowBattery: Int64 = 20

    /// The time that an adopted app runs in the background before it is suspended.
    public var adoptedBackgroundTime = Nanoseconds.seconds(5)
    /// The longest time for an adopted app to exit after SIGTERM.
    public var adoptedExit = Nanoseconds.seconds(10)
    /// Whether a suspended adopted app also gets SIGTERM when memory is short; otherwise it is killed without notice
    ///
    public var memorySignalsAdopted = false
    /// The longest time for the kernel to freeze an app, like the suspend watchdog.
    public var freeze = Nanoseconds.seconds(10)
    /// The time before a failed thaw is retried.
    public var thawRetry = Nanoseconds.seconds(1)
    /// The longest time for a running app to connect again after a restart of the system.
    public var reconnect = Nanoseconds.seconds(10)
    /// The time that a shutdown waits for apps to end before it kills them.
    public var shutdown = Nanoseconds.seconds(8)
    /// The time that a shutdown then waits for the kernel. Together with `shutdown`, this is the longest shutdown.
    public var shutdownGrace = Nanoseconds.seconds(2)
    /// The delay of a deadline after which the event loop itself has stalled, and no app is to blame.
    public var stall = Nanoseconds.seconds(2)
    /// The longest time without a supervisor. After that time, suspended apps are ended and the other apps are left
    /// running.
    public var supervisorAbsence = Nanoseconds.seconds(10)

    /// The longest time that the supervisor may take for one iteration of its loop, be late for a deadline, or be
    /// stopped. After that time, the guardian replaces the supervisor.
    public var supervisorHang = Nanoseconds.seconds(30)

    /// Makes a policy with the limits that all generations share.
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
        $0.locationKeepsRunning = false
        $0.voipPushNeedsCall = false
    }
    /// iOS 7 to 12: three minutes. In iOS 8 and later, location monitoring launches a force-quit app, and in iOS 9
    /// and later standard updates keep an app running: these are settings here.
    public static let iOS7 = Policy(
        name: "iOS7", backgroundTime: .seconds(180), taskCap: nil, tasksNotEndedCode: .watchdog
    ).with {
        $0.taskSchedulerEndsFetch = false
        $0.forceQuitBarsLocation = true
        $0.locationKeepsRunning = false
        $0.voipPushNeedsCall = false
    }
    /// iOS 13 and later: thirty seconds, and a cap on tasks.
    public static let iOS13 = Policy(
        name: "iOS13", backgroundTime: .seconds(30), taskCap: 1000, tasksNotEndedCode: .taskNotCompleted)
    /// iOS 26, the default: a launch of an app without scenes is logged with advice.
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

/// The treatment of an app that has no `UIApplicationSceneManifest`.
public enum SceneRequirement: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app is launched, with the life cycle of its app delegate.
    case none
    /// The app is launched, and a decision recommends scenes.
    case advised
    /// The app is not launched.
    case required
}
