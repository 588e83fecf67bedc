import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Incoming calls: reports, the user's answers, and the time in which an app acts on them.
@Suite struct VoIPCallTests {
    private static let answer = "· 1.1 is to answer A\n1.1 perform answer A"
    private static let end = "· 1.1 is to end A\n1.1 perform end A"

    // MARK: Reports

    @Test func r173AReportedCallRings() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        let update = CallUpdate(caller: "Ada", hasVideo: true)
        #expect(bench.asks(.report(.a, update)) == "· 1.1 reports A\n1.1 told: A rings")
        #expect(bench.voipOnDisk == "app 1: token, A ringing, of 1.1")
        #expect(bench.stored.concerns.voip.first?.calls.first?.update == update)
    }

    /// A call needs neither a push nor a registry.
    @Test func r173AnAppWithoutARegistryMayReport() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.voip])])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.asks(.report(.a, CallUpdate()))
                == "· 1.1 reports A\n1.1 told: A rings\n· 1.1 interrupted by call")
        #expect(bench.voipOnDisk == "app 1: no token, A ringing, of 1.1")
    }

    @Test func r173WithoutTheModeACallIsRefused() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.audio])])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.report(.a, CallUpdate())) == "· 1.1 reports A, unentitled\n1.1 told: A unentitled")
        #expect(bench.voipOnDisk == "")
        #expect(bench.chooses(.answer) == "· answerCall refused: noCall")
        #expect(bench.state(1) == .active)
    }

    @Test func r173AnAppHasEightCallsAtMost() {
        var bench = Bench.registered(.active)
        for digit in "12345678" {
            #expect(bench.asks(.report(.sample(digit), CallUpdate())).contains("1.1 told: \(digit) rings"))
        }
        let ninth = VoIPRequest.report(.sample("9"), CallUpdate())
        #expect(bench.asks(ninth) == "· 1.1 reports 9, unknown\n1.1 told: 9 unknown")
        #expect(bench.asks(.ended(.sample("4"), .failed)) == "· 1.1 4 over: reported failed")
        #expect(bench.asks(ninth) == "· 1.1 reports 9\n1.1 told: 9 rings")
        #expect(bench.stored.concerns.voip.first?.calls.map(\.number) == [1, 2, 3, 5, 6, 7, 8, 9])
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(
            bench.asks(.report(.sample("1"), CallUpdate()), launch(2))
                == "· 2.1 reports 1\n2.1 told: 1 rings\n· 2.1 interrupted by call",
            "another app has its own calls")
    }

    @Test(arguments: CallEndedReason.allCases) func r173TheAppEndsItsCall(_ reason: CallEndedReason) {
        var bench = Bench.ringing()
        #expect(bench.asks(.ended(.a, reason)) == "· 1.1 A over: reported \(reason)\nfreeze 1.1")
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.state(1) == .suspended)
        #expect(bench.asks(.ended(.a, reason)) == "", "it is over already")
    }

    @Test func r173TheAppUpdatesItsCall() {
        var bench = Bench.ringing()
        let update = CallUpdate(caller: "Ada", hasVideo: true)
        #expect(bench.asks(.update(.a, update)) == "")
        #expect(bench.stored.concerns.voip.first?.calls.first?.update == update)
        let count = bench.effects.count
        _ = bench.asks(.update(.a, update))
        #expect(bench.effects.count == count, "nothing has changed")
        #expect(bench.asks(.update(.b, CallUpdate())) == "1.1 told: B unknown")
    }

    /// A name of more than 256 bytes is cut off between two characters.
    @Test func r173ALongNameIsCutOff() {
        var bench = Bench.ringing()
        let long = String(repeating: "\u{E9}", count: 200)
        _ = bench.asks(.update(.a, CallUpdate(caller: "x" + long)))
        let stored = bench.stored.concerns.voip.first?.calls.first?.update.caller
        #expect(stored == String(("x" + long).prefix(128)), "255 bytes")
        let count = bench.effects.count
        _ = bench.asks(.update(.a, CallUpdate(caller: "x" + long + "!")))
        #expect(bench.effects.count == count, "the difference is cut off")
    }

    /// The requests of an app that is being frozen are read to the end.
    @Test func r173ACallThawsAnAppThatIsBeingFrozen() {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        #expect(bench.acknowledge(launch(1)).contains("freeze 1.1"))
        let report = Event.app(launch(1), .requested(.concern(.voip(.report(.a, CallUpdate())))))
        #expect(bench.phonesAlone(report) == "· 1.1 reports A")
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "thaw 1.1\n1.1 told: A rings")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call])
    }

    @Test(arguments: [DeviceEvent.appForceQuit(app(1)), .shutdownBegan])
    func r173AnAppThatIsBeingEndedGetsNoCall(_ event: DeviceEvent) {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(event))
        let report = Event.app(launch(1), .requested(.concern(.voip(.report(.a, CallUpdate())))))
        #expect(bench.phonesAlone(report) == "· 1.1 reports A, unknown\n1.1 told: A unknown")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    // MARK: The foreground app

    @Test func r174ARingingCallInterruptsTheForegroundApp() {
        var bench = Bench.withOtherActive()
        _ = bench.receivesPush()
        #expect(
            bench.asks(.report(.a, CallUpdate()))
                == "· 1.1 reports A\n1.1 told: A rings\n· 2.1 interrupted by call")
        #expect(bench.state(2) == .inactive && bench.state(1) == .background)
        #expect(bench.device.record.interruption == .call)
    }

    @Test func r174TheInterruptionEndsWithTheRinging() {
        var bench = Bench.withOtherActive()
        bench.rings(.a)
        bench.rings(.b)
        #expect(bench.chooses(.answer) == Self.answer, "the other call rings")
        #expect(bench.state(2) == .inactive)
        #expect(bench.asks(.ended(.b, .unanswered)) == "· 1.1 B over: reported unanswered\n· 2.1 call over")
        #expect(bench.state(2) == .active && bench.device.record.interruption == nil)

        bench = .withOtherActive()
        bench.rings()
        #expect(bench.chooses(.decline) == Self.end + "\n· 2.1 call over")
        #expect(bench.state(2) == .active)
    }

    // MARK: The user

    @Test func r174AnAnsweredCallIsConnected() {
        var bench = Bench.ringing()
        #expect(bench.chooses(.answer) == Self.answer)
        #expect(bench.voipOnDisk == "app 1: token, A answering until 70 s, of 1.1")
        #expect(bench.device.nextDeadline == Deadline(at: at(70), reason: .voip))
        #expect(bench.rests(.milliseconds(59_999)) == "")
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 A is on\n1.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.rests(.seconds(3600)) == "")
    }

    @Test(arguments: [true, false]) func r174ADeclinedCallEnds(_ isFulfilled: Bool) {
        var bench = Bench.ringing()
        #expect(bench.chooses(.decline) == Self.end)
        #expect(bench.voipOnDisk == "app 1: token, A ending until 70 s, of 1.1")
        #expect(
            bench.asks(.performed(.end, .a, isFulfilled: isFulfilled)) == "· 1.1 A over: user\nfreeze 1.1",
            "the user does not want the call, even if the app fails")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test(arguments: [true, false]) func r174TheUserEndsTheCall(_ isFulfilled: Bool) {
        var bench = Bench.connected()
        #expect(bench.chooses(.end) == Self.end)
        #expect(
            bench.asks(.performed(.end, .a, isFulfilled: isFulfilled))
                == "· 1.1 A over: user\n1.1 audio off\nfreeze 1.1")
    }

    @Test func r174OneCallIsAnsweredAtATime() {
        var bench = Bench.bothRegistered()
        bench.rings(.a)
        bench.rings(.b, launch(2))
        #expect(bench.chooses(.answer) == Self.answer, "the call that rang first")
        #expect(bench.chooses(.answer) == "· answerCall refused: anotherCall")
        _ = bench.asks(.performed(.answer, .a, isFulfilled: true))
        #expect(bench.chooses(.answer) == "· answerCall refused: anotherCall")
        #expect(bench.chooses(.end) == Self.end)
        #expect(bench.chooses(.answer) == "· 2.1 is to answer B\n2.1 perform answer B", "the other call ends")
        _ = bench.asks(.performed(.end, .a, isFulfilled: true))
        #expect(bench.asks(.performed(.answer, .b, isFulfilled: true), launch(2)) == "· 2.1 B is on\n2.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token\napp 2: token, B connected, of 2.1")
    }

    @Test func r174ACallIsDeclinedDuringAnotherOne() {
        var bench = Bench.bothRegistered()
        bench.rings(.b, launch(2))
        bench.rings(.a)
        #expect(bench.chooses(.answer) == "· 2.1 is to answer B\n2.1 perform answer B", "the call that rang first")
        _ = bench.asks(.performed(.answer, .b, isFulfilled: true), launch(2))
        #expect(bench.chooses(.decline) == Self.end)
        #expect(bench.chooses(.decline) == "· declineCall refused: noCall")
        #expect(bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user")
        #expect(bench.chooses(.end) == "· 2.1 is to end B\n2.1 perform end B")
    }

    @Test func r174WithoutACallTheUserIsRefused() {
        var bench = Bench.registered()
        let before = bench.device
        #expect(bench.chooses(.answer) == "· answerCall refused: noCall")
        #expect(bench.chooses(.decline) == "· declineCall refused: noCall")
        #expect(bench.chooses(.end) == "· endCall refused: noCall")
        #expect(bench.device == before)
        bench = .ringing()
        #expect(bench.chooses(.end) == "· endCall refused: noCall", "it rings")
        _ = bench.chooses(.answer)
        #expect(bench.chooses(.decline) == "· declineCall refused: noCall", "it does not ring")
        bench = Bench(.iOS26, [])
        #expect(bench.chooses(.answer) == "· answerCall refused: noCall", "no app has ever asked for calls")
    }

    @Test(arguments: [CallChoice.answer, .decline, .end]) func r174DuringAShutdownNothingIsDone(_ choice: CallChoice) {
        var bench = choice == .end ? Bench.connected() : .ringing()
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.phonesAlone(.concern(.voip(.chosen(choice)))) == "· \(choice)Call refused: shuttingDown")
    }

    // MARK: The app's actions

    @Test func r174AnActionTimesOut() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        #expect(bench.rests(.milliseconds(59_999)) == "")
        #expect(
            bench.rests(.milliseconds(1)) == "1.1 timed out answer A\n· 1.1 A over: answer timed out\nfreeze 1.1")
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 ignored, late")
    }

    @Test func r174AnEndTimesOut() {
        var bench = Bench.connected()
        _ = bench.chooses(.end)
        #expect(
            bench.rests(.seconds(60))
                == "1.1 timed out end A\n· 1.1 A over: end timed out\n1.1 audio off\nfreeze 1.1")
    }

    @Test func r174ThePolicySetsTheTimeOfAnAction() {
        var bench = Bench.ringing(.iOS26.with { $0.callAction = .seconds(5) })
        _ = bench.chooses(.answer)
        #expect(bench.rests(.milliseconds(4999)) == "")
        #expect(bench.rests(.milliseconds(1)).contains("· 1.1 A over: answer timed out"))
    }

    @Test func r174AFailedAnswerEndsTheCall() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        #expect(
            bench.asks(.performed(.answer, .a, isFulfilled: false)) == "· 1.1 A over: not performed\nfreeze 1.1")
        #expect(bench.chooses(.end) == "· endCall refused: noCall")
    }

    /// The caller hangs up while the app answers.
    @Test func r174TheAppEndsACallThatIsBeingAnswered() {
        var bench = Bench.ringing()
        _ = bench.chooses(.answer)
        #expect(bench.asks(.ended(.a, .remoteEnded)) == "· 1.1 A over: reported remoteEnded\nfreeze 1.1")
        #expect(bench.rests(.seconds(60)) == "", "no action is due")
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true)) == "· 1.1 ignored, late")
    }

    /// The app is told that its sound is over before it is suspended.
    @Test func r174TheSoundOfTheLastCallEndsFirst() {
        var bench = Bench.connected()
        #expect(
            bench.asks(.ended(.a, .remoteEnded))
                == "· 1.1 A over: reported remoteEnded\n1.1 audio off\nfreeze 1.1")
    }

    /// The sound of a call lasts until the call is over, also if the user has ended the call.
    @Test func r174ACallThatIsBeingEndedKeepsItsSound() {
        var bench = Bench.connected()
        bench.rings(.b)
        _ = bench.rests(.seconds(10))
        #expect(bench.chooses(.end) == Self.end)
        #expect(bench.chooses(.answer) == "· 1.1 is to answer B\n1.1 perform answer B")
        #expect(bench.asks(.performed(.answer, .b, isFulfilled: true)) == "· 1.1 B is on", "the sound is on already")
        #expect(bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user")
        #expect(
            bench.asks(.ended(.b, .remoteEnded))
                == "· 1.1 B over: reported remoteEnded\n1.1 audio off\nfreeze 1.1")
    }

    /// A call that was declined has no sound.
    @Test func r174ADeclinedCallActivatesNoSound() {
        var bench = Bench.ringing()
        bench.rings(.b)
        #expect(bench.chooses(.decline) == Self.end)
        #expect(bench.chooses(.answer) == "· 1.1 is to answer B\n1.1 perform answer B")
        #expect(bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 A over: user")
        #expect(bench.asks(.performed(.answer, .b, isFulfilled: true)) == "· 1.1 B is on\n1.1 audio on")
    }

    // MARK: The process of the app

    @Test func r174ACallHoldsItsApp() {
        var bench = Bench.ringing()
        #expect(bench.assertions(1) == [.call])
        #expect(bench.rests(.seconds(86_400)) == "")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.assertions(1) == [.foreground])
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call])
    }

    /// The time of tasks does not count during a call.
    @Test func r174ACallStopsTheClockOfTasks() {
        var bench = Bench.registered(.active)
        _ = bench.asks(.report(.a, CallUpdate()))
        bench.toBackground()
        #expect(bench.assertions(1) == [.call, .task(TaskID(1))])
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == nil)
        _ = bench.rests(.seconds(100))
        _ = bench.asks(.ended(.a, .remoteEnded))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == at(130))
    }

    @Test func r174TheEndOfTheLaunchEndsItsCalls() {
        var bench = Bench.ringing()
        #expect(bench.phones(.device(.appForceQuit(app(1)))) == "· 1.1 A over: launch ended")
        #expect(bench.voipOnDisk == "app 1: token")
        #expect(bench.chooses(.answer) == "· answerCall refused: noCall")

        bench = .connected()
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.phoned(since: count) == "· 1.1 A over: launch ended")
        #expect(bench.voipOnDisk == "app 1: token" && bench.device.nextDeadline == nil)
    }

    // MARK: False requests

    @Test func r174AnAppPerformsOnlyWhatTheUserChose() {
        var bench = Bench.ringing()
        for action in CallAction.allCases {
            #expect(bench.asks(.performed(action, .a, isFulfilled: true)) == "· 1.1 ignored, late", "\(action)")
        }
        _ = bench.chooses(.answer)
        #expect(bench.asks(.performed(.end, .a, isFulfilled: true)) == "· 1.1 ignored, late")
        #expect(bench.asks(.performed(.answer, .b, isFulfilled: true)) == "· 1.1 ignored, late")
        #expect(bench.voipOnDisk == "app 1: token, A answering until 70 s, of 1.1")
    }

    @Test func r174AnAppActsOnItsOwnCallsOnly() {
        var bench = Bench.bothRegistered()
        bench.rings(.a)
        bench.rings(.b, launch(2))
        _ = bench.chooses(.answer)
        let before = bench.voipOnDisk
        #expect(bench.asks(.performed(.answer, .a, isFulfilled: true), launch(2)) == "· 2.1 ignored, late")
        #expect(bench.asks(.ended(.a, .failed), launch(2)) == "")
        #expect(bench.asks(.update(.a, CallUpdate(caller: "Eve")), launch(2)) == "2.1 told: A unknown")
        #expect(bench.voipOnDisk == before)
    }
}
