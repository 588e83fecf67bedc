import AppCore
import LifeCycleModel
import Testing

/// T01–T05, T18, T25: the calls of an app with a scene, in the order of delegate, scene notification and application
/// notification.
@Suite struct SceneTests {
    private static let session = SceneSessionID(7)

    private static func app(_ reason: LaunchReason = .user, after callbacks: [Callback] = []) -> Scripted {
        var app = Scripted(reason, sceneSession: session)
        for callback in callbacks { app.run(callback) }
        return app
    }

    /// The calls and notifications of a callback.
    private func steps(_ callback: Callback, after callbacks: [Callback], _ reason: LaunchReason = .user) -> [Step] {
        var app = Self.app(reason, after: callbacks)
        return app.run(callback).filter { step in
            switch step {
            case .call, .post: true
            default: false
            }
        }
    }

    private static let active: [Callback] = [.launch(.user), .didBecomeActive]
    private static let background = active + [.willResignActive, .didEnterBackground]

    @Test func t01TheSceneIsConnectedAfterDidFinishLaunching() {
        #expect(
            steps(.launch(.user), after: []) == [
                .call(.willFinishLaunching(.user)), .call(.didFinishLaunching(.user)),
                .post(.didFinishLaunching(.user)), .call(.scene(.willConnect(Self.session))), .post(.sceneWillConnect),
                .call(.scene(.willEnterForeground)), .post(.sceneWillEnterForeground),
            ])
        #expect(
            steps(.didBecomeActive, after: [.launch(.user)]) == [
                .call(.scene(.didBecomeActive)), .post(.sceneDidActivate), .post(.didBecomeActive),
            ])
    }

    @Test func t02ABackgroundLaunchMakesNoScene() {
        #expect(
            steps(.launch(.locationMonitoring), after: [], .locationMonitoring) == [
                .call(.willFinishLaunching(.locationMonitoring)), .call(.didFinishLaunching(.locationMonitoring)),
                .post(.didFinishLaunching(.locationMonitoring)),
            ])
        #expect(
            steps(.didEnterBackground, after: [.launch(.locationMonitoring)], .locationMonitoring) == [
                .post(.didEnterBackground)
            ],
            "no scene to notify")
        #expect(
            !Self.app(.locationMonitoring, after: [.launch(.locationMonitoring), .didEnterBackground]).core
                .isSceneConnected)
    }

    @Test func t03TheSceneLeaves() {
        #expect(
            steps(.willResignActive, after: Self.active) == [
                .call(.scene(.willResignActive)), .post(.sceneWillDeactivate), .post(.willResignActive),
            ])
        #expect(
            steps(.didEnterBackground, after: Self.active + [.willResignActive]) == [
                .call(.scene(.didEnterBackground)), .post(.sceneDidEnterBackground), .post(.didEnterBackground),
            ])
    }

    @Test func t05TheSceneReturnsToTheForeground() {
        #expect(
            steps(.willEnterForeground, after: Self.background) == [
                .call(.scene(.willEnterForeground)), .post(.sceneWillEnterForeground), .post(.willEnterForeground),
            ])
    }

    private static let connected: [Step] = [
        .call(.scene(.willConnect(session))), .post(.sceneWillConnect), .call(.scene(.willEnterForeground)),
        .post(.sceneWillEnterForeground), .post(.willEnterForeground),
    ]

    @Test func t05ASceneThatWasNeverMadeIsMadeThen() {
        let launched: [Callback] = [.launch(.locationMonitoring), .didEnterBackground]
        #expect(steps(.willEnterForeground, after: launched, .locationMonitoring) == Self.connected)
    }

    @Test func t25AReclaimedSceneConnectsAgain() {
        #expect(
            steps(.disconnectScene, after: Self.background) == [
                .call(.scene(.didDisconnect)), .post(.sceneDidDisconnect),
            ])
        let gone = Self.background + [.disconnectScene]
        #expect(!Self.app(after: gone).core.isSceneConnected)
        #expect(Self.app(after: gone).core.attachment.isSceneConnected == false)
        #expect(Self.app(after: gone).core.sceneSession == Self.session, "the scene session remains")
        #expect(steps(.disconnectScene, after: gone) == [], "once")
        #expect(steps(.didEnterBackground, after: gone) == [.post(.didEnterBackground)])
        #expect(steps(.willEnterForeground, after: gone) == Self.connected)
        #expect(Self.app(after: gone + [.willEnterForeground]).core.isSceneConnected)
    }

    @Test func t18TheUserClosesItsSession() {
        let closed: [Step] = [
            .call(.scene(.didDisconnect)), .post(.sceneDidDisconnect),
            .call(.didDiscardSceneSessions([Self.session])),
        ]
        #expect(steps(.discardScenes([Self.session]), after: Self.active + [.willResignActive]) == closed)
        #expect(
            steps(.discardScenes([SceneSessionID(6)]), after: Self.active) == [
                .call(.didDiscardSceneSessions([SceneSessionID(6)]))
            ], "the session is from an earlier launch; the app's scene remains")
    }

    @Test func appsWithoutScenesReceiveNoSceneCalls() {
        var app = Scripted.at(.background)
        #expect(app.run(.disconnectScene) == [.send(.acknowledge(CallbackID(5), open: []))].withFinish(5))
        #expect(app.run(.discardScenes([Self.session])) == [.send(.acknowledge(CallbackID(6), open: []))].withFinish(6))
        #expect(app.core.sceneSession == nil && !app.core.isSceneConnected)
    }

    @Test func willTerminateStaysWithTheApp() {
        #expect(
            steps(.willTerminate, after: Self.active + [.willResignActive]) == [
                .call(.willTerminate), .post(.willTerminate),
            ])
        #expect(
            steps(.memoryWarning, after: Self.active) == [
                .call(.didReceiveMemoryWarning), .post(.didReceiveMemoryWarning),
            ])
    }
}

extension [Step] {
    fileprivate func withFinish(_ id: Int32) -> [Step] { [.finish(CallbackID(id))] + self }
}
