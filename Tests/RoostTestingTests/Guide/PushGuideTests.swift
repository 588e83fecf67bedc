import Foundation
import RoostKit
import RoostTesting
import Testing

// The app of the guide "Remote notifications", as iOS developers write it.

/// A server that has a message for each number.
private enum MailServer {
    static func message(_ id: String) async -> String { "Message \(id)" }
}

/// Downloads messages in the background when a push announces them.
final class MailApp: NSObject, UIApplicationDelegate {
    private(set) var messages: [String] = []
    private(set) var token: Data?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        token = deviceToken
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        // The dictionary is not Sendable, so read the number before the task begins.
        let id = userInfo["id"] as? String
        Task {
            guard let id else { return completionHandler(.noData) }
            messages.append(await MailServer.message(id))
            completionHandler(.newData)
        }
    }
}

@Suite(.serialized) @MainActor struct PushGuideTests {
    private static let silent = #"{"aps": {"content-available": 1}, "id": "42"}"#

    @Test func messagesAreReceivedInAdvance() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(
                infoPlist: ["UIBackgroundModes": ["remote-notification"]], delegate: MailApp.self)
            await device.launch(app)
            await device.home()
            try await device.push(Self.silent, to: app)
            #expect((app.delegate as? MailApp)?.messages == ["Message 42"] && app.state == .suspended)
            #expect((app.delegate as? MailApp)?.token?.count == 32)
        }
    }

    @Test func theFourthPushWithinAnHourIsHeldBack() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(
                infoPlist: ["UIBackgroundModes": ["remote-notification"]], delegate: MailApp.self)
            await device.launch(app)
            await device.home()
            for _ in 1...4 { try await device.push(Self.silent, to: app) }
            #expect((app.delegate as? MailApp)?.messages.count == 3)
            await device.advance(by: .seconds(3600))
            #expect((app.delegate as? MailApp)?.messages.count == 4 && app.state == .suspended)
        }
    }

    @Test func payloadsThatAppleRefusesAreNotSent() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: MailApp.self)
            await #expect(throws: (any Error).self) { try await device.push("{}", to: app) }
            #expect(app.state == .notRunning)
        }
    }
}
