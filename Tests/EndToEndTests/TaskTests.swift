import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Finite-length tasks: known at once, in effect until they end, and never longer than allowed.
    @Suite struct TaskTests {
        static let shortened = ["backgroundTime=1500ms", "expirationLead=700ms", "expirationHandlers=700ms"]

        @Test func taskIsKnownBeforeDidEnterBackgroundReturns() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "didEnterBackground begin upload\ndidEnterBackground wait gate\n")
                try system.makeGate(.counter)
                try system.launch(.counter)
                try system.tell(.home)
                try system.untilPrinted(.counter, "waits at gate")
                try system.until("the task is granted") { system.receivedDecisions.first { $0.kind == "task" } }
                // The main thread is blocked, so the callback cannot have been acknowledged.
                let blocked = try system.summary(.counter)
                #expect(blocked.openTasks.map(\.name) == ["upload"])
                #expect(blocked.assertions.contains("a callback"), "\(blocked.assertions)")
                #expect(blocked.state == .background)
                try system.openGate(.counter)
                try system.untilPrinted(.counter, "notification didEnterBackground")
                try system.until("the callback is acknowledged") {
                    try system.summary(.counter).assertions.contains("a callback") ? nil : true
                }
                let held = try system.summary(.counter)
                #expect(held.state == .background)
                #expect(held.timeRemaining != nil)
                try system.expectRunning(.counter)
            }
        }

        @Test func suspendedAsSoonAsTheLastTaskEnds() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter",
                    script: "didEnterBackground begin first 0.3\ndidEnterBackground begin second 0.6\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                #expect(system.log(.counter).filter { $0.hasPrefix("ending ") } == ["ending first", "ending second"])
                let lines = try system.why(.counter)
                #expect(lines.filter { $0.kind == "task-ended" }.count == 2)
                #expect(lines.filter { $0.kind == "suspending" }.count == 1, "no suspension between the two tasks")
                let last = try #require(lines.lastIndex { $0.kind == "task-ended" })
                #expect(lines[last...].map(\.kind).prefix(2) == ["task-ended", "suspending"], "suspended at once")
            }
        }

        /// Once time is up, the handler is called. An app that then does not end its task is killed, with the code of
        /// the policy in force.
        @Test(arguments: [("iOS26", "0x2182bad2"), ("iOS7", "0x8badf00d")])
        func killedWhenTimeIsUp(policy: String, code: String) throws {
            try TestSystem.run(policy: policy, settings: Self.shortened) { system in
                try system.install("Counter", script: "didEnterBackground begin stay\nexpire:stay say no\n")
                try system.launch(.counter)
                let process = try system.process(.counter)
                try system.tell(.home)
                let end = try system.until(.counter, is: .notRunning)
                #expect(process.isGone)
                #expect(end.lastEnd?.contains(code) == true, "\(end.lastEnd ?? "")")
                let log = system.log(.counter)
                #expect(log.contains { $0.hasPrefix("expired stay state=background") })
                #expect(log.contains("says no"))
                #expect(!log.contains { $0.contains("willTerminate") })
                let lines = try system.why(.counter)
                let order = ["time", "expiring", "terminating", "ended"]
                #expect(lines.map(\.kind).filter(order.contains) == order)
                #expect(lines.last { $0.kind == "terminating" }?.text.contains("stay") == true)
            }
        }

        @Test func suspendedWhenTheHandlerEndsTheTask() throws {
            try TestSystem.run(settings: Self.shortened) { system in
                try system.install("Counter", script: "didEnterBackground begin stay\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                #expect(system.log(.counter).contains("ended stay"))
                try system.launch(.counter)
            }
        }

        @Test func taskWithoutHandlerIsKilled() throws {
            try TestSystem.run(settings: Self.shortened) { system in
                try system.install("Counter", script: "didEnterBackground bare stay\n")
                try system.launch(.counter)
                try system.tell(.home)
                // K077: the warning comes at once, long before the time is up.
                try system.untilPrinted(.counter, "Background task 1 was begun without an expiration handler")
                #expect(try system.summary(.counter).pid != nil)
                let end = try system.until(.counter, is: .notRunning)
                #expect(end.lastEnd?.contains("0x2182bad2") == true, "\(end.lastEnd ?? "")")
            }
        }

        /// The sample that never returns from `didEnterBackground` (K085), with the limit of iOS.
        @Test func endlessLoopIsEndedByTheWatchdog() throws {
            try TestSystem.run { system in
                try system.install("EndlessLoop")
                try system.launch(.endlessLoop)
                try system.tell(.home)
                let end = try system.until(.endlessLoop, is: .notRunning)
                let text = try #require(end.lastEnd)
                #expect(text.contains("didEnterBackground") && text.contains("0x8badf00d"), "\(text)")
                let lines = try system.why(.endlessLoop)
                let began = try #require(lines.last { $0.state == .background }).time
                let ended = try #require(lines.last { $0.kind == "terminating" }).time
                // A busy machine delays the end; nothing makes it early.
                #expect(ended - began >= .milliseconds(4_900))
                #expect(system.log(.endlessLoop).contains { $0.contains("background") })
            }
        }

        @Test func taskOfAKilledAppIsGone() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin upload\n")
                try system.launch(.counter)
                try system.tell(.home)
                try system.until("the task is granted") { system.receivedDecisions.first { $0.kind == "task" } }
                try system.process(.counter).send(9)
                let end = try system.until(.counter, is: .notRunning)
                #expect(end.lastEnd?.contains("signal 9") == true, "\(end.lastEnd ?? "")")
                #expect(end.openTasks.isEmpty && end.assertions.isEmpty)
                #expect(end.pid == nil && end.place == nil && end.timeRemaining == nil)
                // The next launch has no open task.
                try system.launch(.counter)
                #expect(try system.summary(.counter).openTasks.isEmpty)
            }
        }
    }
}
