import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Calls on hold, and muted calls.
@Suite struct VoIPHoldTests {
    private static let hold = "· 1.1 is to hold A\n1.1 perform hold A"
    private static let resume = "· 1.1 is to resume A\n1.1 perform resume A"

    // MARK: Hold

    @Test func r174TheUserPutsACallOnHold() {
        var bench = Bench.connected()
        #expect(bench.chooses(.hold) == Self.hold)
        #expect(bench.voipOnDisk == "app 1: token, A connected (hold until 70 s), of 1.1")
        #expect(bench.device.nextDeadline == Deadline(at: at(70), reason: .voip))
        #expect(bench.chooses(.hold) == "· holdCall refused: noCall", "the app holds it already")
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
        #expect(bench.voipOnDisk == "app 1: token, A connected on hold, of 1.1")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.rests(.seconds(3600)) == "")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call], "the call is not over")
    }

    @Test func r174TheUserResumesACall() {
        var bench = Bench.onHold()
        #expect(bench.chooses(.resume) == Self.resume)
        #expect(bench.chooses(.resume) == "· resumeCall refused: noCall", "the app resumes it already")
        #expect(bench.performs(.resume) == "· 1.1 A resume done\n1.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
        #expect(bench.chooses(.resume) == "· resumeCall refused: noCall")
    }

    @Test func r174ACallIsAnsweredWhileAnotherIsOnHold() {
        var bench = Bench.connected()
        bench.rings(.b)
        _ = bench.chooses(.hold)
        #expect(bench.chooses(.answer) == "· answerCall refused: anotherCall", "the app has not held it yet")
        _ = bench.performs(.hold)
        #expect(bench.chooses(.answer) == "· 1.1 is to answer B\n1.1 perform answer B")
        #expect(bench.chooses(.resume) == "· resumeCall refused: anotherCall")
        #expect(bench.performs(.answer, .b) == "· 1.1 B is on\n1.1 audio on")
        #expect(bench.chooses(.resume) == "· resumeCall refused: anotherCall")
        #expect(bench.voipOnDisk == "app 1: token, A connected on hold, B connected, of 1.1")
    }

    /// The user speaks on the second call. The first one, which is on hold, is ended after that.
    @Test func r174TheUserEndsTheCurrentCallFirst() {
        var bench = Bench.onHold()
        bench.rings(.b)
        bench.connects(.b)
        #expect(bench.chooses(.end) == "· 1.1 is to end B\n1.1 perform end B")
        #expect(bench.performs(.end, .b) == "· 1.1 B over: user\n1.1 audio off")
        #expect(bench.chooses(.end) == "· 1.1 is to end A\n1.1 perform end A")
        #expect(bench.performs(.end) == "· 1.1 A over: user", "the sound has ended before")
        #expect(bench.rests(.seconds(10)) == "freeze 1.1")
    }

    @Test func r174ACallIsResumedWhileAnotherIsBeingEnded() {
        var bench = Bench.onHold()
        bench.rings(.b)
        bench.connects(.b)
        _ = bench.chooses(.end)
        #expect(bench.chooses(.resume) == Self.resume)
        #expect(bench.performs(.resume) == "· 1.1 A resume done", "the sound is on already")
        #expect(bench.performs(.end, .b) == "· 1.1 B over: user")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
    }

    /// The sound of the call that is being ended lasts until the call is over.
    @Test func r174AHoldEndsNoSoundOfACallThatIsBeingEnded() {
        var bench = Bench.onHold()
        bench.rings(.b)
        bench.connects(.b)
        _ = bench.chooses(.end)
        _ = bench.chooses(.resume)
        _ = bench.performs(.resume)
        _ = bench.chooses(.hold)
        #expect(bench.performs(.hold) == "· 1.1 A hold done")
        #expect(bench.performs(.end, .b) == "· 1.1 B over: user\n1.1 audio off")
    }

    /// Each app has a sound of its own.
    @Test func r174TheCallOfAnotherAppIsPutOnHold() {
        var bench = Bench.bothRegistered()
        bench.rings()
        bench.connects()
        bench.rings(.b, launch(2))
        _ = bench.chooses(.hold)
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
        #expect(bench.chooses(.answer) == "· 2.1 is to answer B\n2.1 perform answer B")
        #expect(bench.performs(.answer, .b, launch(2)) == "· 2.1 B is on\n2.1 audio on")
        #expect(bench.chooses(.hold) == "· 2.1 is to hold B\n2.1 perform hold B", "the first one is on hold")
    }

