public import LifeCycleModel

/// A method of the app delegate or the scene delegate.
public enum DelegateCall: Hashable, Sendable {
    /// The launch options are nil for an app with scenes, regardless of the reason (section 1.4).
    case willFinishLaunching(LaunchReason)
    case didFinishLaunching(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    /// After the delegate, the visible view controllers are also called (T14).
    case didReceiveMemoryWarning
    case protectedDataWillBecomeUnavailable
    case protectedDataDidBecomeAvailable
    case significantTimeChange
    /// `application(_:didDiscardSceneSessions:)`: the user has closed these sessions.
    case didDiscardSceneSessions([SceneSessionID])
    /// A concern's call. If it has a completion handler, `AppCore.eventHandled(_:_:_:into:)` reports its use with the
    /// callback; for a background session, the request `TransferAct.handled` reports it.
    case concern(ConcernCall, CallbackID)
    case willTerminate
    case scene(SceneCall)
}

/// A step in the life of the app's scene.
public enum SceneCall: Hashable, Sendable {
    /// Ask for the configuration, create the `UIScene` and its delegate, and call `scene(_:willConnectTo:options:)`.
    case willConnect(SceneSessionID)
    case willEnterForeground
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    /// Call `sceneDidDisconnect`. Then release the scene; its session stays.
    case didDisconnect
}

/// A notification, posted after the delegate method of the same name (section 1.2, X-01). If both a scene and the
/// application post a notification for a change, the scene's comes first: Apple names no order.
public enum LifeCycleNotification: Hashable, Sendable {
    case didFinishLaunching(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    case didReceiveMemoryWarning
    case protectedDataWillBecomeUnavailable
    case protectedDataDidBecomeAvailable
    case significantTimeChange
    case backgroundRefreshStatusDidChange
    case powerStateDidChange
    case batteryStateDidChange
    case batteryLevelDidChange
    case willTerminate
    case sceneWillConnect
    case sceneWillEnterForeground
    case sceneDidActivate
    case sceneWillDeactivate
    case sceneDidEnterBackground
    case sceneDidDisconnect
}

/// A misuse by the app whose only consequence is a line in its log.
public enum AppFault: Hashable, Sendable {
    /// `beginBackgroundTask` while `AppCore.mostTasks` tasks are open.
    case tooManyTasks
    /// `endBackgroundTask` with an identifier that is not open.
    case unknownTask(TaskID)
    /// `beginBackgroundTask` without an expiration handler: if its time runs out, the app is killed without warning
    /// (K077).
    case taskWithoutHandler(TaskID)
    /// A call of an event's completion handler that was called before, or that belongs to another launch.
    case handlerCalledTwice(WakeEvent)
    /// The time of a task without an expiration handler has run out (R-43, K077).
    case noExpirationHandler(TaskID)
}

/// The next action of the app's side. Steps are performed in order, on the main thread, one at a time. Steps that
/// result from a step run before the remaining steps.
public enum Step: Hashable, Sendable {
    case call(DelegateCall)
    case post(LifeCycleNotification)
    /// Call a task's expiration handler if `AppCore.takeExpiration(of:into:)` still returns true.
    case expire(TaskID)
    /// Pass user input to `UIApplication.sendEvent(_:)`.
    case deliver(UserInput)
    /// Pass on news about a background session. Any thread.
    case transfer(SessionIdentifier, TransferNews)
    /// The callback's calls were made: call `callbackReturned(_:into:)`.
    case finish(CallbackID)
    /// Send a request to the system.
    case send(AppRequest)
    /// Write a line to the app's log.
    case log(AppFault)
    /// Exit the process with code 0.
    case exit
}
