import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T28, R-09: after the device's start, the app that was used last is started early, and waits.
    @Suite(.whereCgroupsFreeze) struct PrewarmTests {
        /// Two apps were used, `second` last. Afterwards the device was started.
        private func startDevice(_ system: TestSystem) throws {
            try system.install("Counter")
            try system.install("Counter", as: .second)
            try system.openApp(.counter)
            try system.openApp(.second)
            try system.restartDevice()
        }

        /// Waits until the app is frozen in its `main`. Polls, because no decision is reported.
        private func untilItWaits(_ system: TestSystem) throws -> HeldProcess {
            try system.until("the app is prewarmed and frozen", lookingAgainAfter: 0.05) {
                guard try system.summary(.second).pid != nil, try system.isFrozen(.second) else { return nil }
                return try system.process(.second)
            }
        }

        @Test(arguments: [false, true]) func startedEarlyItWaits(withPasscode: Bool) throws {
            try TestSystem.run { system in
                if withPasscode { try system.tell(.set(name: "passcode", value: "on", app: nil)) }
                try startDevice(system)
                let process = try untilItWaits(system)
                // Officially the app does not run, and no code of its delegate has run.
                let found = try system.summary(.second)
                #expect(found.state == .notRunning && found.assertions.isEmpty)
                let printed = try printedBefore(system)
                #expect(Kernel.text("/proc/\(process.pid)/environ")?.contains("ActivePrewarm=1") == true)
                #expect(try system.why(.second).map(\.kind).contains("prewarmed"))
                #expect(try system.summary(.counter).pid == nil, "only the other app is prewarmed")
                #expect(try system.status().isLocked == withPasscode)
                if withPasscode { try system.tell(.unlock) }
                #expect(try system.openApp(.second).pid == process.pid)
                #expect(system.callbacks(.second, from: printed) == ScenarioTests.launch)
                #expect(!process.isGone)
                // After a crash of the system it is found again, like any launched app.
                try system.crashAndRestart()
                #expect(try system.until(.second, is: .active).pid == process.pid)
            }
        }

        /// The number of lines that the app had printed when the system ended. The app has printed nothing since.
        private func printedBefore(_ system: TestSystem) throws -> Int {
            let lines = system.log(.second)
            #expect(lines.last?.hasPrefix("notification willTerminate") == true, "\(lines.last ?? "")")
            return lines.count
        }

        @Test func anEventLaunchesItIntoTheBackground() throws {
            try TestSystem.run { system in
                try startDevice(system)
                let process = try untilItWaits(system)
                let printed = try printedBefore(system)
                try system.tell(.wake(.second, .locationMonitoring))
                #expect(try system.until(.second, is: .suspended).pid == process.pid)
                #expect(system.callbacks(.second, from: printed) == WakeTests.launchedForLocation)
            }
        }

        /// The app's scene is connected at its launch, not before.
        @Test func withAScene() throws {
            try TestSystem.run(policy: "iOS27") { system in
                try system.install("Counter", as: .third, withScene: true)
                try system.openApp(.third)
                #expect(try system.terminate() == .code(0))
                let printed = system.log(.third).count
                try system.startAfterAnotherBoot()
                try system.until("the app is prewarmed and frozen", lookingAgainAfter: 0.05) {
                    try system.summary(.third).pid != nil && system.isFrozen(.third) ? true : nil
                }
                try system.openApp(.third)
                #expect(system.received(.third, from: printed).contains("callback sceneWillConnect"))
            }
        }

        /// The app was not launched, so the new system does not look for it.
        @Test func theSystemsRestartEndsIt() throws {
            try TestSystem.run { system in
                try startDevice(system)
                let process = try untilItWaits(system)
                try system.crashAndRestart()
                try process.waitUntilGone()
                #expect(try system.summary(.second).pid == nil)
                #expect(try system.openApp(.second).pid != process.pid)
            }
        }

        /// Without a cgroup, the process could not be recognized after the system's restart.
        @Test func withoutCgroupsNoAppIsPrewarmed() throws {
            if let obstacle = SetUp.signals.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(.signals) { system in
                try startDevice(system)
                #expect(system.usesSignals)
                #expect(try system.summary(.second).pid == nil)
                #expect(try !system.why(.second).map(\.kind).contains("prewarmed"))
                try system.openApp(.second)
            }
        }
    }
}
