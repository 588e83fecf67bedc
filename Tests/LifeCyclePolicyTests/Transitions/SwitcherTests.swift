import LifeCycleModel
import LifeCyclePolicy
import Testing

/// The app switcher: apps in the order of their last use, without those that were force-quit.
@Suite struct SwitcherTests {
    private static func used(_ order: [Int32], _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench(policy, [.sample(1), .sample(2), .sample(3)])
        for number in order { _ = bench.plays(.device(.appOpened(app(number)))) }
        bench.forget()
        return bench
    }

    @Test func switchingWithoutANameOpensThePreviousApp() {
        var bench = Self.used([1, 2, 3])
        for expected: Int32 in [2, 3, 2] {
            _ = bench.plays(.device(.appSwitched(nil)))
            #expect(bench.device.foregroundApp == app(expected), "switches between the last two apps")
            #expect(bench.state(expected) == .active)
        }
    }

    @Test func switchingFromTheHomeScreenOpensTheLastApp() {
        var bench = Self.used([1, 2])
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.state(2) == .active)
    }

    @Test func aNamedAppIsSwitchedTo() {
        var bench = Self.used([1, 2, 3])
        _ = bench.plays(.device(.appSwitched(app(1))))
        #expect(bench.state(1) == .active)
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.state(3) == .active)
    }

    @Test func unopenedAndForceQuitAppsAreNotInTheSwitcher() {
        var bench = Self.used([1, 2])
        #expect(bench.does(.device(.appSwitched(app(3)))) == "· switchApp refused: notInSwitcher")
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.does(.device(.appSwitched(app(1)))) == "· switchApp refused: notInSwitcher")
        #expect(bench.does(.device(.appSwitched(nil))) == "· switchApp refused: noOtherApp")
        #expect(bench.does(.device(.appSwitched(app(9)))) == "· app 9 unknown")
        #expect(bench.state(2) == .active)
    }

    @Test func endedAppsStayInTheSwitcher() {
        var bench = Self.used([1, 2])
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.device.snapshot(of: app(1))?.launch == launch(1, 2))
    }

    @Test func theSwitcherSkipsAppsBeingUninstalled() {
        var bench = Self.used([1, 2, 3])
        _ = bench.does(.device(.appUninstalled(app(2))))
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.state(1) == .active)
    }

    @Test func switchingDuringAnInterruptionAcceptsIt() {
        var bench = Self.used([1, 2])
        _ = bench.plays(.device(.interruptionBegan(.appSwitcher)))
        #expect(bench.does(.device(.appSwitched(app(3)))) == "· switchApp refused: notInSwitcher")
        #expect(bench.device.record.interruption == .appSwitcher, "a refused switch keeps the switcher open")
        #expect(bench.plays(.device(.appSwitched(nil))).contains("· 2.1 appSwitcher accepted"))
        #expect(bench.state(1) == .active)
    }

    @Test func theOrderSurvivesTheSystemsRestart() {
        var bench = Self.used([3, 1, 2])
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.state(1) == .active)
        _ = bench.plays(.device(.appForceQuit(app(2))))
        _ = bench.plays(.device(.appSwitched(nil)))
        #expect(bench.state(3) == .active)
    }
}
