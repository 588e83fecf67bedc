import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Restarts of the system: the persisted records, the processes that are found, and the apps that reconnect.
@Suite struct RestartTests {
    @Test func aFrozenAppStaysFrozen() {
        var bench = Bench.with(.suspended)
        #expect(bench.restarts() == "> 1.1 found frozen\n· 1.1 found again frozen")
        #expect(bench.state(1) == .suspended)
        #expect(bench.device.nextDeadline == nil, "no time limit for a frozen app")
        #expect(bench.passes(seconds(10_000)) == "")
    }

    @Test func aFrozenAppIsOpenedLater() {
        var bench = Bench.with(.suspended)
        _ = bench.restarts()
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                thaw 1.1
                · 1.1 resumed for reconnection
                · 1.1 suspended → background
                store 1.1 foreground
                > 1.1 attached background #4
                1.1 has no clock
                1.1 #5 willEnterForeground
                > 1.1 acknowledged #5
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #6
                """)
    }

    @Test func aFrozenAppIsWokenLater() {
        var bench = Bench.with(.suspended)
        _ = bench.restarts()
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for reconnection
                · 1.1 suspended → background
                store 1.1
                > 1.1 attached background #4
                1.1 has no clock
                """)
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .wake(launch(1))))
        #expect(bench.passes(seconds(10)) == "> deadline\n· 1.1 suspending after wake\nfreeze 1.1 (1)")
    }

    /// The app was about to enter the background when the system was killed. A wake does not call
    /// `didEnterBackground` twice.
    @Test func aFrozenAppOnItsWayDownThatIsWokenEntersTheBackgroundOnce() {
        var bench = Bench.with(.suspended)
        _ = bench.restarts()
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        let count = bench.effects.count
        let last = bench.helpers[launch(1)]?.lastCallback ?? .none
        _ = bench.does(.app(launch(1), .attached(Attachment(lastCallback: last, phase: .falling, open: []))))
        _ = bench.acknowledge(launch(1))
        #expect(bench.effects[count...].callbacks == [.didEnterBackground])
    }

    @Test func aFrozenAppIsSwipedAwayOrPurged() {
        for (event, reason) in [
            (Event.device(.appForceQuit(app(1))), "force-quit"), (.device(.memoryRanShort), "memory"),
        ] {
            var bench = Bench.with(.suspended)
            _ = bench.restarts()
            #expect(bench.does(event).contains("kill 1.1: \(reason)"))
        }
    }

    @Test func aForegroundAppReconnectsAndStaysActive() {
        var bench = Bench.with(.active)
        #expect(bench.restarts() == "> 1.1 found running\n· 1.1 found again running")
        #expect(bench.assertions(1) == [.reconnection])
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .reconnection(launch(1))))
        #expect(bench.plays() == "> 1.1 attached active #2\n· 1.1 inactive → active")
        #expect(bench.assertions(1) == [.foreground])
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func anAppLeavingTheForegroundContinues() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.restarts()
        #expect(
            bench.plays() == """
                > 1.1 attached active #2
                1.1 #3 willResignActive
                · 1.1 background → inactive
                · 1.1 inactive → active
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #4
                · 1.1 suspending after foreground
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
    }

    @Test func aLaunchThatHadNotConnectedIsCalled() {
        var bench = Bench.with(.inactive)
        _ = bench.restarts()
        #expect(bench.plays().contains("> 1.1 attached starting #0\n1.1 #1 launch for user\n"))
        #expect(bench.state(1) == .active)
    }

    @Test func aBackgroundLaunchThatHadNotConnected() {
        var bench = Bench.with(.notRunning)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.restarts()
        #expect(bench.plays().contains("> 1.1 attached starting #0\n1.1 #1 launch for locationMonitoring\n"))
        #expect(bench.assertions(1) == [.wake], "the reason of the launch is delivered now")
        _ = bench.passes(seconds(10))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func lostContactIsKilled() {
        var bench = Bench.with(.active)
        _ = bench.restarts()
        #expect(bench.passes(seconds(10) - Nanoseconds(1)) == "")
        #expect(
            bench.passes(Nanoseconds(1)) == """
                > deadline
                · 1.1 terminating: lost contact
                kill 1.1: lost contact, 0x8badf00d
                store 1.1 ending: lost contact
                """)
    }

    /// No other limit is seven seconds.
    @Test(arguments: [Policy.iOS26.reconnect, seconds(7)]) func aStallRenewsTheReconnectionTime(_ limit: Nanoseconds) {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.reconnect = limit })
        _ = bench.restarts()
        bench.stallLoop(seconds(60))
        #expect(bench.does(.deadlineReached) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(60) + limit, reason: .reconnection(launch(1))))
    }

    @Test func lostProcessesEndWithAnUnknownStatus() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        #expect(
            bench.restarts() == """
                > 1.1 exited, unknown
                · 1.1 ended: by itself, unknown, unknown
                · 1.1 inactive → not running
                store end of 1.1
                """)
    }

    /// The system was killed after it persisted the launch, and before it recorded the process. The end has its own
    /// reason, "cut off".
    @Test func aLaunchThatWasCutOffHasThatForItsCause() {
        var bench = Bench.with(.inactive)
        bench.helpers[launch(1)] = nil
        #expect(
            bench.restarts() == """
                > 1.1 cut off
                · 1.1 ended: cut off
                · 1.1 inactive → not running
                store end of 1.1
                """)
        #expect(bench.device.foregroundApp == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active)
        #expect(bench.does(.process(launch(1), .cutOff)) == "· 1.1 ignored, late")
    }

    /// An uninstallation is the recorded reason, also if the process was on record and its exit status is unknown.
    @Test(arguments: [true, false]) func theDecidedReasonOutweighsTheExit(isOnRecord: Bool) {
        var bench = Bench.with(.inactive)
        _ = bench.does(.device(.appUninstalled(app(1))))
        if !isOnRecord { bench.helpers[launch(1)] = nil }
        let restart = bench.restarts()
        #expect(restart.contains("· 1.1 ended: uninstalled"), "\(restart)")
        #expect(bench.device.snapshot(of: app(1)) == nil)
    }

    @Test func endingAppsAreKilledAfterARestart() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(
            bench.restarts() == """
                > 1.1 found running
                · 1.1 found again running
                · 1.1 terminating: force-quit
                kill 1.1: force-quit, signal 9
                store 1.1 ending: force-quit
                """)
        #expect(bench.plays().contains("· 1.1 ended: force-quit"))
        #expect(bench.device.snapshot(of: app(1))?.record.isForceQuit == true)
    }

    @Test(arguments: [true, false]) func anUninstallationIsNotForgotten(isGone: Bool) {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appUninstalled(app(1))))
        if !isGone { bench.helpers[launch(1)]?.exit = nil }
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.device.snapshot(of: app(1)) == nil)
        #expect(bench.disk[app(1)] == nil)
    }

    /// The same, if a kill for another reason was pending.
    @Test func anUninstallationDuringAnotherKillIsNotForgotten() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        #expect(
            bench.does(.device(.appUninstalled(app(1)))) == """
                · 1.1 terminating: uninstalled
                store 1.1 suspended ending: uninstalled
                """, "the app is killed only once")
        _ = bench.restarts()
        #expect(bench.device.snapshot(of: app(1)) == nil)
    }

    @Test func tasksComeWithTheAppAndTheirClockStarts() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        _ = bench.passes(seconds(20))
        _ = bench.restarts()
        #expect(
            bench.plays() == """
                > 1.1 attached background #4 [1]
                1.1 has no clock
                · 1.1 task 1 granted
                · 1.1 clock until +50 s
                1.1 has time until +50 s
                """)
        #expect(bench.assertions(1) == [.task(TaskID(1))])
    }

    /// An app that is killed for its declared tasks receives no callback.
    @Test func tooManyTasksDeclaredOnTheWayBack() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.taskCap = 1 })
        _ = bench.does(.device(.homePressed))
        bench.helpers[launch(1)]?.open = [task(1), task(2)]
        _ = bench.restarts()
        let answer = bench.does(
            .app(launch(1), .attached(Attachment(lastCallback: callback(2), phase: .active, open: [task(1), task(2)]))))
        #expect(answer.contains("kill 1.1: too many tasks"))
        #expect(!answer.contains("willResignActive"))
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func activationWaitsForPossiblyActiveAppsToReconnect() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.does(.process(launch(2), .started))
        bench.helpers[launch(2)]?.isStarting = false
        _ = bench.restarts()
        // The second reconnects first, before it has launched.
        #expect(bench.does(.app(launch(2), .attached(.new))) == "2.1 #1 launch for user")
        #expect(bench.acknowledge(launch(2)) == "")
        #expect(bench.state(2) == .inactive)
        // The first reports that it is active. The first app resigns, and only then does the second become active.
        let first = bench.does(
            .app(launch(1), .attached(Attachment(lastCallback: callback(2), phase: .active, open: []))))
        #expect(first.hasPrefix("1.1 #3 willResignActive"))
        #expect(bench.acknowledge(launch(1)).hasPrefix("· 1.1 active → inactive\n2.1 #2 didBecomeActive"))
    }

    /// An app in the background has been notified that it is not active. An app that comes to the foreground does not
    /// wait for its reconnection.
    @Test func activationDoesNotWaitForBackgroundApps() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        _ = bench.restarts()
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.assertions(1) == [.reconnection])
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
    }

    /// An app that was asked to resign may still consider itself active if the system was killed before the app
    /// answered. The same holds for an app in a transient activation.
    @Test(arguments: [false, true]) func activationWaitsUntilAFormerActiveAppIsLost(isActivationTransient: Bool) {
        var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        if isActivationTransient {
            _ = bench.acknowledge(launch(1))
            #expect(bench.launchesOnDisk[launch(1)]?.mayBeActive == false)
            _ = bench.acknowledge(launch(1))
            _ = bench.does(.device(.appOpened(app(1))))
            _ = bench.does(.device(.homePressed))
            _ = bench.acknowledge(launch(1))
            #expect(bench.helpers[launch(1)]?.pending?.callback == .didBecomeActive)
        }
        #expect(bench.launchesOnDisk[launch(1)]?.isInForeground == false)
        #expect(bench.launchesOnDisk[launch(1)]?.mayBeActive == true)
        for _ in 0..<2 { _ = bench.restarts() }
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.launchesOnDisk[launch(1)]?.mayBeActive == true, "also after several restarts")
        #expect(bench.state(2) == .inactive)
        _ = bench.passes(seconds(10))
        _ = bench.plays()
        #expect(bench.state(2) == .active, "the hung app is given up")
    }

    @Test func anAdoptedAppContinuesWithoutMessages() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true), .sample(2)])
        #expect(
            bench.restarts() == """
                > 1.1 found running
                · 1.1 found again running
                · 1.1 inactive → active
                """)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.assertions(1) == [.adopted])
    }

    @Test func aLaunchOfAnAppThatIsNotInstalledIsLeftOut() {
        let device = Device(
            policy: .iOS26, apps: [AppRecord(app: app(1), manifest: .sample())],
            launches: [LaunchRecord(launch: launch(2), reason: .user, isInForeground: true, isSuspended: false)])
        #expect(device.snapshots.map(\.launch) == [nil])
        #expect(device.nextDeadline == nil)
    }

    // MARK: False attachments

    /// The system's own record decides which state an app gets. The app's report only decides where the callbacks
    /// resume.
    @Test(arguments: AppPhase.allCases, [true, false])
    func aReconnectedAppIsBroughtToItsTarget(_ phase: AppPhase, isInForeground: Bool) {
        var bench = Bench.with(isInForeground ? .active : .background)
        bench.helpers[launch(1)]?.freezeAttempt = nil
        _ = bench.restarts()
        bench.helpers[launch(1)]?.phase = phase
        _ = bench.plays()
        #expect(bench.state(1) == (isInForeground ? .active : .suspended))
        #expect(bench.device.nextDeadline == nil)
    }

    @Test(arguments: [Int32.min, -1, 0, 1, Int32.max])
    func anyReportedLastCallbackIsAccepted(_ last: Int32) {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.restarts()
        bench.helpers[launch(1)]?.lastCallback = callback(last)
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func twoAppsReconnectAsActive() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.restarts()
        bench.helpers[launch(1)]?.phase = .active
        for number: Int32 in [1, 2] {
            _ = bench.does(
                .app(launch(number), .attached(Attachment(lastCallback: callback(9), phase: .active, open: []))))
            bench.helpers[launch(number)]?.isAttached = true
        }
        #expect(bench.device.snapshots.filter { $0.state == .active }.count == 1, "only the first one is active")
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(bench.state(2) == .suspended)
    }
}
