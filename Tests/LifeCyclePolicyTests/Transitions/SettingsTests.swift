import LifeCycleModel
import LifeCyclePolicy
import Testing

/// what is set, and who hears of it.
@Suite struct SettingsTests {
    private func news(_ bench: Bench) -> [DeviceFacts] {
        bench.effects.compactMap { effect in
            if case .send(_, .callback(_, .deviceChanged(let facts))) = effect { facts } else { nil }
        }
    }

    @Test func aChangeIsToldToWhoRuns() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.settingChanged(.lowPowerMode(true))) == """
                · lowPowerMode set
                store device
                1.1 #3 deviceChanged
                > 1.1 acknowledged #3
                """)
        #expect(news(bench).last?.isLowPowerModeEnabled == true)
        #expect(bench.deviceOnDisk.settings.lowPowerMode)
    }

    /// What is repeated on a new connection is no older than what the app was told before it.
    @Test func whatIsRepeatedIsTheNewest() {
        var bench = Bench.with(.active)
        _ = bench.does(.settingChanged(.batteryLevel(50)))
        _ = bench.does(.settingChanged(.lowPowerMode(true)))
        #expect(news(bench).map(\.isLowPowerModeEnabled) == [false])
        _ = bench.does(.appAttached(launch(1), Attachment(lastCallback: CallbackID(2), phase: .active, open: [])))
        #expect(news(bench).map(\.isLowPowerModeEnabled) == [false, true])
        #expect(bench.does(.appRequested(launch(1), .acknowledge(CallbackID(3), open: []))) == "", "it knows")
    }

    @Test func whatNoAppIsToldOfIsNoNews() {
        var bench = Bench.with(.active)
        #expect(bench.plays(.settingChanged(.network(.cellular))) == "· network set\nstore device")
        #expect(bench.plays(.settingChanged(.lowPowerMode(false))) == "· lowPowerMode set\nstore device", "it was off")
    }

    @Test func r26ChangesWhileSuspendedAreCoalesced() {
        var bench = Bench.with(.suspended)
        for percent: Int32 in [90, 80, 70] { _ = bench.plays(.settingChanged(.batteryLevel(percent))) }
        _ = bench.plays(.settingChanged(.power(.battery)))
        _ = bench.plays(.clockWasSet)
        _ = bench.plays(.clockWasSet)
        #expect(news(bench) == [])
        let answer = bench.plays(.appOpened(app(1)))
        #expect(answer.contains("1.1 #5 deviceChanged\n· 1.1 suspended → background"))
        #expect(answer.contains("1.1 #6 willEnterForeground"), "first what has happened, then what happens")
        #expect(news(bench).count == 1)
        #expect(news(bench).first?.batteryLevel == 70)
        #expect(news(bench).first?.power == .battery)
        #expect(news(bench).first?.clockChanges == 2)
    }

    @Test func r26WhatIsAsItWasIsNoNews() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.settingChanged(.lowPowerMode(true)))
        _ = bench.plays(.settingChanged(.lowPowerMode(false)))
        _ = bench.plays(.appOpened(app(1)))
        #expect(news(bench) == [])
    }

    @Test func r26AWokenAppHearsBeforeItsEvent() {
        var bench = Bench.with(.suspended, Policy.iOS26.with { $0.wakeCallsDidEnterBackground = true })
        _ = bench.plays(.clockWasSet)
        let answer = bench.plays(.wakeOccurred(app(1), .locationMonitoring))
        #expect(answer.contains("1.1 #5 deviceChanged"))
        #expect(answer.contains("1.1 #6 didEnterBackground"))
    }

    @Test func r26AWakeWithoutACallbackTellsToo() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.clockWasSet)
        #expect(
            bench.plays(.wakeOccurred(app(1), .locationMonitoring)) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for callback
                1.1 #5 deviceChanged
                · 1.1 suspended → background
                store 1.1
                > 1.1 acknowledged #5
                """)
        #expect(bench.assertions(1) == [.wake])
    }

    /// A begin found before it counted as suspended lets it run on: with the news.
    @Test func r26ATaskThatLetsItRunOnTellsToo() {
        var bench = Bench.with(.background)
        _ = bench.does(.clockWasSet)
        #expect(news(bench) == [], "it is about to be suspended")
        let answer = bench.begin(1, launch(1))
        #expect(answer.contains("thaw 1.1") && answer.contains("1.1 #5 deviceChanged"), "\(answer)")
        #expect(bench.state(1) == .background)
    }

    @Test func r26ChangesDuringACallbackAreOne() {
        var bench = Bench.with(.active)
        _ = bench.does(.interruptionBegan(.call))
        for percent: Int32 in [50, 40] { _ = bench.does(.settingChanged(.batteryLevel(percent))) }
        _ = bench.plays()
        #expect(news(bench).map(\.batteryLevel) == [40])
    }

    @Test func r26WhoConnectsIsToldFirst() {
        var bench = Bench()
        _ = bench.plays(.settingChanged(.batteryLevel(33)))
        _ = bench.does(.appOpened(app(1)))
        _ = bench.does(.processStarted(launch(1)))
        var facts = DeviceFacts()
        facts.batteryLevel = 33
        #expect(bench.tells(.appAttached(launch(1), .new)) == ["1.1 is told the device"])
        #expect(bench.effects.contains(.send(launch(1), .device(facts))))
        _ = bench.plays()
        #expect(news(bench) == [])
    }

    @Test func r26AfterTheSystemsRestartItIsToldWhenItComesBack() {
        var bench = Bench.with(.active)
        _ = bench.restarts()
        _ = bench.does(.settingChanged(.batteryLevel(12)))
        _ = bench.plays()
        let told = bench.effects.compactMap { effect -> Int32? in
            if case .send(_, .device(let facts)) = effect { facts.batteryLevel } else { nil }
        }
        #expect(told == [100, 12])
        #expect(news(bench) == [])
    }

    @Test func nobodyTellsAnAdoptedApp() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        _ = bench.plays(.settingChanged(.lowPowerMode(true)))
        #expect(news(bench) == [])
    }

    // MARK: Background App Refresh

    @Test func r68OneAppIsDenied() {
        var bench = Bench.with(.suspended)
        #expect(bench.plays(.backgroundRefreshChanged(app(1), false)).hasPrefix("· refresh of app 1 off\nstore app 1"))
        #expect(
            bench.plays(.wakeOccurred(app(1), .locationMonitoring))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
        #expect(bench.plays(.backgroundRefreshChanged(app(1), false)) == "· refresh of app 1 off", "once is enough")
        _ = bench.plays(.appOpened(app(1)))
        #expect(news(bench).map(\.backgroundRefresh) == [.denied])
        #expect(bench.plays(.backgroundRefreshChanged(app(9), true)) == "· app 9 unknown")
    }

    @Test func r68AllAreDenied() {
        var bench = Bench.with(.active)
        _ = bench.plays(.settingChanged(.backgroundRefresh(false)))
        #expect(news(bench).map(\.backgroundRefresh) == [.denied])
        _ = bench.plays(.homePressed)
        #expect(
            bench.plays(.wakeOccurred(app(1), .locationMonitoring))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
        _ = bench.plays(.settingChanged(.backgroundRefresh(true)))
        #expect(bench.plays(.wakeOccurred(app(1), .locationMonitoring)).hasPrefix("· 1.1 woken for locationMonitoring"))
    }

    @Test func r68ItSurvivesTheSystemsRestart() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.backgroundRefreshChanged(app(1), false))
        _ = bench.restarts()
        #expect(
            bench.plays(.wakeOccurred(app(1), .locationMonitoring))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
    }

    // MARK: R-125

    @Test func r125APasscodeSetBehindTheLockTakesTheDataAway() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.deviceLocked)
        #expect(news(bench) == [])
        _ = bench.plays(.settingChanged(.passcode(true)))
        #expect(news(bench).map(\.isProtectedDataAvailable) == [false])
    }
}
