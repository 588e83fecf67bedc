import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T01–T05, T18 and T25 for apps with scenes, and R-10: the scene session of each launch, and its end.
@Suite struct SceneTransitionTests {
    private static let manifests = [AppManifest.sample(1, modes: [.location], usesScenes: true), .sample(2)]

    private func sessions(_ bench: Bench) -> SceneSessions? { bench.device.snapshot(of: app(1))?.record.scenes }

    private func discarded(_ bench: Bench) -> [[SceneSessionID]] {
        bench.effects.compactMap { effect in
            if case .launch(_, .send(.callback(_, .discardScenes(let range)))) = effect { range.sessions } else { nil }
        }
    }

    @Test func t01ALaunchOpensASession() {
        var bench = Bench(.iOS26, Self.manifests)
        #expect(sessions(bench)?.current == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(sessions(bench)?.current == SceneSessionID(1))
        #expect(bench.disk[app(1)]?.scenes.current == SceneSessionID(1), "persisted with the launch")
    }

    @Test func t02ALaunchIntoTheBackgroundAlsoOpensASession() {
        var bench = Bench(.iOS26, Self.manifests)
        let answer = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(!answer.contains("scene"))
        #expect(sessions(bench)?.current == SceneSessionID(1))
    }

    @Test func t05TheSessionOutlivesTheProcess() {
        var bench = Bench.with(.suspended, .iOS26, Self.manifests)
        _ = bench.plays(.device(.memoryRanShort))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(sessions(bench)?.current == SceneSessionID(1))
        #expect(discarded(bench) == [])
    }

    @Test func anAppWithoutScenesHasNoSession() {
        let bench = Bench.with(.active)
        #expect(sessions(bench) == SceneSessions())
        let adopted = Bench.with(.active, .iOS26, [.sample(1, usesScenes: true, isAdopted: true)])
        #expect(sessions(adopted) == SceneSessions(), "an adopted app has no scene sessions")
    }

    /// The user closes the app's card. The app resigns, is notified of its discarded session, and ends (T18).
    @Test func t18ARunningAppIsCalledForItsDiscardedSession() {
        var bench = Bench.with(.active, .iOS26, Self.manifests)
        #expect(
            bench.plays(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                1.1 #3 willResignActive
                store 1.1 active ending: force-quit
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didDiscardSceneSessions
                store 1.1 ending: force-quit
                > 1.1 acknowledged #4
                store app 1: 1 launched, force-quit
                1.1 #5 willTerminate
                > 1.1 acknowledged #5
                > 1.1 exited, code 0
                · 1.1 ended: force-quit, code 0
                · 1.1 inactive → not running
                store end of 1.1
                """)
        #expect(discarded(bench) == [[SceneSessionID(1)]])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(sessions(bench)?.current == SceneSessionID(2))
        #expect(discarded(bench).count == 1, "once")
    }

    @Test func t18AnAppThatWasNotRunningIsCalledAfterItsLaunch() {
        var bench = Bench.with(.suspended, .iOS26, Self.manifests)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(discarded(bench) == [])
        let answer = bench.plays(.device(.appOpened(app(1))))
        #expect(answer.contains("1.2 #2 didBecomeActive\n· 1.2 inactive → active\n> 1.2 acknowledged #2\n1.2 #3 didD"))
        #expect(discarded(bench) == [[SceneSessionID(1)]])
        #expect(sessions(bench)?.discarded == [])
    }

    @Test func t18DiscardedSessionsAccumulateUntilTheCall() {
        var bench = Bench.with(.suspended, .iOS26, Self.manifests)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(discarded(bench) == [[SceneSessionID(1), SceneSessionID(2)]])
    }

    @Test func t18ARestartBeforeTheCallForDiscardedSessions() {
        var bench = Bench.with(.suspended, .iOS26, Self.manifests)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(discarded(bench) == [[SceneSessionID(1)]])
        #expect(sessions(bench)?.discarded == [])
    }

    @Test func t18WithoutWillTerminateTheCallFollowsTheNextLaunch() {
        let policy = Policy.iOS26.with { $0.forceQuitCallsWillTerminate = false }
        var bench = Bench.with(.active, policy, Self.manifests)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(discarded(bench) == [])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(discarded(bench) == [[SceneSessionID(1)]])
    }

    @Test func t25AfterTheSystemsRestartItsSceneIsKnownToBeGone() {
        var bench = Bench.with(.active, .iOS26, Self.manifests)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanLow))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(!bench.plays(.device(.memoryRanLow)).contains("scene"))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.memoryRanLow)).contains("sceneDidDisconnect"),
            "willEnterForeground has connected it again")
    }

    // MARK: R-10

    @Test func r10iOS27LaunchesNoAppWithoutScenes() {
        var bench = Bench(.iOS27, [.sample(1), .sample(2, modes: [.location])])
        #expect(bench.does(.device(.appOpened(app(1)))) == "· app 1 not woken for user: noScenes")
        #expect(
            bench.does(.device(.wakeOccurred(app(2), .locationMonitoring)))
                == "· app 2 not woken for locationMonitoring: noScenes")
        #expect(bench.device.foregroundApp == nil)
    }

    @Test func r10iOS27LaunchesThoseWithScenesAndAdoptedOnes() {
        var bench = Bench(.iOS27, [.sample(1, usesScenes: true), .sample(2, isAdopted: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
    }

    @Test func r10iOS26Advises() {
        func advised(_ policy: Policy, _ manifest: AppManifest) -> Bool {
            var bench = Bench(policy, [manifest])
            _ = bench.plays(.device(.appOpened(app(1))))
            return bench.effects.contains(.decided(.launch(launch(1), .scenesAdvised)))
        }
        #expect(advised(.iOS26, .sample(1)))
        #expect(!advised(.iOS26, .sample(1, usesScenes: true)))
        #expect(!advised(.iOS26, .sample(1, isAdopted: true)))
        #expect(!advised(.iOS13, .sample(1)))
    }

    @Test func r10ARefusedAppDoesNotReplaceTheForegroundApp() {
        var bench = Bench(.iOS27, [.sample(1, usesScenes: true), .sample(2)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.interruptionBegan(.message)))
        #expect(bench.plays(.device(.interruptionAccepted(app(2)))) == "· app 2 not woken for user: noScenes")
        #expect(bench.state(1) == .inactive)
        #expect(bench.device.foregroundApp == app(1))
    }
}