    // MARK: Mute

    @Test func r174TheUserMutesACall() {
        var bench = Bench.connected()
        #expect(bench.chooses(.unmute) == "· unmuteCall refused: noCall")
        #expect(bench.chooses(.mute) == "· 1.1 is to mute A\n1.1 perform mute A")
        #expect(bench.voipOnDisk == "app 1: token, A connected (mute until 70 s), of 1.1")
        #expect(bench.chooses(.mute) == "· muteCall refused: noCall", "the app mutes it already")
        #expect(bench.performs(.mute) == "· 1.1 A mute done", "the sound does not change")
        #expect(bench.voipOnDisk == "app 1: token, A connected muted, of 1.1")
        #expect(bench.chooses(.mute) == "· muteCall refused: noCall", "it is muted")
        #expect(bench.chooses(.unmute) == "· 1.1 is to unmute A\n1.1 perform unmute A")
        #expect(bench.performs(.unmute) == "· 1.1 A unmute done")
        #expect(bench.voipOnDisk == "app 1: token, A connected, of 1.1")
    }

    @Test func r174ACallThatIsDialedIsMuted() {
        var bench = Bench.dialing()
        #expect(bench.chooses(.hold) == "· holdCall refused: noCall", "the other side has not answered")
        #expect(bench.chooses(.mute) == "· 1.1 is to mute A\n1.1 perform mute A")
        #expect(bench.asks(.connected(.a)) == "· 1.1 A is on")
        #expect(bench.performs(.mute) == "· 1.1 A mute done")
        #expect(bench.voipOnDisk == "app 1: token, A connected muted, of 1.1")
    }

    /// The mute and the hold of a call are independent. The user mutes no call on hold.
    @Test func r174AMutedCallIsPutOnHold() {
        var bench = Bench.connected()
        _ = bench.chooses(.mute)
        #expect(bench.chooses(.hold) == Self.hold)
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
        #expect(bench.performs(.mute) == "· 1.1 A mute done")
        #expect(bench.voipOnDisk == "app 1: token, A connected on hold muted, of 1.1")
        #expect(bench.chooses(.unmute) == "· unmuteCall refused: noCall", "it is on hold")
        _ = bench.chooses(.resume)
        #expect(bench.performs(.resume) == "· 1.1 A resume done\n1.1 audio on")
        #expect(bench.chooses(.unmute) == "· 1.1 is to unmute A\n1.1 perform unmute A")
    }

    // MARK: Refusals

    @Test(arguments: [CallChoice.hold, .resume, .mute, .unmute])
    func r174WithoutACallOfTheKindTheUserIsRefused(_ choice: CallChoice) {
        for bench in [Bench.registered(), .ringing(), .starting(), Bench(.iOS26, [])] {
            var bench = bench
            let before = bench.voipOnDisk
            #expect(bench.chooses(choice) == "· \(choice)Call refused: noCall")
            #expect(bench.voipOnDisk == before)
        }
    }

