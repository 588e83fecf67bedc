import Dispatch
import Foundation

// Each function returns whether it knows the way.

func beginTimer(_ way: String, _ seconds: Double) -> Bool {
    switch way {
    case "timer":
        _ = Timer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in say(way) }
    case "periodic":
        _ = Timer.scheduledTimer(withTimeInterval: seconds, repeats: true) { _ in say(way) }
    case "after":
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { say(way) }
    case "afterWall":
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + seconds) { say(way) }
    case "source":
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + seconds)
        source.setEventHandler {
            say(way)
            source.cancel()
        }
        source.resume()
    case "periodicSource":
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + seconds, repeating: seconds)
        // The handler keeps the source alive as long as the source exists.
        source.setEventHandler { if !source.isCancelled { say(way) } }
        source.resume()
    default:
        return false
    }
    return true
}

func beginTask(_ way: String, _ seconds: Double) -> Bool {
    switch way {
    case "continuous":
        Task {
            // App: waiting is what it does.
            try await Task.sleep(for: .seconds(seconds), clock: .continuous)
            say(way)
        }
    case "suspending":
        Task {
            // App: waiting is what it does.
            try await Task.sleep(for: .seconds(seconds), clock: .suspending)
            say(way)
        }
    case "nanoseconds":
        Task {
            // App: waiting is what it does.
            try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
            say(way)
        }
    default:
        return false
    }
    return true
}

func beginThread(_ way: String, _ seconds: Double) -> Bool {
    guard let wait = threadWays[way] else { return false }
    let thread = Thread {
        let outcome = wait(seconds)
        say(outcome ? way : "\(way):early")
    }
    thread.start()
    return true
}

/// Waits that block a thread. Each returns whether the wait ended at its limit.
private let threadWays: [String: @Sendable (Double) -> Bool] = [
    "threadSleep": { seconds in
        // App: waiting is what it does.
        Thread.sleep(forTimeInterval: seconds)
        return true
    },
    // App: waiting is what it does.
    "sleep": { sleep(UInt32($0)) == 0 },
    // App: waiting is what it does.
    "usleep": { usleep(UInt32($0 * 1_000_000)) == 0 },
    "runLoop": { seconds in
        keepAlive(.current)
        RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
        return true
    },
    "semaphore": { DispatchSemaphore(value: 0).wait(timeout: .now() + $0) == .timedOut },
    "semaphoreWall": { DispatchSemaphore(value: 0).wait(wallTimeout: .now() + $0) == .timedOut },
    "group": { seconds in
        let group = DispatchGroup()
        group.enter()
        defer { group.leave() }
        return group.wait(timeout: .now() + seconds) == .timedOut
    },
    "condition": { seconds in
        let condition = NSCondition()
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: seconds)
        while condition.wait(until: limit) {}
        return true
    },
    "lock": { seconds in
        let lock = NSLock()
        lock.lock()
        defer { lock.unlock() }
        return !lock.lock(before: Date(timeIntervalSinceNow: seconds))
    },
    "poll": { poll(nil, 0, Int32($0 * 1000)) == 0 },
    "select": { seconds in
        var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
        return select(0, nil, nil, nil, &limit) == 0
    },
]
