public import LifeCycleModel

/// A method of the app delegate's, or of its scene's delegate.
public enum DelegateCall: Hashable, Sendable {
    /// The options are nil for an app with scenes, whatever the reason (section 1.4).
    case willFinishLaunching(LaunchReason)
    case didFinishLaunching(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    /// To be passed on to the view controllers that are on screen, after the delegate (T14).
    case didReceiveMemoryWarning
    case protectedDataWillBecomeUnavailable
    case protectedDataDidBecomeAvailable
    case significantTimeChange
    /// `application(_:didDiscardSceneSessions:)`: the user closed them.
    case didDiscardSceneSessions([SceneSessionID])
    /// The call of a concern. Its completion handler, if it has one, is told with the callback, by
    /// `AppCore.eventHandled(_:_:_:into:)`, or by the request `TransferAct.handled`.
    case concern(ConcernCall, CallbackID)
    case willTerminate
    case scene(SceneCall)
}

/// What becomes of the app's one scene.
public enum SceneCall: Hashable, Sendable {
    /// Ask for the configuration, make the `UIScene` and its delegate, call `scene(_:willConnectTo:options:)`.
    case willConnect(SceneSessionID)
    case willEnterForeground
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    /// `sceneDidDisconnect`; afterwards the scene is let go, its session stays.
    case didDisconnect
}

/// A notification; each is posted after the delegate method of the same name (section 1.2, X-01). Where both a scene
/// and the application have one for the same change, the scene's comes first: Apple names no order.
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

/// A misuse by the app that costs it nothing but a line in its log.
public enum AppFault: Hashable, Sendable {
    /// `beginBackgroundTask` with `AppCore.mostTasks` begun and not ended.
    case tooManyTasks
    /// `endBackgroundTask` with an identifier that is not open.
    case unknownTask(TaskID)
    /// `beginBackgroundTask` without an expiration handler: when time runs out the app is killed unasked (K077).
    case taskWithoutHandler(TaskID)
    /// The completion handler of an event was called, which had been called before, or is of another launch.
    case handlerCalledTwice(WakeEvent)
    /// A task whose time ran out has no expiration handler (R-43, K077).
    case noExpirationHandler(TaskID)
}

/// What the app's side is to do next. Steps are carried out in order, on the main thread, one at a time; those a
/// carried-out step brings forth go before the ones that are left.
public enum Step: Hashable, Sendable {
    /// Call the delegate.
    case call(DelegateCall)
    /// Post a notification.
    case post(LifeCycleNotification)
    /// Call a task's expiration handler, if `AppCore.takeExpiration(of:into:)` still says so.
    case expire(TaskID)
    /// Hand what the user did to `UIApplication.sendEvent(_:)`.
    case deliver(UserInput)
    /// Hand on what became of a background session, on any thread.
    case transfer(SessionIdentifier, TransferNews)
    /// The callback's calls are made: tell the core by `callbackReturned(_:into:)`.
    case finish(CallbackID)
    /// Say this to the system.
    case send(AppRequest)
    /// Write a line to the app's log.
    case log(AppFault)
    /// Leave the process, with code 0.
    case exit
}
