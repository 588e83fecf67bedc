import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Requests to keep sockets and to drop them, their answers and their limits.
@Suite struct SocketKeepTests {
    private static let two = Policy.iOS26.with { $0.voipSockets = 2 }

    // MARK: Requests

    @Test func r167TheSystemTakesTheSocket() {
        var bench = Bench.calling(.active)
        #expect(bench.wants(.keep(.a)) == "take 7 of 1.1")
        #expect(bench.socketsOnDisk == "", "the system does not have it yet")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "· 1.1 keeps 7\n1.1 told: 7 kept")
        #expect(bench.socketsOnDisk == "1.1: 7")
    }

    @Test func r83WithoutTheModeNoSocketIsKept() {
        var bench = Bench.calling(.active, modes: [.audio])
        let answer = "· 1.1 does not keep 7: modeNotDeclared\n1.1 told: 7 modeNotDeclared"
        #expect(bench.wants(.keep(.a)) == answer)
        #expect(bench.wants(.keep(.a)) == answer)
        #expect(bench.socketsOnDisk == "")
    }

    @Test(arguments: SocketFailure.allCases) func r167TheAppLearnsWhyNot(_ failure: SocketFailure) {
        var bench = Bench.calling(.active)
        _ = bench.wants(.keep(.a))
        #expect(
            bench.reports(.taken(launch(1), .a, failure))
                == "· 1.1 does not keep 7: \(failure)\n1.1 told: 7 \(failure)")
        #expect(bench.socketsOnDisk == "")
        #expect(bench.wants(.keep(.a)) == "take 7 of 1.1", "it may ask again")
    }

    @Test func r167ARepeatedRequestIsAnsweredOnce() {
        var bench = Bench.calling(.active)
        _ = bench.wants(.keep(.a))
        #expect(bench.wants(.keep(.a)) == "", "the answer is under way")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "· 1.1 keeps 7\n1.1 told: 7 kept")
        #expect(bench.wants(.keep(.a)) == "1.1 told: 7 kept", "it is kept already")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "", "nothing was asked")
    }

    @Test func r167ADroppedSocketIsClosed() {
        var bench = Bench.keeping(.active)
        #expect(bench.wants(.drop(.a)) == "· 1.1 drops 7\nclose 7 of 1.1")
        #expect(bench.socketsOnDisk == "")
        #expect(bench.wants(.drop(.a)) == "· 1.1 ignored, late")
        #expect(bench.nets(.device(.homePressed)) == "freeze 1.1", "nothing is watched")
    }

    @Test func r167ASocketMayBeDroppedAtOnce() {
        var bench = Bench.calling(.active)
        _ = bench.wants(.keep(.a))
        #expect(bench.wants(.drop(.a)) == "· 1.1 drops 7\nclose 7 of 1.1")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "close 7 of 1.1", "the descriptor came too late")
        #expect(bench.socketsOnDisk == "")
    }

    /// The app is suspended before the system has a descriptor of the socket.
    @Test func r167TheAnswerWaitsUntilTheAppRuns() {
        var bench = Bench.calling(.active)
        _ = bench.wants(.keep(.a))
        #expect(bench.nets(.device(.homePressed)) == "freeze 1.1")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "· 1.1 keeps 7\nwatch 1.1")
        #expect(bench.nets(.device(.appOpened(app(1)))) == "thaw 1.1\nunwatch 1.1\n1.1 told: 7 kept")
    }

    @Test(arguments: [SocketRequest.keep(.b), .drop(.a), .setKeepAlive(.seconds(600)), .setKeepAlive(nil)])
    func requestsOfAnEarlierLaunchAreIgnored(_ request: SocketRequest) {
        var bench = Bench.keeping(.active)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.wants(request) == "· 1.1 ignored, late")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.wants(request) == "· 1.1 ignored, late")
        #expect(bench.socketsOnDisk == "")
    }

    // MARK: Limits

    @Test func r168AnAppKeepsOneSocket() {
        var bench = Bench.calling(.active)
        let refusal = "· 1.1 does not keep 8: tooMany\n1.1 told: 8 tooMany"
        _ = bench.wants(.keep(.a))
        #expect(bench.wants(.keep(.b)) == refusal, "the system may have the first one soon")
        _ = bench.reports(.taken(launch(1), .a, nil))
        #expect(bench.wants(.keep(.b)) == refusal)
        #expect(bench.socketsOnDisk == "1.1: 7")
        _ = bench.wants(.drop(.a))
        #expect(bench.wants(.keep(.b)) == "take 8 of 1.1")
    }

    @Test func r168ThePolicySetsTheNumberOfSockets() {
        var bench = Bench.keeping(.active, Self.two)
        bench.keeps(.b)
        #expect(bench.socketsOnDisk == "1.1: 7 8")
    }

    @Test func r168TheSocketsOfAllAppsAreLimited() {
        var bench = Bench(
            .iOS26.with { $0.voipSocketsInAll = 1 }, [.sample(1, modes: [.voip]), .sample(2, modes: [.voip])])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.keeps()
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.wants(.keep(.b), launch(2)) == "· 2.1 does not keep 8: tooMany\n2.1 told: 8 tooMany")
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.wants(.keep(.b), launch(2)) == "take 8 of 2.1")
    }

    // MARK: The end of the launch

    /// The system's descriptors would keep the connections open.
    @Test func r167TheEndOfTheLaunchClosesItsSockets() {
        var bench = Bench.keeping(.active, Self.two)
        _ = bench.wants(.keep(.b))
        #expect(bench.ends(.exited(code: 0)) == "close 7 of 1.1\nclose 8 of 1.1", "also the one that was asked for")
        #expect(bench.socketsOnDisk == "")
        #expect(bench.reports(.taken(launch(1), .b, nil)) == "close 8 of 1.1", "the descriptor came too late")
    }

    @Test(arguments: [DeviceEvent.appForceQuit(app(1)), .appUninstalled(app(1)), .memoryRanShort])
    func r167AnAppThatIsEndedKeepsNoSocket(_ event: DeviceEvent) {
        var bench = Bench.keeping()
        #expect(bench.nets(.device(event)).contains("\nclose 7 of 1.1"))
        #expect(bench.socketsOnDisk == "")
    }

    /// The process may still run for a while.
    @Test func r167TheSocketIsClosedWhenTheAppHasReturnedFromWillTerminate() {
        var bench = Bench.keeping(.active)
        let count = bench.effects.count
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.acknowledge(launch(1))
        #expect(bench.netted(since: count) == "")
        _ = bench.acknowledge(launch(1))
        #expect(bench.netted(since: count) == "close 7 of 1.1")
        #expect(bench.nets() == "")
    }
}
