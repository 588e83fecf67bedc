import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// VoIP pushes that arrive while the app starts, hangs, is suspended or is ended, and false requests about pushes.
@Suite struct VoIPPushStateTests {
    private static let arrival = Event.concern(.voip(.pushArrived(app(1), payload: "{}")))
    private static let launched = "start 1.2 for voipPush\n1.2 launch for voipPush"

    // MARK: Before the app runs

    @Test func aPushWhileTheUserLaunchesTheAppWaits() {
        var bench = Bench.registered(.notRunning)
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        _ = bench.plays()
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2))
                == "· 1.2 wants pushes\n1.2 token\n· 1.2 gets push 1\n1.2 push 1")
        #expect(!bench.effects.contains(.decided(.launch(launch(1, 2), .woken(.voipPush)))), "it needs no wake")
        #expect(bench.assertions(1) == [.foreground])
    }

    @Test func aPushWhileAnotherPushLaunchesTheAppWaits() {
        var bench = Bench.registered(.notRunning)
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits\nstart 1.2 for voipPush")
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        _ = bench.plays()
        #expect(bench.asks(.setRegistered(true), launch(1, 2)).hasSuffix("· 1.2 gets push 2\n1.2 push 2"))
        #expect(bench.pushNumbers == [1, 2])
    }

    /// T28: The process of an app that is not launched yet waits for that.
    @Test func aPushLaunchesAPrewarmedApp() {
        var bench = Bench.registered(.notRunning, .iOS26.with { $0.launchesVoIPAtStart = false })
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.device.snapshot(of: app(1))?.isPrewarmed == true)
        #expect(bench.receivesPush() == "· app 1 push waits\nthaw 1.2\n1.2 launch for voipPush")
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2))
                == "· 1.2 wants pushes\n1.2 token\n· 1.2 gets push 1\n1.2 push 1")
    }

    @Test func r124NoPushLaunchesAnAppBeforeTheFirstUnlock() {
        var bench = Bench.registered(.notRunning)
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.receivesPush() == "· app 1 no voipPush: notUnlockedSinceStart")
        _ = bench.plays(.device(.deviceUnlocked))
        _ = bench.plays(.device(.deviceLocked))
        #expect(bench.receivesPush() == "· app 1 push waits", "T27: the first unlock launched the app")
    }

    @Test func r123AnAppThatExitsOnSuspendIsNotLaunched() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.voip], exitsOnSuspend: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.registers()
        _ = bench.plays(.device(.homePressed))
        #expect(bench.receivesPush() == "· app 1 no voipPush: exitsOnSuspend")
    }

    @Test func r10AnAppWithoutScenesIsNotLaunched() {
        var bench = Bench(.iOS27, [.sample(1, modes: [.voip], usesScenes: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.registers()
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.receivesPush() == "· app 1 push waits\n" + Self.launched)
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.voip]))))
        #expect(bench.receivesPush() == "· app 1 no voipPush: noScenes")
    }

    // MARK: While the app runs

    /// The app has returned from `didEnterBackground`, and its freeze is under way.
    @Test func aPushThawsAnAppThatIsBeingFrozen() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        #expect(bench.acknowledge(launch(1)).contains("freeze 1.1"))
        #expect(bench.phonesAlone(Self.arrival) == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
        _ = bench.plays()
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake, .voipPush])
    }

    /// The watchdog ends an app that does not return from the callback. That is no miss.
    @Test func anAppThatHangsLosesThePush() {
        var bench = Bench.registered()
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.receivesPush() == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.receivesPush() == "", "the callback before has not returned")
        #expect(
            bench.rests(.seconds(10)) == """
                kill 1.1: 0x8badf00d
                · app 1 loses a push: launchEnded
                · app 1 loses a push: launchEnded
                start 1.2 for voip
                1.2 launch for voip
                """)
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.receivesPush() == "· app 1 push waits", "R-175: the app was launched again")
    }

    @Test func aCrashLosesThePushThatWaits() {
        var bench = Bench.registered(.notRunning)
        _ = bench.receivesPush()
        bench.helpers[launch(1, 2)]?.exit = .signaled(11)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(
            bench.phoned(since: count)
                == "· app 1 loses a push: launchEnded\nstart 1.3 for voip\n1.3 launch for voip")
        #expect(bench.asks(.setRegistered(true), launch(1, 3)) == "· 1.3 wants pushes\n1.3 token", "R-175")
    }

    /// Each app has its own numbers, and is called for its own pushes.
    @Test func twoAppsReceivePushes() {
        var bench = Bench.bothRegistered()
        #expect(bench.receivesPush() == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.receivesPush(2) == "thaw 2.1\n· 2.1 gets push 1\n2.1 push 1")
        _ = bench.asks(.report(.a, CallUpdate()), launch(2))
        #expect(bench.asks(.returned(1), launch(2)) == "")
        #expect(
            bench.asks(.returned(1)) == "· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11",
            "the call of another app does not count")
        #expect(bench.voipOnDisk == "app 1: token, 1 missed\napp 2: token, A ringing, of 2.1")
    }

    /// The system did not run for a while. The app's report waits to be read, and is not late.
    @Test func aStallCausesNoMiss() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        bench.stallLoop(.seconds(33))
        bench.handle(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.asks(.report(.a, CallUpdate()))
        _ = bench.asks(.returned(1))
        #expect(!bench.effects.contains(.launch(launch(1), .kill(.noCallReported))))
        #expect(bench.voipOnDisk == "app 1: token, A ringing, of 1.1")
    }

    /// The app has performed the answer, and the system has not read that yet.
    @Test func aStallEndsNoCall() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        bench.stallLoop(.seconds(63))
        bench.handle(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
    }

    // MARK: While the app is ended

    /// The app is killed, and its process has not exited yet.
    @Test func aKilledAppIsLaunchedAgain() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        bench.handle(.app(launch(1), .requested(.concern(.voip(.returned(1))))))
        #expect(bench.device.snapshot(of: app(1))?.isEnding == true)
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == Self.launched)
    }

    /// The app has returned from `willTerminate`, and its process has not exited yet.
    @Test func anAppThatExitsIsLaunchedAgain() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        _ = bench.acknowledge(launch(1))
        _ = bench.acknowledge(launch(1))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == Self.launched)
        #expect(bench.asks(.setRegistered(true), launch(1, 2)).hasSuffix("· 1.2 gets push 2\n1.2 push 2"))
    }

    @Test func anAppThatTheUserOpensAgainGetsThePush() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.phonesAlone(Self.arrival)
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2))
                == "· 1.2 wants pushes\n1.2 token\n· 1.2 gets push 1\n1.2 push 1")
    }

    /// Nothing is due for an app that is gone.
    @Test func anUninstalledAppLeavesNoDeadline() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 push waits")
        _ = bench.does(.device(.appUninstalled(app(1))))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 unknown", "it is being removed")
        _ = bench.plays()
        #expect(bench.device.snapshot(of: app(1)) == nil)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func duringAShutdownNoPushArrives() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.phonesAlone(Self.arrival) == "· app 1 no voipPush: shuttingDown")
    }

    // MARK: False requests

    @Test func requestsForUnknownPushesAreIgnored() {
        var bench = Bench.registered(.active)
        for number in [0, 1, -1, .max, .min] as [Int64] {
            #expect(bench.asks(.returned(number)) == "· 1.1 ignored, late", "\(number)")
            #expect(bench.asks(.completed(number)) == "· 1.1 ignored, late", "\(number)")
        }
        _ = bench.receivesPush()
        #expect(bench.asks(.returned(2)) == "· 1.1 ignored, late")
        #expect(bench.state(1) == .active)
    }

    @Test func aPushIsNotReturnedFromBeforeItsCall() {
        var bench = Bench.registered(.active)
        bench.handle(Self.arrival)
        bench.handle(Self.arrival)
        for request in [.returned(2), .completed(2)] as [VoIPRequest] {
            let event = Event.app(launch(1), .requested(.concern(.voip(request))))
            #expect(bench.phonesAlone(event) == "· 1.1 ignored, late")
        }
        _ = bench.plays()
        #expect(bench.pushNumbers == [1, 2])
    }

    @Test func aHandledPushIsHandledOnce() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.report(.a, CallUpdate()))
        for request in [.returned(1), .returned(1), .completed(1)] as [VoIPRequest] {
            #expect(bench.asks(request) == "", "\(request)")
        }
        for request in [.returned(1), .completed(1)] as [VoIPRequest] {
            #expect(bench.asks(request) == "· 1.1 ignored, late", "\(request)")
        }
        #expect(bench.state(1) == .background)
    }
}