    @Test(arguments: [CallChoice.hold, .resume, .mute, .unmute])
    func r174DuringAShutdownNoCallChanges(_ choice: CallChoice) {
        var bench = choice == .resume ? Bench.onHold() : .connected()
        if choice == .unmute {
            _ = bench.chooses(.mute)
            _ = bench.performs(.mute)
        }
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.phonesAlone(.concern(.voip(.chosen(choice)))) == "· \(choice)Call refused: shuttingDown")
    }

    @Test func r174AnAppPerformsOnlyTheChangeThatWasChosen() {
        var bench = Bench.connected()
        _ = bench.chooses(.hold)
        for action in CallAction.allCases where action != .hold {
            #expect(bench.performs(action) == "· 1.1 ignored, late", "\(action)")
        }
        #expect(bench.performs(.hold, .b) == "· 1.1 ignored, late")
        #expect(bench.voipOnDisk == "app 1: token, A connected (hold until 70 s), of 1.1")
        _ = bench.performs(.hold)
        #expect(bench.performs(.hold) == "· 1.1 ignored, late")
    }

    // MARK: Failures

    /// The action, and the call before and after the failure.
    @Test(arguments: [
        (CallChoice.hold, CallAction.hold, "connected"), (.mute, .mute, "connected"),
        (.resume, .resume, "connected on hold"),
    ])
    func r174AFailedChangeLeavesTheCallAsItIs(_ choice: CallChoice, _ action: CallAction, _ call: String) {
        var bench = choice == .resume ? Bench.onHold() : .connected()
        _ = bench.chooses(choice)
        var late = bench
        #expect(bench.performs(action, isFulfilled: false) == "· 1.1 A \(action) failed")
        #expect(bench.voipOnDisk == "app 1: token, A \(call), of 1.1")
        #expect(bench.chooses(choice) == "· 1.1 is to \(action) A\n1.1 perform \(action) A", "the user tries again")

        #expect(late.rests(.milliseconds(59_999)) == "")
        #expect(late.rests(.milliseconds(1)) == "1.1 timed out \(action) A\n· 1.1 A \(action) failed")
        #expect(late.voipOnDisk == "app 1: token, A \(call), of 1.1")
        #expect(late.performs(action) == "· 1.1 ignored, late")
        #expect(late.state(1) == .background && late.assertions(1) == [.call] && late.device.nextDeadline == nil)
    }

    @Test func r174EachChangeHasItsOwnTime() {
        var bench = Bench.connected()
        _ = bench.chooses(.mute)
        _ = bench.rests(.seconds(20))
        _ = bench.chooses(.hold)
        #expect(bench.voipOnDisk == "app 1: token, A connected (mute until 70 s) (hold until 90 s), of 1.1")
        #expect(bench.rests(.seconds(40)) == "1.1 timed out mute A\n· 1.1 A mute failed")
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
    }

    @Test func r174TheEndOfACallDropsItsChanges() {
        var bench = Bench.connected()
        _ = bench.chooses(.mute)
        _ = bench.rests(.seconds(20))
        _ = bench.chooses(.end)
        #expect(bench.voipOnDisk == "app 1: token, A ending until 90 s, of 1.1")
        #expect(bench.performs(.mute) == "· 1.1 ignored, late")
        #expect(bench.rests(.milliseconds(59_999)) == "")
        #expect(
            bench.rests(.milliseconds(1))
                == "1.1 timed out end A\n· 1.1 A over: end timed out\n1.1 audio off\nfreeze 1.1")
    }

    // MARK: Stalls and restarts

    /// The answer of the app may wait to be read.
    @Test func r174AfterAStallAChangeHasItsFullTime() {
        var bench = Bench.connected()
        _ = bench.chooses(.hold)
        bench.stallLoop(.seconds(63))
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.rests(.milliseconds(59_999)) == "")
        #expect(bench.rests(.milliseconds(1)) == "1.1 timed out hold A\n· 1.1 A hold failed")
    }

    @Test func r174AChangeOutlivesTheSystem() {
        var bench = Bench.connected()
        _ = bench.chooses(.hold)
        _ = bench.rests(.seconds(59))
        #expect(bench.recovers() == "1.1 audio on\n1.1 perform hold A")
        #expect(bench.rests(.milliseconds(9_999)) == "", "the app connects again first")
        #expect(bench.performs(.hold) == "· 1.1 A hold done\n1.1 audio off")
    }

    @Test func r174AfterARestartAChangeTimesOut() {
        var bench = Bench.connected()
        _ = bench.chooses(.mute)
        _ = bench.rests(.seconds(59))
        _ = bench.recovers()
        #expect(bench.rests(.seconds(10)) == "1.1 timed out mute A\n· 1.1 A mute failed")
    }

    @Test func r174ACallOnHoldOutlivesTheSystem() {
        var bench = Bench.onHold()
        #expect(bench.recovers() == "")
        #expect(bench.voipOnDisk == "app 1: token, A connected on hold, of 1.1")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.call])
        #expect(bench.chooses(.resume) == Self.resume)
        #expect(bench.performs(.resume) == "· 1.1 A resume done\n1.1 audio on")
    }

    @Test func r174AnOutgoingCallOutlivesTheSystem() {
        var bench = Bench.dialing()
        #expect(bench.recovers() == "1.1 audio on")
        #expect(bench.voipOnDisk == "app 1: token, A dialing, of 1.1")
        #expect(bench.asks(.connected(.a)) == "· 1.1 A is on")
        #expect(bench.chooses(.hold) == Self.hold)
    }
}
