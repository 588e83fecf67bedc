import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// VoIP pushes: their wakes, the wait for the registry, and the call that each of them needs.
@Suite struct VoIPPushTests {
    private static let launched = "· app 1 push waits\nstart 1.2 for voipPush\n1.2 launch for voipPush"

    /// The app was killed three times because it reported no call, and does not run.
    private static func missedThree(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.registered(.notRunning, policy)
        for number in 1...3 {
            let next = launch(1, Int32(1 + number))
            _ = bench.receivesPush()
            _ = bench.asks(.setRegistered(true), next)
            _ = bench.asks(.returned(Int64(number)), next)
        }
        return bench
    }

    // MARK: Wakes

    @Test func r172APushLaunchesTheApp() {
        var bench = Bench.registered(.notRunning)
        let count = bench.effects.count
        #expect(bench.receivesPush() == Self.launched)
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2))
                == "· 1.2 wants pushes\n1.2 token\n· 1.2 gets push 1\n1.2 push 1")
        #expect(
            bench.effects[count...].callbacks.map(\.name) == [
                "didFinishLaunching", "didEnterBackground", "didUpdatePushCredentials", "didReceiveIncomingPush",
            ])
        #expect(
            bench.effects.callbacks.last == .concern(.voip(.push(VoIPPush(number: 1, payload: "{}")))))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake, .voipPush])
    }

    @Test func r172APushWakesASuspendedApp() {
        var bench = Bench.registered()
        let count = bench.effects.count
        #expect(bench.receivesPush() == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.effects[count...].contains(.decided(.launch(launch(1), .woken(.voipPush)))))
        #expect(bench.effects[count...].callbacks.count == 1, "no didEnterBackground: X-03")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake, .voipPush])
        #expect(bench.asks(.report(.a, CallUpdate())) == "· 1.1 reports A\n1.1 told: A rings")
        #expect(bench.assertions(1) == [.wake, .call, .voipPush])
    }

    @Test func r172ABackgroundAppIsCalledAtOnce() {
        var bench = Bench.registered(.background)
        #expect(bench.receivesPush() == "· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.assertions(1) == [.wake, .voipPush, .task(TaskID(1))])
    }

    @Test func r172TheForegroundAppIsCalledAtOnce() {
        var bench = Bench.registered(.active)
        #expect(bench.receivesPush() == "· 1.1 gets push 1\n1.1 push 1")
        #expect(!bench.effects.contains(.decided(.launch(launch(1), .woken(.voipPush)))))
        #expect(bench.assertions(1) == [.foreground])
        #expect(
            bench.asks(.returned(1)) == "· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11",
            "the call is needed in the foreground, too")
    }

    @Test func r172WithoutATokenAPushIsRefused() {
        var bench = Bench.registered()
        #expect(bench.receivesPush(2) == "· app 2 loses a push: notRegistered")
        #expect(bench.receivesPush(9) == "· app 9 unknown")
        #expect(bench.state(2) == .notRunning)
    }

    // MARK: The call for a push

    @Test func r172AnAppThatReportsNoCallIsKilled() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        #expect(bench.asks(.returned(1)) == "· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11")
        #expect(bench.effects.contains(.decided(.launch(launch(1), .ended(.noCallReported, .signaled(9))))))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.voipOnDisk == "app 1: token, 1 missed")
        #expect(bench.receivesPush() == Self.launched, "the next push may arrive")
    }

    @Test func r172AReportInTimeIsEnough() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.report(.a, CallUpdate()))
        #expect(bench.asks(.ended(.a, .answeredElsewhere)) == "· 1.1 A over: reported answeredElsewhere")
        #expect(bench.asks(.returned(1)) == "")
        #expect(bench.asks(.completed(1)) == "")
        #expect(bench.rests(.seconds(10)) == "freeze 1.1", "it is suspended, and not killed")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    /// A report that is refused counts as well: the app did what it could.
    @Test func r172ARefusedReportIsEnough() {
        var bench = Bench.registered(.active)
        for digit in "12345678" { _ = bench.asks(.report(.sample(digit), CallUpdate())) }
        _ = bench.receivesPush()
        #expect(bench.asks(.report(.sample("9"), CallUpdate())).contains("1.1 told: 9 unknown"))
        #expect(bench.asks(.returned(1)) == "")
        #expect(bench.state(1) == .inactive, "calls ring")
    }

    @Test func r172EachPushNeedsItsOwnCall() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        #expect(bench.receivesPush() == "· 1.1 gets push 2\n1.1 push 2")
        _ = bench.asks(.report(.a, CallUpdate()))
        #expect(bench.asks(.returned(1)) == "")
        #expect(bench.asks(.completed(1)) == "")
        #expect(
            bench.asks(.returned(2)) == """
                · 1.1 reported no call, 1
                kill 1.1: 0xbaadca11
                · 1.1 A over: launch ended
                """)
    }

    /// The second push waits until the app has returned from the callback for the first one.
    @Test func r172AReportBeforeTheCallDoesNotCount() {
        var bench = Bench.registered()
        bench.handle(.concern(.voip(.pushArrived(app(1), payload: "{}"))))
        bench.handle(.concern(.voip(.pushArrived(app(1), payload: "{}"))))
        for id in [CallID.a, .b] {
            bench.handle(.app(launch(1), .requested(.concern(.voip(.report(id, CallUpdate()))))))
        }
        _ = bench.plays()
        #expect(bench.pushNumbers == [1, 2])
        #expect(bench.asks(.returned(1)) == "")
        #expect(bench.asks(.completed(1)) == "")
        #expect(bench.asks(.returned(2)).hasPrefix("· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11"))
    }

    @Test(arguments: [Policy.iOS4, .iOS7]) func r172BeforeIOS13NoCallIsNeeded(_ policy: Policy) {
        var bench = Bench.registered(.suspended, policy)
        #expect(bench.receivesPush() == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.asks(.returned(1)) == "")
        #expect(bench.asks(.completed(1)) == "")
        #expect(bench.assertions(1) == [.wake])
        #expect(bench.rests(.seconds(10)) == "freeze 1.1")
        _ = bench.receivesPush()
        #expect(bench.rests(.milliseconds(29_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "freeze 1.1", "nor if the method does not return")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test func r172AfterThreeMissesNoPushArrives() {
        var bench = Self.missedThree()
        #expect(bench.voipOnDisk == "app 1: token, 3 missed")
        #expect(bench.receivesPush() == "· app 1 loses a push: tooManyMisses")
        #expect(bench.state(1) == .notRunning)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.setRegistered(true), launch(1, 5)) == "· 1.5 wants pushes\n1.5 token")
        #expect(bench.receivesPush() == "· app 1 loses a push: tooManyMisses", "the registry does not change that")
    }

    @Test func r172ThePolicySetsTheNumberOfMisses() {
        var bench = Bench.registered(.suspended, .iOS26.with { $0.voipMisses = 1 })
        _ = bench.receivesPush()
        _ = bench.asks(.returned(1))
        #expect(bench.receivesPush() == "· app 1 loses a push: tooManyMisses")
        bench = Self.missedThree(.iOS26.with { $0.voipMisses = 4 })
        #expect(bench.receivesPush().hasPrefix("· app 1 push waits\nstart 1.5 for voipPush"))
    }

    /// A kill is counted once, also if the app reported no call for two pushes.
    @Test func r172OneKillIsOneMiss() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.receivesPush()
        #expect(bench.rests(.seconds(30)).contains("kill 1.1: 0xbaadca11"))
        #expect(bench.voipOnDisk == "app 1: token, 1 missed")
    }

    /// An app cannot escape the kill by an exit.
    @Test(arguments: [LifeCycleModel.ExitStatus.exited(code: 0), .signaled(11)])
    func r172AnExitIsAMiss(_ status: LifeCycleModel.ExitStatus) {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.receivesPush()
        bench.helpers[launch(1)]?.exit = status
        //
        let isLaunched = status != .exited(code: 0)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(
            bench.phoned(since: count) == """
                · 1.1 reported no call, 1
                · app 1 loses a push: launchEnded
                · app 1 loses a push: launchEnded
                """ + (isLaunched ? "\nstart 1.2 for voip\n1.2 launch for voip" : ""), "one launch is one miss")
        #expect(bench.voipOnDisk == "app 1: token, 1 missed")
        let next = isLaunched ? "· app 1 push waits" : Self.launched
        #expect(bench.receivesPush() == next, "the next push may arrive")
    }

    /// The app has reported its call, or needs none, or is not called yet.
    @Test func r172AnExitWithoutAMissingCallIsNoMiss() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.report(.a, CallUpdate()))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        #expect(bench.voipOnDisk == "app 1: token")

        bench = .registered(.suspended, .iOS7)
        _ = bench.receivesPush()
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        #expect(bench.voipOnDisk == "app 1: token")

        bench = .registered(.notRunning)
        _ = bench.receivesPush()
        bench.helpers[launch(1, 2)]?.exit = .exited(code: 0)
        _ = bench.plays()
        #expect(bench.voipOnDisk == "app 1: token")
    }

    /// The user, or the system, ends the app while its delegate handles the push.
    @Test(arguments: [DeviceEvent.appForceQuit(app(1)), .shutdownBegan])
    func r172AnEndByTheSystemIsNoMiss(_ event: DeviceEvent) {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.plays(.device(event))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test func r172ANewVersionGetsPushesAgain() {
        var bench = Self.missedThree()
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.voip]))))
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(
            bench.receivesPush() == "· app 1 push waits\nstart 1.5 for voipPush\n1.5 launch for voipPush")
    }

    @Test func r172TheDeviceStartForgivesMisses() {
        var bench = Self.missedThree()
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.receivesPush() == "· app 1 push waits", "T27: the app was launched at the start")
        #expect(
            bench.asks(.setRegistered(true), launch(1, 5))
                == "· 1.5 wants pushes\n1.5 token\n· 1.5 gets push 4\n1.5 push 4")
    }

    // MARK: The time for a push

    /// The app is held until the method has returned and the handler is called, in any order.
    @Test(arguments: [[VoIPRequest.returned(1), .completed(1)], [.completed(1), .returned(1)]])
    func r172TheHandlerEndsTheHold(_ steps: [VoIPRequest]) {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.report(.a, CallUpdate()))
        _ = bench.asks(.ended(.a, .unanswered))
        #expect(bench.asks(steps[0]) == "")
        #expect(bench.rests(.seconds(10)) == "", "the slice of time is over")
        #expect(bench.assertions(1) == [.voipPush])
        #expect(bench.asks(steps[1]) == "freeze 1.1")
        #expect(bench.state(1) == .suspended && bench.assertions(1).isEmpty)
    }

    @Test func r172WithoutTheHandlerTheHoldEndsInTime() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.report(.a, CallUpdate()))
        _ = bench.asks(.ended(.a, .unanswered))
        _ = bench.asks(.returned(1))
        #expect(bench.rests(.seconds(10)) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(30), reason: .voip))
        #expect(bench.rests(.milliseconds(19_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "freeze 1.1", "it is not killed")
        #expect(bench.asks(.completed(1)) == "· 1.1 ignored, late")
    }

    @Test(arguments: [AppState.active, .suspended]) func r172AnAppThatDoesNotReturnIsKilled(_ state: AppState) {
        var bench = Bench.registered(state)
        _ = bench.receivesPush()
        #expect(bench.rests(.milliseconds(29_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11")
    }

    /// In the foreground nothing else has to keep the app running.
    @Test func r172TheForegroundEndsTheHoldForAWhile() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.assertions(1) == [.foreground])
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.voipPush])
    }

    // MARK: The wait for the registry

    @Test func r129APushWaitsForTheRegistry() {
        var bench = Bench.registered(.notRunning)
        #expect(bench.receivesPush() == Self.launched)
        #expect(bench.receivesPush() == "· app 1 push waits")
        #expect(bench.rests(.seconds(5)) == "")
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2)) == """
                · 1.2 wants pushes
                1.2 token
                · 1.2 gets push 1
                1.2 push 1
                · 1.2 gets push 2
                1.2 push 2
                """)
        _ = bench.asks(.report(.a, CallUpdate()), launch(1, 2))
        _ = bench.asks(.report(.b, CallUpdate()), launch(1, 2))
        #expect(bench.rests(.seconds(25)) == "", "the time for a push begins with the call")
        #expect(bench.assertions(1) == [.call, .voipPush])
        #expect(bench.rests(.seconds(5)) == "")
        #expect(bench.assertions(1) == [.call])
    }

    @Test func r129WithoutARegistryThePushIsDropped() {
        var bench = Bench.registered(.notRunning)
        _ = bench.receivesPush()
        #expect(bench.rests(.seconds(10)) == "freeze 1.2")
        #expect(bench.rests(.milliseconds(19_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "· app 1 loses a push: noRegistry")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.setRegistered(true), launch(1, 2)) == "· 1.2 wants pushes\n1.2 token")
    }

    /// A further push does not prolong the wait of the first one.
    @Test func r129EachPushWaitsForItsOwnTime() {
        var bench = Bench.registered(.notRunning)
        _ = bench.receivesPush()
        #expect(bench.rests(.seconds(10)) == "freeze 1.2")
        #expect(bench.rests(.seconds(5)) == "")
        #expect(bench.receivesPush() == "· app 1 push waits\nthaw 1.2")
        #expect(bench.rests(.seconds(10)) == "freeze 1.2")
        #expect(bench.rests(.seconds(5)) == "· app 1 loses a push: noRegistry", "30 s after the first push")
        #expect(bench.rests(.milliseconds(14_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "· app 1 loses a push: noRegistry", "30 s after the second one")
        #expect(bench.voipOnDisk == "app 1: token, 2 missed")
    }

    /// A push that found no registry counts like one without a call.
    @Test func r172PushesWithoutARegistryAreMisses() {
        var bench = Bench.registered(.notRunning, .iOS26.with { $0.voipMisses = 1 })
        _ = bench.receivesPush()
        #expect(bench.rests(.seconds(10)) == "freeze 1.2")
        #expect(bench.rests(.seconds(20)) == "· app 1 loses a push: noRegistry")
        #expect(bench.voipOnDisk == "app 1: token, 1 missed")
        #expect(bench.receivesPush() == "· app 1 loses a push: tooManyMisses")
    }

    @Test func r129AnAppThatIsBeingEndedIsLaunchedAgain() {
        var bench = Bench.registered(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.receivesPush() == "· app 1 push waits")
        bench.helpers[launch(1)]?.isHung = false
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "start 1.2 for voipPush\n1.2 launch for voipPush")
        #expect(
            bench.asks(.setRegistered(true), launch(1, 2))
                == "· 1.2 wants pushes\n1.2 token\n· 1.2 gets push 1\n1.2 push 1")
    }

    @Test func r129FurtherPushesAreDropped() {
        var bench = Bench.registered(.notRunning)
        #expect(bench.receivesPush() == Self.launched)
        for _ in 2...16 { #expect(bench.receivesPush() == "· app 1 push waits") }
        #expect(bench.receivesPush() == "· app 1 loses a push: tooMany")
        let next = launch(1, 2)
        #expect(bench.asks(.setRegistered(true), next).hasSuffix("· 1.2 gets push 16\n1.2 push 16"))
        #expect(bench.pushNumbers == Array(1...16))
        #expect(bench.receivesPush() == "· app 1 loses a push: tooMany", "16 are being handled")
        _ = bench.asks(.report(.a, CallUpdate()), next)
        _ = bench.asks(.returned(1), next)
        _ = bench.asks(.completed(1), next)
        #expect(bench.receivesPush() == "· 1.2 gets push 17\n1.2 push 17")
    }

    // MARK: Obstacles

    @Test(arguments: [AppState.active, .suspended]) func r130APushNeedsTheMode(_ state: AppState) {
        var bench = Bench.registered(state, modes: [.remoteNotification])
        #expect(bench.receivesPush() == "· app 1 no voipPush: modeNotDeclared")
    }

    @Test func r130APushNeedsNoBackgroundAppRefresh() {
        var bench = Bench.registered()
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        for setting in [.backgroundRefresh(false), .lowPowerMode(true), .batteryLevel(1)] as [DeviceSetting] {
            _ = bench.plays(.device(.settingChanged(setting)))
        }
        #expect(bench.receivesPush() == "thaw 1.1\n· 1.1 gets push 1\n1.1 push 1")
    }

    @Test func r130APushOvercomesAForceQuit() {
        var bench = Bench.registered(.active)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.receivesPush() == Self.launched)
        #expect(bench.disk[app(1)]?.isForceQuit == true, "only the user's launch clears that")
        _ = bench.asks(.setRegistered(true), launch(1, 2))
        #expect(bench.receivesPush() == "· 1.2 gets push 2\n1.2 push 2")
    }

    @Test func r130ThePolicyCanBarPushesAfterAForceQuit() {
        var bench = Bench.registered(.active, .iOS26.with { $0.pushKitOvercomesForceQuit = false })
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.receivesPush() == "· app 1 no voipPush: forceQuit")
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setRegistered(true), launch(1, 2))
        #expect(bench.receivesPush() == "· 1.2 gets push 1\n1.2 push 1")

        bench = Bench.registered(.active, .iOS4.with { $0.pushKitOvercomesForceQuit = false })
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.receivesPush() == Self.launched, "until iOS 6 a force-quit app is woken for everything")
    }
}
