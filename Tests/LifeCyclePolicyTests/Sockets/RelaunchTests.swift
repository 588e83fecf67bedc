import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The launch of an app with the mode `voip` after its end in the background (R-85, R-175, T26).
@Suite struct RelaunchTests {
    private static let launched = "· app 1 again\nstart 1.2 for voip"

    // MARK: The ends

    private static let leading: [TerminationReason] = [
        .exited(.exited(code: 1)), .exited(.signaled(11)), .exited(.unknown), .cutOff, .watchdog(.didEnterBackground),
        .lostContact, .tasksNotEnded(.taskNotCompleted), .sessionEventsNotHandled,
        .eventNotHandled(.backgroundFetch), .tooManyTasks, .memory, .systemGone,
    ]

    private static let others: [TerminationReason] = [
        .exited(.exited(code: 0)), .launchFailed(errno: 2), .forceQuit, .exitsOnSuspend, .shutdown, .deviceShutdown,
        .uninstalled, .updated, .didNotExit, .wokenTooOften, .noCallReported, .tooManyRequests, .tooMuchDisk,
        .notFreezable, .fault(.launchedTwice),
    ]

    /// The apps that are to be launched after the end of the first app.
    private func apps(
        after reason: TerminationReason, inBackground: Bool = true, modes: [BackgroundMode] = [.voip],
        _ policy: Policy = .iOS26
    ) -> [AppID] {
        var sockets = Sockets()
        let bench = Bench.calling(.suspended, policy, modes: modes)
        sockets.exited(launch(1), reason, inBackground: inBackground, on: bench.device.state)
        return sockets.toLaunch
    }

    @Test(arguments: leading) func r175TheseEndsLeadToALaunch(_ reason: TerminationReason) {
        #expect(apps(after: reason) == [app(1)])
        #expect(apps(after: reason, inBackground: false).isEmpty, "the user sees the end")
        #expect(apps(after: reason, modes: [.audio, .fetch, .location]).isEmpty, "it needs the mode")
        #expect(apps(after: reason, .iOS26.with { $0.launchesVoIPAtStart = false }).isEmpty)
    }

    @Test(arguments: others) func r175OtherEndsDoNot(_ reason: TerminationReason) {
        #expect(apps(after: reason).isEmpty)
    }

    // MARK: Launches

