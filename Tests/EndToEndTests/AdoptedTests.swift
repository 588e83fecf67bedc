import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Programs that are not built on Roost. The programs run, and before their end they get SIGTERM and some time
    ///
    @Suite struct AdoptedTests {
        /// Three ways to end a suspended app in these tests.
        enum End: CaseIterable { case interrupt, swipe, update }

        // MARK: A shell script

        private static let trapping = """
            #!/bin/sh
            trap 'echo "saved" >>"$HOME/saved"; exit 3' TERM
            echo "runs"
            while :; do sleep 0.1; done
            """

        private static let ignoring = """
            #!/bin/sh
            trap '' TERM
            echo "runs"
            while :; do sleep 0.1; done
            """

        /// Installs Clock with another program.
        @discardableResult
        private func install(_ program: String, in system: TestSystem) throws -> String {
            let bundle = try system.copyOfExample("Clock")
            try program.write(toFile: bundle + "/clock.sh", atomically: false, encoding: .utf8)
            try system.tell(.install(path: bundle, replacing: false))
            return bundle
        }

        private func suspended(_ program: String, in system: TestSystem) throws -> (bundle: String, HeldProcess) {
            let bundle = try install(program, in: system)
            try system.launch(.clock)
            try system.untilPrinted(.clock, "runs")
            try system.suspend(.clock)
            return (bundle, try system.process(.clock))
        }

        private func apply(_ end: End, _ bundle: String, in system: TestSystem) throws {
            switch end {
            case .interrupt:
                #expect(try system.terminate(by: SIGINT) == .code(0))
                try system.start()
            case .swipe: try system.tell(.quit(.clock))
            case .update: _ = try system.ask(.install(path: bundle, replacing: true))
            }
            try system.until(.clock, is: .notRunning)
        }

        @Test(arguments: End.allCases)
        func suspendedScriptMaySave(end: End) throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=500ms"]) { system in
                let (bundle, process) = try suspended(Self.trapping, in: system)
                try apply(end, bundle, in: system)
                try process.waitUntilGone()
                #expect(Kernel.text(system.container(.clock) + "/saved") == "saved\n")
                if end != .interrupt {
                    #expect(try system.summary(.clock).lastEnd?.contains("exit code 3") == true)
                }
            }
        }

        /// The program is killed at the end of its time. The record does not invent one of Apple's codes.
        @Test func anAppThatIgnoresSIGTERMIsKilled() throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=500ms", "adoptedExit=500ms"]) { system in
                let (_, process) = try suspended(Self.ignoring, in: system)
                try system.tell(.quit(.clock))
                let end = try #require(try system.until(.clock, is: .notRunning).lastEnd)
                try process.waitUntilGone()
                #expect(end.contains("it did not exit in time after SIGTERM") && end.contains("signal 9"), "\(end)")
                #expect(!end.contains("0x8badf00d"))
            }
        }

        @Test(arguments: [true, false])
        func memoryPressureEndsASuspendedAppAsThePolicySays(isAsked: Bool) throws {
            let settings = ["adoptedBackgroundTime=500ms", "memorySignalsAdopted=\(isAsked)"]
            try TestSystem.run(settings: settings) { system in
                let (_, process) = try suspended(Self.trapping, in: system)
                try system.tell(.memory(.critical))
                try system.until(.clock, is: .notRunning)
                try process.waitUntilGone()
                let saved = isAsked ? "saved\n" : nil
                #expect(Kernel.text(system.container(.clock) + "/saved") == saved)
            }
        }

        @Test func installExplainsTheEndOfAdoptedApps() throws {
            try TestSystem.run { system in
                let (exit, out, err) = try system.roost("install", try system.copyOfExample("Clock"))
                #expect(exit == .code(0))
                for words in ["SIGTERM and time to save", "memorySignalsAdopted=true"] {
                    #expect((out + err).contains(words), "\(out)\(err)")
                }
            }
        }

        /// The absence rule: without a system nothing could wake the app, so it is thawed.
        @Test(arguments: [SetUp.asFound, .signals])
        func withoutASystemItRuns(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            let settings = ["adoptedBackgroundTime=500ms", "supervisorAbsence=500ms"]
            try TestSystem.run(setUp, settings: settings) { system in
                let (_, process) = try suspended(Self.trapping, in: system)
                let supervisor = try #require(system.supervisor)
                try system.crash(.guardian)
                try supervisor.waitUntilGone()
                #expect(!process.isGone)
                try system.start()
                #expect(try system.pid(.clock) == process.pid)
                try system.tell(.quit(.clock))
                try system.until(.clock, is: .notRunning)
                #expect(Kernel.text(system.container(.clock) + "/saved") == "saved\n")
            }
        }

        // MARK: A database

        @Test(.whereRedisIsInstalled, arguments: End.allCases)
        func redisKeepsItsData(end: End) throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=500ms"]) { system in
                let bundle = try install(Redis.script, in: system)
                system.follow(system.container(.clock))
                try system.launch(.clock)
                try untilItAnswers(system)
                #expect(try redis(system, "set", "answer", "42") == "OK\n")
                try system.suspend(.clock)
                let process = try system.process(.clock)
                try apply(end, bundle, in: system)
                try process.waitUntilGone()
                try system.launch(.clock)
                try untilItAnswers(system)
                #expect(try redis(system, "get", "answer") == "42\n")
            }
        }

        private func untilItAnswers(_ system: TestSystem) throws {
            try system.until("redis answers", lookingAgainAfter: 0.1) {
                try redis(system, "ping") == "PONG\n" ? true : nil
            }
        }

        private func redis(_ system: TestSystem, _ words: String...) throws -> String {
            try system.run([Redis.client, "-s", system.container(.clock) + "/redis.sock"] + words).out
        }
    }
}
