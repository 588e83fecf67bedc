public import AppCore
public import LifeCycleModel

/// What an app's code does, exactly and in order, where a temper would leave it to chance.
public struct AppScript: Hashable, Sendable {
    /// When an app's code runs, by the name of the delegate method. A scene's delegate and the application's are not told
    /// apart if both have the method.
    public struct Occasion: Hashable, Sendable {
        /// The name of a task's expiration handler.
        public static let expirationHandler = Occasion(name: "expirationHandler")

        /// The occasions there are.
        public static let all: [Occasion] = {
            var all: [Occasion] = []
            for call in DelegateCall.life where !all.contains(Occasion(call)) { all.append(Occasion(call)) }
            let others = ConcernCall.names + SessionCall.Method.allCases.map(\.rawValue)
            return all + [.expirationHandler] + others.map { Occasion(name: $0) }
        }()

        /// The name by which scenarios know it.
        public let name: String

        private init(name: String) { self.name = name }

        /// `call` is made.
        public init(_ call: DelegateCall) {
            switch call {
            case .scene(.didBecomeActive): self.init(.didBecomeActive)
            case .scene(.willResignActive): self.init(.willResignActive)
            case .scene(.didEnterBackground): self.init(.didEnterBackground)
            case .scene(.willEnterForeground): self.init(.willEnterForeground)
            default: self.init(name: call.name)
            }
        }

        /// A method of a background session's delegate is called.
        public init(_ method: SessionCall.Method) { name = method.rawValue }
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
        /// Calls the completion handlers of the fetches and pushes it was given and has not called; in `performFetch`, and
        /// in `didReceiveRemoteNotification`, that one.
        case fetched(BackgroundFetchResult)
        /// Asks something of a concern.
        case sdk(AnySDKCall)
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

extension DelegateCall {
    /// The calls of every app's life; those of concerns are in `ConcernCall.names`.
    public static let life: [DelegateCall] = [
        .willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive, .willResignActive,
        .didEnterBackground,
        .willEnterForeground, .didReceiveMemoryWarning, .protectedDataWillBecomeUnavailable,
        .protectedDataDidBecomeAvailable, .significantTimeChange, .didDiscardSceneSessions([]), .willTerminate,
        .scene(.willConnect(SceneSessionID(1))), .scene(.willEnterForeground), .scene(.didBecomeActive),
        .scene(.willResignActive), .scene(.didEnterBackground), .scene(.didDisconnect),
    ]
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
    /// The completion handler of a fetch, or of a push, was called.
    case fetched(BackgroundFetchResult)
    /// Something was asked of a concern.
    case sdk(AnySDKCall)
    /// The main thread hangs.
    case hung
    /// It died by a signal.
    case crashed(Int32)
    /// It left.
    case exited(Int32)
}
