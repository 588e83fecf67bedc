import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The commands for actions of the user and the device other than opening apps.
    @Suite struct DeviceCommandTests {
        @Test func eachCommand() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                let counter = BundleIdentifier.counter.rawValue
                func expect(_ command: String..., word: String) throws {
                    let (exit, out, err) = try system.run([TestSystem.program] + command)
                    #expect(exit == .code(0) && out.contains(word), "\(command): \(out)\(err)")
                }
                try system.launch(.counter)
                try expect("interrupt", word: "interrupted by an incoming call")
                try system.until(.counter, is: .inactive)
                try expect("dismiss", word: "is over")
                try system.until(.counter, is: .active)
                try expect("interrupt", "--kind", "alert", word: "an alert")
                try system.until(.counter, is: .inactive)
                try expect("accept", BundleIdentifier.second.rawValue, word: "is accepted")
                try system.until(.second, is: .active)
                try system.until(.counter, is: .suspended)
                try expect("switch", word: counter)
                try system.until(.counter, is: .active)
                try expect("switch", BundleIdentifier.second.rawValue, word: "receives willResignActive")
                try system.until(.second, is: .active)
                try expect("lock", word: "locked")
                try system.until(.second, is: .suspended)
                try expect("unlock", word: "unlocked")
                try system.until(.second, is: .active)
                try expect("send", BundleIdentifier.second.rawValue, "--text", "안녕 \"x\"", word: "delivered to")
                try expect("send", BundleIdentifier.second.rawValue, "--touch", "160,240.5", word: "delivered to")
                try expect("clock", word: "receives")
                try system.untilPrinted(.second, "callback significantTimeChange")
                try expect("memory", "warning", word: "memory is low")
                try expect("memory", "critical", word: "the system needed memory")
                try system.until(.counter, is: .notRunning)
                let decisions = try system.roost("interrupt", "--json").out
                #expect(try JSONDecoder().decode([DecisionLine].self, from: Data(decisions.utf8)).count > 0)
            }
        }

        @Test func settings() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let counter = BundleIdentifier.counter.rawValue
                let table = try system.roost("settings").out
                for word in ["passcode", "batteryLevel", "network", "autoLock", counter, "the device"] {
                    #expect(table.contains(word), "\(table)")
                }
                #expect(try system.roost("settings", "--help").out.contains("which downloads may run"))
                #expect(try system.roost("settings", "network").out == "wifi\n")
                #expect(try system.roost("settings", "network", "cellular").out.contains("network is now cellular"))
                #expect(try system.roost("settings", "network").out == "cellular\n")
                #expect(try system.roost("settings", "backgroundRefresh", "off", "--app", counter).exit == .code(0))
                #expect(try system.roost("settings", "backgroundRefresh", "--app", counter).out == "off\n")
                #expect(try system.roost("settings", "backgroundRefresh").out == "on\n")
                let refused = try system.roost("wake", counter, "--reason", "backgroundFetch")
                #expect(refused.exit == .code(1) && !refused.err.isEmpty, "\(refused.err)")
                let json = try system.roost("settings", "autoLock", "--json").out
                let lines = try JSONDecoder().decode([SettingsSummary.Line].self, from: Data(json.utf8))
                #expect(lines == [SettingsSummary.Line(name: "autoLock", value: "never")])
                let stranger = try system.roost("settings", "backgroundRefresh", "--app", "org.example.None")
                #expect(stranger.exit == .code(1) && stranger.err.contains("roost apps"), "\(stranger.err)")
                try system.crashAndRestart()
                #expect(try system.roost("settings", "network").out == "cellular\n", "the setting is persisted")
            }
        }

        /// Invalid commands are refused without asking a system. The message lists the valid values.
        @Test(arguments: [
            (["settings", "bogus"], "batteryLevel"), (["settings", "bogus", "on"], "the settings are"),
            (["settings", "passcode", "maybe"], "on, off"), (["settings", "network", "5g"], "cellular"),
            (["settings", "batteryLevel", "101"], "0 to 100"), (["settings", "autoLock", "soon"], "never"),
            (["settings", "network", "wifi", "--app", "org.example.App"], "backgroundRefresh"),
            (["settings", "a", "b", "c"], "c"), (["interrupt", "--kind", "boredom"], "notificationCenter"),
            (["memory"], "warning"), (["memory", "mild"], "critical"), (["send", "org.example.App"], "--touch"),
            (["send", "org.example.App", "--text", ""], "at least one"),
            (["send", "org.example.App", "--text", "x", "--touch", "1,2"], "either"),
            (["send", "org.example.App", "--touch", "1"], "160,240.5"),
            (["send", "org.example.App", "--touch", "1,x"], "160,240.5"),
            (["send", "org.example.App", "--touch", "1.2345,0"], "160,240.5"),
            (["send", "not..one", "--text", "x"], "bundle identifier"), (["switch", "not..one"], "bundle identifier"),
            (["accept", "a", "b"], "b"),
        ])
        func wrongArguments(arguments: [String], word: String) throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.run([TestSystem.program] + arguments)
                #expect(exit == .code(64), "\(err)")
                #expect(err.contains(word) && err.contains("Usage: roost"), "\(err)")
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }

        /// Actions that are impossible in the present state are refused with a reason, and change nothing.
        @Test func impossibleNow() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                let (counter, second) = (BundleIdentifier.counter.rawValue, BundleIdentifier.second.rawValue)
                func expectRefusals(_ cases: [([String], String)]) throws {
                    for (command, word) in cases {
                        let (exit, out, err) = try system.run([TestSystem.program] + command)
                        #expect(exit == .code(1) && out.isEmpty, "\(command): \(out)\(err)")
                        #expect(err.hasPrefix("roost: ") && err.contains(word), "\(command): \(err)")
                    }
                }
                let ofNoApp = ["launch", "quit", "switch", "send", "accept"].map { command in
                    ([command, "org.example.None"] + (command == "send" ? ["--text", "x"] : []), "no app")
                }
                try expectRefusals(
                    ofNoApp.filter { $0.0[0] != "accept" } + [
                        (["home"], "home screen"), (["dismiss"], "nothing interrupts"),
                        (["accept"], "nothing interrupts"),
                        (["unlock"], "not locked"), (["interrupt"], "home screen"), (["switch"], "switcher"),
                        (["switch", second], "switcher"), (["send", counter, "--text", "x"], "active"),
                    ])
                try system.launch(.counter)
                #expect(try system.roost("interrupt").exit == .code(0))
                try system.until(.counter, is: .inactive)
                try expectRefusals([
                    (["interrupt"], "already"), (["send", counter, "--touch", "1,1"], "inactive"),
                    (["accept", "org.example.None"], "no app"),
                ])
                #expect(try system.roost("dismiss").exit == .code(0))
                try system.until(.counter, is: .active)
                #expect(try system.roost("lock").exit == .code(0))
                try system.until(.counter, is: .suspended)
                try expectRefusals([
                    (["lock"], "locked"), (["home"], "locked"), (["launch", second], "locked"),
                    (["send", counter, "--text", "x"], "suspended"),
                ])
                #expect(try system.summary(.counter).state == .suspended)
                #expect(try system.summary(.second).state == .notRunning)
            }
        }

        @Test func noSystemRuns() throws {
            try TestSystem.run(starting: false) { system in
                for command in [
                    ["switch"], ["interrupt"], ["dismiss"], ["accept"], ["lock"], ["unlock"], ["memory", "warning"],
                    ["clock"], ["settings"], ["settings", "passcode", "on"],
                    ["send", "org.example.App", "--text", "x"],
                ] {
                    let (exit, _, err) = try system.run([TestSystem.program] + command)
                    #expect(exit == .code(69) && err.contains("roost up"), "\(command): \(err)")
                }
            }
        }
    }
}
