import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

extension DeviceToken {
    fileprivate static let sample = DeviceToken([UInt8](1...32))
}

extension RemoteNotification {
    /// A silent push. `loud` also has an alert, and `alert` has nothing else.
    fileprivate static func silent(_ number: Int = 1) -> Self {
        Self(payload: "{\"aps\":{\"content-available\":1},\"n\":\(number)}", isContentAvailable: true)
    }
    fileprivate static let loud = Self(
        payload: "{\"aps\":{\"content-available\":1,\"alert\":\"a\"}}", isContentAvailable: true,
        presentation: Presentation(.alert("a")))
    fileprivate static let alert = Self(
        payload: "{\"aps\":{\"alert\":\"a\"}}", isContentAvailable: false, presentation: Presentation(.alert("a")))
}

extension Bench {
    /// The first app is opened, registers, receives its token, and is suspended.
    fileprivate static func withRegistration(
        _ policy: Policy = .iOS26, modes: [BackgroundMode] = [.remoteNotification], settings: NotificationTypes? = .all
    ) -> Bench {
        var bench = Bench(policy, [.sample(1, modes: modes), .sample(2, modes: modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), .sample))))
        if let settings { _ = bench.notification(.register(settings)) }
        _ = bench.plays()
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// Three silent pushes wake the app, and it handles each.
    fileprivate mutating func handlesThreePushes() {
        for number in 1...3 {
            _ = pushes(.silent(number))
            _ = finishEvent(launch(1))
            _ = plays()
        }
    }

    /// Three silent pushes wake the app, as many as an hour allows. The app still handles the last push.
    fileprivate mutating func threePushes() {
        for number in 1...3 {
            if number > 1 {
                _ = finishEvent(launch(1))
                _ = plays()
            }
            _ = pushes(.silent(number))
        }
    }

    /// The decisions about a push.
    fileprivate mutating func pushes(_ notification: RemoteNotification, to number: Int32 = 1) -> [PushDecision] {
        decides(.concern(.notification(.pushArrived(app(number), notification))))
    }

    fileprivate mutating func decides(_ event: Event) -> [PushDecision] {
        let count = effects.count
        _ = plays(event)
        return pushDecisions(since: count)
    }

    fileprivate func pushDecisions(since count: Int) -> [PushDecision] {
        effects[count...].compactMap { if case .decided(.concern(.push(let decision))) = $0 { decision } else { nil } }
    }
}

