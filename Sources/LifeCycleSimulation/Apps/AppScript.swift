public import AppCore
public import LifeCycleModel

/// The exact actions of an app's code, in order. An app without a script acts at random, by its behavior profile.
public struct AppScript: Hashable, Sendable {
    /// The moment at which an app's code runs, by the name of the delegate method. If a scene's delegate and the
    /// application's delegate both have the method, they are not distinguished.
    public struct Occasion: Hashable, Sendable {
        /// The call of a task's expiration handler.
        public static let expirationHandler = Occasion(name: "expirationHandler")

        /// Every call of the life cycle, and the expiration handler.
        public static let all: [Occasion] = {
            var all: [Occasion] = []
            for call in DelegateCall.life where !all.contains(Occasion(call)) { all.append(Occasion(call)) }
            let others = ConcernCall.names + SessionCall.Method.allCases.map(\.rawValue)
            return all + [.expirationHandler] + others.map { Occasion(name: $0) }
        }()

        /// The name in scenarios.
        public let name: String

        private init(name: String) { self.name = name }

        /// The occasion of a delegate call.
        public init(_ call: DelegateCall) {
            switch call {
            case .scene(.didBecomeActive): self.init(.didBecomeActive)
            case .scene(.willResignActive): self.init(.willResignActive)
            case .scene(.didEnterBackground): self.init(.didEnterBackground)
            case .scene(.willEnterForeground): self.init(.willEnterForeground)
            default: self.init(name: call.name)
            }
        }

        /// The occasion of a call to a background session's delegate.
        public init(_ method: SessionCall.Method) { name = method.rawValue }
    }

    /// A download task of a background session, as the app creates and resumes it.
    public struct Download: Hashable, Sendable {
        /// The URL of the download.
        public let url: String
        /// The session of the task.
        public let session: SessionIdentifier
        /// `allowsCellularAccess` of the request.
        public let allowsCellular: Bool
        /// The time from now until its `earliestBeginDate`; nil if the task has no such date.
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

    /// An action of an app's code.
    public enum Act: Hashable, Sendable {
        /// Keeps the main thread busy for this long.
        case take(Nanoseconds)
        /// Begins a finite-length task, and ends it after `ends`. If `ends` is nil, only another act ends the task.
        case begin(String, ends: Nanoseconds?, hasHandler: Bool)
        /// Ends the newest task of that name. In an expiration handler, nil is the handler's own task.
        case end(String?)
        /// Sets `isIdleTimerDisabled`.
        case keepScreenOn(Bool)
        /// Makes this many requests at once.
        case flood(Int)
        /// Begins a background download.
        case download(Download)
        /// Calls all pending completion handlers of background sessions. In `urlSessionDidFinishEvents` it calls only
        /// the handler of that session.
        case callHandler
        /// Calls all pending completion handlers of fetches and pushes. In `performFetch` and in
        /// `didReceiveRemoteNotification` it calls only that handler.
        case fetched(BackgroundFetchResult)
        /// Calls a method of a concern's SDK.
        case sdk(AnySDKCall)
        /// Hangs the main thread forever.
        case hang
        /// Dies by a signal.
        case crash(Int32)
        /// Exits with a code.
        case exit(Int32)
    }

    /// The actions on each occasion, every time. Without an entry, an expiration handler ends its task. Without an
    /// entry, `urlSessionDidFinishEvents`, `performFetch` and `didReceiveRemoteNotification` call their completion
    /// handlers, `didReceiveIncomingPush` reports a call, and `performAnswerCallAction`, `performEndCallAction`,
    /// `performStartCallAction`, `performSetHeldCallAction` and `performSetMutedCallAction` fulfill the action. The
    /// completion handler of `didReceiveIncomingPush` is always called.
    public var reactions: [Occasion: [Act]] = [:]
    /// The background sessions that the app creates in each launch.
    public var sessions: [SessionIdentifier: TransferSessionConfiguration] = [:]
    /// The memory that the app holds while suspended, in bytes.
    public var footprint: Int64 = 0
    /// How long an adopted app takes to exit after SIGTERM.
    public var leavesAfter = Nanoseconds.zero
    /// The `errno` with which the app's process fails to start; nil if the process starts.
    public var startError: Int32?

    /// An app that only returns from its callbacks.
    public init() {}
}

extension DelegateCall {
    /// The calls in every app's life. The calls of concerns are in `ConcernCall.names`.
    public static let life: [DelegateCall] = [
        .willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive, .willResignActive,
        .didEnterBackground,
        .willEnterForeground, .didReceiveMemoryWarning, .protectedDataWillBecomeUnavailable,
        .protectedDataDidBecomeAvailable, .significantTimeChange, .didDiscardSceneSessions([]), .willTerminate,
        .scene(.willConnect(SceneSessionID(1))), .scene(.willEnterForeground), .scene(.didBecomeActive),
        .scene(.willResignActive), .scene(.didEnterBackground), .scene(.didDisconnect),
    ]
}

/// An entry in an app's own log: an action of its code, or a call to it.
public enum AppNote: Hashable, Sendable {
    /// A delegate method was called.
    case called(DelegateCall)
    /// A delegate method returned; `after` is its duration.
    case returned(DelegateCall, after: Nanoseconds)
    case posted(LifeCycleNotification)
    /// A task's expiration handler was called.
    case expirationHandler(of: String)
    /// An expiration handler returned; `after` is its duration.
    case handlerReturned(of: String, after: Nanoseconds)
    /// A task was begun; `isGranted` is false if the result was `.invalid`.
    case began(String, isGranted: Bool)
    /// A task was ended.
    case ended(String)
    /// An input of the user arrived.
    case received(UserInput)
    /// A misuse was logged.
    case misused(AppFault)
    /// The main thread is busy outside any callback.
    case busy(Nanoseconds)
    /// `isIdleTimerDisabled` was set.
    case keptScreenOn(Bool)
    /// This many requests were made at once.
    case flooded(Int)
    /// A background download was begun.
    case downloads(AppScript.Download)
    /// A method of a background session's delegate was called.
    case sessionCalled(SessionCall)
    /// A method of a background session's delegate returned; `after` is its duration.
    case sessionCallReturned(SessionCall, after: Nanoseconds)
    /// The completion handler of a background session's events was called.
    case calledHandler(of: SessionIdentifier)
    /// The completion handler of a fetch or a push was called.
    case fetched(BackgroundFetchResult)
    /// A method of a concern's SDK was called.
    case sdk(AnySDKCall)
    /// The main thread hangs.
    case hung
    /// The app died by a signal.
    case crashed(Int32)
    /// The app exited with a code.
    case exited(Int32)
}
