import LifeCycleModel

/// The wire format of VoIP pushes and calls.
enum VoIPWords: WireConcern {
    static let setRegistration = "roost.App.SetVoIPRegistration"
    static let returned = "roost.App.ReturnedFromVoIPPush"
    static let completed = "roost.App.CompletedVoIPPush"
    static let report = "roost.App.ReportCall"
    static let update = "roost.App.UpdateCall"
    static let end = "roost.App.EndCall"
    static let performed = "roost.App.PerformedCallAction"
    static let transact = "roost.App.RequestCallTransaction"
    static let connected = "roost.App.ConnectedCall"
    static let reported = "callReported"
    static let transacted = "callTransacted"
    /// The member `token` is that of notifications.
    static let interface = ConcernInterface(
        kinds: VoIPCall.Kind.allCases.map(\.rawValue),
        members: [
            .init("push", "VoIPPush"), .init("call", "string"), .init("action", "CallAction"),
            .init("isOnHold", "bool"), .init("isMuted", "bool"),
        ],
        messages: [
            .init(reported, "(call: string, failure: ?int)"), .init(transacted, "(number: int, failure: ?int)"),
        ],
        app: PackageResources.VoIP_App_varlink, control: PackageResources.VoIP_Control_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        switch method {
        case setRegistration: .voip(.setRegistered(try parameters["wanted"].bool()))
        case returned: .voip(.returned(try parameters["push"].positive()))
        case completed: .voip(.completed(try parameters["push"].positive()))
        case report: .voip(.report(try parameters["call"].callID(), try CallUpdate(parameters)))
        case update: .voip(.update(try parameters["call"].callID(), try CallUpdate(parameters)))
        case end: .voip(.ended(try parameters["call"].callID(), try parameters["reason"].code()))
        case performed:
            .voip(
                .performed(
                    try parameters["action"].choice(), try parameters["call"].callID(),
                    isFulfilled: try parameters["isFulfilled"].bool()))
        case transact:
            .voip(
                .transact(try parameters["number"].positive(), try CallRequest.transaction(parameters["actions"])))
        case connected: .voip(.connected(try parameters["call"].callID()))
        default: nil
        }
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        guard let kind = VoIPCall.Kind(rawValue: kind) else { return nil }
        return .voip(try VoIPCall(kind, fields))
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        guard field.name == reported || field.name == transacted else { return nil }
        let parts = try field.object()
        let failure = parts["failure"].ifGiven
        return if field.name == reported {
            .voip(.reported(try parts["call"].callID(), try failure?.code(of: CallFailure.self)))
        } else {
            .voip(.transacted(try parts["number"].positive(), try failure?.code(of: TransactionFailure.self)))
        }
    }

    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)? {
        try VoIPControl(method, parameters)
    }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        if case .voip(let request) = request { request.call } else { nil }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        if case .voip(let call) = call { call.json(id) } else { nil }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        guard case .voip(let news) = message else { return nil }
        return switch news {
        case .reported(let id, let failure):
            VarlinkReply(
                [
                    reported: .object([
                        "call": id.json, "failure": failure.map { .integer(Int64($0.rawValue)) },
                    ])
                ], continues: true)
        case .transacted(let number, let failure):
            VarlinkReply(
                [
                    transacted: .object([
                        "failure": failure.map { .integer(Int64($0.rawValue)) }, "number": .integer(number),
                    ])
                ], continues: true)
        }
    }
}

