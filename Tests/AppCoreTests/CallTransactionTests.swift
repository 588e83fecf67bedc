import LifeCycleModel
import Testing

@testable import AppCore

private let ada = CallUpdate(caller: "Ada")

private func snapshot(
    _ id: CallID, isOutgoing: Bool = true, hasConnected: Bool = false, isOnHold: Bool = false, hasEnded: Bool = false
) -> CallSnapshot {
    CallSnapshot(
        id: id, isOutgoing: isOutgoing, hasConnected: hasConnected, isOnHold: isOnHold, hasEnded: hasEnded)
}

/// The app's own view of its transactions, of outgoing calls, and of hold and mute.
@Suite struct CallTransactionTests {
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

    private mutating func answered(_ number: Int64, _ failure: TransactionFailure? = nil) -> [VoIPRequest] {
        requests(app.receive(.concern(.voip(.transacted(number, failure)))))
    }

    /// The requests that are repeated after a reconnection.
    private mutating func repeats() -> [VoIPRequest] {
        app.core.repeats().compactMap { if case .concern(.voip(let request)) = $0 { request } else { nil } }
    }

    private mutating func deliveries() -> [CallDelivery] {
        var all: [CallDelivery] = []
        while let delivery = app.core.nextCallDelivery() { all.append(delivery) }
        return all
    }

    private mutating func transact(_ requests: [CallRequest], as number: Int64) -> [VoIPRequest] {
        asks { $0.transact(requests, as: CallTransactionID(number), into: &$1) }
    }

    private mutating func report(_ id: CallID, by provider: CallProviderID, as number: Int64) -> [VoIPRequest] {
        asks { $0.reportCall(id, ada, by: provider, as: CallReportID(number), into: &$1) }
    }

    private mutating func performed(_ action: CallAction, _ id: CallID, _ isFulfilled: Bool = true) -> [VoIPRequest] {
        asks { $0.performedCallAction(action, id, isFulfilled: isFulfilled, into: &$1) }
    }

    private mutating func connects(_ id: CallID) -> [VoIPRequest] { asks { $0.connectedCall(id, into: &$1) } }

    private mutating func ends(_ id: CallID) -> [VoIPRequest] { asks { $0.endCall(id, .remoteEnded, into: &$1) } }

    private mutating func invalidate(_ provider: CallProviderID) -> [VoIPRequest] {
        asks { $0.invalidateCallProvider(provider, into: &$1) }
    }

    private func call(_ digit: Int) throws -> CallID {
        try #require(CallID("00000000-0000-0000-0000-00000000000\(digit)"))
    }

    /// An outgoing call that the app has to start. It was begun by the first transaction.
    private mutating func starting() throws -> (CallID, CallProviderID) {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = transact([.start(id, ada)], as: 1)
        _ = answered(1)
        _ = called(.perform(.start, id))
        _ = deliveries()
        return (id, provider)
    }

    /// An outgoing call that the other side has answered.
    private mutating func connected() throws -> (CallID, CallProviderID) {
        let (id, provider) = try starting()
        _ = performed(.start, id)
        _ = connects(id)
        return (id, provider)
    }

    // MARK: Transactions

