import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T28: a process that is started before its app is launched. The process waits, and the app counts as not running.
@Suite struct PrewarmTests {
    /// A bench whose second app was used last, and whose apps have all exited.
    private static func started(_ policy: Policy = .iOS26, _ manifests: [AppManifest]? = nil) -> Bench {
        var bench = Bench(policy, manifests ?? [.sample(1, modes: [.location]), .sample(2, modes: [.location])])
        for number: Int32 in [1, 2] {
            _ = bench.plays(.device(.appOpened(app(number))))
            bench.helpers[launch(number)]?.exit = .exited(code: 0)
            _ = bench.plays()
        }
        bench.forget()
        return bench
    }

    @Test func t28TheLastUsedAppIsPrewarmedAndWaits() {
        var bench = Self.started()
        #expect(
            bench.plays(.device(.deviceStarted)) == """
                · 2.2 prewarmed
                store app 2: 2 launched
                prewarm 2.2
                > 2.2 started
                > 2.2 attached starting #0
                · 2.2 suspending after callback
                freeze 2.2 (1)
                > 2.2 froze (1)
                """)
        #expect(bench.state(2) == .notRunning, "prewarming is not a launch")
        #expect(bench.launchesOnDisk.isEmpty)
        #expect(bench.device.snapshot(of: app(2))?.isPrewarmed == true)
    }

    @Test func theUserOpensIt() {
        var bench = Self.started()
        _ = bench.plays(.device(.deviceStarted))
        #expect(
            bench.does(.device(.appOpened(app(2)))) == """
                · 2.2 launched for user
                store app 2: 2 launched
                thaw 2.2
                · 2.2 resumed for foreground
                · 2.2 not running → inactive
                store 2.2 foreground
                2.2 #1 launch for user
                """)
        _ = bench.plays()
        #expect(bench.state(2) == .active)
    }

    /// The advice is recorded at the launch, as for any other launch, and not at the early start.
    @Test func sceneAdviceFollowsTheLaunchOfAPrewarmedApp() {
        var bench = Self.started()
        let advice = Effect.decided(.launch(launch(2, 2), .scenesAdvised))
        _ = bench.plays(.device(.deviceStarted))
        #expect(!bench.effects.contains(advice))
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.effects.count { $0 == advice } == 1)
    }

    @Test func openedBeforeItHasConnected() {
        var bench = Self.started()
        _ = bench.does(.device(.deviceStarted))
        _ = bench.does(.device(.appOpened(app(2))))
        #expect(!bench.lines.contains { $0.hasPrefix("2.2 #1") }, "the callback waits for the app")
        _ = bench.plays()
        #expect(bench.state(2) == .active)
    }

    @Test func aWakeLaunchesItIntoTheBackground() {
        var bench = Self.started()
        _ = bench.plays(.device(.deviceStarted))
        #expect(
            bench.does(.device(.wakeOccurred(app(2), .locationMonitoring))).contains(
                "2.2 #1 launch for locationMonitoring"))
        _ = bench.plays()
        // The event gives the app a slice of time.
        #expect(bench.state(2) == .background)
        #expect(bench.effects.contains(.launch(launch(2, 2), .send(.callback(callback(2), .didEnterBackground)))))
    }

    /// As for any other launch into the background, the policy decides about `didEnterBackground` (T02).
    @Test func aWakeLaunchesItWithoutTheTransition() {
        var bench = Self.started(Policy.iOS26.with { $0.launchCallsDidEnterBackground = false })
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.plays(.device(.wakeOccurred(app(2), .locationMonitoring)))
        #expect(bench.state(2) == .background)
        #expect(!bench.effects.contains(.launch(launch(2, 2), .send(.callback(callback(2), .didEnterBackground)))))
    }

    /// A process that hangs before it connects has as much time as a launch.
    @Test func aPrewarmedAppThatDoesNotConnectIsKilled() {
        var bench = Self.started()
        _ = bench.does(.device(.deviceStarted))
        #expect(bench.passes(seconds(20)).contains("kill 2.2: watchdog launch for user, 0x8badf00d"))
    }

    @Test func aPrewarmedAppReceivesNothing() {
        var bench = Self.started()
        _ = bench.plays(.device(.deviceStarted))
        bench.forget()
        _ = bench.plays(.device(.memoryRanLow))
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(!bench.lines.contains { $0.hasPrefix("2.2 ") || $0.hasPrefix("thaw") })
        #expect(
            bench.does(.device(.inputOccurred(app(2), .text("a"))))
                == "· input for app 2 dropped: notRunning".replacing("notRunning", with: "not running"))
        #expect(
            bench.plays(.device(.memoryRanShort)).contains("kill 2.2: memory"), "a prewarmed app is ended first")
        #expect(bench.state(2) == .notRunning)
    }

    @Test func theSystemsRestartForgetsIt() {
        var bench = Self.started()
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.restarts() == "")
        #expect(bench.device.snapshot(of: app(2))?.launch == nil)
        _ = bench.does(.device(.appOpened(app(2))))
        #expect(bench.effects.contains(.launch(launch(2, 3), .start(.user))), "the launch has a new number")
    }

    @Test func anUninstalledPrewarmedAppIsGoneAfterARestart() {
        var bench = Self.started()
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.does(.device(.appUninstalled(app(2))))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.device.snapshot(of: app(2)) == nil)
    }

    static let unwanted: [(policy: Policy, second: AppManifest)] = [
        (.iOS13, .sample(2)), (.iOS26, .sample(2, isAdopted: true)), (.iOS27, .sample(2)),
    ]

    @Test(arguments: unwanted) func someAppsAreNotPrewarmed(policy: Policy, second: AppManifest) {
        var bench = Bench(policy, [second])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        #expect(!bench.plays(.device(.deviceStarted)).contains("prewarm"))
    }

    /// No record says that the process was started early. The process is not started if the system would not find it
    /// after a restart.
    @Test func prewarmingNeedsProcessesThatCanBeFoundAgain() {
        func effects(endsLeftovers: Bool) -> [Effect] {
            var record = AppRecord(app: app(1), manifest: .sample(1))
            record.switcherPlace = 1
            var device = Device(policy: .iOS26, apps: [record], launches: [], endsLeftovers: endsLeftovers)
            var effects: [Effect] = []
            device.handle(.device(.deviceStarted), at: .zero, into: &effects)
            return effects
        }
        #expect(effects(endsLeftovers: true).contains(.launch(launch(1), .prewarm)))
        #expect(effects(endsLeftovers: false) == [])
    }

    @Test func aForceQuitAppIsNotPrewarmed() {
        var bench = Self.started()
        _ = bench.plays(.device(.appForceQuit(app(2))))
        #expect(bench.plays(.device(.deviceStarted)).contains("prewarm 1.2"))
    }
}
