import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// `roost run` at a terminal and in a pipe.
    @Suite struct RunTests {
        private func atTerminal(
            columns: Int = 100, rows: Int = 40, _ body: (TestSystem, Tmux) throws -> Void
        ) throws {
            try TestSystem.run(starting: false) { system in
                try Tmux.run(in: system, columns: columns, rows: rows) { tmux in
                    try body(system, tmux)
                    #expect(tmux.leftInTemporaryDirectory.isEmpty, "no temporary file is left")
                }
            }
        }

        // MARK: At a terminal

        @Test(.whereTmuxIs) func eachKey() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                try tmux.until("calls    didBecomeActive")
                try tmux.until("output   callback didBecomeActive")
                try tmux.press("?")
                try tmux.until("h  home")
                try tmux.press("h")
                try tmux.until("you      home")
                try tmux.untilStatus("Counter · suspended")
                try tmux.until("background → suspended")
                try tmux.press("b")
                try tmux.untilStatus("1 locationUpdate")
                try tmux.press("Escape")
                try tmux.untilStatus("Counter · suspended")
                try tmux.press("b", "1")
                try tmux.until("woken for locationUpdate")
                try tmux.untilStatus("Counter · suspended")
                try tmux.press("o")
                try tmux.untilStatus("Counter · active")
                try tmux.press("r")
                try tmux.until("to open it again")
                try tmux.until("the app is opened again") { lines in
                    lines.lastIndex { $0.contains("not running → inactive") }.flatMap { opened in
                        lines.lastIndex { $0.contains("→ not running") }.flatMap { $0 < opened ? true : nil }
                    }
                }
                try tmux.untilStatus("Counter · active")
                try tmux.press("k")
                try tmux.untilStatus("Counter · not running, swiped away")
                // A location event would wake the app (R-99).
                try tmux.press("b", "3")
                try tmux.until("not woken for remoteNotification")
                try tmux.press("w")
                try tmux.until("you      memory is low")
                try tmux.press("X")
                try tmux.until("no key \"X\"")
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
                #expect(program.held.isGone)
                try tmux.untilPrompt()
                #expect(try tmux.screen().allSatisfy { !$0.contains("Counter ·") }, "the status line is gone")
            }
        }

        /// The keys for interruptions, the lock, text, and the settings.
        @Test(.whereTmuxIs) func keysOfTheDevice() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                try tmux.press("d")
                try tmux.until("problem  nothing to dismiss")
                #expect(try tmux.screen().filter { $0.contains("nothing to dismiss") }.count == 1, "printed once")
                try tmux.press("i")
                try tmux.untilStatus("interrupt by:  1 call  2 message")
                try tmux.press("1")
                try tmux.untilStatus("Counter · inactive · interrupted by call")
                try tmux.press("d")
                try tmux.untilStatus("Counter · active   ?")
                try tmux.press("i", "3")
                try tmux.untilStatus("Counter · inactive · interrupted by alert")
                try tmux.press("a")
                try tmux.untilStatus("Counter · suspended   ?")
                try tmux.press("s")
                try tmux.untilStatus("Counter · active   ?")
                try tmux.press("l")
                try tmux.untilStatus("Counter · suspended · locked")
                try tmux.press("u")
                try tmux.untilStatus("Counter · active   ?")
                try tmux.press("t")
                try tmux.untilStatus("text: ")
                try tmux.type("안녕 qh😀x")
                try tmux.press("BSpace")
                try tmux.untilStatus("text: 안녕 qh😀▏")
                try tmux.press("Enter")
                try tmux.until("you      type \"안녕 qh😀\"")
                try tmux.press("p")
                try tmux.untilStatus("1 passcode on")
                try tmux.press("1")
                try tmux.until("passcode is now on")
                try tmux.press("m")
                try tmux.until("you      memory is critical")
                try tmux.press("h")
                try tmux.untilStatus("Counter · suspended")
                try tmux.press("t")
                try tmux.type("x")
                try tmux.press("Enter")
                try tmux.until("problem  not delivered: only an active app receives input")
                try tmux.untilStatus("Counter · suspended")
                #expect(try tmux.screen().filter { $0.contains("not delivered") }.count == 1, "printed once")
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
            }
        }

        /// Keys with a list or a text entry: an app, a position, values, and an app's own setting.
        @Test(.whereTmuxIs) func keysThatAsk() throws {
            try TestSystem.run { system in
                try system.install("Counter", as: .second)
                try Tmux.run(in: system, columns: 100, rows: 40) { tmux in
                    let program = try tmux.start("run", try system.copyOfExample("Counter"))
                    try tmux.untilStatus("Counter · active")
                    let (own, other) = (BundleIdentifier.counter.rawValue, BundleIdentifier.second.rawValue)
                    try system.openApp(.second)
                    try tmux.untilStatus("Counter · suspended")
                    // Two apps with the same name differ by their identifiers.
                    func number(of app: String) throws -> String {
                        let line = try tmux.untilStatus(app)
                        return try #require(
                            line.split(separator: "  ").first { $0.contains(app) }?.dropLast(0)
                                .split(separator: " ").first { $0.count == 1 }.map(String.init), "\(line)")
                    }
                    try tmux.press("n")
                    try tmux.press(number(of: own))
                    try tmux.untilStatus("Counter · active")
                    try tmux.press("i", "1")
                    try tmux.untilStatus("interrupted by call")
                    try tmux.press("g")
                    try tmux.press(number(of: other))
                    try system.until(.second, is: .active)
                    try tmux.press("o")
                    try tmux.untilStatus("Counter · active")
                    try tmux.press("f")
                    try tmux.untilStatus("touch at x,y")
                    try tmux.type("here")
                    try tmux.press("Enter")
                    try tmux.until("problem  \"here\" is not a position")
                    try tmux.press("f")
                    try tmux.type("160,240.5")
                    try tmux.press("Enter")
                    try tmux.until("you      touch at 160,240.5")
                    try tmux.press("c")
                    try tmux.until("significantTimeChange")
                    for (choice, value, said) in [
                        ("batteryLevel", "15", "batteryLevel is now 15"), ("batteryLevel", "400", "cannot be \"400\""),
                        ("autoLock", "never", "autoLock is now never"), ("backgroundRefresh off for", nil, "off"),
                    ] {
                        try tmux.press("p")
                        // The settings do not fit one line, so each has its own line.
                        let line = try tmux.until("the settings are shown") { lines in
                            lines.last?.hasPrefix(" set:") == true ? lines.last { $0.contains("  " + choice) } : nil
                        }
                        try tmux.press(String(try #require(line.split(separator: " ").first)))
                        if let value {
                            try tmux.untilStatus(choice + ", now")
                            try tmux.type(value)
                            try tmux.press("Enter")
                        }
                        try tmux.until(said)
                    }
                    #expect(try !system.summary(.counter).allowsBackgroundRefresh)
                    #expect(try system.summary(.second).allowsBackgroundRefresh)
                    // `roost run` did not start this system, and does not end it.
                    for key in ["z", "y", "v"] { try tmux.press(key) }
                    try tmux.until("cannot be restarted from here")
                    #expect(try tmux.screen().filter { $0.contains("roost run did not start this system") }.count == 3)
                    try tmux.press("q")
                    #expect(try tmux.end(of: program) == 0)
                }
            }
        }

        /// The whole device is switched off and on, and Roost is restarted while the app runs.
        @Test(.whereTmuxIs) func keysOfThePower() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                try tmux.press("v")
                try tmux.until("the system is back")
                try tmux.untilStatus("Counter · active")
                #expect(try !tmux.screen().contains { $0.contains("the connection to the system was lost") })
                try tmux.press("z")
                try tmux.until("the device is off")
                try tmux.untilStatus("the device is off")
                #expect(try !tmux.screen().contains { $0.contains("willTerminate") }, "no app receives willTerminate")
                try tmux.press("h")
                try tmux.until("problem  the device is off: z starts it")
                try tmux.press("z")
                try tmux.until("the device is up")
                try tmux.untilStatus("Counter · not running")
                try tmux.press("o")
                try tmux.untilStatus("Counter · active")
                try tmux.press("y")
                try tmux.until("you      restart the device")
                try tmux.until("the device restarts") { $0.count { $0.contains("the device is up") } == 2 ? true : nil }
                try tmux.untilStatus("Counter · not running")
                try tmux.press("z")
                try tmux.untilStatus("the device is off")
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
            }
        }

        @Test(.whereTmuxIs, arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
        func signals(number: Int32) throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                switch number {
                case SIGINT: try tmux.press("C-c")
                case SIGQUIT: try tmux.press("C-\\")
                default: program.held.send(number)
                }
                #expect(try tmux.end(of: program) == 128 + number)
                try tmux.until("calls    willTerminate")
            }
        }

        /// After Ctrl-Z the shell has the terminal as before. After `fg`, `roost run` sets it up again.
        @Test(.whereTmuxIs) func stoppedAndContinued() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                try tmux.press("C-z")
                try tmux.untilPrompt()
                try tmux.type("stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo | tr '\\n' '+'; fg")
                try tmux.press("Enter")
                try tmux.until("icanon+echo+")
                try tmux.untilStatus("Counter · active")
                try tmux.press("h")
                try tmux.untilStatus("Counter · suspended")
                try tmux.press("q")
                try program.held.waitUntilGone()
                try tmux.untilPrompt()
            }
        }

        /// The system of `roost run` is killed. The command reports that, restores the terminal, and cleans up.
        @Test(.whereTmuxIs) func crashOfTheSystem() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                try child(of: program.held.pid).send(SIGKILL)
                #expect(try tmux.end(of: program) == 69)
                try tmux.until("roost: the system has ended (signal 9)")
            }
        }

        /// The guardian restarts a killed supervisor, and the keys work as before.
        @Test(.whereTmuxIs) func supervisorStartedAgain() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active")
                let supervisor = try child(of: child(of: program.held.pid).pid)
                supervisor.send(SIGKILL)
                try tmux.until("problem  the connection to the system was lost")
                try tmux.until("the system is back")
                try tmux.untilStatus("Counter · active")
                try tmux.press("h")
                try tmux.untilStatus("Counter · suspended")
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
            }
        }

        /// `roost run` is killed, and its system ends with it.
        @Test(.whereTmuxIs) func killed() throws {
            try TestSystem.run(starting: false) { system in
                try Tmux.run(in: system) { tmux in
                    let program = try tmux.start("run", try system.copyOfExample("Counter"))
                    try tmux.untilStatus("Counter · active")
                    let guardian = try child(of: program.held.pid)
                    let supervisor = try child(of: guardian.pid)
                    program.held.send(SIGKILL)
                    try guardian.waitUntilGone()
                    try supervisor.waitUntilGone()
                    // The directory is left behind, and is found.
                    #expect(
                        try system.roost("doctor", adding: ["TMPDIR": system.directory + "/t"]).out.contains(
                            "roost-run-"))
                }
            }
        }

        private func child(of parent: Int32) throws -> HeldProcess {
            let children = Kernel.text("/proc/\(parent)/task/\(parent)/children") ?? ""
            let pid = try #require(children.split(separator: " ").compactMap { Int32($0) }.first)
            return try #require(HeldProcess(pid))
        }

        /// A key that is pressed before the app is launched is refused, and not handled later.
        @Test(.whereTmuxIs) func earlyKeys() throws {
            try TestSystem.run { system in
                try Tmux.run(in: system) { tmux in
                    let supervisor = try #require(system.supervisor)
                    supervisor.send(SIGSTOP)
                    defer { supervisor.send(SIGCONT) }
                    let program = try tmux.start("run", try system.copyOfExample("Counter"))
                    try tmux.untilStatus("Counter · waits for the system   ? keys")
                    try tmux.press("h")
                    try tmux.until("\"h\" comes too early")
                    try tmux.press("?")
                    try tmux.until("h  home")
                    try tmux.press("k")
                    try tmux.until("\"k\" comes too early")
                    supervisor.send(SIGCONT)
                    try tmux.untilStatus("Counter · active")
                    #expect(
                        try !tmux.screen().contains { $0.contains("you      home") || $0.contains("swipe Counter") })
                    try tmux.press("h")
                    try tmux.untilStatus("Counter · suspended")
                    try tmux.press("q")
                    #expect(try tmux.end(of: program) == 0)
                }
            }
        }

        /// A trap in the program itself also restores the terminal.
        @Test(.whereTmuxIs, arguments: [SIGILL, SIGSEGV, SIGABRT])
        func aCrashRestoresTheTerminal(number: Int32) throws {
            try TestSystem.run { system in
                try Tmux.run(in: system, adding: ["SWIFT_BACKTRACE": "enable=no"]) { tmux in
                    let program = try tmux.start("run", try system.copyOfExample("Counter"))
                    try tmux.untilStatus("Counter · active")
                    program.held.send(number)
                    #expect(try tmux.end(of: program) == 128 + number)
                }
            }
        }

        @Test(.whereTmuxIs) func sizes() throws {
            try atTerminal { system, tmux in
                let program = try tmux.start("run", try system.copyOfExample("Counter"))
                try tmux.untilStatus("Counter · active   ? keys")
                try tmux.resize(columns: 16, rows: 12)
                try tmux.until("the status line fits") { (lines: [String]) -> Bool? in
                    guard let last = lines.last, last.hasSuffix("…"), last.count <= 15 else { return nil }
                    return lines.filter { $0.contains("Counter ·") }.count == 1 ? true : nil
                }
                try tmux.press("h")
                try tmux.until("the status line is updated") { $0.last?.contains("Counter · s") == true ? true : nil }
                try tmux.resize(columns: 70, rows: 30)
                try tmux.untilStatus("Counter · suspended   ? keys, q quit")
                try tmux.resize(columns: 2, rows: 2)
                try tmux.press("o")
                try tmux.resize(columns: 70, rows: 30)
                try tmux.untilStatus("Counter · active   ? keys, q quit")
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
            }
        }

        /// A folder name with blanks and Korean, and a program that prints wide characters and escape sequences.
        @Test(.whereTmuxIs) func wideText() throws {
            try atTerminal(columns: 44) { system, tmux in
                let folder = system.directory + "/나의 앱"
                try writeFolder(
                    folder, name: String(repeating: "시계 ⏰ ", count: 8) + "끝",
                    script: #"""
                        printf '안녕하세요 👋🏽 세계\n'
                        printf 'a\033[31mred\033[2J\rb\tc\n'
                        while true; do read x < "$HOME/none" || sleep 3600; done
                        """#)
                let program = try tmux.start("run", folder)
                try tmux.until("output   안녕하세요 👋🏽 세계")
                try tmux.until("\\u{1b}[31mred")
                try tmux.untilStatus("…")
                try tmux.press("h")
                try tmux.until("active → inactive")
                #expect(try tmux.screen().filter { $0.contains("시계 ⏰ 시계") && $0.hasSuffix("…") }.count == 1)
                try tmux.press("q")
                #expect(try tmux.end(of: program) == 0)
            }
        }

        private func writeFolder(_ folder: String, name: String, script: String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try """
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.roost.test.Folder</string>
            <key>CFBundleExecutable</key><string>main.sh</string>
            <key>CFBundleName</key><string>\(name)</string>
            </dict></plist>
            """.write(toFile: folder + "/Info.plist", atomically: true, encoding: .utf8)
            try "#!/bin/sh\n\(script)\n".write(toFile: folder + "/main.sh", atomically: true, encoding: .utf8)
            chmod(folder + "/main.sh", 0o755)
        }

        // MARK: In a pipe

        /// Runs the command with its output in a file, until it ends. If `isEnough` accepts the output, interrupts it.
        private func inPipe(
            _ system: TestSystem, _ arguments: String..., interruptingAt text: String? = nil
        ) throws -> (exit: Exit, out: String, err: String) {
            let (out, err) = (system.directory + "/pipe.out", system.directory + "/pipe.err")
            for file in [out, err] {
                _ = FileManager.default.createFile(atPath: file, contents: nil)
                truncate(file, 0)
                system.follow(file)
            }
            mkdir(system.directory + "/t", 0o700)
            let environment = system.environment.merging(["TMPDIR": system.directory + "/t"]) { $1 }
            let child = try ChildProcess(
                [TestSystem.program, "run"] + arguments, environment: environment, output: out, errors: err)
            if let text {
                try system.until("the command prints \(text)", also: [child.held]) {
                    if child.held.isGone || Kernel.text(out)?.contains(text) == true { return true }
                    return nil
                }
                child.held.send(SIGINT)
            }
            let exit = try child.exit()
            let left = try FileManager.default.contentsOfDirectory(atPath: system.directory + "/t")
            #expect(left.isEmpty, "no file is left: \(left)")
            return (exit, Kernel.text(out) ?? "", Kernel.text(err) ?? "")
        }

        @Test func plainLines() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, out, err) = try inPipe(
                    system, try system.copyOfExample("Counter"), interruptingAt: "callback didBecomeActive")
                #expect(exit == .code(128 + SIGINT) && err.isEmpty, "\(err)")
                #expect(!out.contains("\u{1B}"), "no terminal control sequences")
                let lines = out.split(separator: "\n")
                let form = /^\d\d:\d\d:\d\d\.\d{3}  (?:you|calls|state|output|system)\b/
                for line in lines {
                    #expect(line.contains(form), "\(line)")
                }
                let called = lines.filter { $0.contains("  calls ") }.compactMap { $0.split(separator: " ").last }
                #expect(called == ["didFinishLaunching", "didBecomeActive", "willResignActive", "willTerminate"])
            }
        }

        @Test func endsWithItsApp() throws {
            try TestSystem.run(starting: false) { system in
                let folder = system.directory + "/ends"
                try writeFolder(folder, name: "Ends", script: "printf 'the last word, without an end'; exit 0")
                let good = try inPipe(system, folder)
                #expect(good.exit == .code(0), "\(good.out)\(good.err)")
                #expect(good.out.contains("output   the last word, without an end"), "\(good.out)")
                try writeFolder(folder, name: "Ends", script: "exit 3")
                let bad = try inPipe(system, folder)
                #expect(bad.exit == .code(1) && bad.out.contains("exit code 3"), "\(bad.out)\(bad.err)")
            }
        }

        /// If a system already runs, the app is installed into it, and remains.
        @Test func runUsesARunningSystem() throws {
            try TestSystem.run { system in
                let bundle = try system.copyOfExample("Counter")
                for _ in 1...2 {
                    let (exit, out, _) = try inPipe(system, bundle, interruptingAt: "inactive → active")
                    #expect(exit == .code(128 + SIGINT), "\(out)")
                    #expect(try system.until(.counter, is: .active).pid != nil)
                }
                // The running system has its own limits.
                let refused = try system.roost("run", bundle, "--set", "backgroundTime=5s")
                #expect(refused.exit == .code(1) && refused.err.contains("--set"), "\(refused.err)")
            }
        }

        @Test func wrongPaths() throws {
            try TestSystem.run(starting: false) { system in
                let files = FileManager.default
                let empty = system.directory + "/empty"
                try files.createDirectory(atPath: empty, withIntermediateDirectories: true)
                let broken = try system.copyOfExample("Counter")
                unlink(broken + "/Info.plist")
                try "// swift-tools-version: 6.2\nimport Package\n".write(
                    toFile: system.directory + "/Package.swift", atomically: true, encoding: .utf8)
                let cases: [([String], Int32, [String])] = [
                    (["/nonexistent"], 1, ["/nonexistent", "No such file"]),
                    ([empty], 1, ["Package.swift", "Info.plist"]),
                    (["/etc/passwd"], 1, ["not a folder"]), ([broken], 1, ["Info.plist"]),
                    ([system.directory], 1, ["swift package"]), ([empty, "--set", "bogus=1"], 64, ["bogus"]),
                    ([empty, "--policy", "iOS1"], 64, ["iOS1"]), ([empty, "-c", "fast"], 64, ["debug or release"]),
                    ([], 64, ["path"]),
                ]
                for (arguments, code, words) in cases {
                    let (exit, _, err) = try system.run([TestSystem.program, "run"] + arguments)
                    #expect(exit == .code(code), "\(arguments): \(err)")
                    for word in words { #expect(err.contains(word), "\(arguments): \(err)") }
                }
            }
        }
    }
}
