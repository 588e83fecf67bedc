import LifeCycleModel

/// The wire format of background fetch.
enum FetchWords: WireConcern {
    static let setMinimumInterval = "roost.App.SetMinimumFetchInterval"
    static let interface = ConcernInterface(app: PackageResources.Fetch_App_varlink)

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
    static func act(_ method: String, _ parameters: JSONField) -> (any ControlAct)? { nil }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        guard case .fetch(let request) = request else { return nil }
        return switch request {
        case .setMinimumInterval(let interval):
            VarlinkCall(setMinimumInterval, ["interval": interval.map { .integer($0.rawValue) }], oneway: true)
        }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        guard case .fetch(let call) = call else { return nil }
        return switch call {
        case .performFetch: .callback(id, event: .backgroundFetch)
        }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? { nil }
}
