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
    /// Whether a wake calls `didEnterBackground` again.
    public var wakeCallsDidEnterBackground = true
    /// The slice a wake gives where no callback bounds it.
    public var wake = Nanoseconds.seconds(30)

    /// How long an adopted app runs in the background before it is suspended.
    public var adoptedBackgroundTime = Nanoseconds.seconds(5)
    /// How long the kernel may take to freeze an app, as the suspend watchdog.
    public var freeze = Nanoseconds.seconds(10)
    /// How long a running app may take to come back after the system's restart.
    public var reconnect = Nanoseconds.seconds(10)
    /// How long a shutdown waits for apps to end before it kills them.
    public var shutdown = Nanoseconds.seconds(8)
    /// How long it then waits for the kernel: together with `shutdown`, all a shutdown takes.
    public var shutdownGrace = Nanoseconds.seconds(2)
    /// How long apps may be without a supervisor before suspended ones are ended and the others let run.
    public var supervisorAbsence = Nanoseconds.seconds(10)

    /// A policy with the limits that all generations share.
    public init(name: String, backgroundTime: Nanoseconds, taskCap: Int?, tasksNotEndedCode: TerminationCode) {
        self.name = name
        self.backgroundTime = backgroundTime
        self.taskCap = taskCap
        self.tasksNotEndedCode = tasksNotEndedCode
    }

    /// iOS 4 to 6: ten minutes of background time.
    public static let iOS4 = Policy(
        name: "iOS4", backgroundTime: .seconds(600), taskCap: nil, tasksNotEndedCode: .watchdog)
    /// iOS 7 to 12: three minutes.
    public static let iOS7 = Policy(
        name: "iOS7", backgroundTime: .seconds(180), taskCap: nil, tasksNotEndedCode: .watchdog)
    /// iOS 13 and later: thirty seconds, and a cap on tasks.
    public static let iOS13 = Policy(
        name: "iOS13", backgroundTime: .seconds(30), taskCap: 1000, tasksNotEndedCode: .taskNotCompleted)
    /// iOS 26, the default.
    public static let iOS26 = iOS13.renamed("iOS26")
    /// iOS 27.
    public static let iOS27 = iOS13.renamed("iOS27")

    /// The presets, oldest first.
    public static let presets: [Policy] = [.iOS4, .iOS7, .iOS13, .iOS26, .iOS27]

    /// The preset called `name`; nil if there is none.
    public static func preset(named name: String) -> Policy? { presets.first { $0.name == name } }

    private func renamed(_ name: String) -> Policy {
        var copy = self
        copy.name = name
        return copy
    }
}
