import RoostKit
import Synchronization

final class TestApplication: UIApplication {}

/// The app that RoostKit's tests run against a scripted system. The app prints its callbacks, and
/// `applicationDidEnterBackground` does what the variable `TEST_BACKGROUND` names.
@main
final class TestApp: UIResponder, UIApplicationDelegate {
    /// Like `main()` of `UIApplicationDelegate`, or with the names of the classes.
    static func main() {
        let environment = ProcessInfo.processInfo.environment
        if environment["TEST_APP"] == "scenes" {
            UIApplicationMain(
                CommandLine.argc, CommandLine.unsafeArgv, NSStringFromClass(SceneApplication.self),
                NSStringFromClass(SceneAppDelegate.self))
        } else if environment["TEST_BACKGROUND"] == "names" {
            UIApplicationMain(
                CommandLine.argc, CommandLine.unsafeArgv, NSStringFromClass(TestApplication.self),
                NSStringFromClass(TestApp.self))
        } else {
            UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(TestApp.self))
        }
    }

    nonisolated private static let isStopped = Mutex(false)

    private let doing = ProcessInfo.processInfo.environment["TEST_BACKGROUND"] ?? "nothing"
    private var task = UIBackgroundTaskIdentifier.invalid

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let names: [Notification.Name] = [
            UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
            UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
            UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
        ]
        for name in names {
            NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) { note in
                let location = note.userInfo?[UIApplication.LaunchOptionsKey.location] as? Bool
                MainActor.assumeIsolated {
                    say("note \(name.rawValue)" + (location == true ? " location" : ""))
                }
            }
        }
        say("willFinishLaunching")
        print("token \(getenv("ROOST_TOKEN") == nil ? "gone" : "there")")
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say("didFinishLaunching" + (launchOptions?[.location] as? Bool == true ? " location" : ""))
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        say("didBecomeActive")
        if doing == "dormant" { task = begin("dormant") }
    }

    func applicationWillResignActive(_ application: UIApplication) { say("willResignActive") }
    func applicationWillEnterForeground(_ application: UIApplication) { say("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { say("willTerminate") }

    func applicationDidEnterBackground(_ application: UIApplication) {
        say("didEnterBackground")
        switch doing {
        case "task": task = begin("task")
        case "block":
            task = begin("block")
            // App: its main thread is blocked.
            Thread.sleep(forTimeInterval: 1)
        case "threads":
            DispatchQueue.concurrentPerform(iterations: 200) { _ in
                _ = application.beginBackgroundTask(withName: "thread")
            }
        case "flood":
            let name = String(repeating: "x", count: 5000)
            for _ in 0..<5000 { _ = application.beginBackgroundTask(withName: name) }
            print("flooded")
        case "names": print("application \(type(of: application))")
        case "fork": fork()
        case "activity":
            ProcessInfo.processInfo.performExpiringActivity(withReason: "activity") { [doing] isExpired in
                print("\(doing) \(isExpired)")
                // App: works until it has to stop.
                while !isExpired, !Self.isStopped.withLock({ $0 }) { usleep(10_000) }
                Self.isStopped.withLock { $0 = true }
            }
        case "misuse":
            application.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: 99))
        default: break
        }
    }

    private func begin(_ name: String) -> UIBackgroundTaskIdentifier {
        UIApplication.shared.beginBackgroundTask(withName: name) { [self] in
            say("expired")
            UIApplication.shared.endBackgroundTask(task)
        }
    }

    /// Forks a child that inherits all of the app's descriptors, and ends after its parent. Swift hides `fork`.
    private func fork() {
        guard let symbol = dlsym(nil, "fork") else { return print("no fork") }
        let parent = getpid()
        guard unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)() == 0 else { return print("forked") }
        // App: the child waits for its parent's end.
        while getppid() == parent { usleep(10_000) }
        _exit(0)
    }
}
