import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T19, T27, R-124, R-126: shutdowns and starts of the device.
@Suite struct DeviceStartTests {
    private static let manifests = [AppManifest.sample(1, modes: [.voip, .location]), .sample(2, modes: [.location])]

    private static func started(hasPasscode: Bool, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench(policy, manifests)
        if hasPasscode { _ = bench.plays(.device(.settingChanged(.passcode(true)))) }
        _ = bench.plays(.device(.deviceStarted))
        return bench
    }

    @Test func theDefaultGenerationIsIOS26() {
        #expect(Device().policy == .iOS26)
    }

    @Test func t19AppsAreKilledWithoutACallback() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.deviceShutdownBegan))
                == """
                · 1.1 terminating: deviceShutdown
                kill 1.1: deviceShutdown, signal 9
                store 1.1 ending: deviceShutdown
                > 1.1 exited, signal 9
                · 1.1 ended: deviceShutdown, signal 9
                · 1.1 active → not running
                store end of 1.1
                finish shutdown
                """.replacing("deviceShutdown", with: "device shutdown"))
        #expect(bench.does(.device(.appOpened(app(1)))) == "· app 1 not woken for user: shuttingDown")
        #expect(bench.does(.device(.deviceShutdownBegan)) == "", "once")
    }

    @Test func t19ADeviceShutdownKillsTheRemainingApps() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.does(.device(.deviceShutdownBegan)).contains("kill 1.1: device shutdown"))
    }

    @Test func t27VoIPAppsAreLaunched() {
        let bench = Self.started(hasPasscode: false)
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake])
        #expect(bench.effects.contains(.launch(launch(1), .start(.voip))))
        #expect(bench.state(2) == .notRunning)
    }

    @Test func t27ThePolicyCanDisableVoIPLaunches() {
        let bench = Self.started(hasPasscode: false, Policy.iOS26.with { $0.launchesVoIPAtStart = false })
        #expect(bench.state(1) == .notRunning)
    }

    @Test func t27NotInAGenerationThatRefusesIt() {
        let bench = Self.started(hasPasscode: false, .iOS27)
        #expect(bench.state(1) == .notRunning)
        #expect(bench.effects.contains(.decided(.app(app(1), .wakeRefused(.voip, .noScenes)))))
    }

    @Test func r124WithAPasscodeNothingIsLaunchedBeforeTheFirstUnlocking() {
        var bench = Self.started(hasPasscode: true)
        #expect(bench.state(1) == .notRunning)
        #expect(bench.device.record.isLocked)
        let refusal = "· app 2 not woken for locationMonitoring: notUnlockedSinceStart"
        #expect(bench.does(.device(.wakeOccurred(app(2), .locationMonitoring))) == refusal)
        #expect(bench.does(.device(.appOpened(app(2)))) == "· app 2 not woken for user: locked")
        let answer = bench.plays(.device(.deviceUnlocked))
        #expect(answer.hasPrefix("store device\n· unlocked\n· 1.1 launched for voip"))
        _ = bench.plays(.device(.deviceLocked))
        #expect(
            bench.plays(.device(.wakeOccurred(app(2), .locationMonitoring))).contains(
                "2.1 launched for locationMonitoring"),
            "the first unlock counts")
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(!bench.plays(.device(.deviceUnlocked)).contains("launched"), "a later unlock launches no app")
    }

    /// The power loss has ended the app in the background. The app is not launched for that.
    @Test func r124APowerLossLaunchesNothingBeforeTheFirstUnlocking() {
        var bench = Bench(.iOS26, Self.manifests)
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        bench.helpers = [:]
        #expect(!bench.restarts().contains("launched for"))
        let answer = bench.plays(.device(.deviceStarted)) + bench.passes(.zero)
        #expect(!answer.contains("launched for"))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.plays(.device(.deviceUnlocked)).contains("1.2 launched for voip"))
    }

    @Test func r124TheRuleSurvivesARestart() {
        var bench = Self.started(hasPasscode: true)
        _ = bench.restarts()
        let refusal = "· app 2 not woken for locationMonitoring: notUnlockedSinceStart"
        #expect(bench.does(.device(.wakeOccurred(app(2), .locationMonitoring))) == refusal)
        #expect(bench.plays(.device(.deviceUnlocked)).contains("1.1 launched for voip"))
    }

    @Test func r126TheDeviceStartLiftsForceQuits() {
        var bench = Bench(.iOS26, Self.manifests)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.does(.device(.wakeOccurred(app(1), .voip))) == "· app 1 not woken for voip: forceQuit")
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.state(1) == .background, "the app is launched")
    }

    @Test func theStartEndsTheLockAndTheInterruptionOfBefore() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.interruptionBegan(.call)))
        bench.helpers = [:]
        _ = bench.restarts()
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.device.record.interruption == nil)
        bench = Bench.with(.active)
        _ = bench.plays(.device(.deviceLocked))
        bench.helpers = [:]
        _ = bench.restarts()
        _ = bench.plays(.device(.deviceStarted))
        #expect(!bench.device.record.isLocked, "without a passcode")
        #expect(bench.device.record.frontBeforeLock == nil)
    }
}
