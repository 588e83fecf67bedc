import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The program as its users see it: output and exit codes.
    @Suite struct CommandLineTests {
        @Test func aLifeCycleByCommands() throws {
            try TestSystem.run { system in
                let bundle = try system.copyOfExample("Counter")
                #expect(try system.roost("install", bundle).out == "installed org.roost.example.Counter\n")
                let again = try system.roost("install", bundle)
                #expect(again.exit == .code(1) && again.err.contains("already installed"), "\(again.err)")
                #expect(try system.roost("install", "--replace", bundle).exit == .code(0))
                #expect(try system.roost("launch", "org.roost.example.Counter").out.contains("launched"))
                try system.until(.counter, is: .active)
                #expect(try system.roost("home").exit == .code(0))
                try system.until(.counter, is: .suspended)
                let table = try system.roost("ps").out.split(separator: "\n")
                #expect(table.count == 2 && table[1].contains("suspended"), "\(table)")
                let json = Data(try system.roost("ps", "--json").out.utf8)
                let listed = try JSONDecoder().decode([AppSummary].self, from: json)
                var summary = try system.summary(.counter)
                // The memory of a frozen app still changes a little, because shared pages come and go.
                summary.memory = listed.first?.memory
                #expect(listed == [summary])
                let why = try system.roost("why", "org.roost.example.Counter").out
                #expect(why.contains("background → suspended"), "\(why)")
                #expect(
                    try system.roost("log", "org.roost.example.Counter").out.contains("callback didEnterBackground"))
                let wake = try system.roost("wake", "org.roost.example.Counter", "--reason", "voip")
                #expect(wake.exit == .code(1) && wake.err.contains("UIBackgroundModes"), "\(wake.err)")
                #expect(try system.roost("quit", "org.roost.example.Counter").exit == .code(0))
                try system.until(.counter, is: .notRunning)
                #expect(try system.roost("uninstall", "org.roost.example.Counter").exit == .code(0))
                let left = ["bundles", "containers", "logs"].flatMap {
                    (try? FileManager.default.contentsOfDirectory(atPath: "\(system.state)/\($0)")) ?? ["?"]
                }
                #expect(left.isEmpty, "\(left)")
                let gone = try system.roost("launch", "org.roost.example.Counter")
                #expect(gone.exit == .code(1) && gone.err.contains("installed"), "\(gone.err)")
            }
        }

        @Test(arguments: [
            ["frobnicate"], ["launch"], ["launch", "not..one"], ["wake", "org.example.App"],
            ["wake", "org.example.App", "--reason", "boredom"], ["up", "--set", "bogus=1"],
            ["up", "--set", "backgroundTime=soon"], ["up", "--policy", "iOS1"], ["up", "--state", ""],
            ["wake", "org.example.App", "--reason", "voip", "--restore-identifier", "a"],
            [
                "wake", "org.example.App", "--reason", "bluetoothCentral", "--restore-identifier",
                String(repeating: "a", count: 300),
            ],
        ])
        func wrongArguments(arguments: [String]) throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.run([TestSystem.program] + arguments)
                #expect(exit == .code(64))
                #expect(
                    err.contains("Usage: roost \(arguments[0] == "frobnicate" ? "<subcommand>" : arguments[0])"),
                    "\(err)")
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }

        /// With `--json`, an error is a line of JSON on standard output. The exit code is the same as without it.
        @Test func errorsAsJSON() throws {
            struct Line: Decodable {
                struct Failure: Decodable {
                    var code: String
                    var message: String
                }
                var error: Failure
            }
            let app = "org.roost.example.Counter"
            let rows: [(command: [String], exit: Int32, code: String, word: String)] = [
                (["launch", app, "--json"], 1, "noSuchApp", app), (["home", "--json"], 1, "refused", "home screen"),
                (["settings", "--json", "bogus", "1"], 64, "wrongArgument", "no setting"),
                (["wake", app, "--reason", "boredom", "--json"], 64, "wrongArgument", "boredom"),
                (["push", app, "--payload", "/nonexistent/a.json", "--json"], 1, "failed", "No such file"),
                (["push", app, "--payload", "/dev/null", "--json"], 1, "failed", "PayloadEmpty"),
                (["transfers", "list", "org.example.None", "--json"], 1, "noSuchApp", "org.example.None"),
                (["explore", "--seeds", "soon", "--json"], 2, "wrongArgument", "soon"),
            ]
            try TestSystem.run { system in
                for row in rows {
                    let plain = try system.run([TestSystem.program] + row.command.filter { $0 != "--json" })
                    let (exit, out, err) = try system.run([TestSystem.program] + row.command)
                    #expect(exit == .code(row.exit) && plain.exit == exit && err.isEmpty, "\(row.command): \(err)")
                    #expect(plain.out.isEmpty && out.split(separator: "\n").count == 1, "\(row.command): \(out)")
                    let line = try JSONDecoder().decode(Line.self, from: Data(out.utf8))
                    #expect(line.error.code == row.code && line.error.message.contains(row.word), "\(out)")
                    #expect(plain.err.contains(line.error.message), "\(plain.err)")
                }
                #expect(try system.terminate() == .code(0))
                let gone = try system.roost("ps", "--json")
                #expect(gone.exit == .code(69) && gone.out.contains(#""code":"noSystem""#), "\(gone.out)")
            }
        }

        /// A terminal of 80 columns has room for the table, including the reasons why each app runs.
        @Test func tableInANarrowTerminal() throws {
            try TestSystem.runWithBystander { system in
                let wide = try system.roost("ps").out
                #expect(wide.contains("KERNEL") && wide.contains("PRIORITY"), "\(wide)")
                for columns in [80, 40] {
                    let command = "stty rows 24 cols \(columns) && '\(TestSystem.program)' ps"
                    let (exit, out, _) = try system.run(["/usr/bin/script", "-qec", command, "/dev/null"])
                    let lines = out.split(whereSeparator: \.isNewline)
                    #expect(exit == .code(0) && lines.count == 3, "\(out)")
                    #expect(lines.allSatisfy { $0.count <= columns }, "\(out)")
                    #expect(columns < 80 || out.contains("HELD BY") && out.contains("background task"), "\(out)")
                    #expect(lines.allSatisfy { !$0.contains("PRIORITY") }, "\(out)")
                }
            }
        }

        @Test func noSystemRuns() throws {
            try TestSystem.run(starting: false) { system in
                for arguments in [["ps"], ["home"], ["launch", "org.example.App"], ["thaw"], ["log"]] {
                    let (exit, _, err) = try system.run([TestSystem.program] + arguments)
                    #expect(exit == .code(69), "\(arguments)")
                    #expect(err.contains("roost up") && err.contains("--state"), "\(err)")
                }
                try system.start()
                try system.crash()
                let (exit, _, err) = try system.roost("ps")
                #expect(exit == .code(69) && err.contains("roost up"), "\(err)")
            }
        }

        @Test func secondSystemIsRefused() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let (exit, _, err) = try system.roost("up")
                #expect(exit == .code(1))
                #expect(err.contains(system.state) && err.contains("in use") && err.contains("--state"), "\(err)")
                let restored = try system.roost("restore")
                #expect(restored.exit == .code(1) && restored.err.contains("end it first"), "\(restored)")
                #expect(err.contains("\(system.guardian?.pid ?? 0)"), "the message has the other system's pid: \(err)")
                let thawed = try system.roost("thaw", "--json")
                #expect(thawed.exit == .code(1) && thawed.out.contains(#""code":"refused""#), "\(thawed)")
                #expect(try system.roost("launch", "\(BundleIdentifier.counter)").out.contains("is open already"))
                try system.suspend(.counter)
            }
        }

        /// A wrong value would have no effect, and its user would not know.
        @Test func wrongEnvironment() throws {
            try TestSystem.run(starting: false) { system in
                for (name, value, word) in [
                    ("ROOST_LINK_LOCAL", "yes", "allow"), ("ROOST_READABLE", "/usr/lib:lib", "absolute"),
                    ("ROOST_READABLE", "/usr/lib:/no/such", "No such file"),
                    ("ROOST_POWER_SUPPLIES", "/etc/passwd", "Not a directory"), ("ROOST_TLS_ROOT", "/", "regular file"),
                    ("ROOST_GPSD", "::1:2947", "HOST:PORT"), ("ROOST_GPSD", "localhost:0", "HOST:PORT"),
                ] {
                    let (exit, _, err) = try system.run(
                        ["env", "\(name)=\(value)", TestSystem.program, "up", "--state", system.state])
                    #expect(exit == .code(1) && err.contains(name) && err.contains(word), "\(name): \(err)")
                    #expect(err.split(separator: "\n").count == 1, "\(err)")
                }
                #expect(access(system.state + "/store.db", F_OK) != 0, "nothing is started")
            }
        }

        /// If the output goes to a file, its user must know that it is incomplete. A user who has closed the output
        /// wants no message.
        @Test func outputThatFails() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                func run(_ redirection: String, _ arguments: [String]) throws -> (exit: Exit, err: String) {
                    let command = #"exec "$@" "# + redirection
                    let result = try system.run(["sh", "-c", command, "sh", TestSystem.program] + arguments)
                    return (result.exit, result.err)
                }
                for arguments in [["ps"], ["apps", "--json"], ["doctor"], ["log"], ["log", "--follow"]] {
                    let (exit, err) = try run(">/dev/full", arguments)
                    #expect(exit == .code(1) && err.contains("No space left"), "\(arguments): \(err)")
                }
                for arguments in [["ps"], ["home"], ["settings", "passcode", "on"]] {
                    let (exit, err) = try run("<&- >&-", arguments)
                    #expect(exit == .code(0) && err.isEmpty, "\(arguments): \(err)")
                }
            }
        }

        /// No file or socket gets the number of a closed standard stream, because printed text would go there.
        @Test func closedStreams() throws {
            try TestSystem.run { system in
                let child = try ChildProcess(
                    ["sh", "-c", #"exec "$@" <&- >&- 2>&-"#, "sh", TestSystem.program, "watch"],
                    environment: system.environment, output: system.directory + "/out")
                defer { child.held.send(SIGKILL) }
                func links() -> [String: String] {
                    let place = "/proc/\(child.pid)/fd"
                    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
                    return Dictionary(
                        uniqueKeysWithValues: numbers.compactMap { number in
                            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\(number)")).map {
                                (number, $0)
                            }
                        })
                }
                // With two connections, the program has opened everything that it opens.
                let open = try system.until("it has two connections", also: [child.held], lookingAgainAfter: 0.02) {
                    let links = links()
                    return child.held.isGone || links.values.filter { $0.hasPrefix("socket:") }.count > 1 ? links : nil
                }
                for number in ["0", "1", "2"] { #expect(open[number] == "/dev/null", "\(open)") }
            }
        }

        @Test func badStateDirectories() throws {
            try TestSystem.run(starting: false) { system in
                let place = system.directory + "/place"
                try "not a directory".write(toFile: place, atomically: false, encoding: .utf8)
                try expectRefusal(of: place, saying: "directory", in: system)
                unlink(place)
                mkdir(place, 0o700)
                try "99".write(toFile: place + "/format", atomically: false, encoding: .utf8)
                try expectRefusal(of: place, saying: "version 99", "newer", in: system)
                try "nonsense".write(toFile: place + "/format", atomically: false, encoding: .utf8)
                try expectRefusal(of: place, saying: "format", in: system)
                unlink(place + "/format")
                try "mine".write(toFile: place + "/letter", atomically: false, encoding: .utf8)
                try expectRefusal(of: place, saying: "empty", in: system)
                #expect(Kernel.text(place + "/letter") == "mine")
                unlink(place + "/letter")
                #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
            }
        }

        @Test func aReadOnlyStateDirectory() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let place = system.directory + "/place"
                mkdir(place, 0o700)
                let readOnly = [
                    "unshare", "-m", "sh", "-c", "mount -t tmpfs -o ro none '\(place)' && exec \"$0\" \"$@\"",
                ]
                try expectRefusal(of: place, saying: "Read-only", in: system, by: readOnly)
                #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
            }
        }

        /// `roost up` refuses this state directory, and its message has these words.
        private func expectRefusal(
            of place: String, saying words: String..., in system: TestSystem, by wrapper: [String] = []
        ) throws {
            let (exit, _, err) = try system.run(wrapper + [TestSystem.program, "up", "--state", place])
            #expect(exit == .code(1), "\(words)")
            for word in words + [place] { #expect(err.contains(word), "\(word): \(err)") }
        }

        /// A broken bundle: a change to a sound one, and the words that the message has to contain.
        struct Broken: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let breaking: @Sendable (String) throws -> Void
            let named: [String]

            static func plist(_ what: String, _ old: String, _ new: String, _ named: String...) -> Broken {
                Broken(
                    testDescription: what,
                    breaking: { bundle in
                        let file = bundle + "/Info.plist"
                        let text = (Kernel.text(file) ?? "").replacingOccurrences(of: old, with: new)
                        try text.write(toFile: file, atomically: false, encoding: .utf8)
                    }, named: ["Info.plist"] + named)
            }

            static let all: [Broken] = [
                plist("bad identifier", "org.roost.example.Counter", "org..x", "CFBundleIdentifier", "org..x"),
                plist("no identifier", "CFBundleIdentifier", "CFBundleIdentity", "CFBundleIdentifier"),
                plist("no executable's name", "CFBundleExecutable", "CFBundleExe", "CFBundleExecutable"),
                plist("executable elsewhere", "<string>Counter<", "<string>../sh<", "CFBundleExecutable", "../sh"),
                plist("unknown mode", ">location<", ">teleport<", "UIBackgroundModes", "teleport"),
                plist("no XML", "<array>", "<arr", "property list"),
                Broken(testDescription: "no plist", breaking: { unlink($0 + "/Info.plist") }, named: ["Info.plist"]),
                Broken(testDescription: "no executable", breaking: { unlink($0 + "/Counter") }, named: ["/Counter"]),
                Broken(
                    testDescription: "may not be executed", breaking: { chmod($0 + "/Counter", 0o644) },
                    named: ["/Counter", "chmod +x"]),
                Broken(
                    testDescription: "empty executable", breaking: { truncate($0 + "/Counter", 0) },
                    named: ["/Counter", "empty"]),
                Broken(
                    testDescription: "link out of it", breaking: { symlink("/etc/passwd", $0 + "/link") },
                    named: ["/link", "/etc/passwd"]),
                Broken(testDescription: "a pipe in it", breaking: { mkfifo($0 + "/pipe", 0o600) }, named: ["/pipe"]),
                Broken(
                    testDescription: "no folder", breaking: { try FileManager.default.removeItem(atPath: $0) },
                    named: ["Counter.app"]),
            ]
        }

        @Test func brokenBundles() throws {
            try TestSystem.run { system in
                for broken in Broken.all {
                    let bundle = try system.copyOfExample("Counter")
                    try broken.breaking(bundle)
                    let (exit, _, err) = try system.roost("install", bundle)
                    #expect(exit == .code(1), "\(broken.testDescription)")
                    for word in broken.named {
                        #expect(err.contains(word), "\(broken.testDescription): \(word) is not in: \(err)")
                    }
                    try? FileManager.default.removeItem(atPath: bundle)
                }
                #expect(try system.ask(.list) == .apps([]))
                let left = try FileManager.default.contentsOfDirectory(atPath: system.state + "/bundles")
                #expect(left.isEmpty, "\(left)")
            }
        }
    }
}
