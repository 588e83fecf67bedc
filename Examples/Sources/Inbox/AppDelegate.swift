// An inbox. Messages arrive by push or fetch while the app is not in use. Each is displayed as a notification that
// opens it.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// If there are more new messages than this, one notification announces all of them.
    private static let mostAtOnce = 3

    private let mailbox = Mailbox()
    /// The current request for messages; a caller that comes meanwhile gets its result.
    private var checking: Task<UIBackgroundFetchResult, Never>?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched; \(mailbox.unread.count) of \(mailbox.messages.count) messages are unread")
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        application.registerForRemoteNotifications()
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil))
        if let tapped = launchOptions?[.localNotification] as? UILocalNotification { open(tapped) }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        application.applicationIconBadgeNumber = mailbox.unread.count
        // If the user leaves meanwhile, the task lets the app receive the response.
        var task = UIBackgroundTaskIdentifier.invalid
        func end() {
            guard task != .invalid else { return }
            application.endBackgroundTask(task)
            task = .invalid
        }
        task = application.beginBackgroundTask(withName: "look for messages") { end() }
        Task {
            _ = await check()
            end()
        }
    }

    /// A touch on the screen opens the oldest unread message.
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let oldest = mailbox.unread.first else { return print("no message is unread") }
        open(oldest.id)
    }

    // MARK: Incoming messages

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task { completionHandler(await check()) }
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        // A push may contain a short message. Otherwise the push only says that there are messages.
        guard let content = userInfo["message"] else {
            Task { completionHandler(await check()) }
            return
        }
        let message = Message.parsed(content)
        let aps = userInfo["aps"] as? [String: Any]
        completionHandler(take([message], isShown: aps?["alert"] != nil))
        // If the app is entering the foreground, the user has tapped this push.
        if application.applicationState == .inactive, case .success(let message) = message { open(message.id) }
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        print("pushes come by \(deviceToken.map { String(format: "%02x", $0) }.joined())")
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        print("no pushes come: \(error)")
    }

    /// Requests messages from the server; only one request at a time.
    private func check() async -> UIBackgroundFetchResult {
        if let checking { return await checking.value }
        let task = Task { await ask() }
        checking = task
        defer { checking = nil }
        return await task.value
    }

    private func ask() async -> UIBackgroundFetchResult {
        do {
            let server = try mailbox.server()
            return take(try Message.list(in: try await Download.data(from: server)))
        } catch {
            print("no messages: \(error)")
            return .failed
        }
    }

    /// Stores new messages and notifies the user. Invalid messages are skipped and logged.
    private func take(_ messages: [Result<Message, Problem>], isShown: Bool = false) -> UIBackgroundFetchResult {
        var isWhole = true
        for case .failure(let problem) in messages {
            print("a message is left out: \(problem)")
            isWhole = false
        }
        do {
            let new = try mailbox.add(messages.compactMap { try? $0.get() })
            tell(of: new, isShown: isShown)
            return new.isEmpty ? isWhole ? .noData : .failed : .newData
        } catch {
            // No new message counts as known, so the server will deliver them again.
            print("cannot save the messages: \(error)")
            return .failed
        }
    }

    // MARK: The user

    /// Notifies the user, unless the push had an alert, which the system has already displayed.
    private func tell(of new: [Message], isShown: Bool) {
        let application = UIApplication.shared
        for message in new { print("new: \(message.line)") }
        if application.applicationState == .active || new.isEmpty || isShown {
            application.applicationIconBadgeNumber = mailbox.unread.count
        } else if new.count > Self.mostAtOnce {
            show("\(new.count) new messages", [:])
        } else {
            for message in new { show(String(message.line.prefix(200)), ["id": message.id]) }
        }
    }

    private func show(_ text: String, _ userInfo: [String: String]) {
        let notification = UILocalNotification()
        notification.alertBody = text
        notification.userInfo = userInfo
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.applicationIconBadgeNumber = mailbox.unread.count
        UIApplication.shared.presentLocalNotificationNow(notification)
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        // A notification that arrives in the foreground was not tapped.
        if application.applicationState != .active { open(notification) }
    }

    private func open(_ notification: UILocalNotification) {
        if let id = notification.userInfo?["id"] as? String { return open(id) }
        for message in mailbox.unread { print("unread: \(message.line)") }
    }

    private func open(_ id: String) {
        do {
            guard let message = try mailbox.read(id) else { return print("there is no message \(id)") }
            print("opened: \(message.line)")
        } catch {
            print("cannot save that message \(id) was read: \(error)")
        }
        UIApplication.shared.applicationIconBadgeNumber = mailbox.unread.count
    }
}
