import Foundation
import RoostKit
import Testing

@testable import RoostTesting

/// Schedules the test's notifications once it may display them.
@MainActor private final class Kettle: NSObject, UIApplicationDelegate {
    static var zone: TimeZone?
    static var interval: NSCalendar.Unit = []
    static var date = Date.distantFuture
    private(set) var launchedBy: UILocalNotification?
    private(set) var received: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchedBy = options?[.localNotification] as? UILocalNotification
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        return true
    }

    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
        guard (application.scheduledLocalNotifications ?? []).isEmpty else { return }
        let notification = UILocalNotification()
        notification.fireDate = Self.date
        notification.timeZone = Self.zone
        notification.repeatInterval = Self.interval
        notification.alertBody = "tea"
        notification.soundName = "whistle.caf"
        notification.applicationIconBadgeNumber = 2
        notification.userInfo = ["cup": 1]
        application.scheduleLocalNotification(notification)
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        received.append("\(notification.alertBody ?? "") \(notification.userInfo?["cup"] as? Int ?? 0)")
    }
}

/// Receives remote notifications with the method without a completion handler.
@MainActor private final class Postbox: NSObject, UIApplicationDelegate {
    private(set) var launchedBy: Int?
    private(set) var received: [Int] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchedBy = (options?[.remoteNotification] as? [AnyHashable: Any])?["id"] as? Int
        application.registerForRemoteNotifications()
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge], categories: nil))
        return true
    }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        received.append(userInfo["id"] as? Int ?? 0)
    }
}

/// Local notifications on the virtual device (R-100 to R-103).
@Suite(.serialized) @MainActor struct NotificationTests {
    /// The start of a device's clock: 2026-06-15 12:00 UTC.
    private static let begin = Date(timeIntervalSince1970: 1_781_524_800)

    init() { (Kettle.zone, Kettle.interval, Kettle.date) = (nil, [], Self.begin.addingTimeInterval(60)) }

    private func opened(on device: VirtualDevice) async throws -> VirtualApp {
        let app = try device.install(delegate: Kettle.self)
        await device.launch(app)
        return app
    }

    private func received(_ app: VirtualApp) -> [String] { (app.delegate as? Kettle)?.received ?? [] }

    @Test func theForegroundAppIsCalled() async throws {
        try await withVirtualDevice { device in
            let app = try await opened(on: device)
            await device.advance(by: .seconds(59))
            #expect(received(app).isEmpty && device.scheduledNotifications(of: app).count == 1)
            await device.advance(by: .seconds(1))
            #expect(received(app) == ["tea 1"] && device.shownNotifications().isEmpty)
            #expect(device.badge(of: app) == 0 && UIApplication.shared.scheduledLocalNotifications == [])
        }
    }

    @Test func aTapBringsTheAppToTheForeground() async throws {
        try await withVirtualDevice { device in
            let app = try await opened(on: device)
            await device.home()
            #expect(await device.deliverDue())
            let shown = try #require(device.shownNotifications(of: app).first)
            #expect(shown.notification.alertBody == "tea" && shown.types == .all && device.badge(of: app) == 2)
            #expect(app.state == .suspended && received(app).isEmpty)
            await device.tap(shown)
            #expect(app.state == .active && received(app) == ["tea 1"] && device.shownNotifications().isEmpty)
            #expect(await !device.deliverDue(), "it fires once")
        }
    }

    @Test func aTapLaunchesItWithTheNotification() async throws {
        try await withVirtualDevice { device in
            let app = try await opened(on: device)
            await device.home()
            await device.forceQuit(app)
            await device.deliverDue()
            #expect(app.state == .notRunning)
            // After a new launch it schedules again.
            Kettle.date = .distantFuture
            await device.tap(try #require(device.shownNotifications().first))
            #expect((app.delegate as? Kettle)?.launchedBy?.alertBody == "tea" && received(app).isEmpty)
        }
    }

    @Test func dismissedOrDisallowedNotificationsAreRemoved() async throws {
        try await withVirtualDevice { device in
            Kettle.interval = .day
            let app = try await opened(on: device)
            await device.home()
            await device.deliverDue()
            await device.dismiss(try #require(device.shownNotifications().first))
            #expect(device.shownNotifications().isEmpty && app.state == .suspended)
            await device.setNotifications(of: app, allowed: false)
            #expect(await device.deliverDue(), "it fires each day")
            #expect(device.shownNotifications().isEmpty)
        }
    }

    /// A provider's visible push is displayed like the app's own notification, and a tap delivers it (R-90, R-102).
    @Test func aPushIsDisplayedAndATapDeliversIt() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Postbox.self)
            await device.launch(app)
            await device.home()
            try await device.push(#"{"aps": {"alert": "news", "badge": 4}, "id": 1}"#, to: app)
            #expect(app.state == .suspended && device.badge(of: app) == 4)
            let shown = try #require(device.shownNotifications(of: app).first)
            #expect(shown.notification.alertBody == "news" && (app.delegate as? Postbox)?.received == [])
            await device.tap(shown)
            #expect(app.state == .active && (app.delegate as? Postbox)?.received == [1])
            #expect(device.shownNotifications().isEmpty)
            await device.home()
            try await device.push(#"{"aps": {"alert": "more"}, "id": 2}"#, to: app)
            await device.forceQuit(app)
            await device.tap(try #require(device.shownNotifications().first))
            // The method without a handler does not receive the notification that the app is launched with.
            let postbox = try #require(app.delegate as? Postbox)
            #expect(postbox.launchedBy == 2 && postbox.received == [])
            try await device.push(#"{"aps": {"alert": "in front"}, "id": 3}"#, to: app)
            #expect(postbox.received == [3] && device.shownNotifications().isEmpty)
        }
    }

    /// At noon in Berlin. Six hours later, clocks in New York show noon.
    @Test func aDateWithAZoneFollowsTheDevicesZone() async throws {
        try await withVirtualDevice { device in
            Kettle.zone = TimeZone(identifier: "Europe/Berlin")
            Kettle.date = Self.begin.addingTimeInterval(22 * 3600)
            _ = try await opened(on: device)
            await device.home()
            #expect(await device.setTimeZone("America/New_York"))
            await device.advance(by: .seconds(28 * 3600 - 1))
            #expect(device.shownNotifications().isEmpty)
            await device.advance(by: .seconds(1))
            #expect(device.shownNotifications().count == 1)
            #expect(await !device.setTimeZone("Mars/Olympus"))
        }
    }
}
