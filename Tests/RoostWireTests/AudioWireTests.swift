import LifeCycleModel
import RoostWire
import Testing

/// Sound on the wire.
@Suite struct AudioWireTests {
    @Test func requestsComeBackAsTheyWere() throws {
        let sessions = AudioCategory.allCases.flatMap { category in
            [false, true].map { AudioSession(category: category, mixesWithOthers: $0) }
        }
        let requests =
            sessions.map { AudioRequest.setSession($0) } + [
                .activate, .deactivate(notifiesOthers: true), .deactivate(notifiesOthers: false),
                .play(AudioPlayerID(1), until: nil), .play(AudioPlayerID(.max), until: .zero),
                .play(AudioPlayerID(2), until: Nanoseconds(.max)), .stop(AudioPlayerID(1)), .stop(AudioPlayerID(.max)),
            ]
        for call in requests.map({ AppCall.request(.concern(.audio($0))) }) {
            #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func callsAndMessagesComeBackAsTheyWere() throws {
        let calls: [AudioCall] = [
            .interrupted(at: .zero), .interrupted(at: Nanoseconds(.max)), .interruptionEnded(shouldResume: true),
            .interruptionEnded(shouldResume: false), .finished(AudioPlayerID(1)), .finished(AudioPlayerID(.max)),
        ]
        let news: [AudioNews] = [
            .call(isOn: true), .call(isOn: false), .deactivated(at: .zero), .deactivated(at: Nanoseconds(.max)),
        ]
        let messages =
            calls.map { SystemMessage.callback(CallbackID(3), .concern(.audio($0))) }
            + news.map { .concern(.audio($0)) }
        for message in messages {
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
    }

    @Test func theWireLooksLikeThis() {
        #expect(
            text(AppCall.request(.concern(.audio(.setSession(AudioSession())))).encoded())
                == #"{"method":"roost.App.SetAudioSession","oneway":true,"#
                + #""parameters":{"category":"soloAmbient","mixesWithOthers":false}}"#)
        #expect(
            text(AppCall.request(.concern(.audio(.activate))).encoded())
                == #"{"method":"roost.App.ActivateAudioSession","oneway":true,"parameters":{}}"#)
        #expect(
            text(AppCall.request(.concern(.audio(.deactivate(notifiesOthers: true)))).encoded())
                == #"{"method":"roost.App.DeactivateAudioSession","oneway":true,"parameters":{"notifiesOthers":true}}"#)
        #expect(
            text(AppCall.request(.concern(.audio(.play(AudioPlayerID(7), until: .seconds(2))))).encoded())
                == #"{"method":"roost.App.PlayAudio","oneway":true,"parameters":{"player":7,"until":2000000000}}"#)
        #expect(
            text(AppCall.request(.concern(.audio(.play(AudioPlayerID(7), until: nil)))).encoded())
                == #"{"method":"roost.App.PlayAudio","oneway":true,"parameters":{"player":7}}"#)
        #expect(
            text(AppCall.request(.concern(.audio(.stop(AudioPlayerID(7))))).encoded())
                == #"{"method":"roost.App.StopAudio","oneway":true,"parameters":{"player":7}}"#)
    }

    @Test func callsAndMessagesLookLikeThis() {
        func callback(_ call: AudioCall) -> String {
            text(SystemMessage.callback(CallbackID(3), .concern(.audio(call))).encoded())
        }
        #expect(
            callback(.interrupted(at: .seconds(1)))
                == #"{"continues":true,"parameters":{"callback":{"id":3,"interruptedAt":1000000000,"#
                + #""kind":"interruptionNotification"}}}"#)
        #expect(
            callback(.interruptionEnded(shouldResume: false))
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"interruptionNotification","#
                + #""shouldResume":false}}}"#)
        #expect(
            callback(.finished(AudioPlayerID(9)))
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"audioPlayerDidFinishPlaying","#
                + #""player":9}}}"#)
        #expect(
            text(SystemMessage.concern(.audio(.call(isOn: false))).encoded())
                == #"{"continues":true,"parameters":{"audioCall":false}}"#)
        #expect(
            text(SystemMessage.concern(.audio(.deactivated(at: .seconds(1)))).encoded())
                == #"{"continues":true,"parameters":{"audioDeactivated":1000000000}}"#)
    }

    @Test(arguments: [
        (#"SetAudioSession","parameters":{"mixesWithOthers":true}"#, "category"),
        (#"SetAudioSession","parameters":{"category":"loud","mixesWithOthers":true}"#, "category"),
        (#"SetAudioSession","parameters":{"category":1,"mixesWithOthers":true}"#, "category"),
        (#"SetAudioSession","parameters":{"category":"playback"}"#, "mixesWithOthers"),
        (#"SetAudioSession","parameters":{"category":"playback","mixesWithOthers":1}"#, "mixesWithOthers"),
        (#"DeactivateAudioSession""#, "notifiesOthers"),
        (#"DeactivateAudioSession","parameters":{"notifiesOthers":"yes"}"#, "notifiesOthers"),
        (#"PlayAudio","parameters":{"until":5}"#, "player"), (#"PlayAudio","parameters":{"player":0}"#, "player"),
        (#"PlayAudio","parameters":{"player":-1}"#, "player"), (#"PlayAudio","parameters":{"player":1.5}"#, "player"),
        (#"PlayAudio","parameters":{"player":9223372036854775808}"#, "player"),
        (#"PlayAudio","parameters":{"player":1,"until":-1}"#, "until"),
        (#"PlayAudio","parameters":{"player":1,"until":"never"}"#, "until"),
        (#"PlayAudio","parameters":{"player":1,"until":1e300}"#, "until"),
        (#"StopAudio""#, "player"), (#"StopAudio","parameters":{"player":0}"#, "player"),
    ])
    func wrongRequestsAreRefused(call: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.App.\#(call)}"#))
        do {
            _ = try AppCall(call)
            Issue.record("\(call) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    @Test(arguments: [
        (#""callback":{"id":1,"kind":"interruptionNotification"}"#, "callback"),
        (#""callback":{"id":1,"kind":"interruptionNotification","interruptedAt":1,"shouldResume":true}"#, "callback"),
        (#""callback":{"id":1,"kind":"interruptionNotification","shouldResume":null}"#, "callback"),
        (#""callback":{"id":1,"kind":"interruptionNotification","interruptedAt":-1}"#, "callback.interruptedAt"),
        (#""callback":{"id":1,"kind":"interruptionNotification","interruptedAt":"now"}"#, "callback.interruptedAt"),
        (#""callback":{"id":1,"kind":"interruptionNotification","shouldResume":1}"#, "callback.shouldResume"),
        (#""callback":{"id":1,"kind":"audioPlayerDidFinishPlaying"}"#, "callback.player"),
        (#""callback":{"id":1,"kind":"audioPlayerDidFinishPlaying","player":0}"#, "callback.player"),
        (#""callback":{"id":1,"kind":"audioPlayerDidFinishPlaying","player":true}"#, "callback.player"),
        (#""audioCall":1"#, "audioCall"), (#""audioCall":"on""#, "audioCall"),
        (#""audioDeactivated":-1"#, "audioDeactivated"), (#""audioDeactivated":true"#, "audioDeactivated"),
        (#""audioCall":false,"audioDeactivated":1"#, "parameters"),
    ])
    func wrongMessagesAreRefused(parameters: String, field: String) throws {
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
            ", interruptionNotification, audioPlayerDidFinishPlaying", "\n  interruptedAt: ?int",
            "\n  shouldResume: ?bool", "\n  player: ?int", "\n  audioCall: ?bool", "\n  audioDeactivated: ?int",
            "\nmethod SetAudioSession(", "\nmethod ActivateAudioSession(", "\nmethod DeactivateAudioSession(",
            "\nmethod PlayAudio(", "\nmethod StopAudio(",
        ] { #expect(app.contains(word), "\(word)") }
        #expect(VarlinkInterface.control.description.contains("\nmethod SetCall(isOn: bool)"))
        let categories = AudioCategory.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(app.contains("\ntype AudioCategory (\(categories))"))
    }

    // MARK: The phone call

    @Test func actionsComeBackAsTheyWere() throws {
        for call in [true, false].map({ ControlCall.audio(.setCall(isOn: $0)) }) {
            #expect(try ControlCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
        #expect(
            text(ControlCall.audio(.setCall(isOn: true)).encoded())
                == #"{"method":"roost.Control.SetCall","parameters":{"isOn":true}}"#)
    }

    @Test(arguments: [#""parameters":{}"#, #""parameters":{"isOn":1}"#, #""parameters":{"isOn":null}"#])
    func wrongActionsAreRefused(parameters: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.Control.SetCall",\#(parameters)}"#))
        do {
            _ = try ControlCall(call)
            Issue.record("\(parameters) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == "isOn")
        }
    }
}
