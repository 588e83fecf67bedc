import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Registration for VoIP pushes: the token, and its loss.
@Suite struct VoIPRegistrationTests {
    private static let arrival = Event.concern(.voip(.tokenMade(app(1), voipToken)))

    /// The first app is active, and has made no registry.
    private static func launched(_ modes: [BackgroundMode] = [.voip]) -> Bench {
        var bench = Bench(.iOS26, [.sample(1, modes: modes), .sample(2, modes: modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        return bench
    }

    @Test func r171TheAppGetsItsToken() throws {
        var bench = Self.launched()
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\nmake a token for app 1")
        #expect(bench.voipOnDisk == "")
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes", "the token is being made")
        #expect(bench.phones(Self.arrival) == "confirm the token of app 1\n· app 1 has a token\n1.1 token")
        let token = try #require(voipToken)
        #expect(bench.effects.callbacks.last == .concern(.voip(.tokenUpdated(token))))
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.device.nextDeadline == nil)
    }

    /// Apps register at each launch, and get the token each time.
    @Test func r171EachLaunchGetsTheSameToken() throws {
        var bench = Bench.registered(.active)
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\n1.1 token")
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.setRegistered(true), launch(1, 2)) == "· 1.2 wants pushes\n1.2 token")
        let token = try #require(voipToken)
        #expect(bench.effects.callbacks.last == .concern(.voip(.tokenUpdated(token))))
        #expect(bench.phones(Self.arrival) == "", "no token is being made")
    }

    /// On a full disk an app receives no token, because a crash would lose it. Until then it is not registered.
    @Test func r171TheTokenIsOnDiskBeforeTheAppGetsIt() {
        var bench = Self.launched()
        bench.letStore(fail: true)
        _ = bench.asks(.setRegistered(true))
        #expect(bench.phones(Self.arrival) == "confirm the token of app 1")
        #expect(bench.receivesPush() == "· app 1 loses a push: notRegistered")
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes", "the token is on its way")
        let count = bench.effects.count
        bench.letStore(fail: false)
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "· app 1 has a token\n1.1 token")
        #expect(bench.receivesPush() == "· 1.1 gets push 1\n1.1 push 1")
        #expect(bench.phones(.concern(.voip(.tokenPersisted(app(1))))) == "", "once")
    }

    @Test func r171AnAppThatUnregistersHasNoToken() {
        var bench = Bench.registered(.active)
        #expect(bench.asks(.setRegistered(false)) == "· 1.1 wants no pushes")
        #expect(bench.voipOnDisk == "app 1: no token")
        #expect(bench.receivesPush() == "· app 1 loses a push: notRegistered")
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\nmake a token for app 1")
    }

    /// An app that unregisters while it is called for a push still has to report a call.
    @Test func r171APushUnderWayStillNeedsItsCall() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        #expect(bench.asks(.setRegistered(false)) == "· 1.1 wants no pushes")
        #expect(bench.asks(.returned(1)) == "· 1.1 reported no call, 1\nkill 1.1: 0xbaadca11")
    }

    @Test func r171AnAppThatUnregistersBeforeTheCommitGetsNoToken() {
        var bench = Self.launched()
        bench.letStore(fail: true)
        _ = bench.asks(.setRegistered(true))
        _ = bench.phones(Self.arrival)
        _ = bench.asks(.setRegistered(false))
        let count = bench.effects.count
        bench.letStore(fail: false)
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "")
        #expect(bench.voipOnDisk == "app 1: no token")
    }

    @Test func r171ATokenThatIsNoLongerWantedIsIgnored() {
        var bench = Self.launched()
        _ = bench.asks(.setRegistered(true))
        #expect(bench.asks(.setRegistered(false)) == "· 1.1 wants no pushes")
        #expect(bench.phones(Self.arrival) == "")
        #expect(bench.voipOnDisk == "")
    }

    @Test func r171WithoutRandomBytesThereIsNoToken() {
        var bench = Self.launched()
        _ = bench.asks(.setRegistered(true))
        #expect(bench.phones(.concern(.voip(.tokenMade(app(1), nil)))) == "· app 1 has no token")
        #expect(bench.receivesPush() == "· app 1 loses a push: notRegistered")
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\nmake a token for app 1", "it is tried again")
    }

    @Test func r171UnregisteringLosesThePushesThatWait() {
        var bench = Bench.registered(.notRunning)
        _ = bench.receivesPush()
        #expect(
            bench.asks(.setRegistered(false), launch(1, 2))
                == "· 1.2 wants no pushes\n· app 1 loses a push: notRegistered")
        #expect(bench.asks(.setRegistered(true), launch(1, 2)) == "· 1.2 wants pushes\nmake a token for app 1")
    }

    @Test func r171ANewVersionKeepsTheToken() {
        var bench = Bench.registered()
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.voip]))))
        #expect(bench.state(1) == .notRunning, "the update ends the app")
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(
            bench.receivesPush() == "· app 1 push waits\nstart 1.2 for voipPush\n1.2 launch for voipPush")
    }

    /// An update that is not built on RoostKit cannot receive pushes.
    @Test func r171AnAdoptedUpdateHasNoToken() {
        var bench = Bench.registered(.notRunning)
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.voip], isAdopted: true))))
        #expect(bench.receivesPush() == "· app 1 loses a push: notRegistered")
        #expect(bench.state(1) == .notRunning)
    }

    @Test func r171AnUninstalledAppIsForgotten() {
        var bench = Bench.registered()
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.voipOnDisk == "")
        #expect(bench.receivesPush() == "· app 1 unknown")
        #expect(bench.phones(Self.arrival) == "")
        #expect(bench.device.nextDeadline == nil)
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.voip]))))
        #expect(bench.receivesPush() == "· app 1 loses a push: notRegistered")
    }

    @Test func requestsOfAnEarlierLaunchAreIgnored() {
        var bench = Bench.registered(.active)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        for request in [.setRegistered(false), .returned(1), .report(.a, CallUpdate())] as [VoIPRequest] {
            #expect(bench.asks(request) == "· 1.1 ignored, late", "\(request)")
        }
        #expect(bench.voipOnDisk == "app 1: token")
    }

    /// An app that asks again and again is limited as by any other request.
    @Test func anAppThatAsksTooOftenIsKilled() {
        var bench = Bench.registered(.active)
        for number in 0..<3000 where bench.helpers[launch(1)]?.exit == nil {
            bench.handle(.app(launch(1), .requested(.concern(.voip(.setRegistered(number % 2 == 0))))))
        }
        #expect(bench.effects.contains(.launch(launch(1), .kill(.tooManyRequests))))
    }
}
