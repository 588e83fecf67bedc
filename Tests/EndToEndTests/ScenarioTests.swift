import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The four scenarios of a life cycle, by the app's own callbacks (K013–K016).
    @Suite struct ScenarioTests {
        static let launch = [
            "callback willFinishLaunching options=nil state=inactive",
            "callback didFinishLaunching state=inactive",
            "notification didFinishLaunching state=inactive",
            "callback didBecomeActive state=active",
            "notification didBecomeActive state=active",
        ]
        static let home = [
            "callback willResignActive state=active",
            "notification willResignActive state=active",
            "callback didEnterBackground state=background",
            "notification didEnterBackground state=background",
        ]
        static let comeBack = [
            "callback willEnterForeground state=background",
            "notification willEnterForeground state=background",
            "callback didBecomeActive state=active",
            "notification didBecomeActive state=active",
        ]

        @Test func launchHomeSuspendReturn() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                // Scenario 1: not running, inactive, active.
                let started = try system.launch(.counter)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                #expect(system.callbacks(.counter) == Self.launch)
                #expect(started.pid.flatMap { Kernel.state(of: $0) } != nil)
                try system.expectRunning(.counter)
                // Scenarios 2 and 4: active, inactive, background, suspended.
                let suspended = try system.suspend(.counter)
                #expect(system.callbacks(.counter) == Self.launch + Self.home)
                #expect(suspended.freezer == (system.usesSignals ? "stopped" : "frozen 1"))
                // Scenario 3: background, inactive, active, in the same process.
                let back = try system.launch(.counter)
                try system.untilPrinted(.counter, "notification didBecomeActive", from: 9)
                #expect(system.callbacks(.counter) == Self.launch + Self.home + Self.comeBack)
                #expect(back.pid == started.pid)
                try system.expectRunning(.counter)
                #expect(
                    try system.why(.counter).compactMap(\.state) == [
                        .inactive, .active, .inactive, .background, .suspended, .background, .inactive, .active,
                    ])
            }
        }

        /// the launch has no URL that the app could refuse.
        @Test func theLaunchContinuesIfACallbackReturnsFalse() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "willFinishLaunching refuse\n")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                #expect(system.callbacks(.counter) == Self.launch)
            }
        }

        @Test func noProcessorTimeWhileSuspended() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try system.launch(.counter)
                try system.untilCounted(.counter, more: 3)
                let suspended = try system.suspend(.counter)
                let pid = try #require(suspended.pid)
                try system.launch(.second)
                let before = Kernel.processorTime(of: pid)
                let count = system.count(.counter)
                // A window of about two seconds, by the clock of a running app.
                try system.untilCounted(.second, more: 20)
                #expect(Kernel.processorTime(of: pid) == before)
                #expect(before.count > 1, "a Swift app has several threads")
                #expect(system.count(.counter) == count)
                try system.expectFrozen(.counter)
            }
        }

        @Test func memoryIsIntactAfterThaw() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let started = try system.launch(.counter)
                try system.untilCounted(.counter, more: 5)
                try system.suspend(.counter)
                let count = try #require(system.count(.counter))
                // Only the app's memory still has the value that it continues from.
                try "0".write(
                    toFile: system.documents(.counter) + "/counter", atomically: true, encoding: .utf8)
                #expect(try system.launch(.counter).pid == started.pid)
                let next = try system.until("it continues") { system.count(.counter).flatMap { $0 == 0 ? nil : $0 } }
                #expect((count + 1...count + 3).contains(next), "\(count), then \(next)")
            }
        }
    }
}
