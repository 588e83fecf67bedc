// An app for tests. The app prints every callback and notification with the app's state, and counts in the file
// `Documents/counter` while it runs. In each callback the app does what the file `Documents/script` says (see Script).
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    private var tasks: [String: UIBackgroundTaskIdentifier] = [:]
    private let ticker = Ticker()
    private var held: [[UInt64]] = []
    private var bound: Bound?
    private var isRefusing = false
    private var fetch: ((UIBackgroundFetchResult) -> Void)?

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        for (name, short) in Notices.all { observe(name, short) }
        UIDevice.current.isBatteryMonitoringEnabled = true
        ticker.start()
        let options = launchOptions.map { $0.keys.map(\.rawValue).sorted().joined(separator: ",") } ?? "nil"
        received("willFinishLaunching", "options=\(options)")
        return !isRefusing
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let notification = launchOptions?[.localNotification] as? UILocalNotification {
            print("launched by \(notification.alertBody ?? "nil")")
        }
        let managers = launchOptions?[.bluetoothCentrals] ?? launchOptions?[.bluetoothPeripherals]
        if let identifiers = managers as? [String] { print("restores \(identifiers.joined(separator: ", "))") }
        received("didFinishLaunching")
        return !isRefusing
    }

    func applicationDidBecomeActive(_ application: UIApplication) { received("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { received("willResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { received("didEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { received("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { received("willTerminate") }
    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { received("didReceiveMemoryWarning") }
    func applicationSignificantTimeChange(_ application: UIApplication) { received("significantTimeChange") }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        received("protectedDataWillBecomeUnavailable", "available=\(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        received("protectedDataDidBecomeAvailable", "available=\(application.isProtectedDataAvailable)")
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        received("didDiscardSceneSessions", "scenes=" + sceneSessions.map(\.persistentIdentifier).sorted().joined())
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        fetch = completionHandler
        received("performFetch")
        if Script.actions(for: "performFetch").isEmpty { completionHandler(.newData) }
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        received("didRegisterForRemoteNotifications", "bytes=\(deviceToken.count)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        fetch = completionHandler
        received("didReceiveRemoteNotification", "text=\(userInfo["text"] as? String ?? "nil")")
        if Script.actions(for: "didReceiveRemoteNotification").isEmpty { completionHandler(.newData) }
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        received("didReceiveLocalNotification", "body=\(notification.alertBody ?? "nil")")
    }

    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
        received("didRegisterUserNotificationSettings", "types=\(notificationSettings.types.rawValue)")
    }

    // MARK: Events: without a window they arrive here, at the end of the responder chain

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        for touch in touches {
            let place = touch.location(in: nil)
            print("touch \(place.x),\(place.y)")
        }
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        for press in presses { print("key \(press.key?.characters ?? "")") }
    }

    private func observe(_ name: Notification.Name, _ short: String) {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
            MainActor.assumeIsolated { self.say("notification \(short)") }
        }
    }

    private func say(_ what: String) {
        let remaining = UIApplication.shared.backgroundTimeRemaining
        let time = remaining == .greatestFiniteMagnitude ? "unbounded" : String(format: "%.1f", remaining)
        print("\(what) state=\(UIApplication.shared.applicationState) remaining=\(time)")
    }

    func received(_ callback: String, _ more: String = "") {
        say("callback \(callback)" + (more.isEmpty ? "" : " " + more))
        for action in Script.actions(for: callback) { perform(action) }
    }

    private func perform(_ action: Script.Action) {
        switch action {
        case .begin(let name, let endAfter): begin(name, endAfter: endAfter)
        case .beginElsewhere, .beginUnnamed, .begins: Tasks.begin(action)
        case .beginBare(let name):
            let task = UIApplication.shared.beginBackgroundTask(withName: name)
            tasks[name] = task
            print("begun \(name) \(task.rawValue)")
        case .end(let name): end(name)
        case .block(let seconds): Thread.sleep(forTimeInterval: seconds)
        case .exit(let code): exit(code)
        case .crash: fatalError("the script says so")
        case .fork: Child.start()
        case .say(let text): print("says \(text)")
        case .wait(let pipe):
            print("waits at \(pipe)")
            // Opening a pipe for reading blocks until another process opens it for writing.
            close(open(Script.documents + "/" + pipe, O_RDONLY))
            print("waited at \(pipe)")
        case .files: Places.write()
        case .hold(let mebibytes):
            held.append(Memory.mebibytes(mebibytes))
            print("holds \(mebibytes)")
        case .staysAwake(let isOn): UIApplication.shared.isIdleTimerDisabled = isOn
        case .bind: bound = Bound()
        case .activity(let name): Activity.perform(name)
        case .refuse: isRefusing = true
        case .fetches(let seconds): UIApplication.shared.setMinimumBackgroundFetchInterval(seconds)
        case .fetched(let result): fetch?(result)
        case .registers(true): UIApplication.shared.registerForRemoteNotifications()
        case .registers(false): UIApplication.shared.unregisterForRemoteNotifications()
        case .settings, .schedules, .scheduled, .cancels: LocalNotifications.perform(action)
        case .leave: break
        case .misbehave(let kind): kind.perform()
        }
    }

    private func begin(_ name: String, endAfter seconds: TimeInterval?) {
        let task = UIApplication.shared.beginBackgroundTask(withName: name) { [self] in
            say("expired \(name)")
            print("handler of \(name) main=\(Thread.isMainThread)")
            let actions = Script.actions(for: "expire:" + name)
            for action in actions { perform(action) }
            if actions.isEmpty { end(name) }
        }
        tasks[name] = task
        print("begun \(name) \(task.rawValue)")
        guard let seconds else { return }
        let application = UIApplication.shared
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            print("ending \(name)")
            application.endBackgroundTask(task)
        }
    }

    private func end(_ name: String) {
        UIApplication.shared.endBackgroundTask(tasks[name] ?? .invalid)
        print("ended \(name)")
    }
}
