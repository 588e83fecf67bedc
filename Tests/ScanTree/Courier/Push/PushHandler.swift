import UIKit
import UserNotifications

final class PushHandler: NSObject, UNUserNotificationCenterDelegate {
    func ask() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.badge]) { granted, _ in
            log("granted: \(granted)")
        }
    }
}
