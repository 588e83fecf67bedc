// swift-format-ignore-file
import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {

    var window: UIWindow?


    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        // The window can be made and attached to the scene here; with a storyboard that happens by itself.
        // The scene or its session need not be new.
        guard let _ = (scene as? UIWindowScene) else { return }
    }

    func sceneDidDisconnect(_ scene: UIScene) {
        // The system lets the scene go, soon after it has gone to the background or when its session was closed.
        // It may be connected again later.
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        // What was paused while the scene was inactive can be started again here.
    }

    func sceneWillResignActive(_ scene: UIScene) {
        // The scene is about to be inactive, perhaps for a short interruption such as an incoming call.
    }

    func sceneWillEnterForeground(_ scene: UIScene) {
        // What was done on entering the background can be undone here.
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        // Data can be saved here, shared resources released, and the scene's state kept.
    }


}

