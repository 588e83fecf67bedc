import Foundation
import GPSDPeer
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The read-only commands `apps`, `watch` and `doctor`, and the shells' completions.
    @Suite struct LookingTests {
        // MARK: apps

        @Test func apps() throws {
            try TestSystem.run { system in
                #expect(try system.roost("apps").out.contains("no app is installed"))
                try system.install("Counter")
                try system.tell(.install(path: Examples.directory() + "/Clock.app", replacing: false))
                func check() throws {
                    let table = try system.roost("apps").out.split(separator: "\n").map(String.init)
                    try #require(table.count == 3, "\(table)")
                    #expect(table[0].hasPrefix("APP"))
                    #expect(table[1].contains("Clock") && table[1].contains("adopted"), "\(table[1])")
                    let counter = table[2]
                    for word in ["org.roost.example.Counter", "fetch, location", "RoostKit", "/Counter.app"] {
                        #expect(counter.contains(word), "\(counter)")
                    }
                    let json = try JSONSerialization.jsonObject(with: Data(try system.roost("apps", "--json").out.utf8))
                    let apps = try #require(json as? [[String: Any]])
                    #expect(apps.map { $0["name"] as? String } == ["Clock", "Counter"])
                    #expect(apps.map { $0["isAdopted"] as? Bool } == [true, false])
                    #expect(apps[1]["container"] as? String == system.container(.counter))
                }
                try check()
                try system.crash()
                try check()
                unlink("\(system.state)/bundles/org.roost.example.Counter/Counter.app/Info.plist")
                let broken = try system.roost("apps")
                #expect(broken.exit == .code(0) && broken.out.contains("Info.plist: it is missing"), "\(broken.out)")
            }
        }

        // MARK: watch

        @Test(.whereTmuxIs) func watchAtATerminal() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try Tmux.run(in: system, columns: 100, rows: 12) { tmux in
                    let program = try tmux.start("watch")
                    try tmux.until("roost: 0 of 1 apps run, policy iOS26")
                    try tmux.until("not running")
                    try system.tell(.launch(.counter))
                    try tmux.until("roost: 1 of 1 apps run")
                    try tmux.until("org.roost.example.Counter  active")
                    try tmux.resize(columns: 20, rows: 6)
                    try tmux.until("the table fits the window") { (lines: [String]) -> Bool? in
                        lines.first == "roost: 1 of 1 apps …" && lines.count <= 6 ? true : nil
                    }
                    try tmux.resize(columns: 100, rows: 12)
                    try system.tell(.home)
                    try tmux.until("org.roost.example.Counter  suspended")
                    try tmux.press("q")
                    #expect(try tmux.end(of: program) == 0)
                    let again = try tmux.start("watch")
                    try tmux.until("org.roost.example.Counter  suspended")
                    again.held.send(SIGTERM)
                    #expect(try tmux.end(of: again) == 128 + SIGTERM)
                    let last = try tmux.start("watch")
                    try tmux.until("org.roost.example.Counter  suspended")
                    // A living guardian will restart the supervisor; without a guardian nothing will.
                    try system.crash()
                    try tmux.until("the system is being restarted")
                    try system.start()
                    try tmux.until("roost: 1 of 1 apps run")
                    try system.crash(.both)
                    #expect(try tmux.end(of: last) == 69)
                    try tmux.until("roost: the connection to the system was lost")
                }
            }
        }

        @Test(arguments: [false, true]) func watchInAPipe(json: Bool) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let file = system.directory + "/watch.out"
                let child = try ChildProcess(
                    [TestSystem.program, "watch"] + (json ? ["--json"] : []), environment: system.environment,
                    output: file)
                system.follow(file)
                try system.until("the command is watching", also: [child.held]) {
                    Kernel.text(file)?.contains("decisions from now on") == true ? true : nil
                }
                try system.launch(.counter)
                try system.until("the command prints the change", also: [child.held]) {
                    Kernel.text(file)?.contains("inactive → active") == true ? true : nil
                }
                child.held.send(SIGINT)
                #expect(try child.exit() == .code(0))
                let lines = (Kernel.text(file) ?? "").split(separator: "\n")
                #expect(!lines.contains { $0.contains("\u{1B}") })
                if json {
                    let decisions = try lines.map { try JSONDecoder().decode(DecisionLine.self, from: Data($0.utf8)) }
                    #expect(decisions.last { $0.state != nil }?.state == .active)
                }
            }
        }

        /// `roost watch` continues over `roost restart`, and ends with the system.
        @Test func watchOverARestart() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let (file, errors) = (system.directory + "/watch.out", system.directory + "/watch.err")
                let child = try ChildProcess(
                    [TestSystem.program, "watch"], environment: system.environment, output: file, errors: errors)
                for path in [file, errors] { system.follow(path) }
                func watching(times: Int) throws {
                    try system.until("the command is watching", also: [child.held]) {
                        let text = Kernel.text(file) ?? ""
                        return text.components(separatedBy: "decisions from now on").count > times ? true : nil
                    }
                }
                try watching(times: 1)
                for times in 2...3 {
                    #expect(try system.roost("restart").exit == .code(0))
                    try system.untilUpAgain()
                    try watching(times: times)
                }
                try system.launch(.counter)
                try system.until("the command prints the change", also: [child.held]) {
                    Kernel.text(file)?.contains("inactive → active") == true ? true : nil
                }
                _ = try system.terminate()
                #expect(try child.exit() == .code(69))
                #expect(Kernel.text(errors) == "roost: the connection to the system was lost\n")
            }
        }

        @Test func watchWithoutASystem() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.roost("watch")
                #expect(exit == .code(69) && err.contains("roost up"), "\(err)")
            }
        }

        // MARK: doctor

        private struct Finding: Decodable {
            let about: String
            let level: String
            let found: String
            let advice: String?
        }

        private func doctor(
            _ system: TestSystem, _ arguments: String..., adding: [String: String] = [:],
            wrapping wrapper: [String] = []
        ) throws -> (exit: Exit, findings: [String: Finding]) {
            let (exit, out, err) = try system.run(
                wrapper + [TestSystem.program, "doctor", "--json"] + arguments, adding: adding)
            let list = try JSONDecoder().decode([Finding].self, from: Data(out.utf8))
            #expect(err.isEmpty && Set(list.map(\.about)).count == list.count && list.count > 10)
            #expect(exit == .code(list.contains { $0.level == "problem" } ? 1 : 0))
            for finding in list where finding.level == "problem" || finding.level == "warning" {
                #expect(!finding.found.isEmpty, "\(finding)")
            }
            return (exit, Dictionary(uniqueKeysWithValues: list.map { ($0.about, $0) }))
        }

        @Test func doctorLooks() throws {
            try TestSystem.run { system in
                let (exit, findings) = try doctor(system)
                #expect(exit == .code(0))
                // The uids follow from the system's id. For another system, no number is printed.
                let sandbox = try system.status().sandbox
                #expect(findings["sandbox"]?.found.hasPrefix(sandbox) == true, "\(sandbox)")
                let another = try doctor(system, "--state", system.directory + "/another").findings["sandbox"]
                #expect(another?.found.contains("uids from") == false, "\(another?.found ?? "")")
                #expect(
                    findings["system"]?.found.contains(
                        "pid \(system.supervisor?.pid ?? 0), guardian \(system.guardian?.pid ?? 0)") == true)
                #expect(findings["state directory"]?.found == system.state)
                #expect(findings["freezing"]?.found.contains(system.usesSignals ? "SIGSTOP" : "cgroup v2") == true)
                #expect(findings["runtime directory"]?.found == system.runtime + "/roost")
                let text = try system.roost("doctor").out
                #expect(text.split(separator: "\n").filter { $0.hasPrefix("ok  ") }.count > 5, "\(text)")
                try system.crash()
                let after = try doctor(system)
                #expect(after.findings["system"]?.found.contains("does not run") == true)
            }
        }

        /// Without gpsd no position is invented, and `doctor` says so (R-151).
        @Test(.whereGPSDIs) func doctorSaysWhetherGPSDAnswers() throws {
            let gpsd = try RealGPSD()
            try TestSystem.run(starting: false) { system in
                func positions(at address: String) throws -> Finding? {
                    try doctor(system, adding: ["ROOST_GPSD": address]).findings["positions"]
                }
                let found = try positions(at: "127.0.0.1:\(gpsd.port)")
                #expect(found?.level == "ok" && found?.found.contains("answers") == true, "\(found as Any)")
                let none = try positions(at: "127.0.0.1:1")
                #expect(
                    none?.level == "warning" && none?.found.contains("Connection refused") == true, "\(none as Any)")
                #expect(try !gpsd.hasClient(), "nothing is switched on")
            }
        }

        /// The default state directory. For root, apps with their own uids can reach it. For other users the directory
        /// is in their home.
        @Test func doctorNamesThePlaceThatGoesWithoutSaying() throws {
            try TestSystem.run(starting: false) { system in
                let usual = try place(system)
                #expect(usual.contains(getuid() == 0 ? "/var/lib/roost" : "/nowhere/.local/state/roost"), "\(usual)")
                let inStateHome = try place(system, "XDG_STATE_HOME=/nowhere/state")
                #expect(inStateHome.contains("/nowhere/state/roost"), "\(inStateHome)")
                let named = try place(system, "ROOST_STATE=/nowhere/roost")
                #expect(named.contains("/nowhere/roost"), "\(named)")
            }
        }

        @Test func doctorNamesThePlaceOfAnOrdinaryUser() throws {
            if let obstacle = SetUp.ordinaryUser.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let another = try place(
                    system, as: ["setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups"])
                #expect(another.contains("/nowhere/.local/state/roost"), "\(another)")
            }
        }

        /// The state directory that `roost doctor` finds, with a home at /nowhere and only these variables to choose
        /// it.
        private func place(
            _ system: TestSystem, _ variables: String..., as wrapper: [String] = []
        ) throws -> String {
            let names = ["ROOST_STATE", "XDG_STATE_HOME"].flatMap { ["-u", $0] }
            return try doctor(system, wrapping: wrapper + ["env"] + names + ["HOME=/nowhere"] + variables)
                .findings["state directory"]?.found ?? ""
        }

        /// The level `none` means no sandbox, in the log, too.
        @Test func withoutASandboxTheLogSaysSo() throws {
            try TestSystem.run(adding: ["--sandbox", "none"]) { system in
                #expect(system.systemLog.contains("apps are not sandboxed"))
                #expect(!system.systemLog.contains("apps are sandboxed"))
            }
        }

        /// Landlock alone is less than the best level: doctor says why, and what to do.
        @Test func doctorSaysHowAppsComeByUids() throws {
            try TestSystem.run(starting: false) { system in
                let closed = try closedDirectory(in: system)
                let finding = try doctor(system, "--state", closed + "/state").findings["sandbox"]
                #expect(finding?.level == "warning")
                #expect(finding?.found.contains("apps share the system's uid") == true, "\(finding?.found ?? "")")
                #expect(finding?.found.contains(getuid() == 0 ? "cannot search \(closed)" : "only root") == true)
                #expect(finding?.advice?.contains(getuid() == 0 ? "/var/lib/roost" : "as root") == true)
            }
        }

        @Test func doctorFindsNoFaultWithAPlaceThatAppsCanEnter() throws {
            if getuid() != 0 { try Test.cancel("only root can give apps their own uids") }
            try TestSystem.run(starting: false) { system in
                let closed = try closedDirectory(in: system)
                chmod(closed, 0o711)
                let open = try doctor(system, "--state", closed + "/state", adding: ["XDG_RUNTIME_DIR": ""])
                let level = open.findings["sandbox"]
                #expect(level?.level == (level?.found.hasPrefix("uids") == true ? "ok" : "warning"))
                #expect(level?.found.contains(closed) == false, "\(level?.found ?? "")")
            }
        }

        /// Makes a directory that only the system's user may enter.
        private func closedDirectory(in system: TestSystem) throws -> String {
            let closed = system.directory + "/closed"
            try FileManager.default.createDirectory(
                atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            return closed
        }

        @Test func doctorFindsFault() throws {
            try TestSystem.run(starting: false) { system in
                try "mine".write(toFile: system.directory + "/file", atomically: true, encoding: .utf8)
                let noPlace = try doctor(system, adding: ["ROOST_CGROUP": "/nonexistent", "PATH": "/nonexistent"])
                #expect(noPlace.exit == .code(1))
                #expect(noPlace.findings["freezing"]?.level == "problem")
                #expect(noPlace.findings["Swift toolchain"]?.level == "warning")
                let state = try doctor(system, "--state", system.directory + "/file/place")
                #expect(state.exit == .code(1) && state.findings["state directory"]?.level == "problem")
                let foreign = try doctor(system, "--state", system.directory)
                #expect(
                    foreign.exit == .code(1) && foreign.findings["state directory"]?.advice?.contains("empty") == true)
                let long = "/" + String(repeating: "long/", count: 30)
                let runtime = try doctor(system, adding: ["XDG_RUNTIME_DIR": long])
                #expect(runtime.exit == .code(1) && runtime.findings["runtime directory"]?.level == "problem")
            }
        }

        @Test func doctorFindsThatSignalsStandInForCgroups() throws {
            if let obstacle = SetUp.signals.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let signals = try doctor(system, wrapping: SetUp.signals.wrap([], subtree: nil))
                #expect(signals.findings["freezing"]?.level == "warning")
                #expect(signals.findings["freezing"]?.found.contains("SIGSTOP") == true)
                #expect(signals.findings["cgroup layout"]?.level == "warning")
            }
        }

        // MARK: log

        /// An app's escape sequences have no effect on a terminal. A pipe gets the output unchanged, also a last
        /// line that has not ended.
        @Test(.whereTmuxIs) func logAtATerminalAndInAPipe() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let printed = "a\u{1B}[31mred\u{9B}2J\tb\nno end"
                let log = "\(system.state)/logs/org.roost.example.Counter.log"
                try printed.write(toFile: log, atomically: false, encoding: .utf8)
                #expect(try system.roost("log", "org.roost.example.Counter").out == printed)
                let all = try system.roost("log").out.split(separator: "\n")
                #expect(all.map { $0.hasPrefix("org.roost.example.Counter: ") } == [true, true], "\(all)")
                try Tmux.run(in: system) { tmux in
                    let program = try tmux.start("log", "org.roost.example.Counter")
                    try tmux.until("a\\u{1b}[31mred\\u{9b}2J    b")
                    try tmux.until("no end")
                    #expect(try tmux.end(of: program) == 0)
                }
                for arguments in [["log", "com.example.typo"], ["log", "-f", "com.example.typo"]] {
                    let (exit, _, err) = try system.run([TestSystem.program] + arguments)
                    #expect(exit == .code(1) && err.contains("installed"), "\(err)")
                }
            }
        }

        // MARK: Completions

        @Test func completionsInBash() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                let script = system.directory + "/completions"
                try system.roost("completions", "bash").out.write(toFile: script, atomically: true, encoding: .utf8)
                func complete(_ words: String...) throws -> Set<String> {
                    let quoted = (["roost"] + words).map { "'\($0)'" }.joined(separator: " ")
                    let line = (["roost"] + words).joined(separator: " ")
                    let program = """
                        PATH="$1:$PATH"; . '\(script)'
                        COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
                        COMP_TYPE=9; COMP_KEY=9; declare -F _roost >/dev/null || exit 9
                        _roost roost "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                        printf '%s\\n' "${COMPREPLY[@]}"
                        """
                    let place = URL(fileURLWithPath: TestSystem.program).deletingLastPathComponent().path
                    let (exit, out, err) = try system.run(["bash", "--norc", "-c", program, "bash", place])
                    #expect(exit == .code(0), "\(err)")
                    return Set(out.split(whereSeparator: \.isWhitespace).map(String.init))
                }
                #expect(try complete("la").contains("launch"))
                #expect(try complete("launch", "org.roost.ex") == ["org.roost.example.Counter"])
                let all: Set = ["org.roost.example.Counter", "org.roost.test.Second"]
                #expect(try complete("quit", "").isSuperset(of: all))
                #expect(try complete("log", "org").isSuperset(of: all))
                #expect(try complete("completions", "").isSuperset(of: ["bash", "zsh", "fish"]))
                #expect(
                    try complete("wake", "--reason", "").isSuperset(of: [
                        "locationUpdate", "locationMonitoring", "backgroundFetch",
                    ]))
                #expect(try complete("up", "--policy", "").isSuperset(of: ["iOS4", "iOS27"]))
                #expect(try complete("up", "--sandbox", "").isSuperset(of: ["auto", "uids"]))
                #expect(try complete("settings", "network", "") == ["none", "wifi", "cellular"])
                #expect(try complete("settings", "autoLock", "") == ["never"])
                #expect(try complete("sc").contains("scan"))
                #expect(try complete("scan", "--").isSuperset(of: ["--write", "--name", "--roost", "--json"]))
            }
        }

        @Test func completionsForOtherShells() throws {
            try TestSystem.run(starting: false) { system in
                #expect(try system.roost("completions", "zsh").out.hasPrefix("#compdef roost"))
                #expect(try system.roost("completions", "fish").out.contains("complete -c 'roost'"))
                let (exit, _, err) = try system.roost("completions", "tcsh")
                #expect(exit == .code(64) && err.contains("bash"), "\(err)")
            }
        }
    }
}
