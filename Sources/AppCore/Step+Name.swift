extension DelegateCall {
    /// The name of the method, for traces and reports: Apple's, with `scene` before it where it is a scene delegate's.
    public var name: String {
        switch self {
        case .willFinishLaunching: "willFinishLaunching"
        case .didFinishLaunching: "didFinishLaunching"
        case .didBecomeActive: "didBecomeActive"
        case .willResignActive: "willResignActive"
        case .didEnterBackground: "didEnterBackground"
        case .willEnterForeground: "willEnterForeground"
        case .didReceiveMemoryWarning: "didReceiveMemoryWarning"
        case .protectedDataWillBecomeUnavailable: "protectedDataWillBecomeUnavailable"
        case .protectedDataDidBecomeAvailable: "protectedDataDidBecomeAvailable"
        case .significantTimeChange: "significantTimeChange"
        case .didDiscardSceneSessions: "didDiscardSceneSessions"
        case .willTerminate: "willTerminate"
        case .scene(.willConnect): "sceneWillConnect"
        case .scene(.willEnterForeground): "sceneWillEnterForeground"
        case .scene(.didBecomeActive): "sceneDidBecomeActive"
        case .scene(.willResignActive): "sceneWillResignActive"
        case .scene(.didEnterBackground): "sceneDidEnterBackground"
        case .scene(.didDisconnect): "sceneDidDisconnect"
        }
    }
}

extension LifeCycleNotification {
    /// The name of the notification, for traces and reports: Apple's, without the type that posts it.
    public var name: String {
        switch self {
        case .didFinishLaunching: "didFinishLaunching"
        case .didBecomeActive: "didBecomeActive"
        case .willResignActive: "willResignActive"
        case .didEnterBackground: "didEnterBackground"
        case .willEnterForeground: "willEnterForeground"
        case .didReceiveMemoryWarning: "didReceiveMemoryWarning"
        case .protectedDataWillBecomeUnavailable: "protectedDataWillBecomeUnavailable"
        case .protectedDataDidBecomeAvailable: "protectedDataDidBecomeAvailable"
        case .significantTimeChange: "significantTimeChange"
        case .backgroundRefreshStatusDidChange: "backgroundRefreshStatusDidChange"
        case .powerStateDidChange: "powerStateDidChange"
        case .batteryStateDidChange: "batteryStateDidChange"
        case .batteryLevelDidChange: "batteryLevelDidChange"
        case .willTerminate: "willTerminate"
        case .sceneWillConnect: "sceneWillConnect"
        case .sceneWillEnterForeground: "sceneWillEnterForeground"
        case .sceneDidActivate: "sceneDidActivate"
        case .sceneWillDeactivate: "sceneWillDeactivate"
        case .sceneDidEnterBackground: "sceneDidEnterBackground"
        case .sceneDidDisconnect: "sceneDidDisconnect"
        }
    }
}