extension VoIPRequest {
    fileprivate var call: VarlinkCall {
        switch self {
        case .setRegistered(let isWanted):
            VarlinkCall(VoIPWords.setRegistration, ["wanted": .bool(isWanted)], oneway: true)
        case .returned(let push): VarlinkCall(VoIPWords.returned, ["push": .integer(push)], oneway: true)
        case .completed(let push): VarlinkCall(VoIPWords.completed, ["push": .integer(push)], oneway: true)
        case .report(let id, let update): VarlinkCall(VoIPWords.report, update.members(of: id), oneway: true)
        case .update(let id, let update): VarlinkCall(VoIPWords.update, update.members(of: id), oneway: true)
        case .ended(let id, let reason):
            VarlinkCall(
                VoIPWords.end, ["call": id.json, "reason": .integer(Int64(reason.rawValue))], oneway: true)
        case .performed(let action, let id, let isFulfilled):
            VarlinkCall(
                VoIPWords.performed,
                ["action": .string(action.rawValue), "call": id.json, "isFulfilled": .bool(isFulfilled)], oneway: true)
        case .transact(let number, let requests):
            VarlinkCall(
                VoIPWords.transact, ["actions": .array(requests.map(\.json)), "number": .integer(number)],
                oneway: true)
        case .connected(let id): VarlinkCall(VoIPWords.connected, ["call": id.json], oneway: true)
        }
    }
}

extension VoIPCall {
    fileprivate enum Kind: String, CaseIterable {
        case didUpdatePushCredentials, didReceiveIncomingPush
        case performAnswerCallAction, performEndCallAction, performStartCallAction
        case performSetHeldCallAction, performSetMutedCallAction, timedOutPerforming
        case didActivateAudioSession, didDeactivateAudioSession
    }

    fileprivate init(_ kind: Kind, _ fields: JSONField) throws(WireError) {
        self =
            switch kind {
            case .didUpdatePushCredentials: .tokenUpdated(try DeviceToken(fields["token"]))
            case .didReceiveIncomingPush: .push(try VoIPPush(fields["push"]))
            case .performAnswerCallAction: .perform(.answer, try fields["call"].callID())
            case .performEndCallAction: .perform(.end, try fields["call"].callID())
            case .performStartCallAction: .perform(.start, try fields["call"].callID())
            case .performSetHeldCallAction:
                .perform(try fields["isOnHold"].bool() ? .hold : .resume, try fields["call"].callID())
            case .performSetMutedCallAction:
                .perform(try fields["isMuted"].bool() ? .mute : .unmute, try fields["call"].callID())
            case .timedOutPerforming: .timedOut(try fields["action"].choice(), try fields["call"].callID())
            case .didActivateAudioSession: .audio(isActive: true)
            case .didDeactivateAudioSession: .audio(isActive: false)
            }
    }

    fileprivate func json(_ id: CallbackID) -> JSON {
        func json(_ kind: Kind, _ members: KeyValuePairs<String, JSON?> = [:]) -> JSON {
            .callback(id, kind.rawValue, members)
        }
        return switch self {
        case .tokenUpdated(let token): json(.didUpdatePushCredentials, ["token": .string(token.hexadecimal)])
        case .push(let push): json(.didReceiveIncomingPush, ["push": push.json])
        case .perform(.answer, let call): json(.performAnswerCallAction, ["call": call.json])
        case .perform(.end, let call): json(.performEndCallAction, ["call": call.json])
        case .perform(.start, let call): json(.performStartCallAction, ["call": call.json])
        case .perform(.hold, let call), .perform(.resume, let call):
            json(
                .performSetHeldCallAction, ["call": call.json, "isOnHold": .bool(self == .perform(.hold, call))])
        case .perform(.mute, let call), .perform(.unmute, let call):
            json(
                .performSetMutedCallAction, ["call": call.json, "isMuted": .bool(self == .perform(.mute, call))])
        case .timedOut(let action, let call):
            json(.timedOutPerforming, ["action": .string(action.rawValue), "call": call.json])
        case .audio(isActive: true): json(.didActivateAudioSession)
        case .audio(isActive: false): json(.didDeactivateAudioSession)
        }
    }
}

extension VoIPPush {
    /// Reads a push that the system has already checked.
    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(
            number: try parts["number"].positive(), payload: try parts["payload"].string(atMost: Self.largestPayload))
    }

    fileprivate var json: JSON { .object(["number": .integer(number), "payload": .string(payload)]) }
}
