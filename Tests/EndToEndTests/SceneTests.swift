import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The life of an app with a scene, from the callbacks of its two delegates and the notifications.
    @Suite(.whereCgroupsFreeze) struct SceneTests {
        private static let processStart = [
            "callback willFinishLaunching options=nil state=inactive",
            "callback didFinishLaunching state=inactive",
            "notification didFinishLaunching state=inactive",
        ]
        private static let connect = ["callback sceneWillConnect", "notification sceneWillConnect"]
        private static let rise = ["callback sceneWillEnterForeground", "notification sceneWillEnterForeground"]
        private static let activate = [
            "callback sceneDidBecomeActive", "notification sceneDidActivate", "notification didBecomeActive",
        ]
        private static let comeBack = rise + ["notification willEnterForeground"] + activate
        private static let leave = [
            "callback sceneWillResignActive", "notification sceneWillDeactivate", "notification willResignActive",
            "callback sceneDidEnterBackground", "notification sceneDidEnterBackground",
            "notification didEnterBackground",
        ]

        /// T01, T03, T04, T05.
        @Test func launchHomeSuspendReturn() throws {
            try TestSystem.run { system in
                try system.install("Counter", withScene: true)
                let started = try system.openApp(.counter)
                #expect(started.usesScenes)
                #expect(Array(system.callbacks(.counter).prefix(3)) == Self.processStart)
                let launched = Array(system.received(.counter).dropFirst(3))
                #expect(launched == Self.connect + Self.rise + Self.activate)
                let session = system.log(.counter).first { $0.contains("scene=") }
                #expect(session?.contains("scene=org.roost.example.Counter.") == true, "\(session ?? "")")
                var printed = system.log(.counter).count
                try system.suspend(.counter)
                #expect(system.received(.counter, from: printed) == Self.leave)
                #expect(system.callbacks(.counter).last == "notification didEnterBackground state=background")
                printed = system.log(.counter).count
                #expect(try system.openApp(.counter).pid == started.pid)
                #expect(system.received(.counter, from: printed) == Self.comeBack)
            }
        }

        /// T02 and T11: an event makes no scene. When the user then opens the app, the scene is connected.
        @Test func anEventConnectsNoScene() throws {
            try TestSystem.run { system in
                try system.install("Counter", withScene: true)
                try system.tell(.wake(.counter, .locationMonitoring))
                let first = try system.until(.counter, is: .suspended)
                #expect(
                    system.callbacks(.counter) == [
                        "callback willFinishLaunching options=nil state=background",
                        "callback didFinishLaunching state=background",
                        "notification didFinishLaunching state=background",
                        "notification didEnterBackground state=background",
                    ])
                let printed = system.log(.counter).count
                #expect(try system.openApp(.counter).pid == first.pid)
                #expect(system.received(.counter, from: printed) == Self.connect + Self.comeBack)
            }
        }

        /// T25: memory is low while the app works in the background. When the user opens it again, its session is
        /// reconnected.
        @Test func aReclaimedSceneIsConnectedAgain() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "sceneDidEnterBackground begin work\nsceneWillConnect end work\n",
                    withScene: true)
                let started = try system.openApp(.counter)
                let session = try #require(sessionName(system))
                try system.tell(.home)
                try system.untilInBackground(.counter)
                var printed = system.log(.counter).count
                #expect(try system.roost("memory", "warning").out.contains("its scene is released"))
                try system.untilPrinted(.counter, "notification sceneDidDisconnect", from: printed)
                #expect(
                    system.received(.counter, from: printed) == [
                        "callback didReceiveMemoryWarning", "notification didReceiveMemoryWarning",
                        "callback sceneDidDisconnect", "notification sceneDidDisconnect",
                    ])
                try system.untilCounted(.counter, more: 1)
                printed = system.log(.counter).count
                #expect(try system.openApp(.counter).pid == started.pid)
                #expect(system.received(.counter, from: printed) == Self.connect + Self.comeBack)
                #expect(sessionName(system, from: printed) == session, "the scene session is the same")
            }
        }

        private func sessionName(_ system: TestSystem, from first: Int = 0) -> String? {
            system.log(.counter).dropFirst(first).first { $0.contains("scene=") }?
                .split(separator: " ").first { $0.hasPrefix("scene=") }.map(String.init)
        }

        /// T18: a running app is notified at once, otherwise after its next launch. The next session is a new one.
        @Test func aClosedSceneIsDiscarded() throws {
            try TestSystem.run { system in
                try system.install("Counter", withScene: true)
                try system.openApp(.counter)
                let first = try #require(sessionName(system))
                var printed = system.log(.counter).count
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                #expect(
                    system.received(.counter, from: printed) == [
                        "callback sceneWillResignActive", "notification sceneWillDeactivate",
                        "notification willResignActive", "callback sceneDidDisconnect",
                        "notification sceneDidDisconnect", "callback didDiscardSceneSessions",
                        "callback willTerminate", "notification willTerminate",
                    ])

                printed = system.log(.counter).count
                try system.openApp(.counter)
                let second = try #require(sessionName(system, from: printed))
                #expect(second != first)
                // Closed while the app is suspended: it cannot be notified before it runs again.
                try system.suspend(.counter)
                printed = system.log(.counter).count
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                #expect(system.log(.counter).count == printed)
                try system.crashAndRestart()
                try system.openApp(.counter)
                let received = try system.untilPrinted(.counter, "callback didDiscardSceneSessions", from: printed)
                #expect(received.contains(String(second.dropFirst("scene=".count))), "\(received)")
            }
        }

        /// R-10.
        @Test func aGenerationThatAsksForScenes() throws {
            try TestSystem.run(policy: "iOS27") { system in
                try system.install("Counter")
                try system.install("Counter", as: .second, withScene: true)
                let (exit, out, err) = try system.roost("launch", "\(BundleIdentifier.counter)")
                #expect(exit == .code(1) && out.isEmpty && err.contains("UIApplicationSceneManifest"), "\(out)\(err)")
                let wake = try system.roost("wake", "\(BundleIdentifier.counter)", "--reason", "locationMonitoring")
                #expect(wake.exit == .code(1) && wake.err.contains("UIApplicationSceneManifest"), "\(wake.err)")
                #expect(try system.summary(.counter).pid == nil)
                #expect(system.log(.counter).isEmpty)
                try system.openApp(.second)
            }
            try TestSystem.run { system in
                try system.install("Counter")
                let out = try system.roost("launch", "\(BundleIdentifier.counter)").out
                #expect(out.contains("UIApplicationSceneManifest"), "iOS 26 launches it and names the key: \(out)")
                try system.until(.counter, is: .active)
            }
        }
    }
}
