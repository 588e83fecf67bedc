import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Finite-length tasks on real processes: invalid identifiers, names, threads, time left, and the cap.
    @Suite struct TaskRuleTests {
        /// The background time of each generation, as iOS has it (R-40). A real app gets exactly that.
        @Test(arguments: [
            ("iOS4", "600 s", 600.0), ("iOS7", "180 s", 180), ("iOS13", "30 s", 30), ("iOS26", "30 s", 30),
        ])
        func timeOfAGeneration(policy: String, text: String, seconds: Double) throws {
            try TestSystem.run(policy: policy) { system in
                try system.install("Counter", script: "didEnterBackground begin stay\n")
                try system.launch(.counter)
                try system.tell(.home)
                let granted = try system.until("the app is granted time") {
                    system.receivedDecisions.first { $0.kind == "time" }
                }
                #expect(granted.text == "has \(text) of background time")
                let left = try #require(try system.summary(.counter).timeRemaining)
                #expect(left <= .seconds(Int64(seconds)) && left > .zero)
                let printed = try system.untilPrinted(.counter, "notification didEnterBackground")
                let remaining = try #require(Self.remaining(printed))
                #expect(remaining <= seconds && remaining > 0, "\(printed)")
            }
        }

        /// The time remaining in a line of Counter's; nil if it is unlimited.
        private static func remaining(_ line: String) -> Double? {
            line.range(of: "remaining=").flatMap { Double(line[$0.upperBound...]) }
        }

        /// R-41: unlimited in the foreground, zero in the background without a task, an estimate with a task, and
        /// little when handlers are called. After a suspension the full time is available again.
        @Test func theTimeThatIsLeft() throws {
            // Long enough that no stall of the machine uses it up before it is printed.
            try TestSystem.run(settings: ["backgroundTime=10m"]) { system in
                try system.install("Counter", script: "didEnterBackground begin stay\n")
                try system.launch(.counter)
                try system.tell(.home)
                func remaining(_ start: String) throws -> Double? {
                    Self.remaining(try system.untilPrinted(.counter, start))
                }
                #expect(try remaining("callback didBecomeActive") == nil)
                #expect(try remaining("notification willResignActive") == nil)
                #expect(try remaining("callback didEnterBackground") == 0)
                #expect(try (0.1...600).contains(remaining("notification didEnterBackground") ?? 0))
            }
            let settings = ["backgroundTime=1500ms", "expirationLead=700ms", "expirationHandlers=700ms"]
            try TestSystem.run(settings: settings) { system in
                try system.install("Counter", script: "didEnterBackground begin stay\nperformFetch begin again 0.1\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                func remaining(_ start: String, from first: Int = 0) throws -> Double? {
                    Self.remaining(try system.untilPrinted(.counter, start, from: first))
                }
                #expect(try (0...0.7).contains(remaining("expired stay") ?? 1))
                let printed = system.log(.counter).count
                try system.tell(.wake(.counter, .backgroundFetch))
                try system.until("the second background period has its time") {
                    try system.why(.counter).count { $0.kind == "time" && $0.text.contains("1.5 s") } == 2 ? true : nil
                }
                try system.untilPrinted(.counter, "begun again", from: printed)
                try system.launch(.counter)
                #expect(try remaining("callback didBecomeActive", from: printed) == nil)
            }
        }

        /// R-45: the 1000th task may be begun; one more task ends the app. Until iOS 10 any number is allowed.
        @Test(arguments: [("iOS26", 1000, false), ("iOS26", 1001, true), ("iOS7", 1001, false)])
        func theCap(policy: String, count: Int, isKilled: Bool) throws {
            try TestSystem.run(policy: policy) { system in
                try system.install("Counter", script: "willResignActive begins \(count)\n")
                try system.launch(.counter)
                let process = try system.process(.counter)
                try system.tell(.home)
                if isKilled {
                    let end = try system.until(.counter, is: .notRunning)
                    #expect(process.isGone && end.lastEnd?.contains("0xbada5e47") == true, "\(end.lastEnd ?? "")")
                } else {
                    try system.untilInBackground(.counter)
                    let summary = try system.summary(.counter)
                    #expect(summary.openTasks.count == count && summary.pid == process.pid)
                }
            }
        }

        /// R-35: an app that cannot run in the background gets `.invalid`, and the system receives nothing.
        @Test func anAppWithoutBackgroundGetsNoTask() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "didBecomeActive begin upload\nwillResignActive end upload\n",
                    keys: "<key>UIApplicationExitsOnSuspend</key><true/>")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "begun upload 0")
                try system.tell(.home)
                let end = try system.until(.counter, is: .notRunning)
                #expect(end.lastEnd?.contains("exit code 0") == true, "\(end.lastEnd ?? "")")
                #expect(system.log(.counter).contains(Self.unknown))
                #expect(system.received(.counter).contains("callback willTerminate"))
                #expect(try !system.why(.counter).contains { $0.kind.hasPrefix("task") || $0.kind == "time" })
            }
        }

        private static let unknown =
            "Can't endBackgroundTask: no background task exists with identifier 0 (0x0), or it may have already been "
            + "ended. Break in UIApplicationEndBackgroundTaskError() to debug."

        /// Ending `.invalid`, in the background or in the foreground, only adds a line to the app's log.
        @Test func endingInvalidIsHarmless() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didBecomeActive end none\ndidEnterBackground end none\n")
                let pid = try system.launch(.counter).pid
                try system.suspend(.counter)
                #expect(system.log(.counter).count { $0 == Self.unknown } == 2)
                #expect(try !system.why(.counter).contains { $0.kind.hasPrefix("task") })
                #expect(try system.launch(.counter).pid == pid)
            }
        }

        /// R-37, R-42: a task is refused if it is begun after the handlers were called. The task's own handler is
        /// called at once, its end is no error, and it keeps nothing running.
        @Test func aTaskThatComesTooLateIsRefused() throws {
            try TestSystem.run(settings: TaskTests.shortened) { system in
                try system.install(
                    "Counter",
                    script: """
                        didEnterBackground begin stay
                        expire:stay begin late
                        expire:late end late
                        expire:late end stay

                        """)
                try system.launch(.counter)
                try system.suspend(.counter)
                let refused = try system.why(.counter).filter { $0.kind == "task-refused" }
                #expect(refused.map(\.text) == ["background task 2 \"late\" refused: the background time is up"])
                let log = system.log(.counter)
                #expect(log.count { $0 == "ended late" } == 1 && log.count { $0 == "handler of late main=true" } == 1)
                #expect(!log.contains { $0.hasPrefix("Can't endBackgroundTask") })
                #expect(try !system.why(.counter).contains { $0.kind == "task-unknown" })
            }
        }

        /// R-42: handlers are called on the main thread, regardless of the thread that began the task.
        @Test func handlersAreCalledOnTheMainThread() throws {
            try TestSystem.run(settings: TaskTests.shortened) { system in
                try system.install(
                    "Counter", script: "didEnterBackground begin here\ndidEnterBackground elsewhere there\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                let handlers = system.log(.counter).filter { $0.hasPrefix("handler of ") }
                #expect(handlers == ["handler of here main=true", "handler of there main=true"])
            }
        }

        /// R-36: the output shows the name that the app gives a task, otherwise the caller's name.
        @Test func theNameOfATaskIsDisplayed() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "didEnterBackground begin upload\ndidEnterBackground unnamed\n")
                try system.launch(.counter)
                try system.tell(.home)
                try system.untilInBackground(.counter)
                let made = "Called by begin(_:), from Tasks.swift:"
                let table = try system.roost("ps")
                #expect(table.exit == .code(0) && table.out.contains("upload, \(made)"), "\(table.out)")
                let why = try system.roost("why", "\(BundleIdentifier.counter)")
                #expect(why.out.contains("background task 1 \"upload\" is open"), "\(why.out)")
                #expect(why.out.contains("background task 2 \"\(made)"), "\(why.out)")
            }
        }
    }
}
