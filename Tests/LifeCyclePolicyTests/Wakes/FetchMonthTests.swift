import LifeCycleModel
import LifeCyclePolicy
import Testing

/// A month of apps that fetch, beside what a timer of each app's own would have made of it.
@Suite struct FetchMonthTests {
    private static let month = seconds(30 * 86_400)
    private static let count: Int32 = 30

    private struct Outcome {
        var wakeUps = 0
        var runs: [AppID: Int] = [:]
        var last: [AppID: Nanoseconds] = [:]
        /// The longest that an app had to wait, in hundredths of its interval.
        var longest: Int64 = 0
    }

    /// From 15 to 240 minutes, by the seed.
    private static func intervals(seed: UInt64) -> [Nanoseconds] {
        var state = seed
        return (0..<count).map { _ in
            // Knuth's generator: the numbers are the same everywhere.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return seconds(60 * Int64(15 + (state >> 33) % 226))
        }
    }

    @Test(arguments: [20_261_122, 2, 3] as [UInt64]) func theDeviceSleepsFiveTimesAsLong(_ seed: UInt64) {
        let intervals = Self.intervals(seed: seed)
        let outcome = Self.play(intervals)
        let own = intervals.reduce(0) { $0 + Int(Self.month.rawValue / $1.rawValue) }
        #expect(outcome.wakeUps * 5 <= own, "seed \(seed): \(outcome.wakeUps) wake-ups instead of \(own)")
        #expect(outcome.longest <= 200, "seed \(seed): somebody waited \(outcome.longest) % of its interval")
        for (index, interval) in intervals.enumerated() {
            let (had, wanted) = (outcome.runs[app(Int32(index + 1))] ?? 0, Int(Self.month.rawValue / interval.rawValue))
            #expect(had * 100 >= wanted * 80, "seed \(seed): an app every \(interval) ran \(had) of \(wanted) times")
        }
    }

    /// Every app answers at once and finds something new.
    private static func play(_ intervals: [Nanoseconds]) -> Outcome {
        var device = Device()
        var now = Moment.zero.advanced(by: start)
        var queue: [Event] = []
        for number in 1...count {
            queue.append(.appInstalled(app(number), .sample(Int(number), modes: [.fetch])))
            queue.append(.wakeOccurred(app(number), .backgroundFetch))
        }
        for (index, interval) in intervals.enumerated() {
            queue.append(.appRequested(launch(Int32(index + 1)), .setMinimumFetchInterval(interval)))
        }
        var outcome = Outcome()
        let end = now.wall + month
        while true {
            while !queue.isEmpty {
                var effects: [Effect] = []
                device.handle(queue.removeFirst(), at: now, into: &effects)
                for effect in effects { answer(effect, &queue, &outcome, intervals, at: now) }
            }
            guard let deadline = device.nextDeadline, deadline.at <= end else { return outcome }
            now = now.advanced(by: max(.zero, deadline.at - now.awake))
            if deadline.reason == .backgroundFetch { outcome.wakeUps += 1 }
            queue.append(.deadlineReached)
        }
    }

    private static func answer(
        _ effect: Effect, _ queue: inout [Event], _ outcome: inout Outcome, _ intervals: [Nanoseconds], at now: Moment
    ) {
        switch effect {
        case .start(let launch, _): queue += [.processStarted(launch), .appAttached(launch, .new)]
        case .send(let launch, .callback(let id, let callback)):
            queue.append(.appRequested(launch, .acknowledge(id, open: [])))
            if case .handleEvent = callback { queue.append(.appRequested(launch, .eventHandled(id, .newData))) }
        case .freeze(let launch, let attempt): queue.append(.processFroze(launch, attempt: attempt, footprint: 1))
        case .decided(.fetch(.offered(let app, _))):
            outcome.runs[app, default: 0] += 1
            let interval = intervals[Int(app.rawValue) - 1]
            let waited = now.wall - (outcome.last[app] ?? now.wall)
            outcome.longest = max(outcome.longest, waited.rawValue / (interval.rawValue / 100))
            outcome.last[app] = now.wall
        default: break
        }
    }
}
