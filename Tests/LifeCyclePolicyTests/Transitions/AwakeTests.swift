import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Until iOS 6 a finite-length task keeps the device awake. Since then its time passes only while the device is
/// awake for other reasons.
@Suite struct AwakeTests {
    private func words(_ bench: Bench) -> [Bool] {
        bench.effects.compactMap { effect in
            if case .device(.keepAwake(let isKept)) = effect { isKept } else { nil }
        }
    }

    private static func inBackground(_ policy: Policy) -> Bench {
        var bench = Bench.with(.active, policy)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    @Test func r48iOS4IsKeptAwakeWhileATaskIsOpen() {
        var bench = Self.inBackground(.iOS4)
        #expect(words(bench) == [true])
        _ = bench.end(1, launch(1))
        #expect(words(bench) == [true, false])
    }

    @Test(arguments: [Policy.iOS7, .iOS13, .iOS26, .iOS27]) func r48LaterGenerationsAreNotKeptAwake(_ policy: Policy) {
        var bench = Bench(policy, [.sample(1, usesScenes: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background)
        #expect(words(bench) == [])
    }

    @Test func r48DormantTasksDoNotKeepTheDeviceAwake() {
        var bench = Bench.with(.active, .iOS4)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.interruptionBegan(.call)))
        #expect(words(bench) == [])
    }

    @Test func r48TheLastOfSeveralApps() {
        var bench = Self.inBackground(.iOS4)
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.helpers[launch(2)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        _ = bench.end(1, launch(1))
        #expect(words(bench) == [true], "the other app still does")
        _ = bench.end(1, launch(2))
        #expect(words(bench) == [true, false])
    }

    @Test(arguments: [
        Event.device(.appForceQuit(app(1))), .device(.appUninstalled(app(1))), .device(.memoryRanShort),
        .device(.appOpened(app(1))),
        .process(launch(1), .exited(.signaled(11))), .device(.deviceShutdownBegan),
    ]) func r48EndedAndForegroundAppsDoNotKeepTheDeviceAwake(_ event: Event) {
        var bench = Self.inBackground(.iOS4)
        _ = bench.plays(event)
        #expect(words(bench) == [true, false])
    }

    @Test func r48TheWakeLockIsRestoredAfterARestart() {
        var bench = Self.inBackground(.iOS4)
        _ = bench.restarts()
        #expect(words(bench) == [true], "an app holds nothing until it reconnects")
        _ = bench.plays()
        #expect(words(bench) == [true, true])
        _ = bench.end(1, launch(1))
        #expect(words(bench) == [true, true, false])
    }
}
