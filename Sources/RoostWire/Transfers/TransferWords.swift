import LifeCycleModel

/// The words of background sessions and their transfers.
enum TransferWords: WireConcern {
    static let act = "roost.App.Transfer"
    static let handleEvents = "handleSessionEvents"
    static var messages: [String] { ["transfer"] }

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
}

extension TransferAct {
    func call(of session: SessionIdentifier) -> VarlinkCall {
        VarlinkCall(TransferWords.act, ["act": json, "session": .string(session.rawValue)], oneway: true)
    }
}

extension TransferCall {
    func json(_ id: CallbackID) -> JSON {
        switch self {
        case .handleEvents(let session):
            .callback(id, TransferWords.handleEvents, ["session": .string(session.rawValue)])
        }
    }
}

extension TransferNews {
    func reply(of session: SessionIdentifier) -> VarlinkReply {
        VarlinkReply(["transfer": .object(["news": json, "session": .string(session.rawValue)])], continues: true)
    }
}
