import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Restarts of the system: tokens and calls outlive them, and pushes do not.
@Suite struct VoIPRecoveryTests {
    private static let answer = "· 1.1 is to answer A\n1.1 perform answer A"

    @Test func r171TheTokenOutlivesTheSystem() throws {
        var bench = Bench.registered()
        #expect(bench.recovers() == "")
        #expect(bench.receivesPush() == "· app 1 push waits\nthaw 1.1", "its registry is not known")
        #expect(
            bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\n1.1 token\n· 1.1 gets push 1\n1.1 push 1")
        let token = try #require(voipToken)
        #expect(bench.effects.callbacks.contains(.concern(.voip(.tokenUpdated(token)))))
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test func r172PushesDoNotOutliveTheSystem() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        bench.helpers[launch(1)]?.open = [task(1)]
        #expect(bench.recovers() == "")
        #expect(bench.assertions(1) == [.task(TaskID(1))])
        #expect(bench.asks(.returned(1)) == "· 1.1 ignored, late", "no call is missed")
        #expect(bench.asks(.setRegistered(true)) == "· 1.1 wants pushes\n1.1 token")

        bench = .registered(.notRunning)
        _ = bench.receivesPush()
        bench.helpers[launch(1, 2)]?.open = [task(1)]
        #expect(bench.recovers() == "")
        #expect(bench.asks(.setRegistered(true), launch(1, 2)) == "· 1.2 wants pushes\n1.2 token")
        #expect(bench.pushNumbers.isEmpty, "the push that waited is lost")
    }

    /// An app that was called for a push before the restart may still report that it has handled that push.
    @Test func r172APushAfterARestartHasAnotherNumber() {
        var bench = Bench.ringing()
        _ = bench.recovers()
        _ = bench.asks(.setRegistered(true))
        _ = bench.receivesPush()
        #expect(bench.pushNumbers.count == 2)
        #expect(Set(bench.pushNumbers).count == 2, "\(bench.pushNumbers)")
    }

    @Test func r172MissesOutliveTheSystem() {
        var bench = Bench.registered(.suspended, .iOS26.with { $0.voipMisses = 2 })
        _ = bench.receivesPush()
        _ = bench.asks(.returned(1))
        #expect(bench.recovers() == "")
        _ = bench.receivesPush()
        _ = bench.asks(.setRegistered(true), launch(1, 2))
        let push = bench.pushNumbers.last ?? 0
        #expect(bench.asks(.returned(push), launch(1, 2)) == "· 1.2 reported no call, 2\nkill 1.2: 0xbaadca11")
        #expect(bench.recovers() == "")
        #expect(bench.receivesPush() == "· app 1 loses a push: tooManyMisses")
    }

    @Test func r173ARepeatedReportIsAnsweredAgain() {
        var bench = Bench.withOtherActive()
        bench.rings()
        _ = bench.plays(.device(.interruptionDismissed))
        _ = bench.recovers()
        #expect(bench.asks(.report(.a, CallUpdate())) == "· 1.1 reports A\n1.1 told: A rings")
        #expect(bench.voipOnDisk == "app 1: token, A ringing, of 1.1", "it is the same call")
        #expect(bench.state(2) == .active, "the call does not begin to ring again")
    }

    @Test func r174CallsOutliveTheSystem() {
        var bench = Bench.ringing()
        #expect(bench.recovers() == "")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call])
        #expect(bench.rests(.seconds(60)) == "")
        #expect(bench.chooses(.answer) == Self.answer)
        _ = bench.recovers()
        #expect(bench.voipOnDisk == "app 1: token, A answering until 130 s, of 1.1")
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
        _ = bench.recovers()
        #expect(bench.rests(.seconds(60)) == "")
        #expect(bench.chooses(.end) == "· 1.1 is to end A\n1.1 perform end A")
        _ = bench.recovers()
        #expect(
            bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user\n1.1 audio off\nfreeze 1.1")
    }

