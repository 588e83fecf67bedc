public import AppCore
public import LifeCycleModel

/// What an app's code does, exactly and in order, where a temper would leave it to chance.
public struct AppScript: Hashable, Sendable {
    /// When an app's code runs. A scene's delegate and the application's are not told apart where both have the method.
    public enum Occasion: String, Hashable, Sendable, CaseIterable {
        case willFinishLaunching, didFinishLaunching, didBecomeActive, willResignActive, didEnterBackground
        case willEnterForeground, didReceiveMemoryWarning, protectedDataWillBecomeUnavailable
        case protectedDataDidBecomeAvailable, significantTimeChange, didDiscardSceneSessions, willTerminate
        case handleEventsForBackgroundURLSession, performFetch
        case sceneWillConnect, sceneDidDisconnect, expirationHandler

        /// When `call` is made.
        init(_ call: DelegateCall) {
            self =
                switch call {
                case .willFinishLaunching: .willFinishLaunching
                case .didFinishLaunching: .didFinishLaunching
                case .didBecomeActive, .scene(.didBecomeActive): .didBecomeActive
                case .willResignActive, .scene(.willResignActive): .willResignActive
                case .didEnterBackground, .scene(.didEnterBackground): .didEnterBackground
                case .willEnterForeground, .scene(.willEnterForeground): .willEnterForeground
                case .didReceiveMemoryWarning: .didReceiveMemoryWarning
                case .protectedDataWillBecomeUnavailable: .protectedDataWillBecomeUnavailable
                case .protectedDataDidBecomeAvailable: .protectedDataDidBecomeAvailable
                case .significantTimeChange: .significantTimeChange
                case .didDiscardSceneSessions: .didDiscardSceneSessions
                case .handleEventsForBackgroundURLSession: .handleEventsForBackgroundURLSession
                case .performFetch: .performFetch
                case .willTerminate: .willTerminate
                case .scene(.willConnect): .sceneWillConnect
                case .scene(.didDisconnect): .sceneDidDisconnect
                }
        }
    }

    /// One thing an app's code does.
    public enum Act: Hashable, Sendable {
        /// The main thread is busy for so long.
        case take(Nanoseconds)
        /// Begins a finite-length task; ends it after `ends`, or never by itself.
        case begin(String, ends: Nanoseconds?, hasHandler: Bool)
        /// Ends the newest task of that name; nil in an expiration handler for the task it belongs to.
        case end(String?)
        /// Sets `isIdleTimerDisabled`.
        case keepScreenOn(Bool)
        /// Makes so many requests at once.
        case flood(Int)
        /// The main thread never comes back.
        case hang
        /// Dies by a signal.
        case crash(Int32)
        /// Leaves with a code.
        case exit(Int32)
    }

    /// What is done on each occasion, every time. An expiration handler that is not named ends its task.
    public var reactions: [Occasion: [Act]] = [:]
    /// The memory it holds once it is suspended, in bytes.
    public var footprint: Int64 = 0
    /// How long an adopted app takes to leave after SIGTERM.
    public var leavesAfter = Nanoseconds.zero
    /// Why its process cannot be started: an `errno`; nil where it can.
    public var startError: Int32?

    /// An app that does nothing but return.
    public init() {}
}

/// Something an app's code did, or had done to it, as its own log would tell.
public enum AppNote: Hashable, Sendable {
    /// A method of a delegate was called.
    case called(DelegateCall)
    /// It has returned; `after` is how long it took.
    case returned(DelegateCall, after: Nanoseconds)
    /// A notification was posted.
    case posted(LifeCycleNotification)
    /// A task's expiration handler was called.
    case expirationHandler(of: String)
    /// It has returned.
    case handlerReturned(of: String, after: Nanoseconds)
    /// A task was begun; `isGranted` is false where `.invalid` was given.
    case began(String, isGranted: Bool)
    /// A task was ended.
    case ended(String)
    /// An event of the user's arrived.
    case received(UserInput)
    /// A misuse was written to the log.
    case misused(AppFault)
    /// The main thread is busy outside any callback.
    case busy(Nanoseconds)
    /// `isIdleTimerDisabled` was set.
    case keptScreenOn(Bool)
    /// So many requests were made at once.
    case flooded(Int)
    /// The main thread hangs.
    case hung
    /// It died by a signal.
    case crashed(Int32)
    /// It left.
    case exited(Int32)
}
