// swift-format-ignore-file
import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {

    var window: UIWindow?


    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        // Create the window and attach it to the scene here. With a storyboard this is automatic.
        // The scene and its session may already exist.
        guard let _ = (scene as? UIWindowScene) else { return }
    }

    func sceneDidDisconnect(_ scene: UIScene) {
        // The system releases the scene, soon after it has entered the background or when its session was closed.
        // The scene may connect again later.
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        // Restart tasks that were paused while the scene was inactive.
    }

    func sceneWillResignActive(_ scene: UIScene) {
        // The scene is about to become inactive, for example for an incoming call.
    }

    func sceneWillEnterForeground(_ scene: UIScene) {
        // Undo the changes made on entering the background here.
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        // Save data, release shared resources, and store the scene's state here.
    }


}

