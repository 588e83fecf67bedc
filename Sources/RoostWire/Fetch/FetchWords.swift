import LifeCycleModel

/// The words of background fetch.
enum FetchWords: WireConcern {
    static let setMinimumInterval = "roost.App.SetMinimumFetchInterval"
    static var messages: [String] { [] }

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        guard method == setMinimumInterval else { return nil }
        let interval = (try parameters["interval"].ifGiven?.whole(Int64.self)).map { Nanoseconds($0) }
        if let interval, interval < .zero { throw .invalidParameter(field: "interval", problem: "is negative") }
        return .fetch(.setMinimumInterval(interval))
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        try fields.event(kind) == .backgroundFetch ? .fetch(.performFetch) : nil
    }

    static func message(_ field: JSONField) -> ConcernMessage? { nil }
}

extension FetchRequest {
    var call: VarlinkCall {
        switch self {
        case .setMinimumInterval(let interval):
            VarlinkCall(
                FetchWords.setMinimumInterval, ["interval": interval.map { .integer($0.rawValue) }], oneway: true)
        }
    }
}

extension FetchCall {
    func json(_ id: CallbackID) -> JSON {
        switch self {
        case .performFetch: .callback(id, event: .backgroundFetch)
        }
    }
}
