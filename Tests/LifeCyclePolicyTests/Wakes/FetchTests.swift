import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

extension Bench {
    /// The app calls the completion handler of the newest open event.
    mutating func finishEvent(_ launch: LaunchID, _ result: BackgroundFetchResult = .newData) -> String {
        guard let event = helpers[launch]?.openEvents.popLast() else { return "no event is open" }
        return does(.app(launch, .requested(.eventHandled(event.callback, result))))
    }

    /// The app is opened, asks for fetches, and is suspended.
    fileprivate mutating func asks(_ number: Int32, _ interval: Nanoseconds?) {
        let count = launchesOnDisk.keys.filter { $0.app == app(number) }.map(\.number).max() ?? 0
        _ = plays(.device(.appOpened(app(number))))
        let launch = launchesOnDisk.keys.filter { $0.app == app(number) }.max() ?? launch(number, count + 1)
        handle(.app(launch, .requested(.concern(.fetch(.setMinimumInterval(interval))))))
        _ = plays(.device(.homePressed))
    }

    /// Advances the clock until an app is given an opportunity to fetch. The helpers do not act.
    fileprivate mutating func comesToATurn() {
        let count = effects.count
        while offers(since: count).isEmpty, device.nextDeadline != nil { _ = meetsDeadline() }
    }

    fileprivate func offers(since count: Int = 0) -> [AppID] {
        effects[count...].compactMap {
            if case .decided(.concern(.fetch(.offered(let app, _)))) = $0 { app } else { nil }
        }
    }
}

/// The times of fetches, and their results.
@Suite struct FetchTests {
    private static let hour = seconds(3600)

    private static func bench(_ policy: Policy = .iOS26, apps: Int32 = 2) -> Bench {
        Bench(policy, (1...apps).map { .sample(Int($0), modes: [.fetch, .location]) })
    }

