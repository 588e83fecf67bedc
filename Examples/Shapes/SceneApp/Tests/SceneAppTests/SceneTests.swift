import RoostTesting
import Testing
import UIKit

@testable import SceneApp

/// Runs the app in the test's process: the calls of the scene's delegate, and their order.
@Suite @MainActor struct SceneTests {
    private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(
                "Puzzle", infoPlist: .file("Sources/SceneApp/Info.plist"), delegate: AppDelegate.self)
            await device.launch(app)
            try await test(device, app)
        }
    }

    /// The game on the screen.
    private func game() throws -> PuzzleGame {
        let scene = try #require(UIApplication.shared.connectedScenes.first as? UIWindowScene)
        return try #require(scene.windows.first?.rootViewController as? PuzzleViewController).game
    }

    @Test func theSceneIsCalledInsteadOfTheDelegate() async throws {
        try await withApp { device, app in
            let launched = app.takeCallbacks()
            #expect(launched.suffix(2) == [.scene(.willEnterForeground), .scene(.didBecomeActive)])
            #expect(!launched.contains(.didBecomeActive))
            await device.home()
            #expect(app.takeCallbacks() == [.scene(.willResignActive), .scene(.didEnterBackground)])
            await device.launch(app)
            #expect(app.takeCallbacks() == [.scene(.willEnterForeground), .scene(.didBecomeActive)])
        }
    }

    @Test func aCallPausesTheGameUntilItIsDismissed() async throws {
        try await withApp { device, app in
            let game = try game()
            #expect(!game.isPaused)
            await device.interrupt(by: .call)
            #expect(game.isPaused && app.state == .inactive)
            await device.dismissInterruption()
            #expect(!game.isPaused && app.state == .active)
            #expect(app.callbacks.suffix(2) == [.scene(.willResignActive), .scene(.didBecomeActive)])
        }
    }

    @Test func aTouchIsAMove() async throws {
        try await withApp { device, app in
            let (game, moves) = (try game(), try game().moves)
            await device.send(.touch(x: 100, y: 200), to: app)
            await device.send(.touch(x: 110, y: 200), to: app)
            #expect(game.moves == moves + 2)
            await device.home()
            await device.send(.touch(x: 120, y: 200), to: app)
            #expect(game.moves == moves + 2, "an app in the background receives no touches")
        }
    }
}
