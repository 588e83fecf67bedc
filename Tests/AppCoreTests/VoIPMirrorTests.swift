import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its push registries and its calls.
@Suite struct VoIPMirrorTests {
    private var app = Scripted(.user)

    private func requests(_ steps: [Step]) -> [VoIPRequest] {
        steps.compactMap { if case .send(.concern(.voip(let request))) = $0 { request } else { nil } }
    }

    private mutating func asks(_ change: (inout AppCore, inout [Step]) -> Void) -> [VoIPRequest] {
        var steps: [Step] = []
        change(&app.core, &steps)
        return requests(steps)
    }

    private mutating func called(_ call: VoIPCall) -> [VoIPRequest] { requests(app.run(.concern(.voip(call)))) }

    private mutating func answered(_ id: CallID, _ failure: CallFailure? = nil) {
        _ = app.receive(.concern(.voip(.reported(id, failure))))
    }

    /// The requests that are repeated after a reconnection.
    private mutating func repeats() -> [VoIPRequest] {
        app.core.repeats().compactMap { if case .concern(.voip(let request)) = $0 { request } else { nil } }
    }

    private mutating func pushDeliveries() -> [PushDelivery] {
        var all: [PushDelivery] = []
        while let delivery = app.core.nextPushDelivery() { all.append(delivery) }
        return all
    }

    /// The registries that receive pushes; nil for a push that none receives.
    private mutating func receivers() -> [PushRegistryID?] {
        pushDeliveries().compactMap { if case .push(_, _, let id) = $0 { .some(id) } else { nil } }
    }

    private mutating func callDeliveries() -> [CallDelivery] {
        var all: [CallDelivery] = []
        while let delivery = app.core.nextCallDelivery() { all.append(delivery) }
        return all
    }

    private mutating func setPushes(_ isWanted: Bool, _ id: PushRegistryID) -> [VoIPRequest] {
        asks { $0.setVoIPPushes(isWanted, by: id, into: &$1) }
    }

    /// A registry that wants pushes.
    private mutating func registry() -> PushRegistryID {
        let id = app.core.addPushRegistry()
        _ = setPushes(true, id)
        return id
    }

    private mutating func report(_ id: CallID, by provider: CallProviderID, as number: Int64) -> [VoIPRequest] {
        asks {
            $0.reportCall(id, CallUpdate(caller: "Ada"), by: provider, as: CallReportID(number), into: &$1)
        }
    }

    private mutating func performed(_ action: CallAction, _ id: CallID, _ isFulfilled: Bool = true) -> [VoIPRequest] {
        asks { $0.performedCallAction(action, id, isFulfilled: isFulfilled, into: &$1) }
    }

    private mutating func ends(_ id: CallID, _ reason: CallEndedReason = .remoteEnded) -> [VoIPRequest] {
        asks { $0.endCall(id, reason, into: &$1) }
    }

    private func token(_ byte: UInt8) throws -> DeviceToken {
        try #require(DeviceToken(Array(repeating: byte, count: DeviceToken.size)))
    }

    private func call(_ digit: Int) throws -> CallID {
        try #require(CallID("00000000-0000-0000-0000-00000000000\(digit)"))
    }

    // MARK: Registries

    @Test mutating func r171ARegistryGetsItsToken() throws {
        let (id, token) = (app.core.addPushRegistry(), try token(1))
        #expect(repeats().isEmpty)
        #expect(app.core.voipToken(of: id) == nil)
        #expect(setPushes(true, id) == [.setRegistered(true)])
        #expect(called(.tokenUpdated(token)).isEmpty)
        #expect(pushDeliveries() == [.token(token, to: id)])
        #expect(app.core.voipToken(of: id) == token)
    }

    /// After a reconnection the app registers again. The token that the registry knows is not told again.
    @Test mutating func r171TheRegistrationIsRepeated() throws {
        let (first, second) = (try token(1), try token(2))
        let id = registry()
        _ = called(.tokenUpdated(first))
        _ = pushDeliveries()
        #expect(repeats() == [.setRegistered(true)])
        _ = called(.tokenUpdated(first))
        #expect(pushDeliveries().isEmpty)
        _ = called(.tokenUpdated(second))
        #expect(pushDeliveries() == [.token(second, to: id)])
        _ = setPushes(true, id)
        _ = called(.tokenUpdated(second))
        #expect(pushDeliveries() == [.token(second, to: id)], "it has asked again")
    }

