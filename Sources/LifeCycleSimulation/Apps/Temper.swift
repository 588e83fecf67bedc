/// What a scripted app is like: each trait is how often in a hundred it shows.
public struct Temper: Hashable, Sendable {
    /// Never returns from a callback.
    public var hangs = 0
    /// Dies by a signal in the middle of a callback.
    public var crashes = 0
    /// Leaves by itself with a code.
    public var exits = 0
    /// Takes long, perhaps too long, for a callback.
    public var dawdles = 0
    /// Begins a finite-length task in a callback.
    public var begins = 0
    /// Never ends a task of its own accord.
    public var forgets = 0
    /// Gives a task no expiration handler.
    public var omitsHandlers = 0
    /// Does not end the task in its expiration handler.
    public var ignoresExpiry = 0
    /// Ends a task twice, or one it never began.
    public var endsTwice = 0
    /// Acknowledges what it was not asked, or too late.
    public var lies = 0
    /// Makes more requests at once than any sound app does.
    public var floods = 0
    /// Says again later what it has said: whoever cannot know whether a word arrived may do so.
    public var repeats = 0
    /// Forks a child, which stays.
    public var forks = 0
    /// Opens a background session in a callback, or begins tasks of one.
    public var downloads = 0
    /// Dies when it is told that a file is there.
    public var diesWithFiles = 0
    /// Asks in a callback to be given opportunities to fetch, or no more.
    public var fetches = 0
    /// Never calls the completion handler of a session's events, or of another event.
    public var forgetsHandlers = 0
    /// Does something with its notifications in a callback.
    public var notifies = 0
    /// Switches `isIdleTimerDisabled` on or off.
    public var keepsScreenOn = 0

    /// An app that does everything right, and begins tasks now and then.
    public static let good = Temper(begins: 40)

    /// One of the tempers that come in the field.
    static func drawn(from random: inout RandomSource) -> Temper {
        switch random.below(8) {
        case 0: .good
        case 1: Temper(begins: 40, downloads: 50, fetches: 30, notifies: 40)
        case 2:
            Temper(
                dawdles: 30, begins: 50, forks: 5, downloads: 30, fetches: 30, forgetsHandlers: 5, notifies: 60,
                keepsScreenOn: 20)
        case 3:
            Temper(
                begins: 80, forgets: 60, omitsHandlers: 20, ignoresExpiry: 20, downloads: 20, fetches: 20,
                forgetsHandlers: 60, notifies: 20)
        case 4:
            Temper(
                hangs: 4, crashes: 3, exits: 3, begins: 30, forks: 10, downloads: 40, diesWithFiles: 30, fetches: 20,
                notifies: 40)
        case 5:
            Temper(
                begins: 70, endsTwice: 30, lies: 20, floods: 3, repeats: 10, downloads: 20, fetches: 20, notifies: 30)
        case 6:
            Temper(
                hangs: 2, crashes: 2, dawdles: 20, begins: 60, forgets: 30, ignoresExpiry: 50, lies: 5, repeats: 5,
                forks: 5, downloads: 40, diesWithFiles: 10, forgetsHandlers: 10)
        default: Temper(begins: 60, forgets: 100)
        }
    }
}
