import AppCore
import Foundation
import LifeCycleModel

/// The caller of the app's code: it calls the delegates and posts the notifications.
@MainActor struct DelegateCaller {
    let application: UIApplication
    let session: AppSession

    func tell(_ call: DelegateCall) {
        if case .scene(let call) = call {
            application.sceneHost?.tell(call)
            return
        }
        // The app may have replaced the application's `delegate` since the last call.
        let delegate = application.delegate
        switch call {
        case .scene: break
        case .willFinishLaunching(let reason):
            _ = delegate?.application(application, willFinishLaunchingWithOptions: launchOptions(for: reason))
        case .didFinishLaunching(let reason):
            _ = delegate?.application(application, didFinishLaunchingWithOptions: launchOptions(for: reason))
        case .didBecomeActive: delegate?.applicationDidBecomeActive(application)
        case .willResignActive: delegate?.applicationWillResignActive(application)
        case .didEnterBackground: delegate?.applicationDidEnterBackground(application)
        case .willEnterForeground: delegate?.applicationWillEnterForeground(application)
        case .didReceiveMemoryWarning:
            delegate?.applicationDidReceiveMemoryWarning(application)
            for controller in controllersOnScreen { controller.didReceiveMemoryWarning() }
        case .protectedDataWillBecomeUnavailable:
            delegate?.applicationProtectedDataWillBecomeUnavailable(application)
        case .protectedDataDidBecomeAvailable: delegate?.applicationProtectedDataDidBecomeAvailable(application)
        case .significantTimeChange: delegate?.applicationSignificantTimeChange(application)
        case .didDiscardSceneSessions(let ids):
            let sessions = application.sceneHost?.takeDiscarded(ids) ?? []
            delegate?.application(application, didDiscardSceneSessions: sessions)
        case .concern(.fetch(let call), let callback): tell(call, by: callback)
        case .concern(.notification(let call), let callback): tell(call, by: callback)
        case .concern(.transfer(let call), _): tell(call)
        case .concern(.location, _): session.deliver(for: .location)
        case .concern(.audio, _): session.deliver(for: .audio)
        case .concern(.voip(let call), _): session.deliver(for: ListeningConcern(call))
        case .concern(.socket(.keepAlive), _): application.keepAliveHandler?()
        case .willTerminate: delegate?.applicationWillTerminate(application)
        }
    }

    func post(_ notification: LifeCycleNotification) {
        switch notification {
        case .didFinishLaunching(let reason):
            post(UIApplication.didFinishLaunchingNotification, userInfo: launchOptions(for: reason))
        case .didBecomeActive: post(UIApplication.didBecomeActiveNotification, phase: .active)
        case .willResignActive: post(UIApplication.willResignActiveNotification, phase: .inactive)
        case .didEnterBackground: post(UIApplication.didEnterBackgroundNotification, phase: .background)
        case .willEnterForeground: post(UIApplication.willEnterForegroundNotification, phase: .inactive)
        case .didReceiveMemoryWarning: post(UIApplication.didReceiveMemoryWarningNotification)
        case .protectedDataWillBecomeUnavailable: post(UIApplication.protectedDataWillBecomeUnavailableNotification)
        case .protectedDataDidBecomeAvailable: post(UIApplication.protectedDataDidBecomeAvailableNotification)
        case .significantTimeChange: post(UIApplication.significantTimeChangeNotification)
        case .backgroundRefreshStatusDidChange: post(UIApplication.backgroundRefreshStatusDidChangeNotification)
        case .powerStateDidChange: post(.NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
        case .batteryStateDidChange: postOfBattery(UIDevice.batteryStateDidChangeNotification)
        case .batteryLevelDidChange: postOfBattery(UIDevice.batteryLevelDidChangeNotification)
        case .willTerminate: post(UIApplication.willTerminateNotification)
        case .sceneWillConnect: application.sceneHost?.post(UIScene.willConnectNotification)
        case .sceneWillEnterForeground: application.sceneHost?.post(UIScene.willEnterForegroundNotification)
        case .sceneDidActivate: application.sceneHost?.post(UIScene.didActivateNotification)
        case .sceneWillDeactivate: application.sceneHost?.post(UIScene.willDeactivateNotification)
        case .sceneDidEnterBackground: application.sceneHost?.post(UIScene.didEnterBackgroundNotification)
        case .sceneDidDisconnect: application.sceneHost?.post(UIScene.didDisconnectNotification)
        }
    }

    private func post(
        _ name: Notification.Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil, phase: ScenePhase? = nil
    ) {
        NotificationCenter.default.post(name: name, object: object ?? application, userInfo: userInfo)
        if let phase { session.phases.change(to: phase) }
    }

    private func postOfBattery(_ name: Notification.Name) {
        if UIDevice.current.isBatteryMonitoringEnabled { post(name, object: UIDevice.current) }
    }

    /// The launch options for a reason; nil for an app with scenes (section 1.4).
    private func launchOptions(for reason: LaunchReason) -> [UIApplication.LaunchOptionsKey: Any]? {
        if session.hasScenes { return nil }
        if reason == .user, let notification = session.launchNotification {
            return [.localNotification: UILocalNotification(notification)]
        }
        return UIApplication.launchOptions(
            for: reason, payload: session.launchPayload, downloads: session.context.newsstandDownloads,
            restoreIdentifiers: session.restoreIdentifiers)
    }

    private var controllersOnScreen: [UIViewController] {
        WindowList.shared.visible.flatMap { $0.rootViewController?.everyone ?? [] }
    }
}
