/// The behavior profile of a scripted app. Each trait is a percentage: how often it shows.
public struct BehaviorProfile: Hashable, Sendable {
    /// Never returns from a callback.
    public var hangs = 0
    /// Dies by a signal in the middle of a callback.
    public var crashes = 0
    /// Exits with a code in the middle of a callback.
    public var exits = 0
    /// Takes long, perhaps too long, for a callback.
    public var dawdles = 0
    /// Begins a finite-length task in a callback.
    public var begins = 0
    /// Never ends a task by itself.
    public var forgets = 0
    /// Gives a task no expiration handler.
    public var omitsHandlers = 0
    /// Does not end the task in its expiration handler.
    public var ignoresExpiry = 0
    /// Ends a task twice, or ends a task that it never began.
    public var endsTwice = 0
    /// Acknowledges callbacks that it did not receive, or acknowledges too late.
    public var lies = 0
    /// Makes more requests at once than a correct app does.
    public var floods = 0
    /// Repeats a request later, as an app may do that does not know whether the first copy arrived.
    public var repeats = 0
    /// Forks a child, which stays.
    public var forks = 0
    /// Opens a background session in a callback, or begins tasks in it.
    public var downloads = 0
    /// Dies when it is notified of a finished file.
    public var diesWithFiles = 0
    /// Starts or stops requesting fetches in a callback.
    public var fetches = 0
    /// Never calls the completion handler of a session's events or of another event.
    public var forgetsHandlers = 0
    /// Uses notifications in a callback.
    public var notifies = 0
    /// Uses the location in a callback.
    public var locates = 0
    /// Uses sound in a callback.
    public var plays = 0
    /// Registers for VoIP pushes or uses calls in a callback.
    public var calls = 0
    /// Uses kept sockets or its keep-alive handler in a callback.
    public var connects = 0
    /// Switches `isIdleTimerDisabled` on or off.
    public var keepsScreenOn = 0

    /// A correct app, which begins tasks now and then.
    public static let good = BehaviorProfile(begins: 40)

    /// A random behavior profile, as apps in the field have.
    static func drawn(from random: inout RandomSource) -> BehaviorProfile {
        switch random.below(8) {
        case 0: .good
        case 1:
            BehaviorProfile(
                begins: 40, downloads: 50, fetches: 30, notifies: 40, locates: 40, plays: 15, calls: 40, connects: 30)
        case 2:
            BehaviorProfile(
                dawdles: 30, begins: 50, forks: 5, downloads: 30, fetches: 30, forgetsHandlers: 5, notifies: 60,
                locates: 30, plays: 12, calls: 30, connects: 20, keepsScreenOn: 20)
        case 3:
            BehaviorProfile(
                begins: 80, forgets: 60, omitsHandlers: 20, ignoresExpiry: 20, downloads: 20, fetches: 20,
                forgetsHandlers: 60, notifies: 20, locates: 20, plays: 10, calls: 30, connects: 20)
        case 4:
            BehaviorProfile(
                hangs: 4, crashes: 3, exits: 3, begins: 30, forks: 10, downloads: 40, diesWithFiles: 30, fetches: 20,
                notifies: 40, locates: 50, plays: 15, calls: 40, connects: 30)
        case 5:
            BehaviorProfile(
                begins: 70, endsTwice: 30, lies: 20, floods: 3, repeats: 10, downloads: 20, fetches: 20, notifies: 30,
                locates: 40, plays: 15, calls: 40, connects: 40)
        case 6:
            BehaviorProfile(
                hangs: 2, crashes: 2, dawdles: 20, begins: 60, forgets: 30, ignoresExpiry: 50, lies: 5, repeats: 5,
                forks: 5, downloads: 40, diesWithFiles: 10, forgetsHandlers: 10,
                locates: 40, plays: 20, calls: 50, connects: 30)
        default: BehaviorProfile(begins: 60, forgets: 100)
        }
    }
}
