/// What the system calls an app for. One at a time, each acknowledged (section 1.2, 1.3).
public enum Callback: Hashable, Sendable, Codable {
    /// `willFinishLaunching`, then `didFinishLaunching`: to the foreground for `.user`, else to the background.
    case launch(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    /// Every outstanding expiration handler.
    case expireTasks
    /// The device is not as it was when the app last heard of it: the newest facts, not each change.
    case deviceChanged(DeviceFacts)
    /// Memory is low (T14).
    case memoryWarning
    /// The system takes the app's scene; its session stays (T25).
    case disconnectScene
    /// The user has closed these scene sessions (T18).
    case discardScenes(SceneSessionRange)
    /// The callback of a concern, such as a notification or a background session.
    case concern(ConcernCall)
    case willTerminate

    /// The name of the delegate method it ends in, for logs and reports.
    public var name: String {
        switch self {
        case .launch: "didFinishLaunching"
        case .didBecomeActive: "didBecomeActive"
        case .willResignActive: "willResignActive"
        case .didEnterBackground: "didEnterBackground"
        case .willEnterForeground: "willEnterForeground"
        case .expireTasks: "expirationHandlers"
        case .deviceChanged: "deviceChanged"
        case .memoryWarning: "didReceiveMemoryWarning"
        case .disconnectScene: "sceneDidDisconnect"
        case .discardScenes: "didDiscardSceneSessions"
        case .concern(let call): call.name
        case .willTerminate: "willTerminate"
        }
    }
}

/// A callback of a concern.
public enum ConcernCall: Hashable, Sendable, Codable {
    /// All transfers of a background session are done.
    case handleSessionEvents(SessionIdentifier)
    /// An event happened for which the app is called with a completion handler.
    case handleEvent(WakeEvent)
    /// A local notification of the app fired, or the user has decided what its notifications may display.
    case notification(NotificationCallback)
    /// The app has registered for remote notifications, with its device token; nil if no token could be made.
    case remoteNotificationsRegistered(DeviceToken?)

    /// The name of the delegate method that is called, for logs and reports.
    public var name: String {
        switch self {
        case .handleSessionEvents: "handleEventsForBackgroundURLSession"
        case .handleEvent(let event): event.name
        case .notification(let callback): callback.name
        case .remoteNotificationsRegistered(.some): "didRegisterForRemoteNotifications"
        case .remoteNotificationsRegistered(nil): "didFailToRegisterForRemoteNotifications"
        }
    }
}
