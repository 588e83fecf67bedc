import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The guardian: exit codes outlive the supervisor, the guardian restarts the supervisor, and no app stays frozen
    /// forever.
    @Suite struct GuardianTests {
        // MARK: Exit codes

        @Test(arguments: SetUp.allCases)
        func exitCodeOutlivesTheSupervisor(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp) { system in
                try system.install("Counter", script: "didBecomeActive wait gate\ndidBecomeActive exit 7\n")
                try system.makeGate(.counter)
                try system.tell(.launch(.counter))
                try system.untilPrinted(.counter, "waits at gate")
                let process = try system.process(.counter)
                try system.crash()
                try system.openGate(.counter)
                try process.waitUntilGone()
                try system.start()
                #expect(try system.summary(.counter).lastEnd?.contains("exit code 7") == true)
                let (why, list) = (
                    try system.roost("why", "\(BundleIdentifier.counter)"), try system.roost("ps", "--json")
                )
                #expect(why.out.contains("exit code 7"), "\(why.out)")
                #expect(list.out.contains("exit code 7"), "\(list.out)")
                // The same while a supervisor runs.
                try system.script(.counter, "didBecomeActive exit 8\n")
                try system.tell(.launch(.counter))
                let end = try system.until("the app ends with code 8") {
                    let end = try system.summary(.counter).lastEnd
                    return end?.contains("exit code 8") == true ? end : nil
                }
                #expect(end.contains("exit code 8"))
            }
        }

        /// The app may be reaped before the system could look at its process.
        @Test func anAppThatEndsAtOnce() throws {
            try TestSystem.run { system in
                let bundle = try system.copyOfExample("Clock")
                let script = bundle + "/clock.sh"
                try "#!/bin/sh\nexit 5\n".write(toFile: script, atomically: false, encoding: .utf8)
                try system.tell(.install(path: bundle, replacing: false))
                for _ in 1...20 {
                    let ends = try endings(system)
                    try system.tell(.launch(.clock))
                    try system.until("the app has ended") { try endings(system) > ends ? true : nil }
                    #expect(try system.summary(.clock).lastEnd?.contains("exit code 5") == true)
                }
            }
        }

        /// While the guardian tries to start a supervisor, no command says that no system runs.
        @Test func commandsKnowThatTheSupervisorIsStartedAgain() throws {
            try TestSystem.run(mayReportErrors: true) { system in
                let (store, kept) = (system.state + "/store.db", system.state + "/kept")
                try #require(rename(store, kept) == 0 && mkdir(store, 0o700) == 0)
                let supervisor = try #require(system.supervisor)
                supervisor.send(SIGKILL)
                try supervisor.waitUntilGone()
                let (exit, _, err) = try system.roost("ps")
                #expect(exit == .code(69) && err.contains("try again in a moment"), "\(err)")
                #expect(!err.contains("roost up"), "\(err)")
                try #require(rmdir(store) == 0 && rename(kept, store) == 0)
                try system.untilUpAgain()
                #expect(try system.roost("ps").exit == .code(0))
            }
        }

        private func endings(_ system: TestSystem) throws -> Int {
            try system.why(.clock).count { $0.kind == "ended" }
        }

        // MARK: The supervisor comes back

        @Test func aKilledSupervisorIsRestartedAtOnce() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let (pid, guardian) = (try system.pid(.counter), try #require(system.guardian))
                for _ in 1...3 {
                    let supervisor = try #require(system.supervisor)
                    supervisor.send(SIGKILL)
                    try system.untilUpAgain()
                    #expect(system.supervisor?.pid != supervisor.pid)
                }
                let status = try #require(try system.ask(.status).status)
                #expect(status.guardian == guardian.pid)
                #expect(try system.until(.counter, is: .active).pid == pid)
                #expect(system.callbacks(.counter) == ScenarioTests.launch)
                #expect(try system.terminate() == .code(0))
            }
        }

        /// The Swift runtime's backtrace of a crash takes long. The backtrace is off unless the environment asks for
        /// it.
        @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV]) func aCrashIsFollowedByANewSupervisorAndNoBacktrace(
            signal: Int32
        ) throws {
            try TestSystem.run { system in
                let supervisor = try #require(system.supervisor)
                let environment = try #require(Kernel.text("/proc/\(supervisor.pid)/environ"))
                #expect(environment.split(separator: "\0").contains("SWIFT_BACKTRACE=enable=no"))
                supervisor.send(signal)
                try system.untilUpAgain()
                #expect(system.supervisor?.pid != supervisor.pid)
                #expect(!system.systemLog.contains("Backtrace"))
            }
        }

        /// The store's file is damaged while no supervisor runs.
        @Test(arguments: [SetUp.asFound, .signals])
        func withoutASupervisorNothingStaysFrozen(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp, settings: ["supervisorAbsence=1s"], mayReportErrors: true) { system in
                let (frozen, running) = try frozenAndRunning(system)
                try system.crash()
                for suffix in ["", "-wal", "-shm"] { unlink(system.state + "/store.db" + suffix) }
                try "no database".write(toFile: system.state + "/store.db", atomically: false, encoding: .utf8)
                let begin = ContinuousClock.now
                system.letGuardianGoOn()
                #expect(try system.guardian?.exit() == .code(1))
                #expect(ContinuousClock.now - begin > .milliseconds(900), "not before the time limit")
                try expectRelease(system, frozen, running)
                #expect(system.systemLog.contains("no supervisor has come up in 1 s"), "\(system.systemLog)")
            }
        }

        /// A suspended app, and an app that runs in the foreground.
        private func frozenAndRunning(_ system: TestSystem) throws -> (frozen: HeldProcess, running: HeldProcess) {
            try system.install("Counter")
            try system.launch(.counter)
            try system.suspend(.counter)
            try system.install("Counter", as: .second)
            try system.launch(.second)
            return (try system.process(.counter), try system.process(.second))
        }

        /// The suspended app has ended; the other app still runs, undisturbed.
        private func expectRelease(_ system: TestSystem, _ frozen: HeldProcess, _ running: HeldProcess) throws {
            try frozen.waitUntilGone()
            #expect(!running.isGone)
            try system.untilCounted(.second, more: 2)
            if !system.usesSignals, let cgroup = Kernel.cgroup(of: running.pid) {
                #expect(!Kernel.isFrozen(cgroup: cgroup))
            }
        }

        // MARK: The guardian dies

        @Test(arguments: [SetUp.asFound, .signals])
        func withoutAGuardianNothingStaysFrozen(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp, settings: ["supervisorAbsence=500ms"]) { system in
                let (frozen, running) = try frozenAndRunning(system)
                let supervisor = try #require(system.supervisor)
                try system.crash(.guardian)
                try expectRelease(system, frozen, running)
                try supervisor.waitUntilGone()
                try system.start()
                #expect(try system.until(.second, is: .active).pid == running.pid)
                #expect(try system.until(.counter, is: .notRunning).pid == nil)
            }
        }

        /// A new system that starts in time finds everything as it was. The old supervisor ends and disturbs nothing.
        @Test(.whereCgroupsFreeze) func newSystemInTime() throws {
            try TestSystem.run { system in
                let (frozen, running) = try frozenAndRunning(system)
                let left = try #require(system.supervisor)
                try system.crashAndRestart(.guardian)
                // The old supervisor has nothing left to wait for.
                try left.waitUntilGone()
                #expect(!frozen.isGone && !running.isGone)
                #expect(try system.summary(.counter).state == .suspended)
                try system.expectFrozen(.counter)
                #expect(try system.launch(.counter).pid == frozen.pid)
            }
        }

        // MARK: A supervisor that hangs

        @Test func aStoppedSupervisorIsReplaced() throws {
            try TestSystem.run(settings: ["supervisorHang=5s"]) { system in
                try system.install("Counter")
                let pid = try #require(try system.launch(.counter).pid)
                let supervisor = try #require(system.supervisor)
                supervisor.send(SIGSTOP)
                try system.untilUpAgain()
                #expect(supervisor.isGone && system.systemLog.contains("has made no progress for 5 s"))
                #expect(try system.until(.counter, is: .active).pid == pid)
            }
        }

        /// No signal has stopped a supervisor that hangs in a system call. The guardian notices only the missing
        /// heartbeat.
        @Test func aHangingSupervisorIsReplaced() throws {
            if getuid() != 0 { try Test.cancel("only root can trace a process that is not its child") }
            try TestSystem.run(settings: ["supervisorHang=5s"]) { system in
                try system.install("Counter")
                let pid = try #require(try system.launch(.counter).pid)
                let (guardian, supervisor) = (try #require(system.guardian), try #require(system.supervisor))
                let tracer = try holdNextAccept(of: supervisor, in: system)
                defer { tracer.kill() }
                // The supervisor's loop takes this connection, and is held in `accept4`.
                let caller = try RawConnection(system.controlSocket)
                try system.until("the guardian notices that the supervisor hangs") {
                    system.systemLog.contains("the supervisor has made no progress for 5 s") ? true : nil
                }
                // A killed process that strace delays ends only once strace has ended.
                tracer.kill()
                try withExtendedLifetime(caller) { try system.untilUpAgain() }
                #expect(supervisor.isGone && system.supervisor?.pid != supervisor.pid)
                #expect(try system.status().guardian == guardian.pid)
                #expect(try system.until(.counter, is: .active).pid == pid)
            }
        }

        /// Makes strace hold a process's main thread in its next `accept4`, for longer than a test lasts. Returns
        /// strace.
        private func holdNextAccept(of process: HeldProcess, in system: TestSystem) throws -> ChildProcess {
            let said = system.directory + "/strace.txt"
            let tracer = try ChildProcess(
                [
                    "strace", "-o", "/dev/null", "-p", "\(process.pid)", "-e", "trace=accept4",
                    "-e", "inject=accept4:delay_enter=600000000",
                ], environment: system.environment, output: said)
            system.follow(said)
            // Once strace prints this, it sees every further system call.
            try system.until("strace traces the supervisor", also: [tracer.held]) {
                let text = Kernel.text(said) ?? ""
                if tracer.held.isGone { throw TestFailure(description: "strace has ended: \(text)") }
                return text.contains("attached") ? true : nil
            }
            return tracer
        }

        /// A second signal also ends a system whose supervisor does not react.
        @Test func aSecondSignalEndsAStoppedSupervisor() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let (guardian, process) = (try #require(system.guardian), try system.process(.counter))
                try #require(system.supervisor).send(SIGSTOP)
                guardian.held.send(SIGTERM)
                // A signal of another kind: two pending signals of the same kind may be received as one.
                guardian.held.send(SIGINT)
                #expect(try guardian.exit() == .code(0))
                #expect(system.systemLog.contains("did not shut the system down in time"))
                #expect(process.isGone)
            }
        }

        // MARK: When memory runs out

        /// The order in which the kernel ends processes. Only with CAP_SYS_RESOURCE may the system lower its own score.
        @Test func memoryScoresFollowTheOrderOfEnds() throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=60s"]) { system in
                func score(_ pid: Int32) -> Int? {
                    Kernel.text("/proc/\(pid)/oom_score_adj").flatMap { Int($0.split(separator: "\n").first ?? "") }
                }
                // The system sets the score in the background, and does not report when it has.
                func until(_ pid: Int32, has wanted: Int) throws {
                    try system.until("process \(pid) has the score \(wanted)", lookingAgainAfter: 0.02) {
                        score(pid) == wanted ? true : nil
                    }
                }
                let own = try #require(score(getpid()))
                // The system has the same rights as this child.
                let lower = ["sh", "-c", "echo -900 > /proc/self/oom_score_adj"]
                let ofSystem = try system.run(lower).exit == .code(0) ? -900 : own
                let guardian = try #require(system.guardian), supervisor = try #require(system.supervisor)
                #expect(score(guardian.pid) == ofSystem)
                #expect(score(supervisor.pid) == ofSystem)
                // Without the right, no app's score is below the system's.
                let inForeground = max(0, ofSystem)
                try system.install("Counter")
                let pid = try #require(try system.launch(.counter).pid)
                try until(pid, has: inForeground)
                try system.suspend(.counter)
                try until(pid, has: max(900, inForeground))
                try system.install("Clock")
                let clock = try #require(try system.launch(.clock).pid)
                try system.tell(.home)
                try system.until(.clock, is: .background)
                try until(clock, has: max(300, inForeground))
                try system.launch(.counter)
                try until(pid, has: inForeground)
            }
        }

        // MARK: Handing over

        @Test(.whereCgroupsFreeze) func restartLeavesAppsAsTheyAre() throws {
            try TestSystem.run { system in
                let (frozen, running) = try frozenAndRunning(system)
                try system.install("Counter", as: .third, script: "didEnterBackground begin upload\n")
                try system.launch(.third)
                try system.tell(.launch(.second))
                try system.until(.third, is: .background)
                let cgroup = try #require(Kernel.cgroup(of: frozen.pid))
                let used = Kernel.processorTime(of: frozen.pid)
                let (old, third) = (try #require(system.supervisor), try system.pid(.third))
                let restart = try system.roost("restart")
                #expect(restart.exit == .code(0), "\(restart.err)")
                #expect(restart.out.hasPrefix("restarted: Roost "), "\(restart.out)")
                #expect(Kernel.isFrozen(cgroup: cgroup))
                try system.connect()
                #expect(old.isGone && system.supervisor?.pid != old.pid)
                #expect(try system.summary(.counter).state == .suspended)
                #expect(try system.pid(.counter) == frozen.pid && system.pid(.second) == running.pid)
                #expect(Kernel.processorTime(of: frozen.pid) == used, "the suspended app has used no CPU time")
                let found = try system.until("the task is declared again") {
                    let summary = try system.summary(.third)
                    return summary.openTasks.isEmpty ? nil : summary
                }
                #expect(found.pid == third && found.openTasks.map(\.name) == ["upload"])
                try system.until(.second, is: .active)
                try system.untilCounted(.second, more: 2)
                #expect(try system.launch(.counter).pid == frozen.pid)
                #expect(try system.terminate() == .code(0))
            }
        }

        /// The program is replaced under a running system: first by another program, then by a file that cannot be
        /// executed.
        @Test func restartRunsTheInstalledProgram() throws {
            try TestSystem.run(starting: false) { system in
                let (files, place) = (FileManager.default, system.directory + "/bin")
                try files.createDirectory(atPath: place, withIntermediateDirectories: true)
                func replace(by put: (String) throws -> Void) throws {
                    try put(place + "/new")
                    #expect(rename(place + "/new", place + "/roost") == 0)
                }
                try TestSystem.copyPrograms(["roost", "roost-guardian"], to: place)
                system.program = place + "/roost"
                try system.start()
                try system.install("Clock")
                let pid = try #require(try system.launch(.clock).pid)
                try replace { try files.copyItem(atPath: TestSystem.program, toPath: $0) }
                try restart(system)
                #expect(try program(of: system.supervisor) == place + "/roost")
                #expect(try program(of: system.guardian?.held) == place + "/roost-guardian")
                try replace {
                    try "#!/nonexistent\n".write(toFile: $0, atomically: false, encoding: .utf8)
                    chmod($0, 0o755)
                }
                try restart(system)
                // The guardian has a descriptor of the program of `roost up`.
                #expect(try program(of: system.supervisor) == place + "/roost (deleted)")
                #expect(try system.until(.clock, is: .active).pid == pid)
            }
        }

        /// The guardian's program is missing, or is started by hand.
        @Test func theProgramIsMissing() throws {
            try TestSystem.run(starting: false) { system in
                try TestSystem.copyPrograms(["roost"], to: system.directory)
                let up = try system.run(["\(system.directory)/roost", "up", "--state", system.state])
                #expect(up.exit == .code(1) && up.err.contains("install roost-guardian beside roost"), "\(up.err)")
                let guardian = TestSystem.products.appendingPathComponent("roost-guardian").path
                let byHand = try system.run([guardian, "up"])
                #expect(byHand.exit == .code(64) && byHand.err.contains("roost up"), "\(byHand.err)")
            }
        }

        private func restart(_ system: TestSystem) throws {
            let (exit, _, err) = try system.roost("restart")
            #expect(exit == .code(0) && err.isEmpty, "\(err)")
            try system.connect()
        }

        private func program(of process: HeldProcess?) throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(try #require(process).pid)/exe")
        }

        @Test func restartWithoutASystem() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.roost("restart")
                #expect(exit == .code(69) && err.contains("roost up"), "\(err)")
            }
        }

        // MARK: Signals

        /// A terminal's Ctrl-C goes to every process in the foreground, and still counts as one signal to the system.
        @Test func interruptReachesTheSystemOnce() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let guardian = try #require(system.guardian)
                #expect(kill(-guardian.pid, SIGINT) == 0)
                #expect(try guardian.exit() == .code(0))
                #expect(system.systemLog.split(separator: "\n").count { $0.contains("shutting down") } == 1)
                #expect(system.received(.counter).last == "notification willTerminate")
            }
        }

        @Test func secondInterruptDoesNotWait() throws {
            // Longer than the test waits for the end.
            try TestSystem.run(settings: ["terminate=5m", "shutdown=5m"]) { system in
                try system.install("Counter", script: "willTerminate wait gate\n")
                try system.makeGate(.counter)
                try system.launch(.counter)
                let (guardian, process) = (try #require(system.guardian), try system.process(.counter))
                guardian.held.send(SIGINT)
                try system.untilPrinted(.counter, "waits at gate")
                guardian.held.send(SIGINT)
                #expect(try guardian.exit() == .code(0))
                #expect(process.isGone)
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        func everyEndingSignal(signal: Int32) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let process = try system.process(.counter)
                #expect(try system.terminate(by: signal) == .code(0))
                #expect(process.isGone)
                #expect(system.received(.counter).last == "notification willTerminate")
            }
        }

        /// The device is switched off: no app is notified (T19).
        @Test func devicesShutdownIsNotAnnounced() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                let (process, received) = (try system.process(.counter), system.received(.counter))
                #expect(try system.terminate(by: SIGPWR) == .code(0))
                #expect(process.isGone)
                #expect(system.received(.counter) == received)
            }
        }

        /// The supervisor dies while it shuts the system down. Its successor continues the shutdown.
        @Test func shutdownOutlivesTheSupervisor() throws {
            // Longer than the test waits for the end.
            try TestSystem.run(settings: ["terminate=5m", "shutdown=5m"]) { system in
                try system.install("Counter", script: "willTerminate wait gate\n")
                try system.makeGate(.counter)
                try system.launch(.counter)
                let (guardian, supervisor) = (try #require(system.guardian), try #require(system.supervisor))
                guardian.held.send(SIGTERM)
                try system.untilPrinted(.counter, "waits at gate")
                let process = try #require(HeldProcess(try system.pid(.counter)))
                supervisor.send(SIGKILL)
                try system.openGate(.counter)
                #expect(try guardian.exit() == .code(0))
                #expect(process.isGone)
            }
        }
    }
}
