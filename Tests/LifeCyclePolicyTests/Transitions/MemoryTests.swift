import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T14, T15, T16, T25, R-122: low memory, and a shortage of memory.
@Suite struct MemoryTests {
    private static func background(_ manifest: AppManifest = .sample(1)) -> Bench {
        var bench = Bench.with(.active, .iOS26, [manifest, .sample(2)])
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        bench.forget()
        return bench
    }

    @Test func t14RunningAppsAreWarned() {
        var bench = Self.background()
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(
            bench.plays(.device(.memoryRanLow)) == """
                · 1.1 memory warning
                1.1 #5 didReceiveMemoryWarning
                · 2.1 memory warning
                2.1 #3 didReceiveMemoryWarning
                > 1.1 acknowledged #5 [1]
                > 2.1 acknowledged #3
                """, "R-122: background apps are warned, too")
        #expect(bench.state(1) == .background)
        #expect(bench.state(2) == .active)
    }

    @Test func t14ASuspendedAppIsNeverWarned() {
        var bench = Bench.with(.suspended)
        #expect(bench.plays(.device(.memoryRanLow)) == "")
        #expect(!bench.plays(.device(.appOpened(app(1)))).contains("didReceiveMemoryWarning"))
    }

    @Test func t14AWarningDuringALaunch() {
        var bench = Bench()
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.does(.device(.memoryRanLow)) == "· 1.1 memory warning")
        let answer = bench.plays()
        #expect(answer.hasSuffix("1.1 #3 didReceiveMemoryWarning\n> 1.1 acknowledged #3"), "once the app is active")
    }

    @Test func t14WhileACallbackIsUnderWayAndTwiceIsOnce() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.interruptionBegan(.call)))
        #expect(bench.does(.device(.memoryRanLow)) == "· 1.1 memory warning")
        #expect(bench.does(.device(.memoryRanLow)) == "· 1.1 memory warning")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didReceiveMemoryWarning
                > 1.1 acknowledged #4
                """)
    }

    @Test func t14AWarningBeforeASuspension() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        _ = bench.does(.device(.memoryRanLow))
        #expect(bench.acknowledge(launch(1)) == "1.1 #5 didReceiveMemoryWarning")
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func t14AnAdoptedAppIsNotWarned() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        #expect(bench.plays(.device(.memoryRanLow)) == "")
    }

    @Test func t14AnEndingAppIsNotWarned() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.does(.device(.memoryRanLow)) == "")
    }

    /// A memory warning is not sent again after a restart of the system.
    @Test func t14TheSystemsRestartForgetsAWarning() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.interruptionBegan(.call)))
        _ = bench.does(.device(.memoryRanLow))
        _ = bench.restarts()
        #expect(!bench.plays().contains("didReceiveMemoryWarning"))
        #expect(bench.state(1) == .inactive)
    }

    @Test func t16WithoutSuspendedAppsABackgroundAppIsEnded() {
        var bench = Self.background()
        #expect(
            bench.plays(.device(.memoryRanShort)) == """
                · 1.1 terminating: memory [1]
                1.1 #5 willTerminate
                store 1.1 ending: memory
                > 1.1 acknowledged #5 [1]
                > 1.1 exited, code 0
                · 1.1 ended: memory, code 0
                · 1.1 background → not running
                store end of 1.1
                """)
    }

    @Test func t16TheOneUsedLongestAgoGoesFirst() {
        var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3, modes: [.location])])
        for number: Int32 in [2, 1] {
            _ = bench.plays(.device(.appOpened(app(number))))
            bench.helpers[launch(number)]?.open = [task(1)]
            _ = bench.plays(.device(.homePressed))
        }
        _ = bench.does(.device(.wakeOccurred(app(3), .locationMonitoring)))
        #expect(bench.does(.device(.memoryRanShort)).hasPrefix("· 2.1 terminating: memory"), "app 3 is still starting")
        #expect(bench.does(.device(.memoryRanShort)).hasPrefix("· 1.1 terminating: memory"))
    }

    @Test func t15SuspendedAppsGoBeforeThoseThatRun() {
        var bench = Self.background()
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.plays(.device(.memoryRanShort)).hasPrefix("· 2.1 terminating: memory"))
        #expect(bench.plays(.device(.memoryRanShort)).hasPrefix("· 1.1 terminating: memory [1]"))
        #expect(bench.plays(.device(.memoryRanShort)) == "", "no app is left")
    }

    // MARK: Scenes

    @Test func t25ABackgroundSceneIsReclaimed() {
        var bench = Self.background(.sample(1, usesScenes: true))
        #expect(
            bench.plays(.device(.memoryRanLow)) == """
                · 1.1 memory warning
                · 1.1 scene reclaimed
                1.1 #5 didReceiveMemoryWarning
                > 1.1 acknowledged #5 [1]
                1.1 #6 sceneDidDisconnect
                > 1.1 acknowledged #6 [1]
                """)
        #expect(!bench.plays(.device(.memoryRanLow)).contains("sceneDidDisconnect"), "the scene is already reclaimed")
        #expect(bench.device.snapshot(of: app(1))?.record.scenes.current == SceneSessionID(1), "its session remains")
    }

    @Test func t25TheForegroundKeepsItsScene() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, usesScenes: true)])
        #expect(bench.plays(.device(.memoryRanLow)).contains("memory warning"))
        #expect(!bench.lines.joined().contains("scene"))
    }

    @Test func t25AnAppThatReturnsInTimeKeepsItsScene() {
        var bench = Self.background(.sample(1, usesScenes: true))
        _ = bench.does(.device(.memoryRanLow))
        _ = bench.does(.device(.appOpened(app(1))))
        let answer = bench.plays()
        #expect(!answer.contains("sceneDidDisconnect"), "\(answer)")
        #expect(bench.state(1) == .active)
    }
}
