import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The watch of kept sockets, and the wakes by them.
@Suite struct SocketWakeTests {
    private static let wake = "· 1.1 7 has data\nthaw 1.1\nunwatch 1.1"
    private static let rest = "freeze 1.1\nwatch 1.1"
    private static let kill = "· 1.1 7 has data\nkill 1.1: 0xbad22222\nclose 7 of 1.1"

    /// Data has woken the app this often, and it is suspended again. Each wake takes ten seconds.
    private static func woken(_ times: Int, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.keeping(.suspended, policy)
        for _ in 0..<times {
            _ = bench.receives()
            _ = bench.idles(.seconds(10))
        }
        return bench
    }

    // MARK: The watch

    @Test func r168SocketsAreWatchedWhileTheAppIsFrozen() {
        var bench = Bench.keeping(.active)
        let count = bench.effects.count
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        _ = bench.acknowledge(launch(1))
        #expect(bench.netted(since: count) == "freeze 1.1", "its code may still run")
        #expect(bench.nets() == "watch 1.1")
        #expect(bench.nets(.device(.appOpened(app(1)))) == "thaw 1.1\nunwatch 1.1")
        #expect(bench.nets(.device(.homePressed)) == Self.rest)
    }

    @Test(arguments: [AppState.active, .background]) func r168ARunningAppReadsItsSockets(_ state: AppState) {
        var bench = Bench.keeping(state)
        #expect(bench.receives() == "")
        #expect(bench.state(1) == state)
    }

    @Test func r168ReportsAboutOtherSocketsAreIgnored() {
        var bench = Bench.keeping()
        for input in [
            .readable(launch(1), .b, isOver: false), .readable(launch(1, 2), .a, isOver: true),
            .readable(launch(2), .a, isOver: false), .readable(launch(9), .a, isOver: false),
            .taken(launch(1), .b, .notOpen), .taken(launch(1, 2), .a, .notOpen), .taken(launch(9), .a, .notOpen),
        ] as [SocketInput] {
            #expect(bench.reports(input) == "", "\(input)")
        }
        #expect(bench.state(1) == .suspended && bench.socketsOnDisk == "1.1: 7")
    }

    // MARK: Wakes

    @Test func r168DataWakesASuspendedApp() {
        var bench = Bench.keeping()
        let count = bench.effects.count
        #expect(bench.receives() == Self.wake)
        #expect(bench.effects[count...].contains(.decided(.launch(launch(1), .woken(.voip)))))
        #expect(bench.effects[count...].callbacks.isEmpty, "no didEnterBackground: X-03")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake])
        #expect(bench.receives() == "", "it runs")
        #expect(bench.idles(.milliseconds(9_999)) == "")
        #expect(bench.idles(.milliseconds(1)) == Self.rest)
        #expect(bench.state(1) == .suspended)
        #expect(bench.receives() == Self.wake, "again")
    }

    private static let end = "close 7 of 1.1\nunwatch 1.1\n1.1 told: 7 notConnected"

    /// The app finds its own descriptor at its end.
    @Test func r168TheEndOfTheConnectionWakesTheApp() {
        var bench = Bench.keeping()
        #expect(bench.receives(isOver: true) == "· 1.1 7 is over\nthaw 1.1\n" + Self.end)
        #expect(bench.socketsOnDisk == "")
        #expect(bench.idles(.seconds(10)) == "freeze 1.1", "nothing is left to be watched")
    }

