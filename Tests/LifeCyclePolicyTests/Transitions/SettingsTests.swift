import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// settings, and the apps that are notified of them.
@Suite struct SettingsTests {
    private func news(_ bench: Bench) -> [DeviceFacts] {
        bench.effects.compactMap { effect in
            if case .launch(_, .send(.callback(_, .deviceChanged(let facts)))) = effect { facts } else { nil }
        }
    }

    @Test func runningAppsAreNotifiedOfAChange() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.settingChanged(.lowPowerMode(true)))) == """
                · lowPowerMode set
                store device
                1.1 #3 deviceChanged
                > 1.1 acknowledged #3
                """)
        #expect(news(bench).last?.isLowPowerModeEnabled == true)
        #expect(bench.deviceOnDisk.settings.lowPowerMode)
    }

    /// A callback that is repeated on a new connection carries the newest facts.
    @Test func aRepeatedCallbackHasTheNewestFacts() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.settingChanged(.batteryLevel(50))))
        _ = bench.does(.device(.settingChanged(.lowPowerMode(true))))
        #expect(news(bench).map(\.isLowPowerModeEnabled) == [false])
        _ = bench.does(.app(launch(1), .attached(Attachment(lastCallback: CallbackID(2), phase: .active, open: []))))
        #expect(news(bench).map(\.isLowPowerModeEnabled) == [false, true])
        #expect(bench.does(.app(launch(1), .requested(.acknowledge(CallbackID(3), open: [])))) == "", "already known")
    }

    @Test func settingsWithoutFactsCauseNoCallback() {
        var bench = Bench.with(.active)
        #expect(bench.plays(.device(.settingChanged(.network(.cellular)))) == "· network set\nstore device")
        #expect(
            bench.plays(.device(.settingChanged(.lowPowerMode(false)))) == "· lowPowerMode set\nstore device",
            "the setting was already off")
    }

    @Test func r26ChangesWhileSuspendedAreCoalesced() {
        var bench = Bench.with(.suspended)
        for percent: Int32 in [90, 80, 70] { _ = bench.plays(.device(.settingChanged(.batteryLevel(percent)))) }
        _ = bench.plays(.device(.settingChanged(.power(.battery))))
        _ = bench.plays(.device(.clockWasSet))
        _ = bench.plays(.device(.clockWasSet))
        #expect(news(bench) == [])
        let answer = bench.plays(.device(.appOpened(app(1))))
        #expect(answer.contains("1.1 #5 deviceChanged\n· 1.1 suspended → background"))
        #expect(answer.contains("1.1 #6 willEnterForeground"), "the changed settings precede the callback")
        #expect(news(bench).count == 1)
        #expect(news(bench).first?.batteryLevel == 70)
        #expect(news(bench).first?.power == .battery)
        #expect(news(bench).first?.clockChanges == 2)
    }

    /// A program that keeps the clock right may step it many times a minute.
    @Test(arguments: [1, -1]) func r26ASmallStepOfTheClockIsNoChange(direction: Int64) {
        var bench = Bench.with(.active)
        let second = Nanoseconds.seconds(1).rawValue
        #expect(bench.plays(.device(.clockStepped(by: Nanoseconds(direction * (second - 1))))) == "")
        #expect(news(bench) == [])
        _ = bench.plays(.device(.clockStepped(by: Nanoseconds(direction * second))))
        #expect(news(bench).map(\.clockChanges) == [1])
    }

    @Test func r26AnUndoneChangeCausesNoCallback() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(false))))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(news(bench) == [])
    }

    @Test func r26AWokenAppReceivesChangesBeforeItsEvent() {
        var bench = Bench.with(.suspended, Policy.iOS26.with { $0.wakeCallsDidEnterBackground = true })
        _ = bench.plays(.device(.clockWasSet))
        let answer = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(answer.contains("1.1 #5 deviceChanged"))
        #expect(answer.contains("1.1 #6 didEnterBackground"))
    }

    @Test func r26AWakeWithoutACallbackReportsChanges() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.clockWasSet))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
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

    /// A task that is begun before the suspension lets the app run on. The app also receives the device changes then.
    @Test func r26ATaskThatPreventsTheSuspensionReportsChanges() {
        var bench = Bench.with(.background)
        _ = bench.does(.device(.clockWasSet))
        #expect(news(bench) == [], "the app is about to be suspended")
        let answer = bench.begin(1, launch(1))
        #expect(answer.contains("thaw 1.1") && answer.contains("1.1 #5 deviceChanged"), "\(answer)")
        #expect(bench.state(1) == .background)
    }

    @Test func r26ChangesDuringACallbackAreMerged() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.interruptionBegan(.call)))
        for percent: Int32 in [50, 40] { _ = bench.does(.device(.settingChanged(.batteryLevel(percent)))) }
        _ = bench.plays()
        #expect(news(bench).map(\.batteryLevel) == [40])
    }

    @Test func r26AConnectingAppReceivesTheFactsFirst() {
        var bench = Bench()
        _ = bench.plays(.device(.settingChanged(.batteryLevel(33))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.process(launch(1), .started))
        var facts = DeviceFacts()
        facts.batteryLevel = 33
        #expect(bench.tells(.app(launch(1), .attached(.new))) == ["1.1 is sent the device"])
        #expect(bench.effects.contains(.launch(launch(1), .send(.device(facts)))))
        _ = bench.plays()
        #expect(news(bench) == [])
    }

    @Test func r26AReconnectingAppReceivesTheFacts() {
        var bench = Bench.with(.active)
        _ = bench.restarts()
        _ = bench.does(.device(.settingChanged(.batteryLevel(12))))
        _ = bench.plays()
        let received = bench.effects.compactMap { effect -> Int32? in
            if case .launch(_, .send(.device(let facts))) = effect { facts.batteryLevel } else { nil }
        }
        #expect(received == [100, 12])
        #expect(news(bench) == [])
    }

    @Test func anAdoptedAppIsNotNotified() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(news(bench) == [])
    }

    // MARK: Background App Refresh

    @Test func r68BackgroundRefreshIsDeniedToOneApp() {
        var bench = Bench.with(.suspended)
        #expect(
            bench.plays(.device(.backgroundRefreshChanged(app(1), false))).hasPrefix(
                "· refresh of app 1 off\nstore app 1"))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
        #expect(
            bench.plays(.device(.backgroundRefreshChanged(app(1), false))) == "· refresh of app 1 off", "stored once"
        )
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(news(bench).map(\.backgroundRefresh) == [.denied])
        #expect(bench.plays(.device(.backgroundRefreshChanged(app(9), true))) == "· app 9 unknown")
    }

    @Test func r68AllAreDenied() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        #expect(news(bench).map(\.backgroundRefresh) == [.denied])
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(true))))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))).hasPrefix(
                "· 1.1 woken for locationMonitoring"))
    }

    @Test func r68TheDenialSurvivesARestart() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        _ = bench.restarts()
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
                == "· app 1 not woken for locationMonitoring: backgroundRefresh")
    }

    // MARK: R-125

    @Test func r125APasscodeSetWhileLockedProtectsTheData() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.deviceLocked))
        #expect(news(bench) == [])
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        #expect(news(bench).map(\.isProtectedDataAvailable) == [false])
    }
}
