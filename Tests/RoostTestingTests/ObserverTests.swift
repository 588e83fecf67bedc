import RoostKit
import Synchronization
import Testing

@testable import RoostTesting

/// An observer on the main queue, in the test's process, where the main actor is not the main thread.
@Suite @MainActor struct ObserverTests {
    private func observe(
        _ queue: OperationQueue?, _ block: @escaping @MainActor @Sendable () -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: queue
        ) { _ in MainActor.assumeIsolated(block) }
    }

    @Test(arguments: [nil, OperationQueue.main])
    func isCalledWithinThePost(queue: OperationQueue?) async throws {
        let counter = Counter()
        try await withVirtualDevice { device in
            var token: (any NSObjectProtocol)?
            let app = try device.install {
                token = observe(queue) {
                    counter.count += 1
                    // This is the app's own application object. The app is not suspended before the closure has
                    // returned.
                    let application = UIApplication.shared
                    let task = application.beginBackgroundTask(withName: "save") {}
                    DispatchQueue.main.async { application.endBackgroundTask(task) }
                }
            }
            await device.launch(app)
            await device.home()
            #expect(counter.count == 1 && app.state == .suspended)
            #expect(app.reasons.contains { $0.contains("\"save\" is open") })
            if let token { NotificationCenter.default.removeObserver(token) }
            await device.launch(app)
            await device.home()
            #expect(counter.count == 1)
        }
    }

    @Test func isCalledOnTheMainQueueForAPostFromElsewhere() async {
        let name = Notification.Name("ObserverTests")
        let wasCalled = Mutex(false)
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
            MainActor.assumeIsolated { wasCalled.withLock { $0 = true } }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                NotificationCenter.default.post(name: name, object: nil)
                // The observer was called before the post returned.
                #expect(wasCalled.withLock { $0 })
                continuation.resume()
            }
        }
    }

    @Test func anIteratingTaskReceivesTheNotification() async throws {
        let counter = Counter()
        try await withVirtualDevice { device in
            var listening: Task<Void, Never>?
            let app = try device.install {
                listening = Task {
                    let center = NotificationCenter.default
                    for await notification in center.notifications(
                        named: UIApplication.didEnterBackgroundNotification)
                    {
                        counter.count += notification.object as? UIApplication === UIApplication.shared ? 1 : 100
                    }
                }
            }
            await device.launch(app)
            for homes in 1...3 {
                await device.home()
                #expect(counter.count == homes)
                await device.launch(app)
            }
            listening?.cancel()
            await listening?.value
            await device.home()
            #expect(counter.count == 3)
        }
    }

    @Test func anAppReceivesOnlyItsOwnNotifications() async throws {
        let (first, second) = (Counter(), Counter())
        try await withVirtualDevice { device in
            var tokens: [any NSObjectProtocol] = []
            let one = try device.install("One") { tokens.append(observe(nil) { first.count += 1 }) }
            let two = try device.install("Two") { tokens.append(observe(.main) { second.count += 1 }) }
            await device.launch(one)
            await device.launch(two)
            #expect(first.count == 1 && second.count == 0)
            await device.home()
            #expect(first.count == 1 && second.count == 1)
            // An observer of an earlier launch receives nothing in a later launch.
            await device.kill(two)
            await device.launch(two)
            await device.home()
            #expect(first.count == 1 && second.count == 2)
            for token in tokens { NotificationCenter.default.removeObserver(token) }
        }
    }
}