    @Test(arguments: [LifeCycleModel.ExitStatus.signaled(11), .exited(code: 1), .unknown])
    func r175AnAppThatCrashesIsLaunchedAgain(_ status: LifeCycleModel.ExitStatus) {
        var bench = Bench.calling()
        let count = bench.effects.count
        #expect(bench.ends(status) == Self.launched)
        #expect(bench.effects[count...].callbacks.map(\.name) == ["didFinishLaunching", "didEnterBackground"])
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake])
        #expect(bench.idles(.seconds(10)) == "freeze 1.2")
    }

    @Test func r175ARunningAppInTheBackgroundIsLaunchedAgain() {
        var bench = Bench.calling(.background)
        #expect(bench.ends(.signaled(11)) == Self.launched)
    }

    @Test func r175AnAppThatExitsWithZeroIsNot() {
        var bench = Bench.calling()
        #expect(bench.ends(.exited(code: 0)) == "")
        #expect(bench.state(1) == .notRunning)
    }

    @Test func r175TheForegroundAppIsNot() {
        var bench = Bench.calling(.active)
        #expect(bench.ends(.signaled(11)) == "")
        #expect(bench.state(1) == .notRunning)
    }

    @Test func r175AnAppThatWasKilledForMemoryIsLaunchedAgain() {
        var bench = Bench.calling()
        #expect(bench.nets(.device(.memoryRanShort)).hasSuffix(Self.launched))
    }

    /// The watchdog ends the app five seconds after the call of `didEnterBackground`.
    @Test func r175AnAppThatHangsIsLaunchedAgain() {
        var bench = Bench.calling(.suspended, .iOS26.with { $0.wakeCallsDidEnterBackground = true })
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.nets(.device(.wakeOccurred(app(1), .voip))) == "thaw 1.1")
        #expect(bench.idles(.seconds(5)) == "kill 1.1: 0x8badf00d\n" + Self.launched)
    }

    @Test(arguments: [AppState.active, .background, .suspended]) func r175AForceQuitIsFinal(_ state: AppState) {
        var bench = Bench.calling(state)
        #expect(!bench.nets(.device(.appForceQuit(app(1)))).contains("start"))
        #expect(bench.state(1) == .notRunning)
    }

    /// In iOS 4 the launch rules do not bar a force-quit app.
    @Test func r175AHangDuringAForceQuitIsFinal() {
        var bench = Bench.calling(.background, .iOS4.with { $0.forceQuitCallsWillTerminate = true })
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(!bench.idles(.seconds(30)).contains("start"))
        #expect(bench.state(1) == .notRunning)
    }

    /// The process does not survive the call of `willTerminate`.
    @Test func r175ACrashDuringAForceQuitIsFinal() {
        var bench = Bench.calling(.background)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.ends(.signaled(11)) == "")
        #expect(bench.state(1) == .notRunning)
    }

    @Test(arguments: [
        DeviceEvent.appInstalled(app(1), .sample(1, modes: [.voip])), .appUninstalled(app(1)), .shutdownBegan,
        .deviceShutdownBegan,
    ])
    func r175TheSystemsOwnReasonsAreFinal(_ event: DeviceEvent) {
        var bench = Bench.calling()
        #expect(!bench.nets(.device(event)).contains("start"))
        #expect(bench.device.snapshot(of: app(1))?.launch == nil)
    }

    /// The user opens the app while its process still ends.
    @Test func r175TheUsersOpeningIsEnough() {
        var bench = Bench.calling()
        bench.handle(.device(.memoryRanShort))
        bench.handle(.device(.appOpened(app(1))))
        #expect(bench.nets() == "start 1.2 for user")
        #expect(bench.state(1) == .active)
    }

    @Test func r175TheUserOpensTheAppThatWasLaunched() {
        var bench = Bench.calling()
        _ = bench.ends(.signaled(11))
        #expect(bench.nets(.device(.appOpened(app(1)))) == "")
        #expect(bench.state(1) == .active)
    }

    @Test func r124BeforeTheFirstUnlockingNothingIsLaunched() {
        var bench = Bench.calling()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.ends(.signaled(11)) == "· app 1 no voip: notUnlockedSinceStart")
        #expect(bench.nets(.device(.deviceUnlocked)) == "start 1.2 for voip", "T27")
    }

    // MARK: The limit

    /// The app has ended four times in the background within 30 seconds.
    private static func endedFourTimes(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.calling(.suspended, policy)
        for number in Int32(1)...3 {
            #expect(bench.ends(.signaled(11), launch(1, number)) == "· app 1 again\nstart 1.\(number + 1) for voip")
            #expect(bench.idles(.seconds(10)) == "freeze 1.\(number + 1)")
        }
        #expect(bench.ends(.signaled(11), launch(1, 4)) == "· app 1 ended too often")
        return bench
    }

    /// Three launches within five minutes. The first one was at the start, and the user opens the app after 30 seconds.
    @Test(arguments: [(269_999, false), (270_000, true)])
    func r175AnAppIsLaunchedThreeTimesInFiveMinutes(pause: Int64, isLaunched: Bool) {
        var bench = Self.endedFourTimes()
        #expect(bench.state(1) == .notRunning)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.idles(.milliseconds(pause)) == "")
        let expected = isLaunched ? "· app 1 again\nstart 1.6 for voip" : "· app 1 ended too often"
        #expect(bench.ends(.signaled(11), launch(1, 5)) == expected)
    }

    /// The first of the three launches was 30 seconds ago.
    @Test func r175AnAppThatEndedTooOftenIsLaunchedLater() {
        var bench = Self.endedFourTimes()
        #expect(bench.idles(.milliseconds(269_999)) == "")
        #expect(bench.idles(.milliseconds(1)) == "· app 1 again\nstart 1.5 for voip")
        #expect(bench.idles(.seconds(10)) == "freeze 1.5")
        #expect(bench.idles(.seconds(600)) == "")
    }

    @Test(arguments: [
        [DeviceEvent.appOpened(app(1)), .homePressed], [.appForceQuit(app(1))], [.appUninstalled(app(1))],
        [.shutdownBegan],
    ])
    func r175TheUserMayBeFaster(_ events: [DeviceEvent]) {
        var bench = Self.endedFourTimes()
        for event in events { _ = bench.plays(.device(event)) }
        #expect(!bench.idles(.seconds(600)).contains("again"))
    }

    @Test func r175ThePolicyMayForbidLaunches() {
        var bench = Bench.calling(.suspended, .iOS26.with { $0.voipRelaunches = 0 })
        #expect(bench.ends(.signaled(11)) == "· app 1 ended too often")
        #expect(bench.idles(.seconds(3600)) == "")
    }

    @Test func r175ThePolicySetsTheNumberOfLaunches() {
        var bench = Bench.calling(.suspended, .iOS26.with { $0.voipRelaunches = 1 })
        #expect(bench.ends(.signaled(11)) == Self.launched)
        #expect(bench.ends(.signaled(11), launch(1, 2)) == "· app 1 ended too often")
    }

    @Test func r175EachAppHasItsOwnLimit() {
        var bench = Bench(
            .iOS26.with { $0.voipRelaunches = 1 }, [.sample(1, modes: [.voip]), .sample(2, modes: [.voip])])
        for number in Int32(1)...2 {
            _ = bench.plays(.device(.appOpened(app(number))))
            _ = bench.plays(.device(.homePressed))
        }
        _ = bench.ends(.signaled(11))
        #expect(bench.ends(.signaled(11), launch(2)) == "· app 2 again\nstart 2.2 for voip")
        #expect(bench.ends(.signaled(11), launch(1, 2)) == "· app 1 ended too often")
    }

    // MARK: Restarts

    /// The app ended while the system did not run.
    @Test(arguments: [false, true]) func r175AnEndDuringARestartLeadsToALaunch(_ hasSocket: Bool) {
        var bench = hasSocket ? Bench.keeping() : .calling()
        bench.helpers[launch(1)]?.exit = .signaled(11)
        #expect(bench.resumes() == (hasSocket ? "close 7 of 1.1\n" : "") + Self.launched)
    }
}
