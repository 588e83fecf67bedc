import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Outgoing calls, and the other actions that apps ask for by `CXCallController`.
@Suite struct VoIPTransactionTests {
    private static let begun = "· 1.1 is to start A\n1.1 told: 1 accepted\n1.1 perform start A"
    private static let forbidden = "· 1.1 may not act: invalidAction\n1.1 told: 1 invalidAction"

    // MARK: Outgoing calls

    @Test func r173AnAppBeginsACall() {
        var bench = Bench.registered(.active)
        let update = CallUpdate(caller: "Ada", hasVideo: true)
        #expect(bench.transacts([.start(.a, update)]) == Self.begun)
        #expect(bench.voipOnDisk == "app 1: token, A starting until 60 s, of 1.1")
        let call = bench.stored.concerns.voip.first?.calls.first
        #expect(call?.isOutgoing == true && call?.update == update && call?.number == 1)
        #expect(bench.state(1) == .active, "it does not ring")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call])
    }

    @Test func r173AnOutgoingCallInterruptsNoApp() {
        var bench = Bench.registered(.active)
        #expect(bench.transacts([.begin(.a)]) == Self.begun)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
        _ = bench.performs(.start)
        _ = bench.asks(.connected(.a))
        #expect(bench.state(2) == .active)
    }

