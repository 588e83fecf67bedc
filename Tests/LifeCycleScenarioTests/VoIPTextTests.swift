import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Testing

/// Decisions about VoIP pushes and calls as sentences.
@Suite struct VoIPTextTests {
    private static let uuid = "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9"
    private static let app = AppID(1)
    private static let launch = LaunchID(app: app, number: 2)

    /// Each decision about pushes, with its sentence and its rule.
    private static let pushes: [(VoIPDecision, String, String)] = [
        (.asked(launch, true), "asks to receive VoIP pushes", "R-171"),
        (.asked(launch, false), "asks not to receive VoIP pushes", "R-171"),
        (.registered(app, true), "has a token and receives VoIP pushes", "R-171"),
        (.registered(app, false), "receives no VoIP pushes: its token could not be created", "R-171"),
        (.waits(app), "a VoIP push waits until the app has made its registry", "R-129"),
        (.delivered(launch, 7), "receives VoIP push 7", "R-172"),
        (
            .dropped(app, .notRegistered), "a VoIP push is dropped: the app has not registered for VoIP pushes", "R-172"
        ),
        (.dropped(app, .noRegistry), "a VoIP push is dropped: the app made no registry in time", "R-129"),
        (
            .dropped(app, .tooManyMisses), "a VoIP push is dropped: the app reported no call for too many pushes",
            "R-172"
        ),
        (.dropped(app, .tooMany), "a VoIP push is dropped: the app has 16 pushes to handle already", "R-129"),
        (
            .dropped(app, .launchEnded), "a VoIP push is dropped: the app ended before it had handled the push",
            "R-172"
        ),
        (
            .missed(launch, 1),
            "reported no call for a VoIP push: once since its installation or the device's start", "R-172"
        ),
        (
            .missed(launch, 3),
            "reported no call for a VoIP push: 3 times since its installation or the device's start", "R-172"
        ),
    ]

    @Test(arguments: pushes.indices) func aDecisionAboutPushesIsASentence(_ index: Int) {
        let (decision, text, rule) = Self.pushes[index]
        check(decision, text, rule)
    }

    private static let actions: [(CallAction, String)] = [
        (.answer, "answer the call \(uuid)"), (.end, "end the call \(uuid)"), (.start, "start the call \(uuid)"),
        (.hold, "put the call \(uuid) on hold"), (.resume, "resume the call \(uuid)"),
        (.mute, "mute the call \(uuid)"), (.unmute, "unmute the call \(uuid)"),
    ]

    private static let results: [(CallAction, String)] = [
        (.hold, "on hold"), (.resume, "no longer on hold"), (.mute, "muted"), (.unmute, "no longer muted"),
    ]

    private static let refusals: [(TransactionFailure, String)] = [
        (.unknown, "it is being ended, or the system is shutting down"),
        (.unentitled, "UIBackgroundModes does not declare voip"),
        (.unknownCallUUID, "it has no call with this UUID"),
        (.callUUIDAlreadyExists, "it has a call with this UUID"),
        (.invalidAction, "the state of the call, or another call, forbids an action"),
        (.maximumCallGroupsReached, "it has 8 calls"),
    ]

