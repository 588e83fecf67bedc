import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {

    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        say(#function, "session=\(session.persistentIdentifier)")
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = ViewController()
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneDidDisconnect(_ scene: UIScene) { say(#function) }

    func sceneDidBecomeActive(_ scene: UIScene) { say(#function) }

    func sceneWillResignActive(_ scene: UIScene) { say(#function) }

    func sceneWillEnterForeground(_ scene: UIScene) { say(#function) }

    func sceneDidEnterBackground(_ scene: UIScene) { say(#function) }
}
