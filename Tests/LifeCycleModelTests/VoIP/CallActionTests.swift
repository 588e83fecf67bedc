import FoundationEssentials
import LifeCycleModel
import Testing

/// Calls that are outgoing, on hold or muted, and the actions that each state allows.
@Suite struct CallActionTests {
    private static let states: [PhoneCall.State] = [
        .ringing, .answering(until: .seconds(1)), .starting(until: .seconds(1)), .dialing, .connected,
        .ending(until: .seconds(1)),
    ]

    private static func id() throws -> CallID { try #require(CallID("01234567-89AB-CDEF-0123-456789ABCDEF")) }

    private static func call(
        _ state: PhoneCall.State, isOnHold: Bool = false, isMuted: Bool = false, _ changes: [CallAction] = []
    ) throws -> PhoneCall {
        var call = PhoneCall(id: try id(), number: 1, update: CallUpdate())
        (call.state, call.isOnHold, call.isMuted) = (state, isOnHold, isMuted)
        call.changes = changes.map { PhoneCall.Change($0, until: .seconds(2)) }
        return call
    }

    // MARK: Records

    /// The record of a call before there were outgoing calls.
    private struct OlderCall: Encodable {
        let id: CallID
        let number: Int64
        let update: CallUpdate
        let state: PhoneCall.State
    }

    @Test(arguments: states) func anOlderRecordIsAnIncomingCall(_ state: PhoneCall.State) throws {
        let older = OlderCall(id: try Self.id(), number: 7, update: CallUpdate(caller: "Ada"), state: state)
        let call = try JSONDecoder().decode(PhoneCall.self, from: JSONEncoder().encode(older))
        #expect(call.id == older.id && call.number == 7 && call.update == older.update && call.state == state)
        #expect(!call.isOutgoing && !call.isOnHold && !call.isMuted && call.changes.isEmpty)
    }

    @Test(arguments: states) func aCallSurvivesCoding(_ state: PhoneCall.State) throws {
        let incoming = try Self.call(state, isOnHold: true, [.resume])
        #expect(try JSONDecoder().decode(PhoneCall.self, from: JSONEncoder().encode(incoming)) == incoming)
        var outgoing = PhoneCall(id: try Self.id(), number: 2, update: CallUpdate(), startingUntil: .seconds(3))
        (outgoing.isMuted, outgoing.changes) = (true, [PhoneCall.Change(.unmute, until: .seconds(4))])
        let decoded = try JSONDecoder().decode(PhoneCall.self, from: JSONEncoder().encode(outgoing))
        #expect(decoded == outgoing && decoded.isOutgoing)
    }

    @Test func anOutgoingCallIsStarted() throws {
        let call = PhoneCall(
            id: try Self.id(), number: 3, update: CallUpdate(caller: "Ada"), startingUntil: .seconds(5))
        #expect(call.isOutgoing && call.state == .starting(until: .seconds(5)) && call.number == 3)
        #expect(call.update.caller == "Ada" && call.actions == [PhoneCall.Change(.start, until: .seconds(5))])
        #expect(try !Self.call(.ringing).isOutgoing)
    }

    // MARK: Actions

    /// Each state, with the actions that it allows, those that it allows on hold, and those if muted.
    private static let allowed: [([CallAction], onHold: [CallAction], muted: [CallAction])] = [
        ([.answer, .end], [.answer, .end], [.answer, .end]), ([.end], [.end], [.end]), ([.end], [.end], [.end]),
        ([.end, .mute], [.end, .mute], [.end, .unmute]),
        ([.end, .hold, .mute], [.end, .resume, .mute], [.end, .hold, .unmute]), ([], [], []),
    ]

    @Test(arguments: states.indices) func theStateAllowsActions(_ index: Int) throws {
        let (state, allowed) = (Self.states[index], Self.allowed[index])
        let calls = [
            (try Self.call(state), allowed.0), (try Self.call(state, isOnHold: true), allowed.onHold),
            (try Self.call(state, isMuted: true), allowed.muted),
        ]
        for (call, allowed) in calls {
            #expect(CallAction.allCases.filter(call.allows) == allowed, "\(call)")
        }
    }

    /// A hold and a mute may be performed at once, and no second change of the same kind.
    @Test(arguments: [
        ([CallAction.hold], [CallAction.end, .mute]), ([.mute], [.end, .hold]), ([.hold, .mute], [.end]),
    ])
    func aChangeForbidsOthersOfItsKind(_ changes: [CallAction], _ allowed: [CallAction]) throws {
        let call = try Self.call(.connected, changes)
        #expect(CallAction.allCases.filter(call.allows) == allowed)
    }

    @Test func aCallOnHoldBeingResumedAllowsNoHold() throws {
        let call = try Self.call(.connected, isOnHold: true, isMuted: true, [.resume, .unmute])
        #expect(CallAction.allCases.filter(call.allows) == [.end])
    }

    @Test func theActionsHaveTheirTimes() throws {
        #expect(try Self.call(.ringing).actions.isEmpty)
        #expect(try Self.call(.ending(until: .seconds(1))).actions == [PhoneCall.Change(.end, until: .seconds(1))])
        let changes = try Self.call(.dialing, [.mute]).actions
        #expect(changes == [PhoneCall.Change(.mute, until: .seconds(2))])
    }

    @Test func onlyAChangeIsNotVital() {
        #expect(CallAction.allCases.filter(\.isVital) == [.answer, .end, .start])
    }

    // MARK: The user's call

    @Test func theUserSpeaksOnACallThatIsNotOnHold() throws {
        let current = try Self.states.filter { try Self.call($0).isCurrent }
        #expect(current == [.answering(until: .seconds(1)), .starting(until: .seconds(1)), .dialing, .connected])
        #expect(try Self.states.filter { try Self.call($0).hasAudio } == [.dialing, .connected])
        for state in Self.states {
            let call = try Self.call(state, isOnHold: true)
            #expect(!call.isCurrent && !call.hasAudio, "\(state)")
        }
        let changing = try Self.call(.connected, isMuted: true, [.hold])
        #expect(changing.isCurrent && changing.hasAudio, "the app has not performed the hold")
    }

    @Test func aRequestNamesItsCallAndAction() throws {
        let id = try Self.id()
        #expect(CallRequest.start(id, CallUpdate()).call == id && CallRequest.start(id, CallUpdate()).action == .start)
        #expect(CallRequest.act(.hold, id).call == id && CallRequest.act(.hold, id).action == .hold)
    }
}
