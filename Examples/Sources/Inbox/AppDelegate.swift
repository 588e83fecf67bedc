// An inbox: messages come while nobody looks, by a push or by a fetch, and each is shown as a notification that opens it.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// More new messages than this are told of in one notification.
    private static let mostAtOnce = 3

    private let mailbox = Mailbox()
    /// The look for messages that is under way: who asks meanwhile is answered by it.
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
        // Should the user leave meanwhile, the answer is still waited for.
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

    /// A finger on the screen opens the message that waits for the longest time.
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let oldest = mailbox.unread.first else { return print("no message is unread") }
        open(oldest.id)
    }

    // MARK: Messages come

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
        // A short message comes with the push; of others it only says that they are there.
        guard let content = userInfo["message"] else {
            Task { completionHandler(await check()) }
            return
        }
        let message = Message.parsed(content)
        let aps = userInfo["aps"] as? [String: Any]
        completionHandler(take([message], isShown: aps?["alert"] != nil))
        // On its way to the front it has been opened by this one.
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

    /// Asks the server; one question at a time.
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

    /// Keeps the new ones, and tells the user. What is no message is left out, and said.
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
            // None of them counts as known, so that they come again.
            print("the messages could not be kept: \(error)")
            return .failed
        }
    }

    // MARK: The user

    /// Of what came with an alert the system has told the user.
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
        // One that comes while the user looks was not tapped.
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
            print("that it was read could not be kept: \(error)")
        }
        UIApplication.shared.applicationIconBadgeNumber = mailbox.unread.count
    }
}
