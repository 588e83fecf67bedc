import LifeCycleModel
import RoostWire
import Testing

/// VoIP pushes and calls on the wire.
@Suite struct VoIPWireTests {
    private static let uuid = "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9"

    private func call() throws -> CallID { try #require(CallID(Self.uuid)) }

    private func token() throws -> DeviceToken {
        try #require(DeviceToken(Array(repeating: 0xab, count: DeviceToken.size)))
    }

    @Test func requestsComeBackAsTheyWere() throws {
        let id = try call()
        let updates = [
            CallUpdate(), CallUpdate(caller: "Ada \u{0}\"☎️", hasVideo: true),
            CallUpdate(caller: String(repeating: "é", count: CallUpdate.longestCaller)),
        ]
        let first: [VoIPRequest] = [
            .setRegistered(true), .setRegistered(false), .returned(1), .returned(.max), .completed(1), .completed(.max),
        ]
        let requests =
            first + updates.flatMap { [VoIPRequest.report(id, $0), .update(id, $0)] }
            + CallEndedReason.allCases.map { VoIPRequest.ended(id, $0) }
            + CallAction.allCases.flatMap { action in
                [true, false].map { VoIPRequest.performed(action, id, isFulfilled: $0) }
            }
        let acts = CallAction.allCases.filter { $0 != .start }.map { CallRequest.act($0, id) }
        let transactions: [VoIPRequest] = [
            .transact(1, updates.map { CallRequest.start(id, $0) } + acts),
            .transact(.max, Array(repeating: .act(.hold, id), count: VoIPRequest.mostActions)),
            .transact(2, [.act(.end, id)]), .connected(id),
        ]
        for call in (requests + transactions).map({ AppCall.request(.concern(.voip($0))) }) {
            #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func callsAndMessagesComeBackAsTheyWere() throws {
        let (id, token) = (try call(), try token())
        let longest = "{\"a\":\"\(String(repeating: "\u{7f}", count: VoIPPush.largestPayload - 8))\"}"
        let first: [VoIPCall] = [
            .tokenUpdated(token), .push(VoIPPush(number: 1, payload: "{}\n")),
            .push(VoIPPush(number: .max, payload: longest)), .audio(isActive: true), .audio(isActive: false),
        ]
        let calls = first + CallAction.allCases.flatMap { [VoIPCall.perform($0, id), .timedOut($0, id)] }
        let reports = [VoIPNews.reported(id, nil)] + CallFailure.allCases.map { VoIPNews.reported(id, $0) }
        let transactions =
            [VoIPNews.transacted(1, nil)] + TransactionFailure.allCases.map { VoIPNews.transacted(.max, $0) }
        let news = reports + transactions
        let messages =
            calls.map { SystemMessage.callback(CallbackID(3), .concern(.voip($0))) }
            + news.map { SystemMessage.concern(.voip($0)) }
        for message in messages {
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
    }

    @Test func requestsLookLikeThis() throws {
        let id = try call()
        func sent(_ request: VoIPRequest) -> String { text(AppCall.request(.concern(.voip(request))).encoded()) }
        #expect(
            sent(.setRegistered(true))
                == #"{"method":"roost.App.SetVoIPRegistration","oneway":true,"parameters":{"wanted":true}}"#)
        #expect(
            sent(.returned(7))
                == #"{"method":"roost.App.ReturnedFromVoIPPush","oneway":true,"parameters":{"push":7}}"#)
        #expect(
            sent(.completed(7))
                == #"{"method":"roost.App.CompletedVoIPPush","oneway":true,"parameters":{"push":7}}"#)
        #expect(
            sent(.report(id, CallUpdate(caller: "Ada", hasVideo: true)))
                == #"{"method":"roost.App.ReportCall","oneway":true,"parameters":{"call":"\#(Self.uuid)","#
                + #""caller":"Ada","hasVideo":true}}"#)
        #expect(
            sent(.update(id, CallUpdate()))
                == #"{"method":"roost.App.UpdateCall","oneway":true,"parameters":{"call":"\#(Self.uuid)"}}"#)
        #expect(
            sent(.ended(id, .unanswered))
                == #"{"method":"roost.App.EndCall","oneway":true,"parameters":{"call":"\#(Self.uuid)","reason":3}}"#)
        #expect(
            sent(.performed(.answer, id, isFulfilled: false))
                == #"{"method":"roost.App.PerformedCallAction","oneway":true,"parameters":{"action":"answer","#
                + #""call":"\#(Self.uuid)","isFulfilled":false}}"#)
        #expect(
            sent(.transact(7, [.start(id, CallUpdate(caller: "Ada", hasVideo: true)), .act(.hold, id)]))
                == #"{"method":"roost.App.RequestCallTransaction","oneway":true,"parameters":{"actions":["#
                + #"{"action":"start","call":"\#(Self.uuid)","caller":"Ada","hasVideo":true},"#
                + #"{"action":"hold","call":"\#(Self.uuid)"}],"number":7}}"#)
        #expect(
            sent(.connected(id))
                == #"{"method":"roost.App.ConnectedCall","oneway":true,"parameters":{"call":"\#(Self.uuid)"}}"#)
    }

    @Test func callsAndMessagesLookLikeThis() throws {
        let (id, token) = (try call(), try token())
        func callback(_ call: VoIPCall) -> String {
            text(SystemMessage.callback(CallbackID(3), .concern(.voip(call))).encoded())
        }
        func parameters(_ callback: String) -> String {
            #"{"continues":true,"parameters":{"callback":{\#(callback)}}}"#
        }
        let digits = String(repeating: "ab", count: DeviceToken.size)
        #expect(
            callback(.tokenUpdated(token))
                == parameters(#""id":3,"kind":"didUpdatePushCredentials","token":"\#(digits)""#))
        #expect(
            callback(.push(VoIPPush(number: 2, payload: "{}")))
                == parameters(#""id":3,"kind":"didReceiveIncomingPush","push":{"number":2,"payload":"{}"}"#))
        #expect(
            callback(.perform(.answer, id))
                == parameters(#""call":"\#(Self.uuid)","id":3,"kind":"performAnswerCallAction""#))
        #expect(
            callback(.perform(.end, id))
                == parameters(#""call":"\#(Self.uuid)","id":3,"kind":"performEndCallAction""#))
        #expect(
            callback(.perform(.start, id))
                == parameters(#""call":"\#(Self.uuid)","id":3,"kind":"performStartCallAction""#))
        let changes: [(CallAction, String, String)] = [
            (.hold, "performSetHeldCallAction", #""isOnHold":true"#),
            (.resume, "performSetHeldCallAction", #""isOnHold":false"#),
            (.mute, "performSetMutedCallAction", #""isMuted":true"#),
            (.unmute, "performSetMutedCallAction", #""isMuted":false"#),
        ]
        for (action, kind, member) in changes {
            #expect(
                callback(.perform(action, id))
                    == parameters(#""call":"\#(Self.uuid)","id":3,\#(member),"kind":"\#(kind)""#))
        }
        #expect(
            callback(.timedOut(.end, id))
                == parameters(#""action":"end","call":"\#(Self.uuid)","id":3,"kind":"timedOutPerforming""#))
        #expect(callback(.audio(isActive: true)) == parameters(#""id":3,"kind":"didActivateAudioSession""#))
        #expect(callback(.audio(isActive: false)) == parameters(#""id":3,"kind":"didDeactivateAudioSession""#))
        #expect(
            text(SystemMessage.concern(.voip(.reported(id, nil))).encoded())
                == #"{"continues":true,"parameters":{"callReported":{"call":"\#(Self.uuid)"}}}"#)
        #expect(
            text(SystemMessage.concern(.voip(.reported(id, .unentitled))).encoded())
                == #"{"continues":true,"parameters":{"callReported":{"call":"\#(Self.uuid)","failure":1}}}"#)
        #expect(
            text(SystemMessage.concern(.voip(.transacted(7, nil))).encoded())
                == #"{"continues":true,"parameters":{"callTransacted":{"number":7}}}"#)
        #expect(
            text(SystemMessage.concern(.voip(.transacted(7, .invalidAction))).encoded())
                == #"{"continues":true,"parameters":{"callTransacted":{"failure":6,"number":7}}}"#)
    }

    /// The system sends a UUID in uppercase.
    @Test func aUUIDMayBeInLowercase() throws {
        let text = #"{"method":"roost.App.EndCall","parameters":{"call":"\#(Self.uuid.lowercased())","reason":1}}"#
        #expect(
            try AppCall(VarlinkCall(message(text))) == .request(.concern(.voip(.ended(try call(), .failed)))))
    }

    /// A name of any length is accepted, and cut off between two characters.
    @Test func aLongCallerIsCutOff() throws {
        let caller = String(repeating: "é", count: 100_000)
        let text = #"{"method":"roost.App.ReportCall","parameters":{"call":"\#(Self.uuid)","caller":"\#(caller)"}}"#
        let update = CallUpdate(caller: String(repeating: "é", count: CallUpdate.longestCaller / 2))
        #expect(
            try AppCall(VarlinkCall(message(text))) == .request(.concern(.voip(.report(try call(), update)))))
        let start = #"{"action":"start","call":"\#(Self.uuid)","caller":"\#(caller)"}"#
        #expect(try Self.transaction(start) == [.start(try call(), update)])
    }

    /// Reads a transaction with these actions.
    private static func transaction(_ actions: String) throws -> [CallRequest]? {
        let parameters = #"{"number":1,"actions":[\#(actions)]}"#
        let text = #"{"method":"roost.App.RequestCallTransaction","parameters":\#(parameters)}"#
        let call = try AppCall(VarlinkCall(message(text)))
        guard case .request(.concern(.voip(.transact(1, let requests)))) = call else { return nil }
        return requests
    }

    /// `start` always begins a call. No message makes it an action on a call that exists.
    @Test func aStartIsNoActionOnACall() throws {
        let id = try call()
        let sent = AppCall.request(.concern(.voip(.transact(1, [.act(.start, id)]))))
        let arrived = AppCall.request(.concern(.voip(.transact(1, [.start(id, CallUpdate())]))))
        #expect(try AppCall(VarlinkCall(sent.encoded().dropLast())) == arrived)
    }

    /// The caller and the video of other actions are not read, whether they are valid or not.
    @Test func onlyAStartHasFacts() throws {
        let hold = #"{"action":"hold","call":"\#(Self.uuid.lowercased())","caller":7,"hasVideo":"yes"}"#
        #expect(try Self.transaction(hold) == [.act(.hold, try call())])
        let unknown = #"{"action":"start","call":"\#(Self.uuid)","caller":null,"hasVideo":null}"#
        #expect(try Self.transaction(unknown) == [.start(try call(), CallUpdate())])
    }

    // MARK: Wrong messages

    private static let wrongRequests: [(String, String)] = [
        (#"SetVoIPRegistration""#, "wanted"), (#"SetVoIPRegistration","parameters":{"wanted":1}"#, "wanted"),
        (#"SetVoIPRegistration","parameters":{"wanted":null}"#, "wanted"),
        (#"ReturnedFromVoIPPush""#, "push"), (#"ReturnedFromVoIPPush","parameters":{"push":0}"#, "push"),
        (#"ReturnedFromVoIPPush","parameters":{"push":-1}"#, "push"),
        (#"ReturnedFromVoIPPush","parameters":{"push":1.5}"#, "push"),
        (#"ReturnedFromVoIPPush","parameters":{"push":"1"}"#, "push"),
        (#"CompletedVoIPPush","parameters":{"push":9223372036854775808}"#, "push"),
        (#"CompletedVoIPPush","parameters":{"push":1e300}"#, "push"),
        (#"ReportCall""#, "call"), (#"ReportCall","parameters":{"call":7}"#, "call"),
        (#"ReportCall","parameters":{"call":""}"#, "call"),
        (#"ReportCall","parameters":{"call":"0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F"}"#, "call"),
        (#"ReportCall","parameters":{"call":"0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F99"}"#, "call"),
        (#"ReportCall","parameters":{"call":"0A1B2C3D4E5F-6071-8293-A4B5-C6D7E8F9"}"#, "call"),
        (#"ReportCall","parameters":{"call":"0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8Fé"}"#, "call"),
        (#"ReportCall","parameters":{"call":"0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8FG"}"#, "call"),
        (#"ReportCall","parameters":{"call":"{A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F}"}"#, "call"),
        (#"ReportCall","parameters":{"call":"\#(uuid)","caller":7}"#, "caller"),
        (#"ReportCall","parameters":{"call":"\#(uuid)","caller":["Ada"]}"#, "caller"),
        (#"ReportCall","parameters":{"call":"\#(uuid)","hasVideo":"yes"}"#, "hasVideo"),
        (#"UpdateCall","parameters":{"caller":"Ada"}"#, "call"),
        (#"UpdateCall","parameters":{"call":"\#(uuid)","hasVideo":1}"#, "hasVideo"),
        (#"EndCall","parameters":{"call":"\#(uuid)"}"#, "reason"), (#"EndCall","parameters":{"reason":1}"#, "call"),
        (#"EndCall","parameters":{"call":"\#(uuid)","reason":0}"#, "reason"),
        (#"EndCall","parameters":{"call":"\#(uuid)","reason":6}"#, "reason"),
        (#"EndCall","parameters":{"call":"\#(uuid)","reason":4294967297}"#, "reason"),
        (#"EndCall","parameters":{"call":"\#(uuid)","reason":"failed"}"#, "reason"),
        (#"PerformedCallAction","parameters":{"call":"\#(uuid)","isFulfilled":true}"#, "action"),
        (
            #"PerformedCallAction","parameters":{"action":"decline","call":"\#(uuid)","isFulfilled":true}"#, "action"
        ),
        (#"PerformedCallAction","parameters":{"action":1,"call":"\#(uuid)","isFulfilled":true}"#, "action"),
        (#"PerformedCallAction","parameters":{"action":"end","isFulfilled":true}"#, "call"),
        (#"PerformedCallAction","parameters":{"action":"end","call":"\#(uuid)"}"#, "isFulfilled"),
    ]

    private static let hold = #"{"action":"hold","call":"\#(uuid)"}"#
    private static let tooMany = Array(repeating: hold, count: VoIPRequest.mostActions + 1).joined(separator: ",")
    private static let wrongTransactions: [(String, String)] = [
        (#"RequestCallTransaction""#, "number"),
        (#"RequestCallTransaction","parameters":{"number":0,"actions":[\#(hold)]}"#, "number"),
        (#"RequestCallTransaction","parameters":{"number":-1,"actions":[\#(hold)]}"#, "number"),
        (#"RequestCallTransaction","parameters":{"number":1.5,"actions":[\#(hold)]}"#, "number"),
        (#"RequestCallTransaction","parameters":{"number":"1","actions":[\#(hold)]}"#, "number"),
        (#"RequestCallTransaction","parameters":{"number":9223372036854775808,"actions":[\#(hold)]}"#, "number"),
        (#"RequestCallTransaction","parameters":{"number":1}"#, "actions"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":\#(hold)}"#, "actions"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":null}"#, "actions"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":[]}"#, "actions"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":[\#(tooMany)]}"#, "actions"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":["hold"]}"#, "actions[0]"),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":[\#(hold),null]}"#, "actions[1]"),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[{"call":"\#(uuid)"}]}"#,
            "actions[0].action"
        ),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[{"action":"decline","call":"\#(uuid)"}]}"#,
            "actions[0].action"
        ),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[{"action":2,"call":"\#(uuid)"}]}"#,
            "actions[0].action"
        ),
        (#"RequestCallTransaction","parameters":{"number":1,"actions":[{"action":"end"}]}"#, "actions[0].call"),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[\#(hold),{"action":"end","call":"first"}]}"#,
            "actions[1].call"
        ),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[{"action":"start","call":"first"}]}"#,
            "actions[0].call"
        ),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[\#(start(#""caller":7"#))]}"#,
            "actions[0].caller"
        ),
        (
            #"RequestCallTransaction","parameters":{"number":1,"actions":[\#(start(#""hasVideo":1"#))]}"#,
            "actions[0].hasVideo"
        ),
        (#"ConnectedCall""#, "call"), (#"ConnectedCall","parameters":{"call":"first"}"#, "call"),
    ]

    private static func start(_ member: String) -> String {
        #"{"action":"start","call":"\#(uuid)",\#(member)}"#
    }

    @Test(arguments: wrongRequests + wrongTransactions)
    func wrongRequestsAreRefused(call: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.App.\#(call)}"#))
        do {
            _ = try AppCall(call)
            Issue.record("\(call) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    private static let wrongMessages: [(String, String)] = [
        (#""callback":{"id":1,"kind":"didUpdatePushCredentials"}"#, "callback.token"),
        (#""callback":{"id":1,"kind":"didUpdatePushCredentials","token":"ab"}"#, "callback.token"),
        (#""callback":{"id":1,"kind":"didUpdatePushCredentials","token":null}"#, "callback.token"),
        (#""callback":{"id":1,"kind":"didReceiveIncomingPush"}"#, "callback.push"),
        (#""callback":{"id":1,"kind":"didReceiveIncomingPush","push":"{}"}"#, "callback.push"),
        (#""callback":{"id":1,"kind":"didReceiveIncomingPush","push":{"number":1}}"#, "callback.push.payload"),
        (
            #""callback":{"id":1,"kind":"didReceiveIncomingPush","push":{"number":0,"payload":"{}"}}"#,
            "callback.push.number"
        ),
        (
            #""callback":{"id":1,"kind":"didReceiveIncomingPush","push":{"number":1,"payload":{}}}"#,
            "callback.push.payload"
        ),
        (
            #""callback":{"id":1,"kind":"didReceiveIncomingPush","push":{"number":1,"payload":"\#(tooLong)"}}"#,
            "callback.push.payload"
        ),
        (#""callback":{"id":1,"kind":"performAnswerCallAction"}"#, "callback.call"),
        (#""callback":{"id":1,"kind":"performEndCallAction","call":"first"}"#, "callback.call"),
        (#""callback":{"id":1,"kind":"timedOutPerforming","call":"\#(uuid)"}"#, "callback.action"),
        (#""callback":{"id":1,"kind":"timedOutPerforming","call":"\#(uuid)","action":"decline"}"#, "callback.action"),
        (#""callback":{"id":1,"kind":"timedOutPerforming","action":"end"}"#, "callback.call"),
        (#""callback":{"id":1,"kind":"performStartCallAction"}"#, "callback.call"),
        (#""callback":{"id":1,"kind":"performSetHeldCallAction","call":"\#(uuid)"}"#, "callback.isOnHold"),
        (#""callback":{"id":1,"kind":"performSetHeldCallAction","isOnHold":true}"#, "callback.call"),
        (
            #""callback":{"id":1,"kind":"performSetHeldCallAction","call":"\#(uuid)","isOnHold":1}"#,
            "callback.isOnHold"
        ),
        (
            #""callback":{"id":1,"kind":"performSetMutedCallAction","call":"\#(uuid)","isOnHold":true}"#,
            "callback.isMuted"
        ),
        (#""callback":{"id":1,"kind":"performSetMutedCallAction","isMuted":false}"#, "callback.call"),
        (#""callTransacted":7"#, "callTransacted"),
        (#""callTransacted":{}"#, "callTransacted.number"),
        (#""callTransacted":{"number":0}"#, "callTransacted.number"),
        (#""callTransacted":{"number":1,"failure":2}"#, "callTransacted.failure"),
        (#""callTransacted":{"number":1,"failure":8}"#, "callTransacted.failure"),
        (#""callTransacted":{"number":1,"failure":"unentitled"}"#, "callTransacted.failure"),
        (#""callTransacted":{"number":1},"callReported":{"call":"\#(uuid)"}"#, "parameters"),
        (#""callReported":"\#(uuid)""#, "callReported"), (#""callReported":{}"#, "callReported.call"),
        (#""callReported":{"call":"\#(uuid)","failure":3}"#, "callReported.failure"),
        (#""callReported":{"call":"\#(uuid)","failure":-1}"#, "callReported.failure"),
        (#""callReported":{"call":"\#(uuid)","failure":"unknown"}"#, "callReported.failure"),
        (#""callReported":{"call":"\#(uuid)"},"audioCall":true"#, "parameters"),
    ]

    private static let tooLong = String(repeating: "a", count: VoIPPush.largestPayload + 1)

    @Test(arguments: wrongMessages) func wrongMessagesAreRefused(parameters: String, field: String) throws {
        let reply = try VarlinkReply(message(#"{"continues":true,"parameters":{\#(parameters)}}"#))
        do {
            _ = try SystemMessage(reply)
            Issue.record("\(parameters) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    @Test func theInterfaceListsEverything() {
        let app = VarlinkInterface.app.description
        for word in [
            ", didUpdatePushCredentials, didReceiveIncomingPush, performAnswerCallAction, performEndCallAction",
            ", performStartCallAction, performSetHeldCallAction, performSetMutedCallAction",
            ", timedOutPerforming, didActivateAudioSession, didDeactivateAudioSession", "\n  push: ?VoIPPush",
            "\n  call: ?string", "\n  action: ?CallAction", "\n  isOnHold: ?bool", "\n  isMuted: ?bool",
            "\n  callReported: ?(call: string, failure: ?int)",
            "\n  callTransacted: ?(number: int, failure: ?int)", "\ntype CallTransactionAction (action: CallAction, ",
            "\nmethod RequestCallTransaction(number: int, actions: []CallTransactionAction) -> ()",
            "\nmethod ConnectedCall(call: string) -> ()",
            "\nmethod SetVoIPRegistration(", "\nmethod ReturnedFromVoIPPush(", "\nmethod CompletedVoIPPush(",
            "\nmethod ReportCall(", "\nmethod UpdateCall(", "\nmethod EndCall(", "\nmethod PerformedCallAction(",
        ] { #expect(app.contains(word), "\(word)") }
        let actions = CallAction.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(app.contains("\ntype CallAction (\(actions))"))
        let control = VarlinkInterface.control.description
        #expect(control.contains("\nmethod PushVoIP(app: string, payload: string)"))
        let choices = CallChoice.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(control.contains("\nmethod ActOnCall(action: (\(choices)))"))
        // The system itself causes launches for VoIP pushes.
        #expect(app.contains(", voip, voipPush, ") && !control.contains("voipPush"))
    }

    // MARK: Pushes and actions

    @Test func actionsComeBackAsTheyWere() throws {
        let app = try #require(BundleIdentifier("org.example.Phone"))
        let acts =
            CallChoice.allCases.map { VoIPControl.actOnCall($0) } + [
                .pushVoIP(app, payload: "{}"), .pushVoIP(app, payload: " {\"caller\":\"Ada ☎️\",\"x\":[1,null]}\n"),
            ]
        for call in acts.map({ ControlCall.voip($0) }) {
            #expect(try ControlCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
        #expect(
            text(ControlCall.voip(.pushVoIP(app, payload: "{}")).encoded())
                == #"{"method":"roost.Control.PushVoIP","parameters":{"app":"org.example.Phone","payload":"{}"}}"#)
        #expect(
            text(ControlCall.voip(.actOnCall(.decline)).encoded())
                == #"{"method":"roost.Control.ActOnCall","parameters":{"action":"decline"}}"#)
    }

    private static let wrongActs: [(String, String)] = [
        (#"ActOnCall""#, "action"), (#"ActOnCall","parameters":{"action":"start"}"#, "action"),
        (#"ActOnCall","parameters":{"action":1}"#, "action"),
        (#"PushVoIP","parameters":{"payload":"{}"}"#, "app"),
        (#"PushVoIP","parameters":{"app":"../etc","payload":"{}"}"#, "app"),
        (#"PushVoIP","parameters":{"app":"a"}"#, "payload"),
        (#"PushVoIP","parameters":{"app":"a","payload":{}}"#, "payload"),
        (#"PushVoIP","parameters":{"app":"a","payload":""}"#, "payload"),
        (#"PushVoIP","parameters":{"app":"a","payload":"[]"}"#, "payload"),
        (#"PushVoIP","parameters":{"app":"a","payload":"{\u0000}"}"#, "payload"),
        (#"PushVoIP","parameters":{"app":"a","payload":"\#(tooLong)"}"#, "payload"),
        (#"Wake","parameters":{"app":"a","reason":"voipPush"}"#, "reason"),
        (#"Wake","parameters":{"app":"a","reason":"urlSession"}"#, "reason"),
    ]

    @Test(arguments: wrongActs) func wrongActionsAreRefused(call: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.Control.\#(call)}"#))
        do {
            _ = try ControlCall(call)
            Issue.record("\(call) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    /// Any content is the app's own: `aps` has no meaning.
    @Test func r87APayloadIsAnObjectOf5120Bytes() throws {
        func read(_ text: String) throws(PayloadFault) -> String { try VoIPPush.payload(Array(text.utf8)) }
        func payload(_ count: Int) -> String {
            let frame = #"{"x":""}"#
            return String(frame.dropLast(2)) + String(repeating: "y", count: count - frame.utf8.count) + "\"}"
        }
        for text in ["{}", " {}\n", #"{"aps":7}"#, #"{"caller":"\u0000","x":[{"y":null}]}"#, payload(5120)] {
            #expect(try read(text) == text)
        }
        #expect(throws: PayloadFault.tooLarge(5121, most: 5120)) { try read(payload(5121)) }
        #expect(throws: PayloadFault.empty) { try read("") }
        #expect(throws: PayloadFault.malformed("it is not UTF-8")) { try VoIPPush.payload([0x7b, 0xff, 0x7d]) }
        let deep = String(repeating: #"{"a":"#, count: 100)
        for text in ["\n", "7", "[]", "null", "\"{}\"", "{", "{}{}", "{\"a\":}", "{'a':1}", deep] {
            let fault = #expect(throws: PayloadFault.self) { try read(text) }
            #expect(fault?.description.contains("not a JSON object") == true, "\(text): \(fault?.description ?? "")")
        }
    }
}
