import FoundationEssentials
import LifeCycleModel
import Testing

/// The UUIDs by which apps name their calls.
@Suite struct CallIDTests {
    @Test(arguments: [
        "01234567-89AB-CDEF-0123-456789ABCDEF", "01234567-89ab-cdef-0123-456789abcdef",
        "01234567-89aB-CDef-0123-456789ABcdEF",
    ])
    func readsUUIDs(text: String) throws {
        let id = try #require(CallID(text))
        #expect(id.description == "01234567-89AB-CDEF-0123-456789ABCDEF")
        #expect(CallID(id.description) == id)
        #expect(UUID(uuidString: text)?.uuidString == id.description)
    }

    @Test(arguments: [
        "", "-", "----", "0123456789ABCDEF0123456789ABCDEF", "01234567-89AB-CDEF-0123-456789ABCDE",
        "01234567-89AB-CDEF-0123-456789ABCDEF0", "0123456-789AB-CDEF-0123-456789ABCDEF",
        "01234567-89AB-CDEF-0123456789ABCDEF-", "{01234567-89AB-CDEF-0123-456789ABCDE",
        "01234567-89AB-CDEF-0123-456789ABCDEG", " 1234567-89AB-CDEF-0123-456789ABCDEF",
        "+1234567-89AB-CDEF-0123-456789ABCDEF", "01234567-89AB-CDEF-0123-456789ABCD\u{E9}",
        "01234567-89AB-CDEF-0123-456789\u{FF21}BCD", "01234567\u{2010}89AB-CDEF-0123-456789ABC",
        "01234567-89AB-CDEF-0123-456789ABCDE\0", "01234567-89AB-CDEF-0123-456789ABCDE\n",
    ])
    func refusesOtherTexts(text: String) {
        #expect(CallID(text) == nil)
    }

    @Test func isSortedByItsText() throws {
        let texts = ["0", "9", "a", "F"].map { "\($0)1234567-89AB-CDEF-0123-456789ABCDEF" }
        let ids = texts.compactMap { CallID($0) }
        #expect(ids.count == 4 && ids.reversed().sorted() == ids)
    }
}

/// The facts about a call that the system shows.
@Suite struct CallUpdateTests {
    /// U+00E9 has 2 bytes. The family has 25 bytes, and is one character.
    private static let (accent, family) = ("\u{E9}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}")

    @Test(arguments: [
        (0, 0, 0), (256, 0, 0), (0, 128, 0), (254, 1, 0), (6, 0, 10), (5, 0, 10),
    ])
    func keepsAName(letters: Int, accents: Int, families: Int) {
        let name =
            String(repeating: "x", count: letters) + String(repeating: Self.accent, count: accents)
            + String(repeating: Self.family, count: families)
        #expect(CallUpdate(caller: name).caller == name)
    }

    @Test(arguments: [
        ("x", 257, 256), ("x", 100_000, 256), (accent, 129, 128), (accent, 10_000, 128), (family, 11, 10),
    ])
    func cutsOffALongName(character: String, count: Int, kept: Int) {
        let caller = CallUpdate(caller: String(repeating: character, count: count)).caller
        #expect(caller == String(repeating: character, count: kept))
    }

    /// The last character would have its second byte beyond the limit.
    @Test func cutsBetweenTwoCharacters() {
        let start = String(repeating: "x", count: 255)
        #expect(CallUpdate(caller: start + Self.accent + "y").caller == start)
    }

    /// A character may have any number of combining marks.
    @Test func aSingleLongCharacterIsCutOff() {
        let character = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(character.count == 1)
        #expect(CallUpdate(caller: character + "x").caller.utf8.count <= CallUpdate.longestCaller)
        #expect(CallUpdate(caller: "x" + character).caller == "x")
    }

    @Test func survivesCoding() throws {
        let update = CallUpdate(caller: "Ada", hasVideo: true)
        #expect(try JSONDecoder().decode(CallUpdate.self, from: JSONEncoder().encode(update)) == update)
    }
}

/// A call, and what the user and the app do with it.
@Suite struct PhoneCallTests {
    private static let id = CallID("01234567-89AB-CDEF-0123-456789ABCDEF")

