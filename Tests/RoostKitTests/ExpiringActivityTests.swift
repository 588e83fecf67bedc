import Foundation
import LifeCycleModel
import Synchronization
import Testing

@testable import RoostKit

/// `performExpiringActivity`, with a system that grants tasks or refuses them.
@Suite(.timeLimit(.minutes(30))) struct ExpiringActivityTests {
    /// Grants one task, or no task.
    private final class Tasks: TaskGranting {
        let isGranting: Bool
        /// Whether the granted task expires at once.
        let isExpiring: Bool
        let handler = Mutex<(@MainActor @Sendable () -> Void)?>(nil)
        let ended = DispatchSemaphore(value: 0)

        init(isGranting: Bool, isExpiring: Bool = false) {
            self.isGranting = isGranting
            self.isExpiring = isExpiring
        }

        func beginTask(name: String, handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
            guard isGranting else { return .invalid }
            self.handler.withLock { $0 = handler }
            if isExpiring, let handler { MainActor.assumeIsolated { handler() } }
            return UIBackgroundTaskIdentifier(rawValue: 5)
        }

        func endTask(_ id: TaskID) {
            #expect(id == TaskID(5))
            ended.signal()
        }

        @MainActor func expire() { handler.withLock { $0.take() }?() }
    }

    private func wait(for semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 120) == .success }

    @Test @MainActor func theActivityRunsUnderATask() {
        let tasks = Tasks(isGranting: true)
        let calls = Mutex<[Bool]>([])
        ExpiringActivity { isExpired in
            #expect(!Thread.isMainThread)
            calls.withLock { $0.append(isExpired) }
        }
        .begin(reason: "x", in: tasks)
        #expect(wait(for: tasks.ended))
        tasks.expire()
        #expect(calls.withLock { $0 } == [false])
    }

    @Test @MainActor func theActivityIsNotifiedWhenTimeIsUp() {
        let tasks = Tasks(isGranting: true)
        let calls = Mutex<[Bool]>([])
        let begun = DispatchSemaphore(value: 0)
        let stop = DispatchSemaphore(value: 0)
        ExpiringActivity { isExpired in
            calls.withLock { $0.append(isExpired) }
            if isExpired {
                stop.signal()
            } else {
                begun.signal()
                stop.wait()
            }
        }
        .begin(reason: "x", in: tasks)
        #expect(wait(for: begun))
        tasks.expire()
        #expect(wait(for: tasks.ended))
        #expect(calls.withLock { $0 } == [false, true])
        #expect(tasks.ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut, "the task ends once")
    }

    /// The queue has one thread: the expiry comes first, as on a busy machine.
    @Test @MainActor func anActivityWithoutAThreadUntilItsExpiryDoesNotBegin() {
        let tasks = Tasks(isGranting: true, isExpiring: true)
        let calls = Mutex<[Bool]>([])
        let queue = DispatchQueue(label: "one thread")
        ExpiringActivity(on: queue) { isExpired in calls.withLock { $0.append(isExpired) } }
            .begin(reason: "x", in: tasks)
        #expect(wait(for: tasks.ended))
        queue.sync {}
        #expect(calls.withLock { $0 } == [true])
    }

    @Test func withoutBackgroundTimeItDoesNotBegin() {
        let tasks = Tasks(isGranting: false)
        let called = DispatchSemaphore(value: 0)
        ExpiringActivity { isExpired in
            #expect(isExpired)
            called.signal()
        }
        .begin(reason: "x", in: tasks)
        #expect(wait(for: called))
        #expect(called.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    }
}
