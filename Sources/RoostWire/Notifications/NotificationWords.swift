import LifeCycleModel

/// The wire format of local and remote notifications.
enum NotificationWords: WireConcern {
    static let act = "roost.App.Notification"
    static let setRemote = "roost.App.SetRemoteNotifications"
    static let call = "notification"
    static let registeredForRemote = "remoteNotificationsRegistered"
    static let interface = ConcernInterface(
        kinds: ["remoteNotificationsRegistered", "notification"],
        members: [.init("token", "string"), .init("notification", "NotificationCall")],
        messages: [.init("notification", "NotificationNews")], app: PackageResources.Notifications_App_varlink,
        control: PackageResources.Notifications_Control_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        switch method {
        case act: .notification(.act(try NumberedNotificationAct(parameters)))
        case setRemote:
            .notification(
                .setRemoteNotifications(
                    try parameters["wanted"].bool(),
                    liftsNewsstandThrottle: try parameters["liftsNewsstandThrottle"].ifGiven?.bool() ?? false))
        default: nil
        }
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        switch kind {
        case call: .notification(try NotificationCall(fields["notification"]))
        case registeredForRemote:
            .notification(.registeredForRemote(try fields["token"].ifGiven.map(DeviceToken.init)))
        default:
            try fields.event(kind) == .remoteNotification
                ? .notification(.receivedRemote(try PushPayload(fields["event"]["payload"]))) : nil
        }
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        field.name == "notification" ? .notification(try NotificationNews(field)) : nil
    }

    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)? {
        try NotificationControl(method, parameters)
    }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        if case .notification(let request) = request { request.call } else { nil }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        if case .notification(let call) = call { call.json(id) } else { nil }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        if case .notification(let news) = message { news.reply } else { nil }
    }
}

extension NotificationRequest {
    fileprivate var call: VarlinkCall {
        switch self {
        case .act(let act): VarlinkCall(NotificationWords.act, act.parameters, oneway: true)
        case .setRemoteNotifications(let isWanted, let liftsThrottle):
            VarlinkCall(
                NotificationWords.setRemote,
                ["liftsNewsstandThrottle": liftsThrottle ? .bool(true) : nil, "wanted": .bool(isWanted)], oneway: true)
        }
    }
}

extension NumberedNotificationAct {
    private enum Kind: String, CaseIterable { case schedule, present, cancel, cancelAll, setBadge, register }

    fileprivate init(_ parameters: JSONField) throws(WireError) {
        let act: NotificationAct =
            switch try parameters["kind"].choice(of: Kind.self) {
            case .schedule: .schedule(try LocalNotification(parameters["notification"]))
            case .present: .present(try LocalNotification(parameters["notification"]))
            case .cancel: .cancel(try LocalNotification(parameters["notification"]))
            case .cancelAll: .cancelAll
            case .setBadge: .setBadge(try parameters["badge"].whole())
            case .register: .register(try NotificationTypes(parameters["types"]))
            }
        self.init(number: try parameters["number"].positive(), act: act)
    }

    fileprivate var parameters: KeyValuePairs<String, JSON?> {
        var kind = Kind.cancelAll
        var (notification, badge, types): (LocalNotification?, Int32?, NotificationTypes?)
        switch act {
        case .schedule(let new): (kind, notification) = (.schedule, new)
        case .present(let new): (kind, notification) = (.present, new)
        case .cancel(let old): (kind, notification) = (.cancel, old)
        case .cancelAll: break
        case .setBadge(let number): (kind, badge) = (.setBadge, number)
        case .register(let wanted): (kind, types) = (.register, wanted)
        }
        return [
            "badge": badge.map { .integer(Int64($0)) }, "kind": .string(kind.rawValue),
            "notification": notification?.json, "number": .integer(number), "types": types?.json,
        ]
    }
}

extension NotificationCall {
    private enum Kind: String, CaseIterable { case received, registered }

    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .received: .received(try LocalNotification(parts["notification"]))
            case .registered: .registered(try NotificationTypes(parts["types"]))
            }
    }

    fileprivate func json(_ id: CallbackID) -> JSON {
        func json(_ kind: Kind, notification: JSON? = nil, types: JSON? = nil) -> JSON {
            let call = JSON.object(["kind": .string(kind.rawValue), "notification": notification, "types": types])
            return .callback(id, NotificationWords.call, ["notification": call])
        }
        return switch self {
        case .received(let notification): json(.received, notification: notification.json)
        case .receivedRemote(let payload): .callback(id, event: .remoteNotification, payload: payload.text)
        case .registered(let types): json(.registered, types: types.json)
        case .registeredForRemote(let token):
            .callback(id, NotificationWords.registeredForRemote, ["token": token.map { .string($0.hexadecimal) }])
        }
    }
}

extension PushPayload {
    /// Reads a payload that the system has already checked.
    fileprivate init(_ field: JSONField) throws(WireError) {
        self = .text(try field.string(atMost: RemoteNotification.mostBytes))
    }
}

extension NotificationNews {
    private enum Kind: String, CaseIterable {
        case begins, scheduled, unscheduled, received, badge, launchedBy, launchedByRemote
    }

    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .begins:
                .begins(
                    NotificationStatus(
                        received: try parts["number"].count(), badge: try parts["badge"].whole(),
                        types: try NotificationTypes(parts["types"])))
            case .scheduled: .scheduled(try LocalNotification(parts["notification"]))
            case .unscheduled: .unscheduled(try LocalNotification(parts["notification"]))
            case .received: .received(try parts["number"].count())
            case .badge: .badge(try parts["badge"].whole())
            case .launchedBy: .launchedBy(try LocalNotification(parts["notification"]))
            case .launchedByRemote: .launchedByRemote(try PushPayload(parts["payload"]))
            }
    }

    private var json: JSON {
        func json(
            _ kind: Kind, _ notification: LocalNotification? = nil, number: Int64? = nil, badge: Int32? = nil,
            types: NotificationTypes? = nil, payload: String? = nil
        ) -> JSON {
            .object([
                "badge": badge.map { .integer(Int64($0)) }, "kind": .string(kind.rawValue),
                "notification": notification?.json, "number": number.map { .integer($0) },
                "payload": payload.map { .string($0) }, "types": types?.json,
            ])
        }
        return switch self {
        case .begins(let status): json(.begins, number: status.received, badge: status.badge, types: status.types)
        case .scheduled(let notification): json(.scheduled, notification)
        case .unscheduled(let notification): json(.unscheduled, notification)
        case .received(let number): json(.received, number: number)
        case .badge(let number): json(.badge, badge: number)
        case .launchedBy(let notification): json(.launchedBy, notification)
        case .launchedByRemote(let payload): json(.launchedByRemote, payload: payload.text)
        }
    }

    fileprivate var reply: VarlinkReply { VarlinkReply(["notification": json], continues: true) }
}