    @Test func aNewCallRings() throws {
        let call = PhoneCall(id: try #require(Self.id), number: 3, update: CallUpdate(caller: "Ada"))
        #expect(call.state == .ringing && call.number == 3 && call.update.caller == "Ada")
    }

    @Test func onlyTheUsersActionsHaveATime() {
        let states: [(PhoneCall.State, Nanoseconds?, CallAction?)] = [
            (.ringing, nil, nil), (.answering(until: .seconds(1)), .seconds(1), .answer), (.connected, nil, nil),
            (.ending(until: .seconds(2)), .seconds(2), .end), (.starting(until: .seconds(3)), .seconds(3), .start),
            (.dialing, nil, nil),
        ]
        for (state, until, action) in states {
            #expect(state.until == until && state.action == action, "\(state)")
        }
    }

    @Test func spellsApplesNumbers() {
        #expect(CallEndedReason.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(CallEndedReason.remoteEnded.rawValue == 2 && CallEndedReason.answeredElsewhere.rawValue == 4)
        #expect(CallFailure.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(CallFailure.callUUIDAlreadyExists.rawValue == 2)
        #expect(TransactionFailure.allCases.map(\.rawValue) == [0, 1, 4, 5, 6, 7])
        #expect(TransactionFailure.unknownCallUUID.rawValue == 4 && TransactionFailure.invalidAction.rawValue == 6)
    }

    @Test func theCallsHaveApplesNames() throws {
        let id = try #require(Self.id)
        let token = try #require(DeviceToken([UInt8](repeating: 0, count: DeviceToken.size)))
        let calls: [(VoIPCall, String)] = [
            (.tokenUpdated(token), "didUpdatePushCredentials"),
            (.push(VoIPPush(number: 1, payload: "{}")), "didReceiveIncomingPush"),
            (.perform(.answer, id), "performAnswerCallAction"), (.perform(.end, id), "performEndCallAction"),
            (.perform(.start, id), "performStartCallAction"), (.perform(.hold, id), "performSetHeldCallAction"),
            (.perform(.resume, id), "performSetHeldCallAction"), (.perform(.mute, id), "performSetMutedCallAction"),
            (.perform(.unmute, id), "performSetMutedCallAction"),
            (.timedOut(.answer, id), "timedOutPerforming"), (.timedOut(.end, id), "timedOutPerforming"),
            (.timedOut(.hold, id), "timedOutPerforming"),
            (.audio(isActive: true), "didActivate"), (.audio(isActive: false), "didDeactivate"),
        ]
        for (call, name) in calls {
            #expect(ConcernCall.voip(call).name == name)
            #expect(ConcernCall.voip(call).handler(of: CallbackID(1)) == nil, "\(name)")
        }
        #expect(Set(calls.map(\.1)).isSubset(of: ConcernCall.names))
    }

    /// The newest token counts, and an action that has timed out is not performed.
    @Test func someCallsTakeThePlaceOfOthers() throws {
        let id = try #require(Self.id)
        let other = try #require(CallID("11234567-89AB-CDEF-0123-456789ABCDEF"))
        let token = try #require(DeviceToken([UInt8](repeating: 0, count: DeviceToken.size)))
        #expect(ConcernCall.voip(.tokenUpdated(token)).replaces(.voip(.tokenUpdated(token))))
        let push = ConcernCall.voip(.push(VoIPPush(number: 1, payload: "{}")))
        #expect(!push.replaces(push) && !push.withdraws(push))
        let timedOut = ConcernCall.voip(.timedOut(.answer, id))
        #expect(timedOut.withdraws(.voip(.perform(.answer, id))))
        #expect(!timedOut.withdraws(.voip(.perform(.answer, other))))
        #expect(!timedOut.withdraws(.voip(.perform(.end, id))))
        #expect(!ConcernCall.voip(.audio(isActive: false)).withdraws(.voip(.audio(isActive: true))))
    }

    @Test func aPushAsksForItsApp() {
        #expect(ConcernInput.voip(.pushArrived(AppID(1), payload: "{}")).appAskedFor == AppID(1))
        #expect(ConcernInput.voip(.chosen(.answer)).appAskedFor == nil)
        #expect(ConcernInput.voip(.tokenPersisted(AppID(1))).appAskedFor == nil)
    }
}
