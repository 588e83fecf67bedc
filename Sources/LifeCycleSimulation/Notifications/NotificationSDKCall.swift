import AppCore
public import LifeCycleModel

/// A call of an app's code to local or remote notifications.
private enum NotificationSDKCall: SDKCall {
    case setRemote(Bool)
    case registerAll
    case schedule(String, after: Nanoseconds?, every: RepeatInterval?)

    var signature: String {
        switch self {
        case .setRemote(true): "registerForRemoteNotifications()"
        case .setRemote(false): "unregisterForRemoteNotifications()"
        case .registerAll: "registerUserNotificationSettings(_:)"
        case .schedule: "scheduleLocalNotification(_:)"
        }
    }

    var rule: String {
        switch self {
        case .setRemote: "R-90"
        case .registerAll: "R-101"
        case .schedule: "R-100"
        }
    }

    var text: String {
        switch self {
        case .setRemote(true): "registers for remote notifications"
        case .setRemote(false): "asks not to receive remote notifications"
        case .registerAll: "registers for notifications"
        case .schedule(let text, nil, _): "has \"\(text)\" shown"
        case .schedule(let text, let span?, _): "schedules \"\(text)\", in \(span)"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        switch self {
        case .setRemote(let isWanted): app.core.setRemoteNotifications(isWanted, into: &new)
        case .registerAll: app.core.notification(.register(.all), into: &new)
        case .schedule(let text, let span, let interval):
            var notification = LocalNotification()
            notification.alertBody = text
            notification.repeats = interval
            // Only the world knows the time on the wall clock.
            if let span { return acts.append(.scheduleIn(notification, span)) }
            app.core.notification(.schedule(notification), into: &new)
        }
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Registers or unregisters for remote notifications.
    public static func registers(_ isWanted: Bool) -> Self { .sdk(AnySDKCall(NotificationSDKCall.setRemote(isWanted))) }

    /// Registers for notifications of all kinds.
    public static var registersNotifications: Self { .sdk(AnySDKCall(NotificationSDKCall.registerAll)) }

    /// Schedules a notification with this text, after `span`; nil for at once.
    public static func schedules(_ text: String, after span: Nanoseconds?, every interval: RepeatInterval?) -> Self {
        .sdk(AnySDKCall(NotificationSDKCall.schedule(text, after: span, every: interval)))
    }
}
