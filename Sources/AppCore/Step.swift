public import LifeCycleModel

/// A method of the app delegate's.
public enum DelegateCall: Hashable, Sendable {
    case willFinishLaunching(LaunchReason)
    case didFinishLaunching(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    case willTerminate
}

/// A life-cycle notification; each is posted after the delegate method of the same name (section 1.2, X-01).
public enum LifeCycleNotification: Hashable, Sendable {
    case didFinishLaunching(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    case willTerminate
}

/// A misuse by the app that costs it nothing but a line in its log.
public enum AppFault: Hashable, Sendable {
    /// `beginBackgroundTask` with `AppCore.mostTasks` begun and not ended.
    case tooManyTasks
    /// `endBackgroundTask` with an identifier that is not open.
    case unknownTask(TaskID)
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
    /// The callback's calls are made: tell the core by `callbackReturned(_:into:)`.
    case finish(CallbackID)
    /// Say this to the system.
    case send(AppRequest)
    /// Write a line to the app's log.
    case log(AppFault)
    /// Leave the process, with code 0.
    case exit
}
