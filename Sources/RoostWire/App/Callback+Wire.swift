import LifeCycleModel

/// The wire format of a callback, with its id.
extension Callback {
    /// The kinds of callbacks that belong to no concern.
    private enum Kind: String, CaseIterable {
        case launch, didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, expireTasks
        case deviceChanged, memoryWarning, disconnectScene, discardScenes, willTerminate
    }

    init(_ fields: JSONField) throws(WireError) {
        if let call = try WireConcerns.call(fields["kind"].string(), fields) {
            self = .concern(call)
            return
        }
        self =
            switch try fields["kind"].choice(of: Kind.self) {
            case .launch: .launch(try fields["reason"].choice())
            case .didBecomeActive: .didBecomeActive
            case .willResignActive: .willResignActive
            case .didEnterBackground: .didEnterBackground
            case .willEnterForeground: .willEnterForeground
            case .expireTasks: .expireTasks
            case .deviceChanged: .deviceChanged(try DeviceFacts(fields["device"]))
            case .memoryWarning: .memoryWarning
            case .disconnectScene: .disconnectScene
            case .discardScenes: .discardScenes(try SceneSessionRange(fields["sessions"]))
            case .willTerminate: .willTerminate
            }
    }

    func json(id: CallbackID) -> JSON {
        func json(_ kind: Kind, _ member: String = "", _ value: JSON? = nil) -> JSON {
            .callback(id, kind.rawValue, [member: value])
        }
        return switch self {
        case .launch(let why): json(.launch, "reason", .string(why.rawValue))
        case .didBecomeActive: json(.didBecomeActive)
        case .willResignActive: json(.willResignActive)
        case .didEnterBackground: json(.didEnterBackground)
        case .willEnterForeground: json(.willEnterForeground)
        case .expireTasks: json(.expireTasks)
        case .deviceChanged(let facts): json(.deviceChanged, "device", facts.json)
        case .memoryWarning: json(.memoryWarning)
        case .disconnectScene: json(.disconnectScene)
        case .discardScenes(let closed): json(.discardScenes, "sessions", closed.json)
        case .concern(let call): call.json(id)
        case .willTerminate: json(.willTerminate)
        }
    }
}

extension JSON {
    /// Omits members that are nil.
    static func callback(_ id: CallbackID, _ kind: String, _ members: KeyValuePairs<String, JSON?> = [:]) -> JSON {
        var all = [Member(name: "id", value: .integer(Int64(id.rawValue))), Member(name: "kind", value: .string(kind))]
        for (name, value) in members { if let value { all.append(Member(name: name, value: value)) } }
        return .object(all.sorted { $0.name < $1.name })
    }
}

extension SceneSessionRange {
    fileprivate init(_ field: JSONField) throws(WireError) {
        var sessions: [SceneSessionID] = []
        for number in try field.list() { sessions.append(SceneSessionID(try number.whole())) }
        self.init(sessions)
        guard self.sessions == sessions else {
            throw .invalidParameter(field: field.name, problem: "do not follow each other")
        }
    }

    fileprivate var json: JSON { .array(sessions.map { .integer(Int64($0.rawValue)) }) }
}
