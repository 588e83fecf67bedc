import AppCore
import Foundation
import LifeCycleModel

/// The host of the app's scene: it creates the scene and calls its delegate as the core decides.
@MainActor final class SceneHost {
    private let application: UIApplication
    private unowned let runner: AppRunner
    private lazy var bundleIdentifier =
        runner.info["CFBundleIdentifier"] as? String ?? ProcessInfo.processInfo.processName

    /// The sessions of this launch that the user has not closed.
    private(set) var sessions: [UISceneSession] = []
    /// The connected scene; nil if there is none.
    private(set) var scene: UIScene?

    init(application: UIApplication, runner: AppRunner) {
        self.application = application
        self.runner = runner
    }

    /// Calls the scene's delegate.
    func tell(_ call: SceneCall) {
        if case .willConnect(let id) = call { return connect(id) }
        guard let scene else { return }
        switch call {
        case .willConnect: break
        case .willEnterForeground: scene.delegate?.sceneWillEnterForeground(scene)
        case .didBecomeActive:
            scene.activationState = .foregroundActive
            scene.delegate?.sceneDidBecomeActive(scene)
        case .willResignActive: scene.delegate?.sceneWillResignActive(scene)
        case .didEnterBackground:
            scene.activationState = .background
            scene.delegate?.sceneDidEnterBackground(scene)
        case .didDisconnect:
            scene.activationState = .unattached
            scene.delegate?.sceneDidDisconnect(scene)
        }
    }

    /// Posts one of the scene's notifications, after the matching call of its delegate.
    func post(_ name: Notification.Name) {
        guard let scene else { return }
        NotificationCenter.default.post(name: name, object: scene)
        switch name {
        case UIScene.willEnterForegroundNotification, UIScene.willDeactivateNotification:
            scene.activationState = .foregroundInactive
        case UIScene.didDisconnectNotification:
            // The session stays. The scene is released, with its windows if nothing else retains them.
            scene.session.scene = nil
            self.scene = nil
        default: break
        }
    }

    /// Removes and returns the sessions that the user has closed. Some may belong to an earlier launch (T18).
    func takeDiscarded(_ ids: [SceneSessionID]) -> Set<UISceneSession> {
        let discarded = ids.map(session)
        sessions.removeAll { ids.contains($0.id) }
        return Set(discarded)
    }

    private func session(_ id: SceneSessionID) -> UISceneSession {
        sessions.first { $0.id == id }
            ?? UISceneSession(
                id: id, bundleIdentifier: bundleIdentifier,
                configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication))
    }

    /// Connects a session. The app may configure a session that is new to this process; a reconnected session keeps its
    /// configuration.
    private func connect(_ id: SceneSessionID) {
        let options = UIScene.ConnectionOptions()
        let session = session(id)
        if !sessions.contains(session) {
            sessions.append(session)
            if let delegate = application.delegate {
                session.configuration = delegate.application(
                    application, configurationForConnecting: session, options: options)
            }
        }
        let configuration = session.configuration
        let type = configuration.sceneClass as? UIScene.Type ?? UIWindowScene.self
        let scene = type.init(session: session, connectionOptions: options)
        if let delegateClass = configuration.delegateClass {
            scene.delegate = makeDelegate(delegateClass)
        }
        session.scene = scene
        self.scene = scene
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
    }

    private func makeDelegate(_ type: AnyClass) -> (any UISceneDelegate)? {
        guard let type = type as? NSObject.Type, let delegate = ClassByName.make(type) as? any UISceneDelegate else {
            AppLog.write(
                "\(type) is no subclass of NSObject that conforms to UISceneDelegate: the scene has no delegate.")
            return nil
        }
        return delegate
    }
}
