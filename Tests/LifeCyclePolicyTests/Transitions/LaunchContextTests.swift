import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The data that an app's process has at its start, before it has connected to the system.
@Suite struct LaunchContextTests {
    private func context(
        _ manifest: AppManifest, _ policy: Policy = .iOS26, after event: Event = .device(.appOpened(app(1)))
    ) -> LaunchContext? {
        var bench = Bench(policy, [manifest])
        _ = bench.does(event)
        return bench.device.launchContext(of: launch(1))
    }

    @Test func theLaunchContextHasReasonAndTime() {
        #expect(
            context(.sample(1))
                == LaunchContext(reason: .user, backgroundTime: seconds(30), isMultitaskingSupported: true))
        #expect(
            context(.sample(1, modes: [.location]), .iOS4, after: .device(.wakeOccurred(app(1), .locationMonitoring)))
                == LaunchContext(
                    reason: .locationMonitoring, backgroundTime: seconds(600), isMultitaskingSupported: true))
    }

    @Test func r170OnlyAVoIPAppHasALeastKeepAliveTimeout() {
        #expect(context(.sample(1, modes: [.voip]))?.keepAliveFloor == seconds(600))
        #expect(context(.sample(1, modes: [.audio, .fetch]))?.keepAliveFloor == nil)
    }

    /// An app that exits on suspend may not even begin a task.
    @Test func r49AppsThatExitOnSuspendHaveNoBackground() {
        #expect(context(.sample(1, exitsOnSuspend: true))?.isMultitaskingSupported == false)
    }

    @Test func theSceneAndTheClassOfTheApplication() {
        var manifest = AppManifest.sample(1, usesScenes: true)
        manifest.principalClass = "Application"
        #expect(context(manifest)?.sceneSession == SceneSessionID(1))
        #expect(context(manifest)?.principalClass == "Application")
    }

    @Test func theLaunchContextIsOfItsApp() {
        var manifest = AppManifest.sample(2)
        manifest.principalClass = "Application"
        var bench = Bench(.iOS26, [.sample(1), manifest])
        _ = bench.does(.device(.appOpened(app(2))))
        #expect(bench.device.launchContext(of: launch(2))?.principalClass == "Application")
    }

    @Test func theLaunchContextNeedsARunningLaunch() {
        var bench = Bench(.iOS26, [.sample(1)])
        #expect(bench.device.launchContext(of: launch(1)) == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.device.launchContext(of: launch(1, 2)) == nil)
        #expect(bench.device.launchContext(of: launch(7)) == nil)
    }

    /// T28: An early start has the same reason as a launch by the user. Once the app is launched, the launch's reason
    /// counts.
    @Test func anEarlyStartAndItsLaunch() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.location])])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        _ = bench.does(.device(.deviceStarted))
        #expect(bench.device.launchContext(of: launch(1, 2))?.isPrewarmed == true)
        #expect(bench.device.launchContext(of: launch(1, 2))?.reason == .user)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(bench.device.launchContext(of: launch(1, 2))?.isPrewarmed == false)
        #expect(bench.device.launchContext(of: launch(1, 2))?.reason == .locationMonitoring)
    }
}
