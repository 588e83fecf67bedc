import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {

    var window: UIWindow?

    private var controller: PuzzleViewController? { window?.rootViewController as? PuzzleViewController }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = PuzzleViewController(game: PuzzleGame.restored())
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        controller?.game.resume()
    }

    func sceneWillResignActive(_ scene: UIScene) {
        controller?.game.pause()
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        controller?.game.save()
    }
}
