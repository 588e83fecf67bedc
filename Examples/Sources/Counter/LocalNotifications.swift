import UIKit

/// The script's actions on local notifications.
@MainActor enum LocalNotifications {
    static func perform(_ action: Script.Action) {
        let application = UIApplication.shared
        switch action {
        case .settings:
            application.registerUserNotificationSettings(
                UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        case .schedules(1, let text, let seconds, let sound): schedule(text, in: seconds, sound: sound)
        case .schedules(let count, let text, let seconds, _):
            for number in 0..<count { schedule("\(text) \(number)", in: seconds + Double(number)) }
        case .scheduled: print("scheduled \(application.scheduledLocalNotifications?.count ?? 0)")
        case .cancels: application.cancelAllLocalNotifications()
        default: break
        }
    }

    private static func schedule(_ text: String, in seconds: TimeInterval, sound: String? = nil) {
        let notification = UILocalNotification()
        notification.fireDate = Date(timeIntervalSinceNow: seconds)
        notification.alertBody = text
        notification.soundName = sound
        UIApplication.shared.scheduleLocalNotification(notification)
    }
}