/// Remote notifications: registration, wakes, and pushes that are held back or lost.
@Suite struct PushTests {
    @Test func aRegisteringAppReceivesItsToken() {
        var bench = Bench(.iOS26, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.does(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
                == "· app 1 wants pushes\nmake a token for app 1")
        #expect(
            bench.does(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
                == "· app 1 wants pushes", "once")
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), .sample))))
        #expect(bench.effects[count...].callbacks == [.concern(.notification(.registeredForRemote(.sample)))])
        #expect(bench.pushesOnDisk[app(1)]?.token == .sample)
        // The app asks at each launch, and receives the same token.
        let again = bench.effects.count
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        #expect(bench.effects[again...].callbacks == [.concern(.notification(.registeredForRemote(.sample)))])
        #expect(!bench.effects[again...].contains(.concern(.notification(.makeDeviceToken(app(1))))))
    }

    /// On a full disk an app receives no token, because a crash would lose it. Until then it is not registered.
    @Test func theTokenIsSentOnceItIsPersisted() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.remoteNotification])])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.letStore(fail: true)
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        let count = bench.effects.count
        #expect(
            bench.plays(.concern(.notification(.tokenMade(app(1), .sample))))
                == "store pushes of app 1\nconfirm the token of app 1")
        #expect(bench.pushes(.silent()) == [.notRegistered(app(1))])
        #expect(bench.device.deviceToken(of: app(1)) == nil)
        let again = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        #expect(again == "· app 1 wants pushes", "the token is on its way")
        #expect(bench.effects[count...].callbacks.isEmpty)
        bench.letStore(fail: false)
        _ = bench.plays()
        #expect(bench.effects[count...].callbacks == [.concern(.notification(.registeredForRemote(.sample)))])
        #expect(bench.device.deviceToken(of: app(1)) == .sample)
        #expect(bench.plays(.concern(.notification(.tokenPersisted(app(1))))) == "", "once")
    }

    @Test func anAppThatUnregistersBeforeTheCommitGetsNoToken() {
        var bench = Bench(.iOS26, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.letStore(fail: true)
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), .sample))))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(false))))))
        let count = bench.effects.count
        bench.letStore(fail: false)
        #expect(bench.effects[count...].isEmpty)
        #expect(bench.pushesOnDisk[app(1)]?.token == nil)
    }

    @Test func aTokenFailureIsReportedToTheApp() {
        var bench = Bench(.iOS26, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), nil))))
        #expect(bench.effects[count...].callbacks == [.concern(.notification(.registeredForRemote(nil)))])
        #expect(bench.pushes(.silent()) == [.notRegistered(app(1))])
    }

    /// A visible push is not rate-limited. A held push is checked again when the user or the app allows it to be
    /// displayed.
    @Test func aHeldPushIsLookedAtAgainWhenItMayBeDisplayed() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.concern(.notification(.allowed(app(1), false))))
        bench.threePushes()
        #expect(bench.pushes(.loud) == [.held(app(1), .throttled, replacing: false)])
        #expect(bench.decides(.concern(.notification(.allowed(app(1), true)))) == [.delivered(bench.id(of: .loud))])

        bench = .withRegistration(settings: nil)
        bench.threePushes()
        #expect(bench.pushes(.loud) == [.held(app(1), .throttled, replacing: false)])
        let count = bench.effects.count
        _ = bench.notification(.register(.all))
        _ = bench.plays()
        #expect(bench.pushDecisions(since: count) == [.delivered(bench.id(of: .loud))])
    }

    @Test func unregisteredAppsGetNoPushes() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.remoteNotification])])
        #expect(bench.pushes(.silent()) == [.notRegistered(app(1))])
        #expect(bench.does(.concern(.notification(.pushArrived(app(9), .silent())))) == "· app 9 unknown")
        bench = .withRegistration()
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(false))))))
        #expect(bench.pushes(.silent()) == [.notRegistered(app(1))])
    }

    @Test func anAppThatUnregistersLosesItsHeldPush() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.silent()) == [.held(app(1), .lowPowerMode, replacing: false)])
        #expect(bench.pushesOnDisk[app(1)]?.held != nil)
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(false))))))
        #expect(bench.pushesOnDisk[app(1)]?.held == nil)
    }

    @Test func aSuspendedAppIsThawedForAPushAndSuspendedAgain() {
        var bench = Bench.withRegistration()
        let count = bench.effects.count
        #expect(bench.pushes(.silent()) == [.delivered(bench.id(of: .silent()))])
        #expect(
            bench.effects[count...].callbacks == [bench.call(for: .silent())])
        #expect(bench.state(1) == .background)
        #expect(bench.finishEvent(launch(1)).contains("remoteNotification handled: newData"))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func anAppWithoutAProcessIsLaunched() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        let count = bench.effects.count
        _ = bench.pushes(.silent())
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.remoteNotification), .didEnterBackground,
                bench.call(for: .silent()),
            ])
    }

    @Test func appsThatNeverCallTheHandlerAreKilled() {
        var bench = Bench.withRegistration()
        _ = bench.pushes(.silent())
        _ = bench.passes(seconds(29))
        #expect(bench.state(1) == .background)
        _ = bench.passes(seconds(1))
        #expect(bench.effects.contains(.launch(launch(1), .kill(.eventNotHandled(.remoteNotification)))))
    }

    @Test func theForegroundAppGetsAllPushesAtOnce() {
        var bench = Bench.withRegistration(modes: [])
        _ = bench.plays(.device(.appOpened(app(1))))
        for number in 1...5 {
            #expect(
                bench.pushes(.silent(number)) == [.delivered(bench.id(of: .silent(number)))], "with any declared modes"
            )
        }
        #expect(bench.pushes(.alert) == [.delivered(bench.id(of: .alert))])
        // Two equal notifications are delivered separately.
        #expect(bench.pushes(.alert) == [.delivered(bench.id(of: .alert))])
        #expect(Set(bench.pushDecisions(since: 0)).count == 9, "each push has its own id")
        #expect(bench.effects.callbacks.count { $0 == bench.call(for: .alert) } == 1)
        _ = bench.passes(seconds(300))
        #expect(bench.state(1) == .active, "no time limit in the foreground")
    }

    @Test func aVisiblePushWithoutContentWakesNoApp() {
        var bench = Bench.withRegistration()
        #expect(bench.pushes(.alert) == [.visible(app(1), nil)])
        #expect(bench.state(1) == .suspended)
    }

    @Test func theModeHasToBeDeclared() {
        var bench = Bench.withRegistration(modes: [.fetch])
        #expect(bench.pushes(.silent()) == [.dropped(app(1), .refused(.modeNotDeclared))])
    }

    @Test func silentPushesWakeTheAppThreeTimesAnHour() {
        var bench = Bench.withRegistration()
        for number in 1...3 {
            #expect(bench.pushes(.silent(number)) == [.delivered(bench.id(of: .silent(number)))])
            _ = bench.finishEvent(launch(1))
            _ = bench.plays()
            _ = bench.passes(seconds(600))
        }
        #expect(bench.pushes(.silent(4)) == [.held(app(1), .throttled, replacing: false)])
        #expect(bench.pushes(.silent(5)) == [.held(app(1), .throttled, replacing: true)], "the newest push is held")
        #expect(bench.pushes(.loud) == [.delivered(bench.id(of: .loud))], "a visible push is not throttled")
    }

    /// The hour counts from the first of the three wakes, to its end.
    @Test func theHourOfSilentPushesIsWhole() {
        var bench = Bench.withRegistration()
        bench.handlesThreePushes()
        _ = bench.passes(seconds(600))
        _ = bench.passes(seconds(2999) + .milliseconds(500))
        #expect(bench.pushes(.silent(4)) == [.held(app(1), .throttled, replacing: false)])
        let count = bench.effects.count
        _ = bench.passes(.milliseconds(500))
        #expect(bench.pushDecisions(since: count) == [.delivered(bench.id(of: .silent(4)))])
    }

    @Test func heldPushesAreDeliveredWhenAllowed() {
        var bench = Bench.withRegistration()
        bench.handlesThreePushes()
        _ = bench.pushes(.silent(4))
        // The app's container is measured before that.
        _ = bench.passes(seconds(600))
        #expect(bench.device.nextDeadline?.reason == .remoteNotification)
        let count = bench.effects.count
        _ = bench.passes(seconds(2999))
        #expect(bench.pushDecisions(since: count).isEmpty)
        _ = bench.passes(seconds(1))
        #expect(bench.pushDecisions(since: count) == [.delivered(bench.id(of: .silent(4)))])
        #expect(bench.pushesOnDisk[app(1)]?.held == nil)
    }

    /// A held push becomes due while the app handles another push. One event does not freeze and thaw the app.
    @Test func aHeldPushWaitsUntilTheAppIsFrozen() {
        var bench = Bench.withRegistration()
        _ = bench.pushes(.silent(1))
        _ = bench.finishEvent(launch(1))
        _ = bench.plays()
        _ = bench.passes(seconds(3590))
        _ = bench.pushes(.silent(2))
        _ = bench.finishEvent(launch(1))
        _ = bench.plays()
        _ = bench.pushes(.silent(3))
        #expect(bench.pushes(.silent(4)) == [.held(app(1), .throttled, replacing: false)])
        bench.stallLoop(seconds(15))
        var count = bench.effects.count
        _ = bench.finishEvent(launch(1))
        #expect(bench.effects[count...].contains { if case .launch(_, .freeze(_)) = $0 { true } else { false } })
        #expect(!bench.effects[count...].contains(.launch(launch(1), .thaw)))
        count = bench.effects.count
        _ = bench.plays()
        #expect(bench.pushDecisions(since: count) == [.delivered(bench.id(of: .silent(4)))])
        #expect(bench.effects[count...].contains(.launch(launch(1), .thaw)))
    }

    @Test func openingTheAppDeliversTheHeldPush() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.silent()) == [.held(app(1), .lowPowerMode, replacing: false)])
        #expect(bench.decides(.device(.appOpened(app(1)))) == [.delivered(bench.id(of: .silent()))])
        #expect(bench.effects.callbacks.last == bench.call(for: .silent()))
        #expect(bench.state(1) == .active)
    }

    @Test func aForceQuitDropsTheHeldPush() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.pushes(.silent())
        #expect(bench.decides(.device(.appForceQuit(app(1)))) == [.dropped(app(1), .forceQuit)])
        #expect(bench.pushes(.silent()) == [.dropped(app(1), .refused(.forceQuit))], "later pushes are dropped (R-126)")
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(false))))
        #expect(bench.state(1) == .notRunning)
    }

    /// The device is not woken for a notification that is no longer held.
    @Test func aDroppedPushLeavesNoDeadline() {
        var bench = Bench.withRegistration()
        bench.handlesThreePushes()
        _ = bench.pushes(.silent(4))
        _ = bench.passes(seconds(600))
        #expect(bench.device.nextDeadline?.reason == .remoteNotification)
        let killed = bench.decides(.process(launch(1), .containerMeasured(size: .max)))
        #expect(killed == [.dropped(app(1), .killed)])
        #expect(bench.device.nextDeadline?.reason != .remoteNotification)
    }

    @Test func noDeadlineIsLeftOfAnAppThatIsUninstalled() {
        var bench = Bench.withRegistration()
        bench.handlesThreePushes()
        _ = bench.pushes(.silent(4))
        _ = bench.passes(seconds(600))
        #expect(bench.device.nextDeadline?.reason == .remoteNotification)
        _ = bench.plays(.process(launch(1), .exited(.exited(code: 0))))
        #expect(bench.device.nextDeadline?.reason == .remoteNotification)
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.snapshot(of: app(1)) == nil)
        #expect(bench.device.nextDeadline?.reason != .remoteNotification)
    }

    @Test func lowPowerModeHoldsSilentPushesBack() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.power(.battery))))
        _ = bench.plays(.device(.settingChanged(.batteryLevel(19))))
        #expect(bench.pushes(.silent()) == [.held(app(1), .battery, replacing: false)])
        #expect(bench.decides(.device(.settingChanged(.power(.external)))) == [.delivered(bench.id(of: .silent()))])
    }

    @Test func nothingBeforeTheFirstUnlock() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.restarts()
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.plays(.deadlineReached)
        #expect(bench.pushes(.silent()) == [.held(app(1), .notUnlockedSinceStart, replacing: false)])
        #expect(bench.decides(.device(.deviceUnlocked)) == [.delivered(bench.id(of: .silent()))])
    }

    /// The end of the old process is reported before the device's start. This report must not let a held push
    /// launch the app.
    @Test func aHeldPushWaitsForTheFirstUnlockAfterADeviceStart() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.silent()) == [.held(app(1), .lowPowerMode, replacing: false)])
        bench.stored.device.settings.lowPowerMode = false
        bench.helpers[launch(1)] = nil
        let count = bench.effects.count
        _ = bench.restarts()
        #expect(bench.device.nextDeadline?.at == .zero, "checked once the device's start is known")
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.plays(.deadlineReached)
        #expect(bench.pushDecisions(since: count).isEmpty)
        #expect(bench.state(1) == .notRunning)
        #expect(bench.decides(.device(.deviceUnlocked)) == [.delivered(bench.id(of: .silent()))])
    }

    /// The app handled one push while it was not connected. The app keeps its assertion for the next push.
    @Test func anAppThatConnectsAgainIsHeldForTheNextPush() {
        var bench = Bench.withRegistration()
        _ = bench.does(.concern(.notification(.pushArrived(app(1), .silent(1)))))
        _ = bench.does(.concern(.notification(.pushArrived(app(1), .silent(2)))))
        guard let pending = bench.helpers[launch(1)]?.pending else {
            Issue.record("the app was not called for the first push")
            return
        }
        let count = bench.effects.count
        _ = bench.does(
            .app(launch(1), .attached(Attachment(lastCallback: pending.id, phase: .background, open: []))))
        #expect(bench.effects[count...].callbacks == [bench.call(for: .silent(2))])
        #expect(bench.assertions(1).contains(.wakeEvent), "\(bench.assertions(1))")
    }

    /// An app that reconnects receives its clock before it is frozen, also if its report lets it be suspended at
    /// once.
    @Test func aReconnectingAppReceivesItsClockBeforeTheFreeze() {
        var bench = Bench.withRegistration()
        _ = bench.does(.concern(.notification(.pushArrived(app(1), .silent()))))
        _ = bench.acknowledge(launch(1))
        _ = bench.begin(1, launch(1))
        _ = bench.end(1, launch(1))
        let last = bench.helpers[launch(1)]?.lastCallback ?? .none
        let lines = bench.does(
            .app(launch(1), .attached(Attachment(lastCallback: last, phase: .background, open: []))))
        let clock = lines.firstRange(of: "1.1 has time until")?.lowerBound
        let freeze = lines.firstRange(of: "freeze 1.1")?.lowerBound
        #expect(clock != nil && freeze != nil, "\(lines)")
        if let clock, let freeze { #expect(clock < freeze, "\(lines)") }
    }

    @Test func withoutBackgroundRefreshAPushIsLost() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        #expect(bench.pushes(.silent()) == [.dropped(app(1), .refused(.backgroundRefresh))])
    }

    @Test func heldPushesOutliveTheSystem() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.pushes(.silent())
        _ = bench.restarts()
        _ = bench.plays(.deadlineReached)
        #expect(bench.device.deviceToken(of: app(1)) == .sample)
        #expect(bench.decides(.device(.settingChanged(.lowPowerMode(false)))) == [.delivered(bench.id(of: .silent()))])
    }

    @Test func aKilledAppLosesItsHeldPush() {
        var bench = Bench.withRegistration()
        _ = bench.pushes(.loud)
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.pushes(.silent())
        let count = bench.effects.count
        _ = bench.passes(seconds(30))
        #expect(bench.pushDecisions(since: count) == [.dropped(app(1), .killed)])
    }

    @Test func uninstallingRemovesTheRegistration() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.deviceToken(of: app(1)) == nil)
        #expect(bench.pushesOnDisk.isEmpty)
    }

    /// An update that is not built on RoostKit cannot receive pushes.
    @Test func anAdoptedUpdateIsNotRegistered() {
        var bench = Bench.withRegistration()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.silent()) == [.held(app(1), .lowPowerMode, replacing: false)])
        let update = AppManifest.sample(1, modes: [.remoteNotification], isAdopted: true)
        #expect(bench.decides(.device(.appInstalled(app(1), update))) == [.dropped(app(1), .unregistered)])
        #expect(bench.pushes(.silent()) == [.notRegistered(app(1))])
    }

    /// A held push is delivered when the app comes to the foreground.
    @Test func anAppThatIsOpenedGetsTheHeldPush() {
        var bench = Bench.withRegistration()
        for number in 1...4 { _ = bench.pushes(.silent(number)) }
        #expect(bench.decides(.device(.appOpened(app(1)))) == [.delivered(bench.id(of: .silent(4)))])
    }
}