    @Test func r173AStartedCallIsConnectedByTheOtherSide() {
        var bench = Bench.starting()
        #expect(bench.voipOnDisk == "app 1: token, A starting until 70 s, of 1.1")
        #expect(bench.performs(.start) == "· 1.1 dials A\n1.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token, A dialing, of 1.1")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.rests(.seconds(3600)) == "")
        #expect(bench.asks(.connected(.a)) == "· 1.1 A is on")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
        #expect(
            bench.asks(.ended(.a, .remoteEnded))
                == "· 1.1 A over: reported remoteEnded\n1.1 audio off\nfreeze 1.1")
    }

    /// The app fulfills the start later.
    @Test func r173ACallMayBeConnectedBeforeItsStartIsFulfilled() {
        var bench = Bench.starting()
        #expect(bench.asks(.connected(.a)) == "· 1.1 A is on\n1.1 audio on")
        #expect(bench.performs(.start) == "· 1.1 ignored, late")
        #expect(bench.asks(.connected(.a)) == "· 1.1 ignored, late", "it is connected already")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
        #expect(bench.rests(.seconds(60)) == "", "no action is due")
    }

    @Test func r173OnlyOutgoingCallsAreConnectedByTheOtherSide() {
        var bench = Bench.ringing()
        #expect(bench.asks(.connected(.a)) == "· 1.1 ignored, late")
        _ = bench.chooses(.answer)
        #expect(bench.asks(.connected(.a)) == "· 1.1 ignored, late")
        #expect(bench.voipOnDisk == "app 1: token, A answering until 70 s, of 1.1")
        bench = .dialing()
        #expect(bench.asks(.connected(.b)) == "· 1.1 ignored, late", "there is no such call")
        _ = bench.chooses(.end)
        #expect(bench.asks(.connected(.a)) == "· 1.1 ignored, late", "it is being ended")
        #expect(bench.voipOnDisk == "app 1: token, A ending until 70 s, of 1.1")
    }

    @Test func r173AFailedStartEndsTheCall() {
        var bench = Bench.starting()
        #expect(bench.performs(.start, isFulfilled: false) == "· 1.1 A over: not performed\nfreeze 1.1")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test func r173AStartTimesOut() {
        var bench = Bench.starting()
        #expect(bench.rests(.milliseconds(59_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "1.1 timed out start A\n· 1.1 A over: start timed out\nfreeze 1.1")
        #expect(bench.performs(.start) == "· 1.1 ignored, late")
    }

    @Test func r173TheUserEndsAnOutgoingCall() {
        var bench = Bench.starting()
        #expect(bench.chooses(.end) == "· endCall refused: noCall", "the app does not dial yet")
        _ = bench.performs(.start)
        #expect(bench.chooses(.end) == "· 1.1 is to end A\n1.1 perform end A")
        #expect(bench.performs(.end) == "· 1.1 A over: user\n1.1 audio off\nfreeze 1.1")
    }

    /// A call that is being started or dialed is current.
    @Test(arguments: [false, true]) func r173NoOtherCallIsAnsweredDuringAnOutgoingCall(_ isDialing: Bool) {
        var bench = isDialing ? Bench.dialing() : .starting()
        bench.rings(.b)
        #expect(bench.chooses(.answer) == "· answerCall refused: anotherCall")
        #expect(bench.transacts([.act(.answer, .b)]) == Self.forbidden)
    }

    @Test func r173CallsOfTheDeviceAreNumbered() {
        var bench = Bench.bothRegistered()
        bench.rings(.b, launch(2))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.transacts([.begin(.a)])
        #expect(bench.stored.concerns.voip.map { $0.calls.map(\.number) } == [[2], [1]])
    }

    // MARK: Other actions

    /// An app answers its own call, for example by a button of its own.
    @Test func r173AnAppAnswersAndEndsItsCalls() {
        var bench = Bench.withOtherActive()
        bench.rings()
        #expect(
            bench.transacts([.act(.answer, .a)])
                == "· 1.1 is to answer A\n1.1 told: 1 accepted\n1.1 perform answer A\n· 2.1 call over",
            "it does not ring any longer")
        _ = bench.performs(.answer)
        #expect(
            bench.transacts([.act(.hold, .a)], number: 2)
                == "· 1.1 is to hold A\n1.1 told: 2 accepted\n1.1 perform hold A")
        #expect(
            bench.transacts([.act(.end, .a)], number: 3)
                == "· 1.1 is to end A\n1.1 told: 3 accepted\n1.1 perform end A")
        #expect(bench.voipOnDisk == "app 1: token, A ending until 60 s, of 1.1", "the hold is dropped")
        #expect(bench.performs(.hold) == "· 1.1 ignored, late")
        #expect(bench.performs(.end).hasPrefix("· 1.1 A over: user\n1.1 audio off"))
    }

    /// The actions that are possible in each state of a call.
    @Test func r173TheStateAllowsSomeActions() {
        var ending = Bench.connected()
        _ = ending.chooses(.end)
        var answering = Bench.ringing()
        _ = answering.chooses(.answer)
        var muted = Bench.connected()
        _ = muted.chooses(.mute)
        let muting = muted
        _ = muted.performs(.mute)
        var holding = Bench.connected()
        _ = holding.chooses(.hold)
        var resuming = Bench.onHold()
        _ = resuming.chooses(.resume)
        let states: [(name: String, Bench, allowed: [CallAction])] = [
            ("ringing", .ringing(), [.answer, .end]), ("answering", answering, [.end]), ("ending", ending, []),
            ("starting", .starting(), [.end]), ("dialing", .dialing(), [.end, .mute]),
            ("connected", .connected(), [.end, .hold, .mute]), ("holding", holding, [.end, .mute]),
            ("on hold", .onHold(), [.end, .resume, .mute]), ("resuming", resuming, [.end, .mute]),
            ("muting", muting, [.end, .hold]), ("muted", muted, [.end, .hold, .unmute]),
        ]
        for (name, bench, allowed) in states {
            for action in CallAction.allCases {
                var bench = bench
                let before = bench.voipOnDisk
                let isAccepted = bench.transacts([.act(action, .a)]).contains("1.1 told: 1 accepted")
                #expect(isAccepted == allowed.contains(action), "\(name), \(action)")
                #expect((bench.voipOnDisk != before) == isAccepted, "\(name), \(action)")
            }
        }
    }

    // MARK: Several actions

    @Test func r173ATransactionHoldsACallAndBeginsAnother() {
        var bench = Bench.connected()
        let before = bench.voipOnDisk
        #expect(bench.transacts([.begin(.b)]) == Self.forbidden, "the user speaks on another call")
        #expect(bench.transacts([.begin(.b), .act(.hold, .a)]) == Self.forbidden, "the hold comes too late")
        #expect(bench.voipOnDisk == before)
        #expect(
            bench.transacts([.act(.hold, .a), .begin(.b)]) == """
                · 1.1 is to hold A
                · 1.1 is to start B
                1.1 told: 1 accepted
                1.1 perform hold A
                1.1 perform start B
                """)
        #expect(
            bench.voipOnDisk
                == "app 1: token, A connected (hold until 70 s), B starting until 70 s, of 1.1")
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
        #expect(bench.performs(.start, .b) == "· 1.1 dials B\n1.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token, A connected on hold, B dialing, of 1.1")
    }

    @Test func r173ATransactionSwapsTwoCalls() {
        var bench = Bench.onHold()
        _ = bench.transacts([.begin(.b)])
        _ = bench.asks(.connected(.b))
        #expect(bench.transacts([.act(.resume, .a)]) == Self.forbidden)
        #expect(bench.transacts([.act(.hold, .b), .act(.resume, .a)]).contains("1.1 told: 1 accepted"))
        _ = bench.performs(.hold, .b)
        _ = bench.performs(.resume)
        #expect(bench.voipOnDisk == "app 1: token, A connected, B connected on hold, of 1.1")
    }

    @Test func r173ATransactionEndsACallAndAnswersAnother() {
        var bench = Bench.connected()
        bench.rings(.b)
        #expect(bench.transacts([.act(.answer, .b), .act(.end, .a)]) == Self.forbidden)
        #expect(bench.transacts([.act(.end, .a), .act(.answer, .b)]).contains("1.1 told: 1 accepted"))
        #expect(bench.voipOnDisk == "app 1: token, A ending until 70 s, B answering until 70 s, of 1.1")
    }

    /// A hold and a mute may be performed at once. Each action is checked as if those before it were accepted.
    @Test func r173ATransactionMayChangeACallTwice() {
        var bench = Bench.connected()
        #expect(bench.transacts([.act(.hold, .a), .act(.resume, .a)]) == Self.forbidden)
        #expect(bench.transacts([.act(.mute, .a), .act(.unmute, .a)]) == Self.forbidden)
        #expect(bench.transacts([.act(.end, .a), .act(.mute, .a)]) == Self.forbidden)
        #expect(bench.transacts([.act(.mute, .a), .act(.hold, .a)]).contains("1.1 told: 1 accepted"))
        #expect(
            bench.voipOnDisk == "app 1: token, A connected (mute until 70 s) (hold until 70 s), of 1.1")
    }

    @Test func r173AnEmptyTransactionDoesNothing() {
        var bench = Bench.registered(.active)
        #expect(bench.transacts([]) == "1.1 told: 1 accepted")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    // MARK: Refusals

    @Test func r173WithoutTheModeATransactionIsRefused() {
        var bench = Bench(.iOS26, [.sample(1, modes: [.audio])])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.transacts([.begin(.a)]) == "· 1.1 may not act: unentitled\n1.1 told: 1 unentitled")
        #expect(bench.voipOnDisk == "")
    }

    @Test(arguments: [DeviceEvent.appForceQuit(app(1)), .shutdownBegan])
    func r173AnAppThatIsBeingEndedMayNotAct(_ event: DeviceEvent) {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(event))
        let request = Event.app(launch(1), .requested(.concern(.voip(.transact(1, [.begin(.a)])))))
        #expect(bench.phonesAlone(request) == "· 1.1 may not act: unknown\n1.1 told: 1 unknown")
        #expect(bench.voipOnDisk == "app 1: token")
    }

    @Test func r173AnAppActsOnItsOwnCallsOnly() {
        var bench = Bench.bothRegistered()
        bench.rings(.a)
        bench.rings(.b, launch(2))
        let before = bench.voipOnDisk
        #expect(
            bench.transacts([.act(.end, .a)], launch(2))
                == "· 2.1 may not act: unknownCallUUID\n2.1 told: 1 unknownCallUUID")
        #expect(bench.voipOnDisk == before)
    }

    @Test func r173AUUIDNamesOneCall() {
        var bench = Bench.registered(.active)
        let refused = "· 1.1 may not act: callUUIDAlreadyExists\n1.1 told: 1 callUUIDAlreadyExists"
        #expect(bench.transacts([.begin(.a), .begin(.a)]) == refused)
        #expect(bench.voipOnDisk == "app 1: token", "nothing of it is performed")
        #expect(bench.transacts([.begin(.a)]) == Self.begun)
        #expect(bench.transacts([.begin(.a)]) == refused)
        #expect(bench.transacts([.begin(.b), .begin(.a)]) == Self.forbidden, "the first failure is the answer")
        #expect(bench.voipOnDisk == "app 1: token, A starting until 60 s, of 1.1")
    }

    @Test func r173AnAppBeginsNoNinthCall() {
        var bench = Bench.registered(.active)
        for digit in "12345678" { _ = bench.asks(.report(.sample(digit), CallUpdate())) }
        #expect(
            bench.transacts([.begin(.a)])
                == "· 1.1 may not act: maximumCallGroupsReached\n1.1 told: 1 maximumCallGroupsReached")
        _ = bench.asks(.ended(.sample("4"), .failed))
        #expect(bench.transacts([.begin(.a)]).hasPrefix(Self.begun))
    }

    @Test func r173TheCallOfAnotherAppForbidsACall() {
        var bench = Bench.bothRegistered()
        bench.rings()
        bench.connects()
        _ = bench.plays(.device(.appOpened(app(2))))
        let refused = "· 2.1 may not act: invalidAction\n2.1 told: 1 invalidAction"
        #expect(bench.transacts([.begin(.b)], launch(2)) == refused)
        _ = bench.chooses(.hold)
        #expect(bench.transacts([.begin(.b)], launch(2)).contains("2.1 told: 1 accepted"), "it is being held")
    }

    // MARK: Answers

    /// The requests of an app that is being frozen are read to the end.
    private static func freezing() -> Bench {
        var bench = Bench.registered(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        #expect(bench.acknowledge(launch(1)).contains("freeze 1.1"))
        return bench
    }

    /// Otherwise any app in the background could keep itself running.
    @Test func r173AnAppInTheBackgroundBeginsNoCall() {
        var bench = Self.freezing()
        let request = Event.app(launch(1), .requested(.concern(.voip(.transact(1, [.begin(.a)])))))
        #expect(bench.phonesAlone(request) == "· 1.1 may not act: invalidAction")
        bench = .registered(.active)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(!bench.transacts([.begin(.a)]).contains("accepted"))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.transacts([.begin(.a)]).contains("accepted"))
    }

    /// At most 64 answers wait. A repeated transaction has one answer.
    @Test func r173AnswersWaitUntilTheAppRuns() {
        var bench = Self.freezing()
        for number in [1, 1] + Array(1...65) as [Int64] {
            let request = VoIPRequest.transact(number, [.act(.end, .a)])
            #expect(
                bench.phonesAlone(.app(launch(1), .requested(.concern(.voip(request)))))
                    == "· 1.1 may not act: unknownCallUUID", "\(number)")
        }
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        let answers = bench.phoned(since: count).split(separator: "\n").filter { $0.hasPrefix("1.1 told") }
        #expect(answers.map(String.init) == (2...65).map { "1.1 told: \($0) unknownCallUUID" })
    }

    /// The app repeats a transaction that was not answered before a restart of the system.
    @Test func r173ARepeatedStartIsRefused() {
        var bench = Bench.starting()
        #expect(bench.recovers() == "1.1 perform start A")
        #expect(
            bench.transacts([.begin(.a)])
                == "· 1.1 may not act: callUUIDAlreadyExists\n1.1 told: 1 callUUIDAlreadyExists")
        #expect(bench.performs(.start) == "· 1.1 dials A\n1.1 audio on")
    }
}