    @Test func r174TheTimeOfAnActionOutlivesTheSystem() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        _ = bench.rests(.seconds(20))
        _ = bench.recovers()
        #expect(bench.rests(.milliseconds(39_999)) == "")
        #expect(
            bench.rests(.milliseconds(1)) == "1.1 timed out answer A\n· 1.1 A over: answer timed out\nfreeze 1.1")
    }

    /// The app connects again first, and repeats what it did meanwhile.
    @Test func r174AfterARestartAnActionHasTimeAgain() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        _ = bench.rests(.seconds(59))
        _ = bench.recovers()
        #expect(bench.rests(.milliseconds(9_999)) == "")
        #expect(
            bench.rests(.milliseconds(1)) == "1.1 timed out answer A\n· 1.1 A over: answer timed out\nfreeze 1.1")
    }

    /// The system ended before the app was called.
    @Test func r174AnActionOutlivesTheSystem() {
        var bench = Bench.ringing()
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.chooses(.answer) == Self.answer)
        bench.helpers[launch(1)]?.isHung = false
        #expect(bench.recovers() == "1.1 perform answer A")
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
    }

    /// As above, and the app fulfilled the action.
    @Test func r174TheActivationOutlivesTheSystem() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
        bench.helpers[launch(1)]?.isHung = false
        #expect(bench.recovers() == "1.1 audio on")
    }

    /// The system does not know any longer whether the call was connected. The app ignores a needless deactivation.
    @Test(arguments: [CallChoice.decline, .end])
    func r174TheSoundOfACallThatIsBeingEndedEndsAfterARestart(_ choice: CallChoice) {
        var bench = choice == .end ? Bench.connected() : .ringing()
        _ = bench.chooses(choice)
        #expect(bench.recovers() == "1.1 perform end A", "the activation is not repeated")
        #expect(
            bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user\n1.1 audio off\nfreeze 1.1")
    }

    /// The user has declined a call before the restart, and answers another call of the app after that.
    @Test func r174ACallIsConnectedWhileAnotherIsBeingDeclined() {
        var bench = Bench.ringing()
        bench.rings(.b)
        _ = bench.rests(.seconds(10))
        _ = bench.chooses(.decline)
        _ = bench.recovers()
        _ = bench.chooses(.answer)
        #expect(bench.asks(.performed(.answer, .b, isFulfilled: true)) == "· 1.1 B is on\n1.1 audio on")
        #expect(bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user")
        #expect(
            bench.asks(.ended(.b, .remoteEnded))
                == "· 1.1 B over: reported remoteEnded\n1.1 audio off\nfreeze 1.1")
    }

    @Test func r174TheInterruptionOutlivesTheSystem() {
        var bench = Bench.withOtherActive()
        bench.rings()
        #expect(bench.recovers() == "")
        #expect(bench.state(2) == .inactive)
        #expect(bench.chooses(.answer) == Self.answer + "\n· 2.1 call over")
        #expect(bench.state(2) == .active)
    }

    /// The app ended while the system did not run.
    @Test func r174TheCallsOfAnEndedAppEnd() {
        var bench = Bench.withOtherActive()
        bench.rings()
        bench.helpers[launch(1)]?.exit = .signaled(11)
        #expect(
            bench.recovers()
                == "· 1.1 A over: launch ended\n· 2.1 call over\nstart 1.2 for voip\n1.2 launch for voip", "R-175")
        #expect(bench.state(2) == .active && bench.voipOnDisk == "app 1: token")
    }

    @Test func r174AStartOfTheDeviceEndsCalls() {
        var bench = Bench.connected()
        bench.helpers = [:]
        let count = bench.effects.count
        _ = bench.restarts()
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.rests(.zero)
        #expect(bench.phoned(since: count).hasPrefix("· 1.1 A over: launch ended"))
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.chooses(.end) == "· endCall refused: noCall")
    }

    // MARK: Records that contradict the device

    /// The store has a ringing call of this launch. The app does not run.
    @Test(arguments: [launch(1), launch(1, 7)])
    func r174ACallWithoutAProcessEnds(_ launch: LaunchID) {
        var bench = Bench.registered(.notRunning)
        var record = VoIPRecord(app: app(1))
        (record.token, record.launch) = (voipToken, launch)
        record.calls = [PhoneCall(id: .a, number: 1, update: CallUpdate())]
        bench.stored.store(.concern(.voip(.client(record))))
        _ = bench.recovers()
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.chooses(.answer) == "· answerCall refused: noCall")
        #expect(bench.device.nextDeadline == nil)
    }

    /// Records of apps that are not installed are ignored.
    @Test func aRecordOfNoAppIsIgnored() {
        var record = VoIPRecord(app: app(1))
        record.calls = [PhoneCall(id: .a, number: 1, update: CallUpdate())]
        let device = Device(policy: .iOS26, apps: [], launches: [], concerns: [.voip(.client(record))])
        #expect(device.nextDeadline == nil)
    }
}
