import LifeCycleModel

/// The wire format of a local notification. All lengths are checked; texts may have any characters.
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
