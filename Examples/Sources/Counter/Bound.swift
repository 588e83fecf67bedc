import UIKit

/// Two queues and a timer bound to activation. Every tenth of a second, also while the app is not active, each queue
/// gets work that prints when it runs. Each firing of the timer is printed, too.
@MainActor final class Bound {
    private let timer: ActivationBoundTimer
    private let bindings: [ActivationBoundQueue]
    private let feeder: any DispatchSourceTimer

    init() {
        let (queue, operations) = (DispatchQueue(label: "bound"), OperationQueue())
        operations.maxConcurrentOperationCount = 1
        bindings = [ActivationBoundQueue(queue), ActivationBoundQueue(operations)]
        timer = ActivationBoundTimer(interval: 0.1) { print("timer") }
        feeder = Self.feed(queue, operations)
    }

    nonisolated private static func feed(
        _ queue: DispatchQueue, _ operations: OperationQueue
    ) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "feeder"))
        var last = 0
        source.schedule(deadline: .now(), repeating: 0.1)
        source.setEventHandler {
            last += 1
            let number = last
            queue.async { print("queue \(number)") }
            operations.addOperation { print("operation \(number)") }
            print("fed \(number)")
        }
        source.activate()
        return source
    }
}

/// An activity that continues until its time is up.
enum Activity {
    static func perform(_ name: String) {
        let stop = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: name) { isExpired in
            print("activity \(name) \(isExpired ? "expired" : "began")")
            if isExpired { stop.signal() } else { stop.wait() }
        }
    }
}