    /// Each decision about calls, with its sentence and its rule.
    private static func calls(_ id: CallID) -> [(VoIPDecision, String, String)] {
        let ends: [(CallEnd, String, String)] = [
            (.reported(.failed), "it failed", "R-173"),
            (.reported(.remoteEnded), "the remote party ended it", "R-173"),
            (.reported(.unanswered), "it was not answered", "R-173"),
            (.reported(.answeredElsewhere), "it was answered on another device", "R-173"),
            (.reported(.declinedElsewhere), "it was declined on another device", "R-173"),
            (.user, "it was declined or ended", "R-174"),
            (.failed, "the app could not answer or start it", "R-174"),
            (.timedOut(.answer), "the app did not answer it in time", "R-174"),
            (.timedOut(.start), "the app did not start it in time", "R-174"),
            (.timedOut(.end), "the app did not end it in time", "R-174"), (.launchEnded, "the app has ended", "R-174"),
        ]
        let refused = "may not report the call \(uuid): "
        var calls: [(VoIPDecision, String, String)] = [
            (.reported(launch, id, nil), "reports the call \(uuid): it rings", "R-173"),
            (
                .reported(launch, id, .unknown),
                refused + "it has 8 calls, is being ended, or the system is shutting down", "R-173"
            ),
            (.reported(launch, id, .unentitled), refused + "UIBackgroundModes does not declare voip", "R-173"),
            (.reported(launch, id, .callUUIDAlreadyExists), refused + "it has a call with this UUID", "R-173"),
            (.dialing(launch, id), "has started the call \(uuid): the remote party has not answered it", "R-173"),
            (.connected(launch, id), "the call \(uuid) is answered: it is on", "R-174"),
        ]
        for (action, text) in actions { calls.append((.chosen(launch, id, action), "is to \(text)", "R-174")) }
        for (action, text) in actions.suffix(4) {
            calls.append((.changeFailed(launch, id, action), "did not \(text)", "R-174"))
        }
        for (action, text) in results {
            calls.append((.changed(launch, id, action), "the call \(uuid) is \(text)", "R-174"))
        }
        for (failure, text) in refusals {
            calls.append((.transactionRefused(launch, failure), "may not act on its calls: \(text)", "R-173"))
        }
        for (end, text, rule) in ends {
            calls.append((.ended(launch, id, end), "the call \(uuid) is over: \(text)", rule))
        }
        return calls
    }

    @Test func everyActionAndFailureHasAText() {
        #expect(Set(Self.actions.map(\.0)) == Set(CallAction.allCases))
        #expect(Self.results.map(\.0) == CallAction.allCases.filter { !$0.isVital })
        #expect(Self.refusals.map(\.0) == TransactionFailure.allCases)
    }

    @Test func aDecisionAboutACallIsASentence() throws {
        for (decision, text, rule) in Self.calls(try #require(CallID(Self.uuid))) { check(decision, text, rule) }
    }

    private func check(_ decision: VoIPDecision, _ text: String, _ rule: String) {
        let whole = Decision.concern(.voip(decision))
        let (kind, sentence) = DecisionText.kindAndText(whole, at: .zero)
        #expect(kind == "voip")
        #expect(sentence == text)
        #expect(DecisionText.rule(of: whole) == rule, "\(decision)")
        #expect(whole.app == Self.app)
        switch decision {
        case .registered, .waits, .dropped: #expect(whole.launch == nil)
        case .asked, .delivered, .missed, .reported, .transactionRefused, .chosen, .dialing, .connected, .changed,
            .changeFailed, .ended:
            #expect(whole.launch == Self.launch)
        }
    }

    @Test(arguments: [
        (UserAct.answerCall, ActRefusal.noCall, "cannot answer a call: no call rings"),
        (.answerCall, .anotherCall, "cannot answer a call: another call is on; end it or put it on hold first"),
        (.declineCall, .noCall, "cannot decline a call: no call rings"),
        (.endCall, .noCall, "cannot end a call: no call is on"),
        (.holdCall, .noCall, "cannot put a call on hold: no call is connected, or the app puts it on hold already"),
        (.resumeCall, .noCall, "cannot resume a call: no call is on hold, or the app resumes it already"),
        (.resumeCall, .anotherCall, "cannot resume a call: another call is on; end it or put it on hold first"),
        (.muteCall, .noCall, "cannot mute a call: no call is on, or it is muted already"),
        (.unmuteCall, .noCall, "cannot unmute a call: no call that is on is muted"),
    ])
    func anImpossibleActionHasAReason(act: UserAct, refusal: ActRefusal, text: String) {
        let (kind, sentence) = DecisionText.kindAndText(.device(.actRefused(act, refusal)), at: .zero)
        #expect(kind == "refused" && sentence == text)
    }

    @Test func theOtherWordsHaveTexts() {
        #expect(DecisionText.text(Assertion.call) == "a phone call")
        #expect(DecisionText.text(Assertion.voipPush) == "a VoIP push that it must handle")
        let ended = Decision.launch(Self.launch, .ended(.noCallReported, .signaled(9)))
        #expect(
            DecisionText.kindAndText(ended, at: .zero).text
                == "ended: it reported no call for a VoIP push, 0xbaadca11 (signal 9)")
        #expect(DecisionText.rule(of: ended) == "R-172")
        #expect(TerminationReason.noCallReported.word == "noCallReported")
        #expect(TerminationReason.words.contains("noCallReported"))
    }
}
