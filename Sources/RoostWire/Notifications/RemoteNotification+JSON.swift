public import LifeCycleModel

extension RemoteNotification {
    /// Reads a payload as a provider sends it, with the checks of Apple's service and devices. They cover
    /// its size, that it is a JSON object, and the content of `aps`. Other content belongs to the app.
    public init(payload bytes: [UInt8]) throws(PayloadFault) {
        let (text, message) = try JSONParser.payload(bytes, atMost: Self.mostBytes)
        guard let aps = message["aps"].ifGiven else {
            throw .invalid(key: "aps", problem: "is missing: it is what the system reads")
        }
        do throws(WireError) {
            let aps = try aps.object()
            let presentation = try Presentation(aps)
            let isAvailable = try aps["content-available"].ifGiven?.whole(Int64.self)
            if let isAvailable, isAvailable != 0, isAvailable != 1 {
                throw .invalidParameter(field: "aps.content-available", problem: "is neither 0 nor 1")
            }
            self.init(
                payload: text, isContentAvailable: isAvailable == 1,
                presentation: ["alert", "badge", "sound"].contains { aps[$0].ifGiven != nil } ? presentation : nil)
        } catch {
            switch error {
            case .invalidParameter(let field, let problem): throw .invalid(key: field, problem: problem)
            default: throw .malformed("\(error)")
            }
        }
    }

    init(json text: String) throws(WireError) {
        do {
            self = try RemoteNotification(payload: Array(text.utf8))
        } catch {
            throw .invalidParameter(field: "payload", problem: "\(error)")
        }
    }
}

extension RemoteNotification.Presentation {
    /// Reads and checks the visible part of `aps`. Texts are not localized: if there is only a localization key, the
    /// key is displayed.
    init(_ aps: JSONField) throws(WireError) {
        var shown = LocalNotification()
        try shown.take(alert: aps["alert"].ifGiven)
        shown.sound = try Self.sound(aps["sound"].ifGiven)
        shown.category = try aps["category"].ifGiven?.string()
        let badge = try aps["badge"].ifGiven?.whole(Int64.self)
        if let badge, badge < 0 { throw .invalidParameter(field: "aps.badge", problem: "is negative") }
        self.init(
            shown, badge: badge.map { Int32(clamping: $0) }, thread: try aps["thread-id"].ifGiven?.string(),
            level: try aps["interruption-level"].ifGiven?.string())
    }

    private static func sound(_ sound: JSONField?) throws(WireError) -> NotificationSound {
        guard let sound else { return .none }
        let name: String
        switch sound.value {
        case .string: name = try sound.string()
        case .object: name = try sound["name"].string()
        default: throw .invalidParameter(field: sound.name, problem: "is neither a string nor an object")
        }
        return switch name {
        case "": .none
        case "default": .standard
        default: .named(name)
        }
    }
}

extension LocalNotification {
    fileprivate mutating func take(alert: JSONField?) throws(WireError) {
        guard let alert else { return }
        if case .string = alert.value { return alertBody = try alert.string() }
        guard case .object = alert.value else {
            throw .invalidParameter(field: alert.name, problem: "is neither a string nor an object")
        }
        func text(_ key: String) throws(WireError) -> String? { try alert[key].ifGiven?.string() }
        for key in ["title-loc-args", "loc-args"] {
            for argument in try alert[key].ifGiven?.list() ?? [] { _ = try argument.string() }
        }
        let (subtitle, titleKey, bodyKey) = (try text("subtitle"), try text("title-loc-key"), try text("loc-key"))
        alertTitle = try text("title") ?? titleKey
        // The subtitle becomes the first line of the body, because there is no third line.
        let lines = [subtitle, try text("body") ?? bodyKey].compactMap { $0 }
        alertBody = lines.isEmpty ? alertTitle : lines.joined(separator: "\n")
        alertLaunchImage = try text("launch-image")
    }
}

extension DeviceToken {
    /// The token in hexadecimal, two digits per byte.
    public var hexadecimal: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    init(_ field: JSONField) throws(WireError) {
        let values = try field.string().utf8.map { Self.digits.firstIndex(of: $0) }
        let bytes = stride(from: 0, to: values.count - 1, by: 2).compactMap { index -> UInt8? in
            guard let high = values[index], let low = values[index + 1] else { return nil }
            return UInt8(high << 4 | low)
        }
        guard values.count == 2 * Self.size, let token = Self(bytes) else {
            throw .invalidParameter(field: field.name, problem: "is not \(2 * Self.size) hexadecimal digits")
        }
        self = token
    }
}