    @Test func r168AnotherSocketIsStillWatched() {
        var bench = Bench.keeping(.active, .iOS26.with { $0.voipSockets = 2 })
        bench.keeps(.b)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.receives(isOver: true) == "· 1.1 7 is over\nthaw 1.1\n" + Self.end)
        #expect(bench.socketsOnDisk == "1.1: 8")
        #expect(bench.idles(.seconds(10)) == Self.rest)
        #expect(bench.receives(.b) == "· 1.1 8 has data\nthaw 1.1\nunwatch 1.1")
    }

    /// The data is remembered until the rules allow the wake.
    @Test func r124TheRulesMayRefuseAWake() {
        var bench = Bench.keeping()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.receives() == "· 1.1 7 has data\n· app 1 no voip: notUnlockedSinceStart")
        #expect(bench.nets(.device(.settingChanged(.lowPowerMode(true)))) == "", "the refusal is recorded once")
        #expect(bench.nets(.device(.deviceUnlocked)) == "thaw 1.1\nunwatch 1.1")
        #expect(bench.state(1) == .background)
    }

    // MARK: Too many wakes

    @Test func r169TheSixteenthWakeIsTheEnd() {
        var bench = Self.woken(14)
        #expect(bench.receives() == Self.wake)
        #expect(bench.idles(.seconds(10)) == Self.rest)
        #expect(bench.receives() == Self.kill)
        #expect(bench.effects.contains(.decided(.launch(launch(1), .ended(.wokenTooOften, .signaled(9))))))
        #expect(bench.state(1) == .notRunning && bench.socketsOnDisk == "", "it is not launched again")
    }

    /// The first wake counts for five minutes. The last one ended after 150 seconds.
    @Test(arguments: [(149_999, true), (150_000, false)])
    func r169OldWakesDoNotCount(pause: Int64, isKilled: Bool) {
        var bench = Self.woken(15)
        #expect(bench.idles(.milliseconds(pause)) == "")
        #expect(bench.receives() == (isKilled ? Self.kill : Self.wake))
    }

    @Test(arguments: [(9_999, true), (10_000, false)])
    func r169ThePolicySetsTheNumberOfWakes(pause: Int64, isKilled: Bool) {
        var bench = Self.woken(
            1,
            .iOS26.with {
                $0.voipWakes = 1
                $0.voipPeriod = .seconds(20)
            })
        #expect(bench.idles(.milliseconds(pause)) == "")
        #expect(bench.receives() == (isKilled ? Self.kill : Self.wake))
    }

    @Test func r169OtherWakesDoNotCount() {
        var bench = Bench.keeping(.suspended, .iOS26.with { $0.voipWakes = 1 })
        for _ in 1...3 {
            _ = bench.plays(.device(.wakeOccurred(app(1), .voip)))
            #expect(bench.idles(.seconds(10)) == Self.rest)
        }
        #expect(bench.receives() == Self.wake)
    }

    @Test func r169AnotherSocketIsNoNewBeginning() {
        var bench = Bench.keeping(.suspended, .iOS26.with { $0.voipWakes = 1 })
        _ = bench.receives()
        _ = bench.wants(.drop(.a))
        bench.keeps(.b)
        #expect(bench.idles(.seconds(10)) == Self.rest)
        #expect(bench.receives(.b).contains("kill 1.1: 0xbad22222"))
    }

    /// Otherwise an app that crashes would be woken without end.
    @Test func r169ACrashIsNoNewBeginning() {
        var bench = Bench.keeping(.suspended, .iOS26.with { $0.voipWakes = 1 })
        _ = bench.receives()
        _ = bench.ends(.signaled(11))
        bench.keeps(.a, launch(1, 2))
        #expect(bench.idles(.seconds(10)) == "freeze 1.2\nwatch 1.2")
        #expect(
            bench.reports(.readable(launch(1, 2), .a, isOver: false))
                == "· 1.2 7 has data\nkill 1.2: 0xbad22222\nclose 7 of 1.2")
    }

    @Test func r169TheEndForTooManyWakesIsANewBeginning() {
        var bench = Bench.keeping(.suspended, .iOS26.with { $0.voipWakes = 1 })
        _ = bench.receives()
        #expect(bench.idles(.seconds(10)) == Self.rest)
        #expect(bench.receives() == Self.kill)
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.keeps(.a, launch(1, 2))
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.reports(.readable(launch(1, 2), .a, isOver: false))
                == "· 1.2 7 has data\nthaw 1.2\nunwatch 1.2")
    }
}
