import Foundation
import RoostKit
import Synchronization

/// Begins and ends tasks while it is active, and compares the cost with the bookkeeping alone. The bookkeeping stores a
/// handler in a locked table and removes it. Prints the nanoseconds of a pair for each round.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private static let pairs = 100_000
    private let table = Mutex<[Int: @MainActor @Sendable () -> Void]>([:])

    func applicationDidBecomeActive(_ application: UIApplication) {
        precondition(application.applicationState == .active)
        for _ in 0..<5 {
            let named = time {
                application.endBackgroundTask(application.beginBackgroundTask(withName: "upload") {})
            }
            let locked = time { number in
                table.withLock { $0[number] = {} }
                _ = table.withLock { $0.removeValue(forKey: number) }
            }
            let unnamed = time { application.endBackgroundTask(application.beginBackgroundTask {}) }
            print("named=\(named) table=\(locked) unnamed=\(unnamed)")
        }
        print("done")
        fflush(nil)
    }

    private func time(_ pair: () -> Void) -> Int { time { _ in pair() } }

    private func time(_ pair: (Int) -> Void) -> Int {
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 0..<Self.pairs { pair(number) }
        }
        let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        return Int(nanoseconds) / Self.pairs
    }
}

AppDelegate.main()
