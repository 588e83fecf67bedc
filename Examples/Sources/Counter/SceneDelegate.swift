import UIKit

/// The scene delegate, used if a `UIApplicationSceneManifest` in `Info.plist` names it. The delegate prints the scene's
/// callbacks, and in each does what the script says.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private var app: AppDelegate? { UIApplication.shared.delegate as? AppDelegate }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        app?.received("sceneWillConnect", "scene=\(session.persistentIdentifier)")
    }

    func sceneDidDisconnect(_ scene: UIScene) { app?.received("sceneDidDisconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { app?.received("sceneDidBecomeActive") }
    func sceneWillResignActive(_ scene: UIScene) { app?.received("sceneWillResignActive") }
    func sceneWillEnterForeground(_ scene: UIScene) { app?.received("sceneWillEnterForeground") }
    func sceneDidEnterBackground(_ scene: UIScene) { app?.received("sceneDidEnterBackground") }
}
