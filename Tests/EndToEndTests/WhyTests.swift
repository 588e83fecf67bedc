import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The decisions about an app, and the reason of its end, are known after restarts.
    @Suite struct WhyTests {
        @Test func decisionsSurviveTheSupervisorAndTheSystem() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.tell(.quit(.counter))
                let end = try #require(try system.until(.counter, is: .notRunning).lastEnd)
                let before = try system.why(.counter)
                try system.crashAndRestart()
                #expect(try system.why(.counter) == before)
                #expect(try system.summary(.counter).lastEnd == end)
                #expect(try system.terminate() == .code(0))
                try system.start()
                #expect(try system.why(.counter) == before)
                #expect(try system.summary(.counter).lastEnd == end)
                // New decisions come after the earlier ones.
                try system.launch(.counter)
                #expect(try system.why(.counter).starts(with: before))
                #expect(try system.why(.counter).last?.state == .active)
                let (exit, out, err) = try system.roost("why", "\(BundleIdentifier.counter)", "--since", "1h")
                #expect(exit == .code(0) && out.contains("the user swiped it away"), "\(out)\(err)")
                let none = try system.roost("why", "\(BundleIdentifier.counter)", "--since", "1ms")
                #expect(none.out == "nothing was decided about \(BundleIdentifier.counter) since then\n", "\(none)")
                #expect(try system.roost("why", "\(BundleIdentifier.counter)", "--since", "soon").exit == .code(64))
            }
        }

        /// A later app with the same identifier has no decisions of the earlier one.
        @Test func aRemovedAppsPastIsForgotten() throws {
            try TestSystem.run { system in
                try system.install("Clock")
                try system.launch(.clock)
                try system.tell(.uninstall(.clock))
                try system.install("Clock")
                try system.crashAndRestart()
                #expect(try system.why(.clock).isEmpty)
                #expect(try system.summary(.clock).lastEnd == nil)
            }
        }

        @Test(arguments: [SetUp.asFound, .signals])
        func theAbsenceRuleIsRecorded(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp, settings: ["supervisorAbsence=500ms"]) { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                let supervisor = try #require(system.supervisor)
                try system.crash(.guardian)
                try process.waitUntilGone()
                try supervisor.waitUntilGone()
                try system.start()
                let end = try system.until(.counter, is: .notRunning).lastEnd
                #expect(end?.contains("it was suspended when the system was lost") == true, "\(end ?? "")")
            }
        }

        /// The guardian's own absence rule: no supervisor comes up in time, and the store can record the reason.
        @Test(arguments: [SetUp.asFound, .signals])
        func theGuardiansAbsenceRuleIsRecorded(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp, settings: ["supervisorAbsence=1s"], mayReportErrors: true) { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                try system.crash()
                // Every further supervisor fails before it looks at an app, because a file is in the place of its
                // sockets.
                let (sockets, kept) = (system.runtime + "/roost", system.runtime + "/kept")
                try #require(rename(sockets, kept) == 0)
                try "no directory".write(toFile: sockets, atomically: false, encoding: .utf8)
                system.letGuardianGoOn()
                #expect(try system.guardian?.exit() == .code(1))
                #expect(system.systemLog.contains("no supervisor has come up in 1 s"), "\(system.systemLog)")
                try process.waitUntilGone()
                try #require(unlink(sockets) == 0 && rename(kept, sockets) == 0)
                try system.start()
                let end = try system.until(.counter, is: .notRunning).lastEnd
                #expect(end?.contains("it was suspended when the system was lost") == true, "\(end ?? "")")
            }
        }

        /// A program that becomes a daemon: its first process ends, and the others end with it.
        @Test(.whereCgroupsFreeze) func leftoverProcessesAreEnded() throws {
            try TestSystem.run { system in
                let bundle = try system.copyOfExample("Clock")
                let script = "#!/bin/sh\nsleep 600 &\nsleep 600 &\nexit 0\n"
                try script.write(toFile: bundle + "/clock.sh", atomically: false, encoding: .utf8)
                try system.tell(.install(path: bundle, replacing: false))
                try system.tell(.launch(.clock))
                try system.until("the ended processes are reported") {
                    try system.why(.clock).contains { $0.text == "its 2 remaining processes were ended" } ? true : nil
                }
            }
        }

        /// Guardian and supervisor are killed at once, so no process is left to thaw the suspended apps.
        @Test(.whereCgroupsFreeze) func appsFrozenAfterADoubleKillAreReported() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.install("Counter", as: .second)
                try system.launch(.second)
                try system.suspend(.second)
                try system.crash(.both)
                let list = try system.roost("ps")
                #expect(list.exit == .code(69) && list.err.contains("2 apps are still frozen"), "\(list.err)")
                let doctor = try system.roost("doctor")
                for words in ["2 apps are still frozen", "roost up", "roost thaw"] {
                    #expect(doctor.out.contains(words) && list.err.contains(words), "\(doctor.out)\(list.err)")
                }
                #expect(try system.roost("thaw").exit == .code(0))
                #expect(try !system.roost("ps").err.contains("frozen"))
            }
        }
    }
}
