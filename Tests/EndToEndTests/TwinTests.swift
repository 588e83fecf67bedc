import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// A copy of a state directory, and commands with another environment than their system's.
    @Suite struct TwinTests {
        /// A copy made by `cp -a`, and the system that runs for it.
        private final class Copy {
            let system: TestSystem
            let state: String
            private var guardian: ChildProcess?

            init(of system: TestSystem) throws {
                self.system = system
                state = system.directory + "/copy"
                let (exit, _, err) = try system.run(["cp", "-a", system.state, state])
                try #require(exit == .code(0), "\(err)")
            }

            var id: String? { Kernel.text(state + "/system-id")?.split(separator: "\n").first.map(String.init) }
            private var log: String { system.directory + "/copy.log" }
            var said: String { Kernel.text(log) ?? "" }

            func roost(_ arguments: String...) throws -> (exit: Exit, out: String, err: String) {
                try system.run([TestSystem.program] + arguments, adding: ["ROOST_STATE": state])
            }

            func start() throws {
                let command = system.setUp.wrap([TestSystem.program, "up"], subtree: system.subtree)
                unlink(log)
                let child = try ChildProcess(
                    command, environment: system.environment.merging(["ROOST_STATE": state]) { $1 }, output: log)
                guardian = child
                try system.until("the copy's system is up", also: [child.held]) {
                    try #require(!child.held.isGone, "\(said)")
                    return said.contains("the system is up") ? true : nil
                }
            }

            func terminate() throws {
                let guardian = try #require(guardian)
                guardian.held.send(SIGTERM)
                #expect(try guardian.exit() == .code(0), "\(said)")
            }

            deinit {
                guardian?.kill()
                guard let id, id != system.systemID else { return }
                for mount in Kernel.cgroupMounts { Kernel.dissolve("\(mount)/roost-\(id)") }
            }
        }

        /// Both systems run at once, and neither touches the other's apps, also if apps are stopped by SIGSTOP.
        @Test(arguments: [SetUp.asFound, .signals])
        func aCopyRunsBesideTheOriginal(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp) { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.launch(.second)
                let pids = try (system.pid(.counter), system.pid(.second))
                let copy = try Copy(of: system)
                // The copy is not yet a separate system, and not the original's either.
                #expect(try copy.roost("ps").exit == .code(EX_UNAVAILABLE))
                #expect(try copy.roost("thaw").exit == .code(EX_UNAVAILABLE))
                try system.expectFrozen(.counter)

                try copy.start()
                #expect(copy.said.contains("is a copy of another's"), "\(copy.said)")
                let id = try #require(copy.id)
                #expect(id != system.systemID)
                try expectUnharmed(system, pids)
                let listed = try copy.roost("ps", "--json")
                #expect(listed.exit == .code(0) && !listed.out.contains("\"pid\""), "\(listed)")

                // The apps of the copy have their data, with the owner that the uids of this system require.
                let app = "\(BundleIdentifier.counter)"
                #expect(try copy.roost("launch", app).exit == .code(0))
                try system.until("the copy's app runs") {
                    try copy.roost("ps", "--json").out.contains("\"pid\"") ? true : nil
                }
                var (container, script) = (stat(), stat())
                let home = "\(copy.state)/containers/\(app)"
                #expect(stat(home, &container) == 0 && stat(home + "/Documents/script", &script) == 0)
                #expect(container.st_uid == script.st_uid)
                try expectUnharmed(system, pids)
                try copy.terminate()
                try expectUnharmed(system, pids)

                try copy.start()
                #expect(copy.id == id && !copy.said.contains("is a copy of another's"))
                try copy.terminate()
                #expect(try system.launch(.counter).pid == pids.0)
            }
        }

        private func expectUnharmed(_ system: TestSystem, _ pids: (Int32, Int32)) throws {
            #expect(try system.summary(.counter).state == .suspended && system.pid(.counter) == pids.0)
            #expect(try system.summary(.second).state == .active && system.pid(.second) == pids.1)
            try system.expectFrozen(.counter)
            try system.expectRunning(.second)
            #expect(try system.roost("ps").exit == .code(0))
        }

        /// Two directories of an older layout have the same id, so the second system does not start.
        @Test func twoSystemsOfOneID() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let copy = try Copy(of: system)
                try #require(unlink(copy.state + "/directory-id") == 0)
                let (exit, _, err) = try copy.roost("up")
                #expect(exit == .code(1) && err.contains("a system with the same id runs"), "\(err)")
                #expect(try system.roost("ps").exit == .code(0))
                try system.launch(.counter)
            }
        }

        @Test func aDirectoryThatWasRestoredKeepsItsID() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                #expect(try system.terminate() == .code(0))
                let id = system.systemID
                let copy = try Copy(of: system)
                let refused = try copy.roost("restore")
                #expect(refused.exit == .code(1) && refused.err.contains("is still at \(system.state)"), "\(refused)")
                try FileManager.default.removeItem(atPath: system.state)
                let restored = try copy.roost("restore")
                #expect(restored.exit == .code(0) && restored.out.contains(id), "\(restored)")
                try copy.start()
                #expect(copy.id == id && !copy.said.contains("is a copy of another's"), "\(copy.said)")
                try copy.terminate()
                // A directory keeps its identity if it is moved within a filesystem.
                #expect(rename(copy.state, system.state) == 0)
                try system.start()
                #expect(system.systemID == id)
            }
        }

        @Test func aSystemIsFoundInAnyEnvironment() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let elsewhere = system.directory + "/elsewhere"
                try #require(mkdir(elsewhere, 0o700) == 0)
                for runtime in [elsewhere, "", "/nonexistent"] {
                    let (exit, out, err) = try system.roost("ps", adding: ["XDG_RUNTIME_DIR": runtime])
                    #expect(exit == .code(0) && out.contains("\(BundleIdentifier.counter)"), "\(err)")
                }
                let restarted = try system.roost("restart", adding: ["XDG_RUNTIME_DIR": elsewhere])
                #expect(restarted.exit == .code(0), "\(restarted)")
                try system.untilUpAgain()
                // A note with a wrong target is ignored.
                let note = system.state + "/sockets"
                let noted = try #require(Kernel.text(note))
                for wrong in ["/\n", "\(elsewhere)\n", "relative/\(system.systemID)\n", ""] {
                    try wrong.write(toFile: note, atomically: true, encoding: .utf8)
                    let answer = try system.roost("ps", adding: ["XDG_RUNTIME_DIR": elsewhere])
                    #expect(answer.exit == .code(EX_UNAVAILABLE), "\(wrong): \(answer)")
                    #expect(answer.err.contains("holds \(system.state)"), "\(answer)")
                    #expect(try system.roost("ps").exit == .code(0))
                }
                try noted.write(toFile: note, atomically: true, encoding: .utf8)
                #expect(try system.terminate() == .code(0))
                let ended = try system.roost("ps", adding: ["XDG_RUNTIME_DIR": elsewhere])
                #expect(ended.exit == .code(EX_UNAVAILABLE) && ended.err.contains("no system runs"), "\(ended)")
            }
        }
    }
}