    @Test mutating func r173AnAcceptedTransactionIsPerformed() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        #expect(transact([.start(id, ada)], as: 7) == [.transact(1, [.start(id, ada)])])
        #expect(deliveries().isEmpty && app.core.callUpdate(of: id) == nil)
        #expect(answered(1).isEmpty)
        #expect(deliveries() == [.transacted(CallTransactionID(7), nil)])
        #expect(app.core.callUpdate(of: id) == ada)
        #expect(performed(.start, id).isEmpty, "the app was not called")
        _ = called(.perform(.start, id))
        #expect(deliveries() == [.perform(.start, id, by: provider)])
        #expect(performed(.start, id) == [.performed(.start, id, isFulfilled: true)])
        #expect(performed(.start, id).isEmpty)
        #expect(answered(1).isEmpty)
        #expect(deliveries().isEmpty)
        #expect(transact([.act(.end, id)], as: 8) == [.transact(2, [.act(.end, id)])])
        _ = answered(2)
        _ = called(.perform(.end, id))
        #expect(deliveries() == [.transacted(CallTransactionID(8), nil), .perform(.end, id, by: provider)])
        #expect(performed(.end, id) == [.performed(.end, id, isFulfilled: true)])
        #expect(app.core.callSnapshots.isEmpty)
    }

    @Test mutating func r173TheStartMayComeBeforeTheAnswer() throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = transact([.start(id, ada)], as: 1)
        _ = called(.perform(.start, id))
        #expect(deliveries() == [.perform(.start, id, by: provider)])
        #expect(performed(.start, id, false) == [.performed(.start, id, isFulfilled: false)])
        _ = answered(1)
        #expect(deliveries() == [.transacted(CallTransactionID(1), nil)])
        #expect(app.core.callSnapshots.isEmpty, "the call is over")
    }

    @Test mutating func r173SomeTransactionsAreRefusedHere() throws {
        let id = try call(1)
        func refused(_ failure: CallTransactionFailure) -> [CallDelivery] {
            [.transacted(CallTransactionID(1), failure)]
        }
        #expect(transact([.start(id, ada)], as: 1).isEmpty)
        #expect(deliveries() == refused(.unknownCallProvider))
        let provider = app.core.addCallProvider()
        #expect(transact([], as: 1).isEmpty)
        #expect(deliveries() == refused(.emptyTransaction))
        let many = Array(repeating: CallRequest.act(.end, id), count: VoIPRequest.mostActions + 1)
        #expect(transact(many, as: 1).isEmpty)
        #expect(deliveries() == refused(.system(.invalidAction)), "the system does not read more actions")
        _ = report(id, by: provider, as: 1)
        #expect(transact([.start(id, ada)], as: 1).isEmpty)
        #expect(deliveries() == refused(.system(.callUUIDAlreadyExists)))
        _ = invalidate(provider)
        #expect(transact([.act(.end, id)], as: 1).isEmpty)
        #expect(deliveries() == refused(.unknownCallProvider))
    }

    @Test(arguments: TransactionFailure.allCases)
    mutating func r173ARefusedTransactionStartsNothing(failure: TransactionFailure) throws {
        let provider = app.core.addCallProvider()
        let id = try call(1)
        _ = transact([.start(id, ada)], as: 1)
        #expect(report(id, by: provider, as: 1).isEmpty)
        #expect(deliveries() == [.reported(CallReportID(1), .callUUIDAlreadyExists)])
        _ = answered(1, failure)
        #expect(deliveries() == [.transacted(CallTransactionID(1), .system(failure))])
        #expect(connects(id).isEmpty)
        #expect(ends(id).isEmpty)
        #expect(repeats().isEmpty)
        #expect(report(id, by: provider, as: 2).count == 1)
    }

    @Test mutating func r173UnansweredTransactionsAreRepeated() throws {
        _ = app.core.addCallProvider()
        let (first, second, third) = (try call(1), try call(2), try call(3))
        _ = transact([.start(first, ada)], as: 1)
        _ = transact([.start(second, ada)], as: 2)
        _ = transact([.act(.hold, first)], as: 3)
        _ = transact([.start(third, ada)], as: 4)
        _ = called(.perform(.start, third))
        _ = deliveries()
        #expect(
            repeats() == [
                .update(third, ada), .transact(1, [.start(first, ada)]), .transact(2, [.start(second, ada)]),
                .transact(3, [.act(.hold, first)]),
            ])
        #expect(deliveries() == [.transacted(CallTransactionID(4), nil)], "the app was called for it")
        _ = answered(1, .callUUIDAlreadyExists)
        #expect(deliveries() == [.transacted(CallTransactionID(1), nil)], "the system had accepted it")
        #expect(app.core.callUpdate(of: first) == ada)
        _ = answered(2)
        _ = answered(3, .invalidAction)
        #expect(
            deliveries() == [
                .transacted(CallTransactionID(2), nil), .transacted(CallTransactionID(3), .system(.invalidAction)),
            ])
        #expect(repeats() == [.update(third, ada), .update(first, ada), .update(second, ada)])
    }

    /// The last provider gets the call, even if there is another one when the system answers.
    @Test mutating func r173ACallBelongsToTheLastProvider() throws {
        let first = app.core.addCallProvider()
        let second = app.core.addCallProvider()
        let (one, two) = (try call(1), try call(2))
        _ = transact([.start(one, ada)], as: 1)
        #expect(invalidate(second).isEmpty)
        #expect(answered(1) == [.ended(one, .failed)], "its provider is invalid")
        _ = deliveries()
        _ = transact([.start(two, ada)], as: 2)
        _ = app.core.addCallProvider()
        _ = answered(2)
        _ = called(.perform(.start, two))
        #expect(deliveries().last == .perform(.start, two, by: first))
    }

    /// The end of an earlier call with the UUID is not repeated: it would end the new call.
    @Test mutating func r173AUUIDMayBeUsedAgain() throws {
        let (id, _) = try connected()
        _ = ends(id)
        #expect(repeats() == [.ended(id, .remoteEnded)])
        _ = transact([.start(id, ada)], as: 2)
        _ = answered(2)
        #expect(repeats() == [.update(id, ada)])
    }

    // MARK: Outgoing calls

    @Test mutating func r173AnOutgoingCallIsConnected() throws {
        let (id, _) = try starting()
        _ = performed(.start, id)
        #expect(repeats() == [.update(id, ada), .performed(.start, id, isFulfilled: true)])
        #expect(connects(id) == [.connected(id)])
        #expect(connects(id).isEmpty)
        #expect(repeats() == [.update(id, ada), .performed(.start, id, isFulfilled: true), .connected(id)])
    }

    @Test mutating func r173TheConnectionIsAlsoTheStart() throws {
        let (id, _) = try starting()
        #expect(connects(id) == [.connected(id)])
        #expect(performed(.start, id).isEmpty)
        #expect(called(.perform(.start, id)).isEmpty)
        #expect(deliveries().isEmpty)
    }

    @Test mutating func r173OtherCallsAreNotConnectedByTheApp() throws {
        let (outgoing, provider) = try starting()
        let (incoming, unknown) = (try call(2), try call(3))
        _ = report(incoming, by: provider, as: 1)
        #expect(connects(incoming).isEmpty)
        #expect(connects(unknown).isEmpty)
        _ = called(.perform(.end, outgoing))
        #expect(connects(outgoing).isEmpty, "the call is being ended")
    }

    @Test mutating func r174AStartTimesOut() throws {
        let (id, provider) = try starting()
        _ = called(.timedOut(.start, id))
        #expect(deliveries() == [.timedOut(.start, id, by: provider)])
        #expect(performed(.start, id).isEmpty)
        #expect(ends(id).isEmpty)
    }

    // MARK: Hold and mute

    @Test(arguments: [(CallAction.hold, CallAction.resume), (CallAction.mute, CallAction.unmute)])
    mutating func r174AChangeIsPerformedAndUndone(change: CallAction, opposite: CallAction) throws {
        let (id, provider) = try connected()
        for action in [change, opposite, change] {
            #expect(performed(action, id).isEmpty, "the app was not called")
            _ = called(.perform(action, id))
            _ = called(.perform(action, id))
            #expect(deliveries() == [.perform(action, id, by: provider)])
            #expect(performed(action, id) == [.performed(action, id, isFulfilled: true)])
            #expect(repeats().last == .performed(action, id, isFulfilled: true))
            #expect(repeats().count == 4)
        }
        #expect(app.core.callSnapshots.map(\.isOnHold) == [change == .hold])
    }

    @Test mutating func r174AFailedChangeLeavesTheCall() throws {
        let (id, provider) = try connected()
        _ = called(.perform(.hold, id))
        _ = called(.perform(.mute, id))
        #expect(deliveries() == [.perform(.hold, id, by: provider), .perform(.mute, id, by: provider)])
        #expect(performed(.hold, id, false) == [.performed(.hold, id, isFulfilled: false)])
        #expect(performed(.hold, id).isEmpty)
        #expect(performed(.mute, id) == [.performed(.mute, id, isFulfilled: true)])
        #expect(app.core.callSnapshots.map(\.isOnHold) == [false])
        #expect(ends(id).count == 1, "the call continues")
    }

    @Test mutating func r174AChangeThatTimesOutLeavesTheCall() throws {
        let (id, provider) = try connected()
        _ = called(.perform(.hold, id))
        _ = called(.timedOut(.hold, id))
        #expect(deliveries() == [.timedOut(.hold, id, by: provider)], "the action was not delivered yet")
        #expect(performed(.hold, id).isEmpty)
        _ = called(.perform(.hold, id))
        #expect(deliveries() == [.perform(.hold, id, by: provider)])
    }

    /// The app has fulfilled the action after its time, so that the call is not on hold for the system.
    @Test mutating func r174ALateChangeIsUndone() throws {
        let (id, provider) = try connected()
        _ = called(.perform(.hold, id))
        _ = performed(.hold, id)
        _ = deliveries()
        _ = called(.timedOut(.hold, id))
        #expect(deliveries() == [.timedOut(.hold, id, by: provider)])
        #expect(app.core.callSnapshots.map(\.isOnHold) == [false])
        _ = called(.perform(.hold, id))
        #expect(deliveries() == [.perform(.hold, id, by: provider)])
    }

    /// The system calls the app again after its restart if it has missed the report.
    @Test mutating func r174AMissedReportIsRepeated() throws {
        let (id, _) = try connected()
        _ = called(.perform(.mute, id))
        _ = performed(.mute, id)
        _ = deliveries()
        #expect(called(.perform(.mute, id)) == [.performed(.mute, id, isFulfilled: true)])
        #expect(deliveries().isEmpty)
    }

    @Test mutating func r174TheEndOfACallEndsItsChanges() throws {
        let (id, provider) = try connected()
        _ = called(.perform(.hold, id))
        _ = called(.perform(.end, id))
        #expect(deliveries() == [.perform(.end, id, by: provider)])
        #expect(performed(.hold, id).isEmpty)
        #expect(called(.perform(.mute, id)).isEmpty)
        #expect(deliveries().isEmpty)
        #expect(performed(.end, id) == [.performed(.end, id, isFulfilled: true)])
    }

    /// The call was put on hold before a restart of the system, which does not know that the session was active.
    @Test mutating func r174TheSoundOfAHeldCallEndsAfterARestart() throws {
        let (id, provider) = try connected()
        _ = called(.audio(isActive: true))
        _ = called(.perform(.hold, id))
        _ = repeats()
        #expect(deliveries() == [.audio(isActive: true, to: provider), .perform(.hold, id, by: provider)])
        _ = performed(.hold, id)
        _ = repeats()
        #expect(deliveries() == [.audio(isActive: false, to: provider)])
        _ = called(.audio(isActive: false))
        #expect(deliveries().isEmpty)
    }

    // MARK: Observers

    private mutating func changes() -> [CallSnapshot] {
        deliveries().compactMap { if case .changed(let call) = $0 { call } else { nil } }
    }

    @Test mutating func anObserverFollowsAnOutgoingCall() throws {
        app.core.observeCalls()
        let (id, _) = try starting()
        #expect(app.core.callSnapshots == [snapshot(id)])
        _ = performed(.start, id)
        #expect(changes().isEmpty, "an observer does not see that")
        _ = connects(id)
        #expect(changes() == [snapshot(id, hasConnected: true)])
        _ = called(.perform(.hold, id))
        _ = performed(.hold, id)
        #expect(changes() == [snapshot(id, hasConnected: true, isOnHold: true)])
        app.core.observeCalls()
        #expect(changes().isEmpty)
        _ = ends(id)
        #expect(changes() == [snapshot(id, hasConnected: true, isOnHold: true, hasEnded: true)])
        #expect(app.core.callSnapshots.isEmpty)
    }

    @Test mutating func anObserverFollowsAnIncomingCall() throws {
        app.core.observeCalls()
        let provider = app.core.addCallProvider()
        let (first, second) = (try call(1), try call(2))
        for (number, id) in [first, second].enumerated() { _ = report(id, by: provider, as: Int64(number)) }
        #expect(app.core.callSnapshots.isEmpty, "the system has not answered")
        _ = app.receive(.concern(.voip(.reported(first, .unentitled))))
        #expect(changes().isEmpty)
        _ = app.receive(.concern(.voip(.reported(second, nil))))
        #expect(changes() == [snapshot(second, isOutgoing: false)])
        _ = called(.perform(.answer, second))
        _ = performed(.answer, second)
        #expect(changes() == [snapshot(second, isOutgoing: false, hasConnected: true)])
        _ = invalidate(provider)
        #expect(changes() == [snapshot(second, isOutgoing: false, hasConnected: true, hasEnded: true)])
    }

    @Test mutating func withoutAnObserverNothingIsDelivered() throws {
        let (id, _) = try connected()
        _ = ends(id)
        #expect(deliveries().isEmpty)
    }
}
