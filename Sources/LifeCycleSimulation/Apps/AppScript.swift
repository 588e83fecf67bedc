public import AppCore
public import LifeCycleModel

/// What an app's code does, exactly and in order, where a temper would leave it to chance.
public struct AppScript: Hashable, Sendable {
    /// When an app's code runs. A scene's delegate and the application's are not told apart where both have the method.
    public enum Occasion: String, Hashable, Sendable, CaseIterable {
        case willFinishLaunching, didFinishLaunching, didBecomeActive, willResignActive, didEnterBackground
        case willEnterForeground, didReceiveMemoryWarning, protectedDataWillBecomeUnavailable
        case protectedDataDidBecomeAvailable, significantTimeChange, didDiscardSceneSessions, willTerminate
        case handleEventsForBackgroundURLSession, performFetch, didReceiveRemoteNotification
        case didRegisterForRemoteNotifications, didReceiveLocalNotification, didRegisterUserNotificationSettings
        case sceneWillConnect, sceneDidDisconnect, expirationHandler
        case willBeginDelayedRequest, didResumeAtOffset, didFinishDownloadingTo, didCompleteWithError
        case urlSessionDidFinishEvents

        /// When `call` is made.
        init(_ call: DelegateCall) {
            self =
                switch call {
                case .concern(.fetch(.performFetch), _): .performFetch
                case .concern(.notification(.received), _): .didReceiveLocalNotification
                case .concern(.notification(.receivedRemote), _): .didReceiveRemoteNotification
                case .concern(.notification(.registered), _): .didRegisterUserNotificationSettings
                case .concern(.notification(.registeredForRemote), _): .didRegisterForRemoteNotifications
                case .concern(.transfer(.handleEvents), _): .handleEventsForBackgroundURLSession
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
                case .willTerminate: .willTerminate
                case .scene(.willConnect): .sceneWillConnect
                case .scene(.didDisconnect): .sceneDidDisconnect
                }
        }
    }

    /// A download task of a background session, as the app makes and resumes it.
    public struct Download: Hashable, Sendable {
        /// What is downloaded.
        public let url: String
        /// The session it is a task of.
        public let session: SessionIdentifier
        /// `allowsCellularAccess` of its request.
        public let allowsCellular: Bool
        /// How long after now its `earliestBeginDate` is; nil for none.
        public let earliest: Nanoseconds?

        /// A download of `url` in `session`.
        public init(
            _ url: String, session: SessionIdentifier, allowsCellular: Bool = true, earliest: Nanoseconds? = nil
        ) {
            self.url = url
            self.session = session
            self.allowsCellular = allowsCellular
            self.earliest = earliest
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
        /// Begins a background download.
        case download(Download)
        /// Calls the completion handlers of background sessions that it was given; in `urlSessionDidFinishEvents` that of
        /// the session.
        case callHandler
        /// Asks for an opportunity to fetch no more often than that; nil for none.
        case fetches(Nanoseconds?)
        /// Registers for remote notifications, or wants none any more.
        case registers(Bool)
        /// Calls the completion handlers of the fetches and pushes it was given and has not called; in `performFetch`, and
        /// in `didReceiveRemoteNotification`, that one.
        case fetched(BackgroundFetchResult)
        /// Registers for notifications of all kinds.
        case registersNotifications
        /// Schedules a notification that says so, so long from then on; nil for at once.
        case schedules(String, after: Nanoseconds?, every: RepeatInterval?)
        /// The main thread never comes back.
        case hang
        /// Dies by a signal.
        case crash(Int32)
        /// Leaves with a code.
        case exit(Int32)
    }

    /// What is done on each occasion, every time. An expiration handler that is not named ends its task; a
    /// `urlSessionDidFinishEvents`, a `performFetch` and a `didReceiveRemoteNotification` that are not call the completion
    /// handler.
    public var reactions: [Occasion: [Act]] = [:]
    /// The background sessions it makes in each launch.
    public var sessions: [SessionIdentifier: TransferSessionConfiguration] = [:]
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
    /// A background download was begun.
    case downloads(AppScript.Download)
    /// A method of a background session's delegate was called.
    case told(SessionCall)
    /// It has returned.
    case tellingReturned(SessionCall, after: Nanoseconds)
    /// The completion handler of a background session's events was called.
    case calledHandler(of: SessionIdentifier)
    /// Opportunities to fetch were asked for; nil for none.
    case wantsFetches(Nanoseconds?)
    /// Remote notifications were asked for, or no more of them.
    case wantsNotifications(Bool)
    /// The completion handler of a fetch, or of a push, was called.
    case fetched(BackgroundFetchResult)
    /// It has registered for notifications.
    case registeredNotifications
    /// A notification was scheduled, for so long from then on; nil for at once.
    case scheduled(String, after: Nanoseconds?)
    /// The main thread hangs.
    case hung
    /// It died by a signal.
    case crashed(Int32)
    /// It left.
    case exited(Int32)
}
