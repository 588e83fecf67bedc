import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Queues and timers that the SDK binds to the life cycle, in a real app under the real system.
    @Suite(.whereCgroupsFreeze) struct ActivationTests {
        private static let bound = ["timer", "queue", "operation"]

        /// K033, K035, K040: two queues that constantly receive work, and a timer.
        @Test func queuesAndTimersStopWhileTheAppIsNotActive() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didFinishLaunching bind\n")
                try system.openApp(.counter)
                try untilAllRun(system)
                // Interrupted, the app still runs; the bound queues and the timer do not.
                try system.tell(.interrupt(.call))
                try system.until(.counter, is: .inactive)
                // By now, work that had begun is done.
                try untilFed(1, system)
                let quiet = system.log(.counter).count
                try untilFed(5, system)
                let meanwhile = system.log(.counter).dropFirst(quiet)
                #expect(system.callbacks(.counter, from: quiet) == [])
                #expect(!meanwhile.contains { line in Self.bound.contains { line.hasPrefix($0) } }, "\(meanwhile)")
                // The waiting work is done in order, and no work is lost.
                let fed = try #require(numbers("fed", system).last)
                let dismissed = system.log(.counter).count
                try system.tell(.dismiss)
                for name in ["queue", "operation"] {
                    try system.until("\(name) \(fed) is done") { numbers(name, system).contains(fed) ? true : nil }
                    let done = numbers(name, system)
                    #expect(done == Array(1...done.count))
                }
                try system.untilPrinted(.counter, "timer", from: dismissed)
                // The binding also holds while the app is suspended and comes back: nothing bound runs before
                // `didBecomeActive`.
                try system.suspend(.counter)
                let left = system.log(.counter).count
                try system.openApp(.counter)
                try untilAllRun(system, from: left)
                let back = Array(system.log(.counter).dropFirst(left))
                let active = try #require(back.firstIndex { $0.hasPrefix("callback didBecomeActive") })
                #expect(!back[..<active].contains { line in Self.bound.contains { line.hasPrefix($0) } }, "\(back)")
            }
        }

        private func untilAllRun(_ system: TestSystem, from first: Int = 0) throws {
            for name in Self.bound { try system.untilPrinted(.counter, name, from: first) }
        }

        private func untilFed(_ times: Int, _ system: TestSystem) throws {
            let count = numbers("fed", system).count
            try system.until("the queues are fed") { numbers("fed", system).count >= count + times ? true : nil }
        }

        /// The numbers that an app has printed after `word`.
        private func numbers(_ word: String, _ system: TestSystem) -> [Int] {
            system.log(.counter).filter { $0.hasPrefix(word + " ") }.compactMap { Int($0.dropFirst(word.count + 1)) }
        }

        /// an expiring activity runs under a background task and is notified at expiry; the app is suspended, not
        /// killed.
        @Test func anExpiringActivityEndsWithItsTime() throws {
            try TestSystem.run(settings: TaskTests.shortened) { system in
                try system.install("Counter", script: "didEnterBackground activity tidy\n")
                let pid = try system.openApp(.counter).pid
                try system.tell(.home)
                try system.until("the task is granted") {
                    system.receivedDecisions.first { $0.text.contains("\"tidy\" is open") }
                }
                try system.untilPrinted(.counter, "activity tidy expired")
                #expect(try system.until(.counter, is: .suspended).pid == pid)
                try system.expectFrozen(.counter)
                let lines = system.log(.counter).filter { $0.hasPrefix("activity") }
                #expect(lines == ["activity tidy began", "activity tidy expired"])
            }
        }
    }
}
