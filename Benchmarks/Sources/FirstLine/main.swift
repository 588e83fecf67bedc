import RoostKit

/// CLOCK_MONOTONIC in nanoseconds.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// When the first line of this file ran.
let start = now()

/// Prints the times of its first lines: of `main`, and of `didFinishLaunching`.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let first = now()
        print("pid=\(getpid()) main=\(start) first=\(first)")
        fflush(nil)
        return true
    }
}

// With an argument it was not launched by Roost, and does not connect.
if CommandLine.argc > 1 {
    print("pid=\(getpid()) main=\(start)")
} else {
    AppDelegate.main()
}
