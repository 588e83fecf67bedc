import Foundation
import Synchronization
import Testing

@testable import RoostKit

/// Queues and timers that are bound to activation, and sequences that follow the phases (K033, K035, K040).
@Suite @MainActor struct ActivationTests {
    private let center = NotificationCenter()

    private func activate() { center.post(name: UIApplication.didBecomeActiveNotification, object: nil) }
    private func resign() { center.post(name: UIApplication.willResignActiveNotification, object: nil) }

    /// Whether the queue runs its work. Waits long for a queue that should run, and briefly for a stopped queue.
    private func runs(_ queue: DispatchQueue) -> Bool { isDone(queue, within: .seconds(120)) }
    private func isBlocked(_ queue: DispatchQueue) -> Bool { !isDone(queue, within: .milliseconds(50)) }

    private func isDone(_ queue: DispatchQueue, within time: DispatchTimeInterval) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        return done.wait(timeout: .now() + time) == .success
    }

    @Test func aQueueIsStoppedWhileTheAppIsNotActive() {
        let queue = DispatchQueue(label: "bound")
        let count = Mutex(0)
        let binding = ActivationBoundQueue(queue, isActive: true, center: center)
        #expect(runs(queue))
        resign()
        resign()
        queue.async { count.withLock { $0 += 1 } }
        #expect(isBlocked(queue))
        #expect(count.withLock { $0 } == 0)
        activate()
        activate()
        queue.sync {}
        #expect(count.withLock { $0 } == 1)
        withExtendedLifetime(binding) {}
    }

    @Test func aQueueBoundWhileInactiveWaits() {
        let queue = DispatchQueue(label: "bound")
        let binding = ActivationBoundQueue(queue, isActive: false, center: center)
        #expect(isBlocked(queue))
        activate()
        #expect(runs(queue))
        withExtendedLifetime(binding) {}
    }

    /// Releasing a suspended queue is a crash. The binding therefore ends its own suspension; the app's suspension
    /// stays.
    @Test func aBindingThatGoesLeavesTheQueueAsItWas() {
        let queue = DispatchQueue(label: "bound")
        var binding: ActivationBoundQueue? = ActivationBoundQueue(queue, isActive: false, center: center)
        weak let weak = binding
        queue.suspend()
        binding = nil
        #expect(weak == nil)
        #expect(isBlocked(queue), "the app has suspended it, too")
        queue.resume()
        #expect(runs(queue))
        resign()
        #expect(runs(queue))
    }

    @Test func anOperationQueueTheAppHasSuspendedStaysSuspended() {
        let queue = OperationQueue()
        let binding = ActivationBoundQueue(queue, isActive: true, center: center)
        resign()
        #expect(queue.isSuspended)
        activate()
        #expect(!queue.isSuspended)
        queue.isSuspended = true
        resign()
        activate()
        #expect(queue.isSuspended)
        queue.isSuspended = false
        resign()
        binding.invalidate()
        #expect(!queue.isSuspended)
        activate()
        resign()
        #expect(!queue.isSuspended)
    }

    @Test func aTimerRunsWhileTheAppIsActive() {
        var timer: ActivationBoundTimer? = ActivationBoundTimer(
            interval: 1000, tolerance: 0, isActive: false, center: center
        ) {}
        weak let weak = timer
        #expect(timer?.isRunning == false)
        activate()
        #expect(timer?.isRunning == true)
        resign()
        #expect(timer?.isRunning == false)
        activate()
        timer?.invalidate()
        #expect(timer?.isRunning == false)
        resign()
        activate()
        #expect(timer?.isRunning == false)
        timer = nil
        #expect(weak == nil)
    }

    // MARK: Phases

    @Test func everyFollowerReceivesThePresentPhaseFirst() async {
        let source = PhaseSource(.inactive)
        let phases = ScenePhases(source: source)
        var early = phases.makeAsyncIterator()
        source.change(to: .active)
        source.change(to: .active)
        var late = phases.makeAsyncIterator()
        source.change(to: .background)
        var received: [ScenePhase?] = []
        for _ in 0..<3 { received.append(await early.next()) }
        #expect(received == [.inactive, .active, .background])
        received = []
        for _ in 0..<2 { received.append(await late.next()) }
        #expect(received == [.active, .background])
    }

    @Test func aCanceledFollowerIsRemoved() async {
        let source = PhaseSource(.active)
        let (received, continuation) = AsyncStream.makeStream(of: ScenePhase.self)
        let task = Task {
            for await phase in ScenePhases(source: source) { continuation.yield(phase) }
            continuation.finish()
        }
        var iterator = received.makeAsyncIterator()
        #expect(await iterator.next() == .active)
        #expect(source.count == 1)
        task.cancel()
        #expect(await iterator.next() == nil)
        #expect(source.count == 0)
    }
}
