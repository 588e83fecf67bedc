import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The read-only commands `apps`, `watch` and `log`, and the shells' completions.
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