    /// An offer that the rules forbid is refused when it is carried out.
    @Test func aForbiddenOfferIsRefused() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        let effects = bench.effects(of: .concern(.fetch(.opportunityOffered(app(1)))))
        #expect(effects == [.decided(.app(app(1), .wakeRefused(.backgroundFetch, .backgroundRefresh)))])
    }

    @Test func anAppHasItsTurnNoSoonerThanItAskedFor() {
        var bench = Self.bench()
        bench.asks(1, Self.hour)
        let asked = bench.now.wall
        #expect(bench.fetchesOnDisk[app(1)]?.minimumInterval == Self.hour)
        _ = bench.passes(Self.hour - .milliseconds(1))
        #expect(bench.offers().isEmpty)
        // A single app waits for others as long as it may: the first time, nearly three quarters of its interval.
        _ = bench.passes(Self.hour)
        #expect(bench.offers() == [app(1)])
        let had = bench.fetchesOnDisk[app(1)]?.last ?? .zero
        #expect(had - asked == Self.hour + seconds(3600 * 24 / 100) + seconds(1800))
    }

    @Test func aFetchWakesCallsAndSuspendsTheApp() {
        var bench = Self.bench()
        bench.asks(1, Self.hour)
        let count = bench.effects.count
        bench.comesToATurn()
        _ = bench.plays()
        #expect(
            bench.effects[count...].callbacks == [.concern(.fetch(.performFetch))],
            "no didEnterBackground: X-03")
        #expect(bench.assertions(1) == [.wakeEvent])
        _ = bench.passes(seconds(3))
        #expect(
            bench.finishEvent(launch(1))
                == "· 1.1 backgroundFetch handled: newData, 3 s\nstore fetches of app 1\n· 1.1 suspending after wake event\nfreeze 1.1 (2)"
        )
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(bench.finishEvent(launch(1)) == "no event is open")
        #expect(
            bench.does(.app(launch(1), .requested(.eventHandled(CallbackID(6), .newData)))) == "· 1.1 ignored, late")
    }

    @Test func anAppWithoutAProcessIsLaunched() {
        var bench = Self.bench()
        bench.asks(1, Self.hour)
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        let count = bench.effects.count
        bench.comesToATurn()
        _ = bench.plays()
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.backgroundFetch), .didEnterBackground, .concern(.fetch(.performFetch)),
            ])
    }

    @Test func appsThatNeverCallTheHandlerAreKilled() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
        #expect(bench.state(1) == .background)
        _ = bench.passes(seconds(29))
        #expect(bench.state(1) == .background)
        _ = bench.passes(seconds(1))
        #expect(bench.effects.contains(.launch(launch(1), .kill(.eventNotHandled(.backgroundFetch)))))
        #expect(TerminationReason.eventNotHandled(.backgroundFetch).code == .exception(0x2182_bad4))
        #expect(bench.fetchesOnDisk[app(1)]?.unproductive == 8, "a kill counts as eight unproductive fetches")
    }

    @Test func aFetchHasNoLimitInTheForeground() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.passes(seconds(300))
        #expect(bench.state(1) == .active)
        #expect(
            bench.finishEvent(launch(1), .noData)
                == "· 1.1 backgroundFetch handled: noData, 300 s\nstore fetches of app 1")
    }

    @Test func theForegroundAppHasNoFetches() {
        var bench = Self.bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.handle(.app(launch(1), .requested(.concern(.fetch(.setMinimumInterval(.zero))))))
        _ = bench.passes(seconds(7200))
        #expect(bench.offers().isEmpty)
    }

    @Test func turnsComeTogether() {
        var bench = Self.bench(apps: 3)
        bench.asks(1, seconds(1800))
        _ = bench.passes(seconds(100))
        bench.asks(2, seconds(2000))
        bench.asks(3, Self.hour)
        _ = bench.passes(seconds(1800 + 432 + 900 - 100))
        #expect(bench.offers() == [app(1), app(2)], "the first is due, the second may fetch, the third may not yet")
        #expect(bench.device.nextDeadline?.reason == .callback(launch(1), .concern(.fetch(.performFetch))))
    }

    @Test func simultaneousFetchesAreLimited() {
        var policy = Policy.iOS26
        policy.fetchesAtOnce = 1
        var bench = Self.bench(policy)
        bench.asks(1, .zero)
        bench.asks(2, .zero)
        bench.comesToATurn()
        #expect(bench.offers() == [app(1)])
        _ = bench.plays()
        _ = bench.finishEvent(launch(1))
        #expect(bench.offers() == [app(1), app(2)])
    }

    @Test func unproductiveFetchesAreHalved() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        for _ in 0..<8 {
            _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
            _ = bench.finishEvent(launch(1), .noData)
            _ = bench.plays()
        }
        let count = bench.effects.count
        _ = bench.passes(seconds(2 * 900 - 1))
        #expect(bench.offers(since: count).isEmpty)
        bench.comesToATurn()
        #expect(bench.offers(since: count) == [app(1)])
        _ = bench.plays()
        _ = bench.finishEvent(launch(1), .newData)
        #expect(bench.fetchesOnDisk[app(1)]?.unproductive == 0)
    }

    @Test(arguments: [
        (DeviceSetting.lowPowerMode(true), DeviceSetting.lowPowerMode(false), FetchHold.lowPowerMode),
        (.network(.none), .network(.wifi), .network), (.batteryLevel(19), .batteryLevel(20), .battery),
        (.lowDataMode(true), .lowDataMode(false), .lowDataMode),
    ]) func noAppFetchesWhileASettingForbidsIt(_ off: DeviceSetting, _ on: DeviceSetting, _ hold: FetchHold) {
        var bench = Self.bench()
        bench.handle(.device(.settingChanged(.power(.battery))))
        bench.asks(1, .zero)
        bench.handle(.device(.settingChanged(off)))
        #expect(bench.effects.contains(.decided(.concern(.fetch(.barred(app(1), .held(hold)))))))
        _ = bench.passes(seconds(7200))
        #expect(bench.offers().isEmpty)
        #expect(bench.device.nextDeadline == nil, "no deadline is set")
        bench.handle(.device(.settingChanged(on)))
        #expect(bench.offers() == [app(1)], "the app has waited long enough")
    }

    @Test func noAppFetchesWithoutALink() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        bench.handle(.device(.networkChanged(isConnected: false)))
        _ = bench.passes(seconds(7200))
        #expect(bench.offers().isEmpty)
        bench.handle(.device(.networkChanged(isConnected: true)))
        #expect(bench.offers() == [app(1)])
    }

    @Test func fetchesNeedTheModeAndBackgroundAppRefresh() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.location]), .sample(2, modes: [.fetch])])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.does(.app(launch(1), .requested(.concern(.fetch(.setMinimumInterval(.zero))))))
                == "· 1.1 may not want fetches: modeNotDeclared")
        bench.asks(2, .zero)
        #expect(bench.does(.device(.backgroundRefreshChanged(app(2), false))).hasPrefix("· refresh of app 2 off"))
        _ = bench.passes(seconds(7200))
        #expect(bench.offers().isEmpty)
        bench.handle(.device(.backgroundRefreshChanged(app(2), true)))
        #expect(bench.offers() == [app(2)])
    }

    /// For each app that the user bars from fetching, the obstacle is recorded once, and so is its end.
    @Test func theReasonThatPreventsFetchesIsRecorded() {
        func barred(_ bench: Bench, since count: Int) -> [FetchDecision] {
            bench.effects[count...].compactMap {
                if case .decided(.concern(.fetch(let decision))) = $0, case .barred = decision { decision } else { nil }
            }
        }
        var bench = Self.bench()
        bench.asks(1, .zero)
        #expect(barred(bench, since: 0) == [])
        for (off, on) in [
            (
                Event.device(.backgroundRefreshChanged(app(1), false)),
                Event.device(.backgroundRefreshChanged(app(1), true))
            ),
            (.device(.settingChanged(.backgroundRefresh(false))), .device(.settingChanged(.backgroundRefresh(true)))),
        ] {
            let count = bench.effects.count
            for event in [off, off, on, on] { bench.handle(event) }
            #expect(
                barred(bench, since: count) == [.barred(app(1), .refused(.backgroundRefresh)), .barred(app(1), nil)])
        }
        let count = bench.effects.count
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(barred(bench, since: count) == [.barred(app(1), .refused(.forceQuit))])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(barred(bench, since: count) == [.barred(app(1), .refused(.forceQuit)), .barred(app(1), nil)])
        _ = bench.plays(.device(.shutdownBegan))
        #expect(barred(bench, since: count).count == 2, "the shutdown is not reported for each app")
    }

    /// An obstacle is recorded once, also if the app asks for another interval meanwhile.
    @Test func aRepeatedRequestRecordsNothingTwice() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        let count = bench.effects.count
        bench.asks(1, Self.hour)
        let isBarred = bench.effects[count...].contains {
            if case .decided(.concern(.fetch(.barred))) = $0 { true } else { false }
        }
        #expect(!isBarred)
    }

    /// An app may fetch again after the user opens it by a notification, as after a tap on its icon.
    @Test func aTapLiftsTheFlagOfForceQuit() {
        var policy = Policy.iOS26
        policy.notificationsNeedRegistration = false
        var bench = Self.bench(policy)
        bench.asks(1, .zero)
        let act = NumberedNotificationAct(number: 1, act: .present(.alert()))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.act(act))))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        let count = bench.effects.count
        bench.handle(.concern(.notification(.tapped(NotificationID(app: app(1), number: 1)))))
        #expect(bench.effects[count...].contains(.decided(.concern(.fetch(.barred(app(1), nil))))))
    }

    /// From iOS 13 on, `BGTaskSchedulerPermittedIdentifiers` turns both calls off.
    @Test func appsWithScheduledTasksMayNotFetch() {
        let manifest = AppManifest.sample(1, modes: [.fetch], taskIdentifiers: ["org.example.app1.refresh"])
        var bench = Bench(.iOS26, [manifest])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.does(.app(launch(1), .requested(.concern(.fetch(.setMinimumInterval(.zero))))))
                == "· 1.1 may not want fetches: fetchDisabled")
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .backgroundFetch)))
                == "· app 1 not woken for backgroundFetch: fetchDisabled")
        #expect(bench.fetchesOnDisk[app(1)] == nil)
        var old = Bench(.iOS7, [manifest])
        old.asks(1, .zero)
        old.comesToATurn()
        #expect(old.offers() == [app(1)], "iOS 7 does not know the key")
    }

    /// An update with that key ends the fetches of an app that had them.
    @Test func anUpdateCanTurnFetchesOff() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.fetch], taskIdentifiers: []))))
        #expect(bench.effects.contains(.decided(.concern(.fetch(.barred(app(1), .refused(.fetchDisabled)))))))
        _ = bench.passes(seconds(86_400))
        #expect(bench.offers().isEmpty)
    }

    @Test func forceQuitAppsHaveNoFetches() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.passes(seconds(86_400))
        #expect(bench.offers().isEmpty)
        #expect(bench.device.nextDeadline == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(86_400))
        #expect(bench.offers().count == 1, "the helpers do not answer meanwhile")
    }

    @Test(arguments: [nil, Nanoseconds(.max)]) func appsThatCancelTheirIntervalHaveNoFetches(_ never: Nanoseconds?) {
        var bench = Self.bench()
        bench.asks(1, .zero)
        bench.handle(.app(launch(1), .requested(.concern(.fetch(.setMinimumInterval(never))))))
        #expect(bench.fetchesOnDisk[app(1)] == nil)
        _ = bench.passes(seconds(86_400))
        #expect(bench.offers().isEmpty)
    }

    @Test func theFetchIntervalSurvivesARestart() {
        var bench = Self.bench()
        bench.asks(1, Self.hour)
        _ = bench.passes(seconds(1800))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(seconds(1800))
        #expect(bench.offers().isEmpty)
        _ = bench.passes(Self.hour)
        #expect(bench.offers() == [app(1)])
    }

    /// An app was fetching when the system restarted. The app reports the open event when it reconnects, and has its
    /// full time again.
    @Test func aFetchUnderWayContinuesAfterARestart() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.assertions(1) == [.wakeEvent])
        _ = bench.passes(seconds(29))
        #expect(bench.state(1) == .background)
        #expect(bench.finishEvent(launch(1)).hasPrefix("· 1.1 backgroundFetch handled: newData, 29 s"))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    /// The app's last message was lost with its connection. The app's report on reconnecting says that the event is
    /// handled.
    @Test func aLostHandlerCallIsInTheAttachment() {
        var bench = Self.bench()
        bench.asks(1, .zero)
        _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
        bench.helpers[launch(1)]?.openEvents = []
        bench.helpers[launch(1)]?.isAttached = false
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }
}
