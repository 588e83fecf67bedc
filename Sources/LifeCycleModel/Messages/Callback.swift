/// A call of an app's code by the system. An app runs one callback at a time, and acknowledges each callback (section
/// 1.2, 1.3).
public enum Callback: Hashable, Sendable, Codable {
    /// `willFinishLaunching`, then `didFinishLaunching`: to the foreground for `.user`, otherwise to the background.
    case launch(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    /// The expiration handlers of all open tasks.
    case expireTasks
    /// The device facts changed since the app last received them. The callback has the newest facts, not each
    /// change.
    case deviceChanged(DeviceFacts)
    /// Memory is low (T14).
    case memoryWarning
    /// The system disconnects the app's scene; the scene session stays (T25).
    case disconnectScene
    /// The user has closed these scene sessions (T18).
    case discardScenes(SceneSessionRange)
    /// The callback of a concern, such as a notification or a background session.
    case concern(ConcernCall)
    case willTerminate

    /// The name of the delegate method that the callback ends in, for logs and reports.
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