    @Test mutating func r171WithoutTheTypeThereIsNoToken() throws {
        let id = registry()
        _ = called(.tokenUpdated(try token(1)))
        #expect(setPushes(false, id) == [.setRegistered(false)])
        #expect(pushDeliveries().isEmpty && app.core.voipToken(of: id) == nil)
        _ = called(.tokenUpdated(try token(1)))
        #expect(pushDeliveries().isEmpty && app.core.voipToken(of: id) == nil, "the call was under way")
        #expect(repeats() == [.setRegistered(false)])
    }

    @Test mutating func theAppIsRegisteredWhileARegistryIs() throws {
        let first = registry()
        let second = registry()
        #expect(setPushes(false, second).isEmpty)
        #expect(setPushes(false, first) == [.setRegistered(false)])
    }

    @Test mutating func theLastOfSeveralRegistriesReceivesThePushes() throws {
        let first = registry()
        let second = registry()
        let token = try token(1)
        _ = called(.tokenUpdated(token))
        #expect(pushDeliveries() == [.token(token, to: first), .token(token, to: second)])
        _ = called(.push(VoIPPush(number: 1, payload: "{}")))
        #expect(receivers() == [second])
    }

    /// A registry that is released says nothing to the system: the next one gets the same token.
    @Test mutating func aReleasedRegistryReceivesNothing() throws {
        let id = registry()
        _ = called(.tokenUpdated(try token(1)))
        app.core.removePushRegistry(id)
        _ = called(.push(VoIPPush(number: 1, payload: "{}")))
        #expect(receivers() == [nil])
        #expect(repeats() == [.setRegistered(true)])
    }

    // MARK: Pushes

    private mutating func push(_ number: Int64) throws -> VoIPPushID {
        _ = called(.push(VoIPPush(number: number, payload: "{}")))
        let ids = pushDeliveries().compactMap { if case .push(let id, _, _) = $0 { id } else { nil } }
        return try #require(ids.last)
    }

    private mutating func returned(_ id: VoIPPushID) -> [VoIPRequest] {
        asks { $0.returnedFromVoIPPush(id, into: &$1) }
    }

    private mutating func completed(_ id: VoIPPushID) -> [VoIPRequest] {
        asks { $0.completedVoIPPush(id, into: &$1) }
    }

    @Test(arguments: [true, false])
    mutating func r172ReturnAndCompletionAreSentOnce(completesFirst: Bool) throws {
        _ = registry()
        let id = try push(7)
        if completesFirst { #expect(completed(id) == [.completed(7)]) }
        #expect(returned(id) == [.returned(7)])
        #expect(returned(id).isEmpty)
        if !completesFirst { #expect(completed(id) == [.completed(7)]) }
        #expect(completed(id).isEmpty)
        #expect(returned(id).isEmpty)
        #expect(repeats() == [.setRegistered(true)])
    }

    @Test mutating func aLateCompletionIsNotThatOfAnotherPush() throws {
        _ = registry()
        let first = try push(1)
        let second = try push(2)
        _ = returned(first)
        _ = repeats()
        let third = try push(3)
        #expect(completed(first) == [.completed(1)])
        #expect(returned(second) == [.returned(2)])
        #expect(completed(second) == [.completed(2)])
        #expect(returned(third) == [.returned(3)])
        #expect(completed(third) == [.completed(3)])
    }

    /// An app that never calls a completion handler does not fill its memory.
    @Test mutating func oldPushesAreForgotten() throws {
        _ = registry()
        let first = try push(1)
        for number in 2...Int64(VoIPPush.mostWaiting) { _ = try push(number) }
        #expect(returned(first) == [.returned(1)])
        _ = try push(Int64(VoIPPush.mostWaiting) + 1)
        #expect(completed(first).isEmpty)
    }

    // MARK: Reports

    @Test mutating func r173AReportIsAnswered() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        #expect(report(id, by: provider, as: 5) == [.report(id, CallUpdate(caller: "Ada"))])
        #expect(callDeliveries().isEmpty)
        answered(id)
        #expect(callDeliveries() == [.reported(CallReportID(5), nil)])
        answered(id)
        #expect(callDeliveries().isEmpty)
        #expect(repeats() == [.update(id, CallUpdate(caller: "Ada"))], "the system says if it does not know the call")
        answered(id, .unknown)
        #expect(callDeliveries().isEmpty)
        #expect(repeats().isEmpty, "the call is over")
    }

    @Test mutating func r173ASecondCallWithTheUUIDIsRefusedHere() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        #expect(report(id, by: provider, as: 2).count == 1, "the app has reported a call for its push")
        #expect(callDeliveries() == [.reported(CallReportID(2), .callUUIDAlreadyExists)])
        answered(id)
        #expect(callDeliveries() == [.reported(CallReportID(1), nil)])
        #expect(ends(id) == [.ended(id, .remoteEnded)])
        #expect(report(id, by: provider, as: 3).count == 1, "the call is over")
    }

