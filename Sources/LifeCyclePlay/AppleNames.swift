import AppCore
import LifeCycleModel

/// The names of calls and notifications, as Apple writes them.
enum AppleNames {
    static func name(of call: DelegateCall) -> String {
        switch call {
        case .willFinishLaunching: "application(_:willFinishLaunchingWithOptions:)"
        case .didFinishLaunching: "application(_:didFinishLaunchingWithOptions:)"
        case .didBecomeActive: "applicationDidBecomeActive(_:)"
        case .willResignActive: "applicationWillResignActive(_:)"
        case .didEnterBackground: "applicationDidEnterBackground(_:)"
        case .willEnterForeground: "applicationWillEnterForeground(_:)"
        case .didReceiveMemoryWarning: "applicationDidReceiveMemoryWarning(_:)"
        case .protectedDataWillBecomeUnavailable: "applicationProtectedDataWillBecomeUnavailable(_:)"
        case .protectedDataDidBecomeAvailable: "applicationProtectedDataDidBecomeAvailable(_:)"
        case .significantTimeChange: "applicationSignificantTimeChange(_:)"
        case .didDiscardSceneSessions: "application(_:didDiscardSceneSessions:)"
        case .concern(let call, _): call.signature
        case .willTerminate: "applicationWillTerminate(_:)"
        case .scene(.willConnect): "scene(_:willConnectTo:options:)"
        case .scene(.willEnterForeground): "sceneWillEnterForeground(_:)"
        case .scene(.didBecomeActive): "sceneDidBecomeActive(_:)"
        case .scene(.willResignActive): "sceneWillResignActive(_:)"
        case .scene(.didEnterBackground): "sceneDidEnterBackground(_:)"
        case .scene(.didDisconnect): "sceneDidDisconnect(_:)"
        }
    }

    static func name(of notification: LifeCycleNotification) -> String {
        switch notification {
        case .didFinishLaunching: "UIApplication.didFinishLaunchingNotification"
        case .didBecomeActive: "UIApplication.didBecomeActiveNotification"
        case .willResignActive: "UIApplication.willResignActiveNotification"
        case .didEnterBackground: "UIApplication.didEnterBackgroundNotification"
        case .willEnterForeground: "UIApplication.willEnterForegroundNotification"
        case .didReceiveMemoryWarning: "UIApplication.didReceiveMemoryWarningNotification"
        case .protectedDataWillBecomeUnavailable: "UIApplication.protectedDataWillBecomeUnavailableNotification"
        case .protectedDataDidBecomeAvailable: "UIApplication.protectedDataDidBecomeAvailableNotification"
        case .significantTimeChange: "UIApplication.significantTimeChangeNotification"
        case .backgroundRefreshStatusDidChange: "UIApplication.backgroundRefreshStatusDidChangeNotification"
        case .powerStateDidChange: "NSProcessInfoPowerStateDidChange"
        case .batteryStateDidChange: "UIDevice.batteryStateDidChangeNotification"
        case .batteryLevelDidChange: "UIDevice.batteryLevelDidChangeNotification"
        case .willTerminate: "UIApplication.willTerminateNotification"
        case .sceneWillConnect: "UIScene.willConnectNotification"
        case .sceneWillEnterForeground: "UIScene.willEnterForegroundNotification"
        case .sceneDidActivate: "UIScene.didActivateNotification"
        case .sceneWillDeactivate: "UIScene.willDeactivateNotification"
        case .sceneDidEnterBackground: "UIScene.didEnterBackgroundNotification"
        case .sceneDidDisconnect: "UIScene.didDisconnectNotification"
        }
    }
}
