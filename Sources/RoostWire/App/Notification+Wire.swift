import LifeCycleModel

/// A local notification as the interface has it. Every length is checked, and text may be any.
extension LocalNotification {
    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        func text(_ name: String, atMost limit: Int = Self.longestText) throws(WireError) -> String? {
            try parts[name].ifGiven?.string(atMost: limit)
        }
        self.init()
        fireDate = try parts["fireDate"].timeIfGiven()
        timeZone = try text("timeZone")
        repeats = try Self.interval(parts["repeats"])
        alertBody = try text("alertBody", atMost: Self.longestBody)
        alertTitle = try text("alertTitle")
        alertAction = try text("alertAction")
        hasAction = try parts["hasAction"].ifGiven?.bool() ?? true
        alertLaunchImage = try text("alertLaunchImage")
        sound = try NotificationSound(parts)
        badge = try parts["badge"].ifGiven?.whole() ?? 0
        category = try text("category")
        userInfo = try text("userInfo", atMost: Self.longestUserInfo)
        if let userInfo, !userInfo.utf8.allSatisfy(\.isOfBase64) {
            throw .invalidParameter(field: parts["userInfo"].name, problem: "is not in base64")
        }
    }

    private static func interval(_ field: JSONField) throws(WireError) -> RepeatInterval? {
        guard let field = field.ifGiven else { return nil }
        return try field.choice()
    }

    var json: JSON {
        func text(_ text: String?) -> JSON? { text.map { .string($0) } }
        return .object([
            "alertAction": text(alertAction), "alertBody": text(alertBody),
            "alertLaunchImage": text(alertLaunchImage), "alertTitle": text(alertTitle),
            "badge": badge == 0 ? nil : .integer(Int64(badge)), "category": text(category),
            "fireDate": fireDate.map { .integer($0.rawValue) }, "hasAction": hasAction ? nil : .bool(false),
            "isSoundStandard": sound == .standard ? .bool(true) : nil, "repeats": text(repeats?.rawValue),
            "soundName": text(sound.name), "timeZone": text(timeZone), "userInfo": text(userInfo),
        ])
    }
}

extension NotificationSound {
    fileprivate init(_ parts: JSONField) throws(WireError) {
        if let name = try parts["soundName"].ifGiven?.string(atMost: LocalNotification.longestText) {
            self = .named(name)
        } else {
            self = try parts["isSoundStandard"].ifGiven?.bool() ?? false ? .standard : .none
        }
    }

    fileprivate var name: String? {
        if case .named(let name) = self { name } else { nil }
    }
}

extension NotificationTypes {
    init(_ field: JSONField) throws(WireError) { self.init(rawValue: try field.whole()) }

    var json: JSON { .integer(Int64(rawValue)) }
}

extension NumberedNotificationAct {
    private enum Kind: String, CaseIterable { case schedule, present, cancel, cancelAll, setBadge, register }

    init(_ parameters: JSONField) throws(WireError) {
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

    var parameters: KeyValuePairs<String, JSON?> {
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

extension NotificationNews {
    private enum Kind: String, CaseIterable {
        case begins, scheduled, unscheduled, heard, badge, launchedBy, launchedByRemote
    }

    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .begins:
                .begins(
                    NotificationStatus(
                        heard: try parts["number"].count(), badge: try parts["badge"].whole(),
                        types: try NotificationTypes(parts["types"])))
            case .scheduled: .scheduled(try LocalNotification(parts["notification"]))
            case .unscheduled: .unscheduled(try LocalNotification(parts["notification"]))
            case .heard: .heard(try parts["number"].count())
            case .badge: .badge(try parts["badge"].whole())
            case .launchedBy: .launchedBy(try LocalNotification(parts["notification"]))
            case .launchedByRemote:
                .launchedByRemote(try parts["payload"].string(atMost: RemoteNotification.mostBytes))
            }
    }

    var json: JSON {
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
        case .begins(let status): json(.begins, number: status.heard, badge: status.badge, types: status.types)
        case .scheduled(let notification): json(.scheduled, notification)
        case .unscheduled(let notification): json(.unscheduled, notification)
        case .heard(let number): json(.heard, number: number)
        case .badge(let number): json(.badge, badge: number)
        case .launchedBy(let notification): json(.launchedBy, notification)
        case .launchedByRemote(let payload): json(.launchedByRemote, payload: payload)
        }
    }
}

extension NotificationCall {
    private enum Kind: String, CaseIterable { case received, registered }

    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .received: .received(try LocalNotification(parts["notification"]))
            case .registered: .registered(try NotificationTypes(parts["types"]))
            }
    }

    /// Nil for a call that has a kind of callback of its own.
    var json: JSON? {
        switch self {
        case .received(let notification):
            .object(["kind": .string(Kind.received.rawValue), "notification": notification.json])
        case .registered(let types): .object(["kind": .string(Kind.registered.rawValue), "types": types.json])
        case .receivedRemote, .registeredForRemote: nil
        }
    }
}

extension UInt8 {
    fileprivate var isOfBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