    @Test mutating func aRefusedCallIsUnknown() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        answered(id, .unentitled)
        #expect(callDeliveries() == [.reported(CallReportID(1), .unentitled)])
        #expect(ends(id).isEmpty)
        #expect(report(id, by: provider, as: 2).count == 1)
    }

    /// An unanswered report is repeated with the newest facts.
    @Test mutating func r173UnansweredReportsAreRepeated() throws {
        let provider = app.core.addCallProvider()
        let (first, second, third) = (try call(1), try call(2), try call(3))
        for (number, id) in [first, second, third].enumerated() { _ = report(id, by: provider, as: Int64(number)) }
        answered(first)
        _ = callDeliveries()
        let bob = CallUpdate(caller: "Bob", hasVideo: true)
        #expect(
            asks { $0.updateCall(second, caller: "Bob", hasVideo: true, into: &$1) } == [.update(second, bob)])
        _ = ends(third)
        #expect(
            repeats() == [
                .ended(third, .remoteEnded), .update(first, CallUpdate(caller: "Ada")), .report(second, bob),
            ])
        #expect(callDeliveries() == [.reported(CallReportID(2), .unknown)], "its call is over")
        answered(second)
        #expect(callDeliveries() == [.reported(CallReportID(1), nil)])
    }

    @Test mutating func anUpdateChangesWhatItNames() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        #expect(asks { $0.updateCall(id, caller: "Bob", hasVideo: nil, into: &$1) }.isEmpty, "there is no call")
        _ = report(id, by: provider, as: 1)
        #expect(asks { $0.updateCall(id, caller: nil, hasVideo: nil, into: &$1) }.isEmpty)
        #expect(
            asks { $0.updateCall(id, caller: nil, hasVideo: true, into: &$1) }
                == [.update(id, CallUpdate(caller: "Ada", hasVideo: true))])
        #expect(
            asks { $0.updateCall(id, caller: "Bob", hasVideo: nil, into: &$1) }
                == [.update(id, CallUpdate(caller: "Bob", hasVideo: true))])
    }

    @Test mutating func anInvalidProviderHasNoCalls() throws {
        let provider = app.core.addCallProvider()
        let other = app.core.addCallProvider()
        let (first, second) = (try call(1), try call(2))
        _ = report(first, by: provider, as: 1)
        _ = report(second, by: other, as: 2)
        #expect(asks { $0.invalidateCallProvider(provider, into: &$1) } == [.ended(first, .failed)])
        #expect(report(first, by: provider, as: 3).isEmpty)
        #expect(callDeliveries() == [.reported(CallReportID(3), .unknown)])
        _ = called(.audio(isActive: true))
        #expect(callDeliveries() == [.audio(isActive: true, to: other)])
    }

    // MARK: The user's actions

    @Test mutating func r174ACallIsAnsweredAndEnded() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        answered(id)
        _ = callDeliveries()
        #expect(performed(.answer, id).isEmpty, "the user has not answered")
        _ = called(.perform(.answer, id))
        #expect(callDeliveries() == [.perform(.answer, id, by: provider)])
        #expect(performed(.end, id).isEmpty)
        #expect(performed(.answer, id) == [.performed(.answer, id, isFulfilled: true)])
        #expect(performed(.answer, id).isEmpty)
        _ = called(.audio(isActive: true))
        #expect(callDeliveries() == [.audio(isActive: true, to: provider)])
        _ = called(.perform(.end, id))
        #expect(callDeliveries() == [.perform(.end, id, by: provider)])
        #expect(performed(.end, id) == [.performed(.end, id, isFulfilled: true)])
        #expect(ends(id).isEmpty, "the call is over")
        #expect(performed(.end, id).isEmpty)
    }

    @Test mutating func r174AFailedAnswerEndsTheCall() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        _ = called(.perform(.answer, id))
        #expect(performed(.answer, id, false) == [.performed(.answer, id, isFulfilled: false)])
        #expect(ends(id).isEmpty)
    }

    @Test mutating func r174AnActionTimesOut() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        _ = called(.perform(.answer, id))
        _ = called(.timedOut(.answer, id))
        #expect(callDeliveries() == [.timedOut(.answer, id, by: provider)], "the action was not delivered yet")
        #expect(performed(.answer, id).isEmpty)
        #expect(ends(id).isEmpty)
    }

    /// The app has ended the call while the user's action was under way.
    @Test mutating func anActionOfACallThatIsOverIsDropped() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        _ = called(.perform(.answer, id))
        #expect(ends(id, .answeredElsewhere) == [.ended(id, .answeredElsewhere)])
        #expect(callDeliveries().isEmpty)
        #expect(performed(.answer, id).isEmpty)
        _ = called(.perform(.end, id))
        _ = called(.timedOut(.end, id))
        #expect(callDeliveries().isEmpty)
    }

    /// The time for the action is over while the app reports the UUID again, so that the system has another call.
    @Test mutating func aCallThatTheAppDoesNotKnowIsEnded() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        answered(id)
        _ = called(.perform(.answer, id))
        #expect(report(id, by: provider, as: 2) == [.report(id, CallUpdate(caller: "Ada"))])
        answered(id)
        #expect(called(.timedOut(.answer, id)) == [.ended(id, .failed)])

        _ = report(id, by: provider, as: 3)
        answered(id)
        _ = called(.perform(.end, id))
        _ = report(id, by: provider, as: 4)
        #expect(performed(.end, id) == [.performed(.end, id, isFulfilled: true), .ended(id, .failed)])
        #expect(called(.timedOut(.end, id)).isEmpty, "the app has ended the call")
    }

    /// The system may have missed an end. It ignores the end of a call that is over.
    @Test mutating func endsAreRepeated() throws {
        let provider = app.core.addCallProvider()
        let (first, second) = (try call(1), try call(2))
        for (number, id) in [first, second].enumerated() {
            _ = report(id, by: provider, as: Int64(number))
            answered(id)
            _ = ends(id)
        }
        #expect(repeats() == [.ended(first, .remoteEnded), .ended(second, .remoteEnded)])
        _ = report(first, by: provider, as: 3)
        #expect(repeats() == [.ended(second, .remoteEnded), .report(first, CallUpdate(caller: "Ada"))])
    }

    // MARK: Sound

    /// The system repeats an activation after its restart, and may send a deactivation without need.
    @Test mutating func r174TheSoundBeginsAndEndsOnce() {
        let provider = app.core.addCallProvider()
        _ = called(.audio(isActive: false))
        #expect(callDeliveries().isEmpty)
        for isActive in [true, false] {
            for _ in 1...2 { _ = called(.audio(isActive: isActive)) }
            #expect(callDeliveries() == [.audio(isActive: isActive, to: provider)])
        }
    }

    /// The call was over before a restart of the system, which cannot say so.
    @Test mutating func r174TheSoundOfAForgottenCallEnds() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = report(id, by: provider, as: 1)
        answered(id)
        _ = called(.perform(.answer, id))
        _ = performed(.answer, id)
        _ = called(.audio(isActive: true))
        _ = called(.perform(.end, id))
        _ = callDeliveries()
        #expect(repeats().first == .update(id, CallUpdate(caller: "Ada")))
        #expect(callDeliveries().isEmpty)
        answered(id, .unknown)
        #expect(callDeliveries() == [.timedOut(.end, id, by: provider), .audio(isActive: false, to: provider)])
    }

    /// During its own call an app may play in the background without the mode, also sound that does not mix.
    @Test mutating func r174TheAppOfTheCallMayPlay() {
        for callback in [Callback.launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground] {
            app.run(callback)
        }
        let player = app.core.addAudioPlayer(length: .seconds(60))
        var steps: [Step] = []
        app.core.setAudioSession(AudioSession(category: .playAndRecord), into: &steps)
        let playsBefore = app.core.playAudio(player, hasMode: false, at: .seconds(1), into: &steps)
        #expect(!playsBefore)
        _ = called(.audio(isActive: true))
        let playsThen = app.core.playAudio(player, hasMode: false, at: .seconds(1), into: &steps)
        #expect(playsThen)
        #expect(app.core.audibleSounds(hasMode: false)?.count == 1)
        _ = called(.audio(isActive: false))
        #expect(app.core.audibleSounds(hasMode: false) == nil)
    }
}
