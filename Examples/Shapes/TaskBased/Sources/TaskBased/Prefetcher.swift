import UIKit

/// Downloads articles for offline reading: one every two seconds, as long as the app may run.
@MainActor final class Prefetcher {
    private let store: ArticleStore

    init(store: ArticleStore) {
        self.store = store
    }

    func prefetch(_ numbers: ClosedRange<Int>) {
        let application = UIApplication.shared
        var backgroundTask = UIBackgroundTaskIdentifier.invalid
        let work = Task {
            defer { application.endBackgroundTask(backgroundTask) }
            do {
                for number in numbers where await !store.holds(number) {
                    try await Task.sleep(for: .seconds(2))
                    try await store.save("Article \(number)", as: number)
                }
                print("all are there")
            } catch is CancellationError {
                print("stopped with \(await store.count)")
            } catch {
                print("failed: \(error)")
            }
        }
        backgroundTask = application.beginBackgroundTask(withName: "Prefetch") { work.cancel() }
    }
}
