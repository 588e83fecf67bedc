import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// SIGKILL ends the supervisor, its guardian, or both. Apps do not notice, and the next supervisor finds them.
    @Suite struct RecoveryTests {
        /// The callback the app is in when the system dies.
        struct Step: Sendable, CustomTestStringConvertible {
            enum Journey: String, CaseIterable { case launch, home, comeBack }
            let journey: Journey
            let callback: String
            /// Whether the app finishes the callback while no system runs, or after the next system has started.
            let isFinishedAlone: Bool

            var testDescription: String { "\(journey): \(callback)\(isFinishedAlone ? ", finished alone" : "")" }
            var isToFront: Bool { journey != .home }

            static let all: [Step] = [
                (Journey.launch, "didFinishLaunching"), (.launch, "didBecomeActive"), (.home, "willResignActive"),
                (.home, "didEnterBackground"), (.comeBack, "willEnterForeground"), (.comeBack, "didBecomeActive"),
            ].flatMap { journey, callback in
                [true, false].map { Step(journey: journey, callback: callback, isFinishedAlone: $0) }
            }
        }

        @Test(arguments: Step.all)
        func inTheMiddleOfACallback(step: Step) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.makeGate(.counter)
                if step.journey != .launch { try system.launch(.counter) }
                if step.journey == .comeBack { try system.suspend(.counter) }
                try system.script(.counter, "\(step.callback) wait gate\n")
                try system.tell(step.isToFront ? .launch(.counter) : .home)
                try system.untilPrinted(.counter, "waits at gate")
                let pid = try system.pid(.counter)
                try system.crash()
                try system.script(.counter, "")
                if step.isFinishedAlone {
                    try system.openGate(.counter)
                    try system.untilPrinted(.counter, "notification \(step.callback)", from: lastWait(in: system))
                    try system.start()
                } else {
                    try system.start()
                    try system.openGate(.counter)
                }
                let found = try system.until(.counter, is: step.isToFront ? .active : .suspended)
                #expect(found.pid == pid)
                // Each callback is called once, in the same order as without the crash.
                try system.until("every callback is printed") {
                    system.callbacks(.counter).count == expected(step).count ? true : nil
                }
                #expect(system.callbacks(.counter) == expected(step))
                try goOn(system, from: step.isToFront ? .active : .suspended, pid: pid)
            }
        }

        private func lastWait(in system: TestSystem) -> Int {
            system.log(.counter).lastIndex { $0.hasPrefix("waits at") } ?? 0
        }

        private func expected(_ step: Step) -> [String] {
            let (launch, home) = (ScenarioTests.launch, ScenarioTests.home)
            switch step.journey {
            case .launch: return launch
            case .home: return launch + home
            case .comeBack: return launch + home + ScenarioTests.comeBack
            }
        }

        /// The app's life continues as if there had been no crash.
        private func goOn(_ system: TestSystem, from state: AppState, pid: Int32) throws {
            if state == .active { try system.suspend(.counter) }
            #expect(try system.launch(.counter).pid == pid)
            try system.expectRunning(.counter)
            #expect(try system.suspend(.counter).pid == pid)
        }

        @Test func beforeTheAppHasConnected() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                // The reply comes as soon as the process exists, long before its program has done anything.
                try system.tell(.launch(.counter))
                let pid = try system.pid(.counter)
                try system.crashAndRestart()
                #expect(try system.until(.counter, is: .active).pid == pid)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                #expect(system.callbacks(.counter) == ScenarioTests.launch)
                try goOn(system, from: .active, pid: pid)
            }
        }

        @Test(arguments: TestSystem.Victim.allCases)
        func withATaskOpen(victim: TestSystem.Victim) throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "didEnterBackground begin upload\nwillEnterForeground end upload\n")
                try system.launch(.counter)
                try system.tell(.home)
                try system.untilPrinted(.counter, "notification didEnterBackground")
                let pid = try system.pid(.counter)
                try system.crashAndRestart(victim)
                let found = try system.until("the task is declared again") {
                    let summary = try system.summary(.counter)
                    return summary.openTasks.isEmpty ? nil : summary
                }
                #expect(found.pid == pid && found.state == .background)
                #expect(found.openTasks.map(\.name) == ["upload"])
                #expect(found.timeRemaining != nil, "the background time is still limited")
                try system.expectRunning(.counter)
                try system.launch(.counter)
                #expect(try system.summary(.counter).openTasks.isEmpty)
                try system.script(.counter, "")
                try goOn(system, from: .active, pid: pid)
            }
        }

        @Test func aTaskEndsWhileNoSystemRuns() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin upload 0.5\n")
                try system.launch(.counter)
                try system.tell(.home)
                try system.untilPrinted(.counter, "notification didEnterBackground")
                try system.crash()
                try system.untilPrinted(.counter, "ending upload")
                try system.start()
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }

        @Test(.whereCgroupsFreeze, arguments: TestSystem.Victim.allCases)
        func frozenStaysFrozen(victim: TestSystem.Victim) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let pid = try #require(try system.suspend(.counter).pid)
                let cgroup = try #require(Kernel.cgroup(of: pid))
                let used = Kernel.processorTime(of: pid)
                try system.crash(victim)
                #expect(Kernel.isFrozen(cgroup: cgroup))
                try system.start()
                #expect(try system.summary(.counter).state == .suspended)
                #expect(Kernel.isFrozen(cgroup: cgroup))
                #expect(Kernel.processorTime(of: pid) == used)
                // The next event thaws the app: it connects, gets its time, and is suspended again.
                try system.tell(.wake(.counter, .locationMonitoring))
                #expect(try system.until(.counter, is: .suspended).pid == pid)
                try system.crashAndRestart()
                #expect(try system.launch(.counter).pid == pid)
                try goOn(system, from: .active, pid: pid)
            }
        }

        @Test(arguments: TestSystem.Victim.allCases)
        func aForegroundAppWithoutPendingWorkSurvivesAKill(victim: TestSystem.Victim) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                let pid = try system.pid(.counter)
                for _ in 1...3 { try system.crashAndRestart(victim) }
                #expect(try system.until(.counter, is: .active).pid == pid)
                #expect(system.callbacks(.counter) == ScenarioTests.launch)
                try goOn(system, from: .active, pid: pid)
            }
        }

        @Test func anAppThatEndsWhileNoSystemRunsIsRecorded() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                try system.crash()
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.start()
                let lost = try system.until(.counter, is: .notRunning)
                #expect(lost.lastEnd?.contains("signal 9") == true, "\(lost.lastEnd ?? "")")
                #expect(try system.launch(.counter).pid != process.pid)
            }
        }

        @Test(arguments: TestSystem.Victim.allCases)
        func adoptedAppIsFoundAgain(victim: TestSystem.Victim) throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=500ms"]) { system in
                try system.install("Clock")
                let pid = try #require(try system.launch(.clock).pid)
                try system.crashAndRestart(victim)
                #expect(try system.until(.clock, is: .active).pid == pid)
                try system.suspend(.clock)
                try system.crashAndRestart(victim)
                #expect(try system.summary(.clock).state == .suspended)
                try system.expectFrozen(.clock)
                #expect(try system.launch(.clock).pid == pid)
                try system.expectRunning(.clock)
            }
        }

        /// An app that was being ended is ended, and does not run again.
        @Test func whileAnAppIsBeingEnded() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "willTerminate wait gate\n")
                try system.makeGate(.counter)
                try system.launch(.counter)
                let process = try system.process(.counter)
                try system.tell(.quit(.counter))
                try system.untilPrinted(.counter, "waits at gate")
                try system.crashAndRestart()
                #expect(try system.until(.counter, is: .notRunning).isForceQuit)
                try process.waitUntilGone()
            }
        }

        @Test func duringABackgroundLaunch() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didFinishLaunching wait gate\n")
                try system.makeGate(.counter)
                try system.tell(.wake(.counter, .locationMonitoring))
                try system.untilPrinted(.counter, "waits at gate")
                let pid = try system.pid(.counter)
                try system.crashAndRestart()
                try system.openGate(.counter)
                #expect(try system.until(.counter, is: .suspended).pid == pid)
                try system.expectFrozen(.counter)
                #expect(system.callbacks(.counter) == WakeTests.launchedForLocation)
            }
        }
    }
}
