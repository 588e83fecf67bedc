import Foundation
import RoostKit
import Testing

@testable import RoostTesting

/// Listens for calls, and asks for everything that the system stores for an app.
@MainActor private final class Phone: NSObject, UIApplicationDelegate {
    private(set) var pushes = 0
    private(set) var fetches = 0

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerUserNotificationSettings(UIUserNotificationSettings(types: .alert, categories: nil))
        application.registerForRemoteNotifications()
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        return true
    }

    func schedule(in seconds: Double) {
        let notification = UILocalNotification()
        notification.fireDate = Date(timeIntervalSince1970: 1_781_524_800 + seconds)
        notification.alertBody = "call back"
        UIApplication.shared.scheduleLocalNotification(notification)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        pushes += 1
        completionHandler(.newData)
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        fetches += 1
        completionHandler(.newData)
    }
}

/// The device's start (T19, T27, R-124, R-126).
@Suite(.serialized) @MainActor struct RebootTests {
    private static let launched = ["willFinishLaunching", "didFinishLaunching", "didEnterBackground"]
    private static let allModes: [String] = ["voip", "fetch", "remote-notification", "location"]

    /// The callbacks, without the replies to registrations.
    private func called(_ app: VirtualApp) -> [String] {
        app.takeCallbacks().map(\.name).filter { !$0.hasPrefix("didRegister") }
    }

    private func phone(on device: VirtualDevice, _ name: String = "Phone", modes: [String] = allModes) throws
        -> VirtualApp
    {
        try device.install(name, infoPlist: ["UIBackgroundModes": modes], delegate: Phone.self)
    }

    /// No app is notified of the end. An app that listens for calls is launched again, with a new delegate.
    @Test func aRebootLaunchesVoIPApps() async throws {
        try await withVirtualDevice { device in
            let app = try phone(on: device)
            let other = try phone(on: device, "Other", modes: ["fetch"])
            await device.launch(other)
            await device.launch(app)
            let before = try #require(app.delegate)
            _ = (called(app), called(other))
            await device.reboot()
            #expect(called(app) == Self.launched && app.wakes == [.user, .voip])
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended && app.terminations.count == 1)
            #expect(app.delegate != nil && app.delegate !== before)
            #expect(called(other).isEmpty && other.state == .notRunning && other.terminations.count == 1)
            await device.launch(app)
            #expect(app.state == .active && called(app) == ["willEnterForeground", "didBecomeActive"])
        }
    }

    @Test func withAPasscodeLaunchesWaitForTheUnlock() async throws {
        try await withVirtualDevice { device in
            let app = try phone(on: device)
            let other = try device.install("Other")
            await device.set(.passcode(true))
            await device.launch(other)
            // This app was used last, so it is also started early, and launched when calls may come (T28).
            await device.launch(app)
            _ = called(app)
            await device.reboot()
            #expect(called(app).isEmpty && app.state == .notRunning)
            await device.wake(app, for: .locationMonitoring)
            #expect(called(app).isEmpty && app.reasons.last?.contains("not been unlocked since it started") == true)
            await device.unlock()
            await device.advance(by: .seconds(10))
            #expect(called(app) == Self.launched && app.state == .suspended && app.wakes.last == .voip)
            #expect(other.wakes == [.user])
        }
    }

    /// An app that was swiped away may be launched again, and is if it listens for calls.
    @Test func aRebootLiftsAForceQuit() async throws {
        try await withVirtualDevice { device in
            let app = try phone(on: device)
            let other = try phone(on: device, "Other", modes: ["location", "fetch"])
            for app in [app, other] {
                await device.launch(app)
                await device.forceQuit(app)
                await device.wake(app, for: .backgroundFetch)
                #expect(app.wakes == [.user])
            }
            await device.reboot()
            #expect(app.wakes == [.user, .voip] && other.wakes == [.user])
            await device.wake(other, for: .backgroundFetch)
            #expect(other.wakes == [.user, .backgroundFetch] && other.state == .suspended)
        }
    }

    /// In every state: a reboot is no fault of the app, and an open task is no longer checked.
    @Test func aRebootDoesNotFailTheTest() async throws {
        let findings = try await Findings.from { device in
            let manager = SyncManager(forgets: true)
            let app = try device.install(main: { manager.register() })
            await device.reboot()
            await device.launch(app)
            await device.reboot()
            await device.launch(app)
            await device.home()
            #expect(app.state == .background && app.openTasks.count == 1)
            await device.reboot()
            #expect(app.state == .notRunning && app.openTasks.isEmpty && app.terminations.count == 2)
            await device.advance(by: .seconds(600))
            #expect(app.expirations.isEmpty)
            manager.unregister()
        }
        #expect(findings.all.isEmpty, "\(findings.all)")
    }

    /// Notifications and their zone, fetches, the registration for pushes, and an unfinished download.
    @Test func storedStateOutlivesAReboot() async throws {
        try await withVirtualDevice { device in
            let app = try phone(on: device, modes: ["fetch", "remote-notification"])
            await device.setTimeZone("Europe/Berlin")
            await device.launch(app)
            try #require(app.delegate as? Phone).schedule(in: 60)
            await device.home()
            await device.reboot()
            #expect(device.scheduledNotifications(of: app).count == 1)
            await device.advance(by: .seconds(60))
            #expect(device.shownNotifications(of: app).map(\.notification.alertBody) == ["call back"])
            await device.reboot()
            #expect(device.shownNotifications(of: app).count == 1)
            #expect(app.state == .notRunning)
            try await device.push(#"{"aps": {"content-available": 1}}"#, to: app)
            #expect((app.delegate as? Phone)?.pushes == 1 && app.wakes == [.user, .remoteNotification])
            await device.reboot()
            await device.advance(by: .seconds(7200))
            #expect(try #require(app.delegate as? Phone).fetches > 0)
        }
    }

    @Test func aRebootStartsAnotherProcess() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(
                executable: "RoostTestingTestApp", infoPlist: ["UIBackgroundModes": ["voip"]])
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(3))
            let before = try #require(device.body.endpoints.first as? ProcessEndpoint).pid
            _ = called(app)
            await device.reboot()
            let after = try #require(device.body.endpoints.first as? ProcessEndpoint)
            #expect(after.pid != before && device.body.endpoints.count == 1)
            #expect(called(app) == Self.launched && app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended && after.isFrozen)
            // Only the files of the launch before it were left.
            #expect(app.output.split(separator: "\n").count { $0 == "callback didFinishLaunching" } == 2)
            #expect(!app.output.contains("willTerminate") && app.terminations.count == 1)
            await device.launch(app)
            #expect(app.state == .active)
        }
    }
}
