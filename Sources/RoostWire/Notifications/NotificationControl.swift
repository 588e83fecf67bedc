public import LifeCycleModel

/// A user action on an app's notifications.
public enum NotificationControl: Hashable, Sendable, ControlAct {
    /// Deliver a remote notification to the app, as a provider sends it.
    case push(BundleIdentifier, RemoteNotification)
    /// Tap or dismiss a notification.
    case answer(BundleIdentifier, number: Int64, NotificationUserAction)
    /// Allow or forbid the app to display notifications.
    case allow(BundleIdentifier, Bool)
}

/// The user's answer to a displayed notification.
public enum NotificationUserAction: String, Hashable, Sendable, Codable, CaseIterable {
    /// Open the app by it.
    case tap
    /// Remove it.
    case dismiss
}

extension NotificationControl {
    private enum Method {
        static let push = "roost.Control.Push"
        static let answer = "roost.Control.AnswerNotification"
        static let allow = "roost.Control.AllowNotifications"
    }

    /// Nil for a method of another concern.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        let app = parameters["app"]
        switch method {
        case Method.push: self = .push(try app.app(), try RemoteNotification(json: parameters["payload"].string()))
        case Method.answer:
            self = .answer(
                try app.app(), number: try parameters["number"].positive(), try parameters["action"].choice())
        case Method.allow: self = .allow(try app.app(), try parameters["allowed"].bool())
        default: return nil
        }
    }

    var subject: ControlSubject {
        switch self {
        case .push(let app, _), .answer(let app, _, _), .allow(let app, _): .app(app) { .notification(input($0)) }
        }
    }

    private func input(_ app: AppID) -> NotificationInput {
        switch self {
        case .push(_, let notification): .pushArrived(app, notification)
        case .answer(_, let number, .tap): .tapped(NotificationID(app: app, number: number))
        case .answer(_, let number, .dismiss): .dismissed(NotificationID(app: app, number: number))
        case .allow(_, let isAllowed): .allowed(app, isAllowed)
        }
    }

    var call: VarlinkCall {
        switch self {
        case .push(let app, let notification):
            VarlinkCall(Method.push, ["app": app.json, "payload": .string(notification.payload)])
        case .answer(let app, let number, let action):
            VarlinkCall(
                Method.answer,
                ["action": .string(action.rawValue), "app": app.json, "number": .integer(number)])
        case .allow(let app, let isAllowed):
            VarlinkCall(Method.allow, ["allowed": .bool(isAllowed), "app": app.json])
        }
    }
}

extension ControlCall {
    /// The call that a client sends for an action of the user.
    public static func notification(_ act: NotificationControl) -> ControlCall { .act(AnyControlAct(act)) }
}
