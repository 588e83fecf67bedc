import Foundation
import RoostKit
import RoostTesting
import Testing

// The app of the guide "Local notifications", as iOS developers write it.

/// Reminds the user of the tea.
final class TeaApp: NSObject, UIApplicationDelegate {
    private(set) var reminders: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        if let tapped = options?[.localNotification] as? UILocalNotification {
            reminders.append("launched by: \(tapped.alertBody ?? "")")
        }
        return true
    }

    func putOn(_ tea: String, for minutes: Double) {
        let reminder = UILocalNotification()
        reminder.fireDate = Date(timeIntervalSinceNow: minutes * 60)
        reminder.alertBody = "\(tea) is ready"
        reminder.soundName = UILocalNotificationDefaultSoundName
        UIApplication.shared.scheduleLocalNotification(reminder)
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        reminders.append(notification.alertBody ?? "")
    }
}

@Suite(.serialized) @MainActor struct NotificationGuideTests {
    @Test func theTeaIsNotForgotten() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: TeaApp.self)
            await device.launch(app)
            (app.delegate as? TeaApp)?.putOn("Assam", for: 4)
            await device.home()
            await device.deliverDue()
            let shown = try #require(device.shownNotifications(of: app).first)
            #expect(shown.notification.alertBody == "Assam is ready" && app.state == .suspended)
            await device.tap(shown)
            #expect((app.delegate as? TeaApp)?.reminders == ["Assam is ready"] && app.state == .active)
        }
    }
}
