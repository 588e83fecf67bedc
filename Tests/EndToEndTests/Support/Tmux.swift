import CRoost
import Foundation
import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that need a terminal with a user: tmux is both.
    static var whereTmuxIs: Self {
        .enabled("there is no tmux: scripts/setup installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || Tmux.isInstalled
        }
    }
}

/// A terminal for a test: a shell in tmux, with simulated keys and a readable screen.
final class Tmux {
    private unowned let system: TestSystem
    private let socket: String
    /// Everything that was ever written to the terminal.
    private var output: String { system.directory + "/tmux.out" }
    private var runs = 0

    static let isInstalled = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].contains { (path: String) in
        access(path, X_OK) == 0
    }

    /// Calls `body` with a terminal of this size in a system's environment, and removes it afterwards.
    static func run(
        in system: TestSystem, columns: Int = 90, rows: Int = 30, adding: [String: String] = [:],
        _ body: (Tmux) throws -> Void
    ) throws {
        let tmux = try Tmux(in: system, columns: columns, rows: rows, adding: adding)
        defer { _ = try? tmux.command("kill-server") }
        try body(tmux)
    }

    private init(in system: TestSystem, columns: Int, rows: Int, adding: [String: String]) throws {
        self.system = system
        socket = system.directory + "/tmux"
        var environment = ["LC_ALL": "C.UTF-8", "TMUX": "", "NO_COLOR": ""]
        // The shell's startup file; root's prompt would be # otherwise.
        environment["ENV"] = system.directory + "/shell"
        try "PS1='shell> '\n".write(toFile: system.directory + "/shell", atomically: true, encoding: .utf8)
        environment["TMPDIR"] = system.directory + "/t"
        mkdir(system.directory + "/t", 0o700)
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        system.follow(output)
        let (exit, _, errors) = try system.run(
            [
                "tmux", "-u", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
                "sh",
            ], adding: environment.merging(adding) { $1 })
        guard exit == .code(0) else { throw TestFailure(description: "tmux does not start: \(errors)") }
        try command("set-option", "-g", "status", "off")
        try command("pipe-pane", "-o", "cat >> '\(output)'")
    }

    @discardableResult private func command(_ words: String...) throws -> String {
        let (exit, out, errors) = try system.run(["tmux", "-u", "-S", socket] + words)
        guard exit == .code(0) else { throw TestFailure(description: "tmux \(words): \(errors)") }
        return out
    }

    /// Files that tests leave in the directory for temporary files.
    var leftInTemporaryDirectory: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: system.directory + "/t")) ?? ["?"]
    }

    // MARK: Typing

    /// Presses keys, by tmux's names for them; the name of a letter is the letter.
    func press(_ keys: String...) throws { for key in keys { try command("send-keys", key) } }

    /// Types a text unchanged.
    func type(_ text: String) throws { try command("send-keys", "-l", text) }

    func resize(columns: Int, rows: Int) throws {
        try command("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    // MARK: Looking

    /// The screen's lines, without empty lines at its end.
    func screen() throws -> [String] {
        var lines = try command("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Waits until the screen satisfies `condition`, which is checked after every output.
    @discardableResult func until<Value>(_ what: String, _ condition: ([String]) -> Value?) throws -> Value {
        var last: [String] = []
        do {
            return try system.until(what) {
                last = try screen()
                return condition(last)
            }
        } catch {
            throw TestFailure(description: "timed out: \(what); on the screen:\n\(last.joined(separator: "\n"))")
        }
    }

    /// Waits for a line with this text, and returns it.
    @discardableResult func until(_ text: String) throws -> String {
        try until("the screen has \"\(text)\"") { $0.last { $0.contains(text) } }
    }

    /// Waits until the shell is ready for the next command.
    func untilPrompt() throws {
        try until("the shell shows its prompt") { $0.last?.hasPrefix("shell>") == true ? true : nil }
    }

    /// Waits until the last line contains this text.
    @discardableResult func untilStatus(_ text: String) throws -> String {
        try until("the last line has \"\(text)\"") { $0.last.flatMap { $0.contains(text) ? $0 : nil } }
    }

    // MARK: A program at the terminal

    /// A program that was started from the shell.
    struct Program {
        fileprivate let number: Int
        let held: HeldProcess
    }

    /// Runs `roost` with these arguments in the shell, and returns its process.
    func start(_ arguments: String...) throws -> Program {
        runs += 1
        let files = system.directory + "/run-\(runs)"
        system.follow(system.directory)
        let line = ([TestSystem.program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        try """
        stty -g > \(files).before
        sh -c 'echo $$ > \(files).pid.new; mv \(files).pid.new \(files).pid; exec "$0" "$@"' \(line)
        echo $? > \(files).exit.new
        stty -g > \(files).after
        mv \(files).exit.new \(files).exit

        """.write(toFile: files + ".sh", atomically: true, encoding: .utf8)
        try type(". \(files).sh")
        try press("Enter")
        let pid: Int32 = try system.until("the shell has started the program") {
            Kernel.text(files + ".pid").flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        guard let held = HeldProcess(pid) else { throw TestFailure(description: "process \(pid) has already ended") }
        return Program(number: runs, held: held)
    }

    /// Waits for the program's end, checks that the terminal is restored, and returns the exit code.
    func end(of program: Program) throws -> Int32 {
        let files = system.directory + "/run-\(program.number)"
        let code: Int32 = try system.until("the program ends") {
            Kernel.text(files + ".exit").flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        let (before, after) = (Kernel.text(files + ".before"), Kernel.text(files + ".after"))
        #expect(before != nil && before == after, "the terminal's modes are restored")
        let flags = try command("display-message", "-p", "#{cursor_flag}#{alternate_on}")
        #expect(flags == "10\n", "the cursor is visible, on the normal screen")
        return code
    }
}
