import RoostKit

// The apps of the guide "Test your background code", as iOS developers write them.

/// Uploads drafts when the app leaves the foreground.
@MainActor final class Uploader {
    private var task = UIBackgroundTaskIdentifier.invalid
    private var observer: (any NSObjectProtocol)?
    private let seconds: Int
    private(set) var uploaded = 0
    private(set) var wasInterrupted = false

    init(seconds: Int) { self.seconds = seconds }

    func register() {
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .none
        ) { [weak self] _ in MainActor.assumeIsolated { self?.upload() } }
    }

    private func upload() {
        task = UIApplication.shared.beginBackgroundTask(withName: "upload") { [weak self] in
            self?.wasInterrupted = true
            self?.finish()
        }
        Task {
            // App: the time that the network takes.
            try await DeviceClock().sleep(for: .seconds(seconds))
            uploaded += 1
            finish()
        }
    }

    private func finish() {
        guard task != .invalid else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }

    isolated deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}

/// A delegate that forgets to end its task.
final class Forgetful: NSObject, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        _ = application.beginBackgroundTask(withName: "save") {}
    }
}

/// A game that pauses whenever it is not active, and drops its textures when memory is low.
final class Game: NSObject, UIApplicationDelegate {
    private(set) var isPaused = true
    private(set) var textures = 0

    func applicationDidBecomeActive(_ application: UIApplication) {
        isPaused = false
        textures = 100
    }
    func applicationWillResignActive(_ application: UIApplication) { isPaused = true }
    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { textures = 0 }
}

/// Keeps a draft in memory, and saves it to a file when the app leaves the foreground.
final class Editor: NSObject, UIApplicationDelegate {
    @MainActor static var saved = ""
    private(set) var draft = ""
    private(set) var isLocked = false

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        draft = Self.saved
        return true
    }

    func type(_ text: String) { draft += text }
    func applicationDidEnterBackground(_ application: UIApplication) { Self.saved = draft }
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { isLocked = true }
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { isLocked = false }
}

/// Records the device's location, in the background too.
final class Tracker: NSObject, UIApplicationDelegate {
    private(set) var wasWokenForLocation = false

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        wasWokenForLocation = options?[.location] != nil
        return true
    }
}
