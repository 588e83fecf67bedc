import UIKit

/// Used where `Info.plist` has a `UIApplicationSceneManifest` that names it: prints what its scene is told, and does in
/// each callback what the script says.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private var app: AppDelegate? { UIApplication.shared.delegate as? AppDelegate }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        app?.heard("sceneWillConnect", "scene=\(session.persistentIdentifier)")
    }

    func sceneDidDisconnect(_ scene: UIScene) { app?.heard("sceneDidDisconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { app?.heard("sceneDidBecomeActive") }
    func sceneWillResignActive(_ scene: UIScene) { app?.heard("sceneWillResignActive") }
    func sceneWillEnterForeground(_ scene: UIScene) { app?.heard("sceneWillEnterForeground") }
    func sceneDidEnterBackground(_ scene: UIScene) { app?.heard("sceneDidEnterBackground") }
}
