public import LifeCycleModel

/// What people and programs do to an app with notifications.
public enum NotificationControl: Hashable, Sendable, ControlAct {
    /// Hand an app's remote notification over, as a provider sends it.
    case push(BundleIdentifier, RemoteNotification)
    /// The user taps one, or takes it away.
    case answer(BundleIdentifier, number: Int64, NotificationWish)
    /// The user lets an app show notifications, or not.
    case allow(BundleIdentifier, Bool)
}

/// What the user does with a notification that is shown.
public enum NotificationWish: String, Hashable, Sendable, Codable, CaseIterable {
    /// Opens the app by it.
    case tap
    /// Takes it away.
    case dismiss
}

extension NotificationControl {
    private enum Method {
        static let push = "roost.Control.Push"
        static let answer = "roost.Control.AnswerNotification"
        static let allow = "roost.Control.AllowNotifications"
    }

    /// Nil for a method that has nothing to do with notifications.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        let app = parameters["app"]
        switch method {
        case Method.push: self = .push(try app.app(), try RemoteNotification(json: parameters["payload"].string()))
        case Method.answer:
            self = .answer(
                try app.app(), number: try parameters["number"].positive(), try parameters["wish"].choice())
        case Method.allow: self = .allow(try app.app(), try parameters["allowed"].bool())
        default: return nil
        }
    }

    var app: BundleIdentifier {
        switch self {
        case .push(let app, _), .answer(let app, _, _), .allow(let app, _): app
        }
    }

    func input(_ app: AppID) -> ConcernInput {
        switch self {
        case .push(_, let notification): .notification(.pushArrived(app, notification))
        case .answer(_, let number, .tap): .notification(.tapped(NotificationID(app: app, number: number)))
        case .answer(_, let number, .dismiss): .notification(.dismissed(NotificationID(app: app, number: number)))
        case .allow(_, let isAllowed): .notification(.allowed(app, isAllowed))
        }
    }

    var call: VarlinkCall {
        switch self {
        case .push(let app, let notification):
            VarlinkCall(Method.push, ["app": app.json, "payload": .string(notification.payload)])
        case .answer(let app, let number, let wish):
            VarlinkCall(
                Method.answer,
                ["app": app.json, "number": .integer(number), "wish": .string(wish.rawValue)])
        case .allow(let app, let isAllowed):
            VarlinkCall(Method.allow, ["allowed": .bool(isAllowed), "app": app.json])
        }
    }
}

extension ControlCall {
    /// Do something to an app with notifications.
    public static func notification(_ act: NotificationControl) -> ControlCall { .act(AnyControlAct(act)) }
}
