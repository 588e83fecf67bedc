import LifeCycleModel

/// The wire format of sound.
enum AudioWords: WireConcern {
    static let setSession = "roost.App.SetAudioSession"
    static let activate = "roost.App.ActivateAudioSession"
    static let deactivate = "roost.App.DeactivateAudioSession"
    static let play = "roost.App.PlayAudio"
    static let stop = "roost.App.StopAudio"
    static let phoneCall = "audioCall"
    static let deactivation = "audioDeactivated"
    static let interface = ConcernInterface(
        kinds: AudioCall.Kind.allCases.map(\.rawValue),
        members: [.init("interruptedAt", "int"), .init("shouldResume", "bool"), .init("player", "int")],
        messages: [.init(phoneCall, "bool"), .init(deactivation, "int")], app: PackageResources.Audio_App_varlink,
        control: PackageResources.Audio_Control_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        switch method {
        case setSession:
            .audio(
                .setSession(
                    AudioSession(
                        category: try parameters["category"].choice(),
                        mixesWithOthers: try parameters["mixesWithOthers"].bool())))
        case activate: .audio(.activate)
        case deactivate: .audio(.deactivate(notifiesOthers: try parameters["notifiesOthers"].bool()))
        case play:
            .audio(
                .play(
                    try parameters["player"].audioPlayer(), until: try parameters["until"].ifGiven?.monotonicTime()))
        case stop: .audio(.stop(try parameters["player"].audioPlayer()))
        default: nil
        }
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        guard let kind = AudioCall.Kind(rawValue: kind) else { return nil }
        return .audio(try AudioCall(kind, fields))
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        switch field.name {
        case phoneCall: .audio(.call(isOn: try field.bool()))
        case deactivation: .audio(.deactivated(at: try field.monotonicTime()))
        default: nil
        }
    }

    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)? {
        try AudioControl(method, parameters)
    }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        if case .audio(let request) = request { request.call } else { nil }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        if case .audio(let call) = call { call.json(id) } else { nil }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        guard case .audio(let news) = message else { return nil }
        return switch news {
        case .call(let isOn): VarlinkReply([phoneCall: .bool(isOn)], continues: true)
        case .deactivated(let time): VarlinkReply([deactivation: .integer(time.rawValue)], continues: true)
        }
    }
}

extension AudioRequest {
    fileprivate var call: VarlinkCall {
        switch self {
        case .setSession(let session):
            VarlinkCall(
                AudioWords.setSession,
                [
                    "category": .string(session.category.rawValue), "mixesWithOthers": .bool(session.mixesWithOthers),
                ], oneway: true)
        case .activate: VarlinkCall(AudioWords.activate, [:], oneway: true)
        case .deactivate(let notifiesOthers):
            VarlinkCall(AudioWords.deactivate, ["notifiesOthers": .bool(notifiesOthers)], oneway: true)
        case .play(let player, let until):
            VarlinkCall(
                AudioWords.play,
                ["player": .integer(player.rawValue), "until": until.map { .integer($0.rawValue) }], oneway: true)
        case .stop(let player):
            VarlinkCall(AudioWords.stop, ["player": .integer(player.rawValue)], oneway: true)
        }
    }
}

extension AudioCall {
    fileprivate enum Kind: String, CaseIterable { case interruptionNotification, audioPlayerDidFinishPlaying }

    fileprivate init(_ kind: Kind, _ fields: JSONField) throws(WireError) {
        switch kind {
        case .interruptionNotification:
            switch (fields["interruptedAt"].ifGiven, fields["shouldResume"].ifGiven) {
            case (let time?, nil): self = .interrupted(at: try time.monotonicTime())
            case (nil, let flag?): self = .interruptionEnded(shouldResume: try flag.bool())
            case (.some, .some), (nil, nil):
                throw .invalidParameter(
                    field: fields.name, problem: "must have exactly one of interruptedAt and shouldResume")
            }
        case .audioPlayerDidFinishPlaying: self = .finished(try fields["player"].audioPlayer())
        }
    }

    fileprivate func json(_ id: CallbackID) -> JSON {
        func json(_ kind: Kind, _ members: KeyValuePairs<String, JSON?>) -> JSON {
            .callback(id, kind.rawValue, members)
        }
        return switch self {
        case .interrupted(let time): json(.interruptionNotification, ["interruptedAt": .integer(time.rawValue)])
        case .interruptionEnded(let shouldResume):
            json(.interruptionNotification, ["shouldResume": .bool(shouldResume)])
        case .finished(let player): json(.audioPlayerDidFinishPlaying, ["player": .integer(player.rawValue)])
        }
    }
}

extension JSONField {
    fileprivate func audioPlayer() throws(WireError) -> AudioPlayerID { AudioPlayerID(try positive()) }

    /// A time on CLOCK_MONOTONIC, which begins at zero.
    fileprivate func monotonicTime() throws(WireError) -> Nanoseconds { Nanoseconds(try count()) }
}
