import LifeCycleModel

/// The wire format of background sessions and their transfers.
enum TransferWords: WireConcern {
    static let act = "roost.App.Transfer"
    static let handleEvents = "handleSessionEvents"
    static let interface = ConcernInterface(
        kinds: ["handleSessionEvents"], members: [.init("session", "string")],
        messages: [.init("transfer", "(session: string, news: News)")], app: PackageResources.Transfers_App_varlink,
        control: PackageResources.Transfers_Control_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        guard method == act else { return nil }
        return .transfer(try parameters["session"].sessionIdentifier(), try TransferAct(parameters["act"]))
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        guard kind == handleEvents else { return nil }
        return .transfer(.handleEvents(try fields["session"].sessionIdentifier()))
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        guard field.name == "transfer" else { return nil }
        return .transfer(try field.object()["session"].sessionIdentifier(), try TransferNews(field["news"]))
    }

    static func act(_ method: String, _ parameters: JSONField) -> (any ControlAct)? { nil }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        guard case .transfer(let session, let act) = request else { return nil }
        return VarlinkCall(Self.act, ["act": act.json, "session": .string(session.rawValue)], oneway: true)
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        guard case .transfer(let call) = call else { return nil }
        return switch call {
        case .handleEvents(let session): .callback(id, handleEvents, ["session": .string(session.rawValue)])
        }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        guard case .transfer(let session, let news) = message else { return nil }
        return VarlinkReply(
            ["transfer": .object(["news": news.json, "session": .string(session.rawValue)])], continues: true)
    }
}
