import FoundationEssentials
import Glibc
import LifeCycleModel
import LifeCycleSimulation
import RoostPorts
import RoostRuntime
import RoostWire

/// Plays the scenes: applies user actions, prints the results, and compares them with the expected results.
struct DemoStage {
    /// The failed checks.
    private(set) var findings: [String] = []

    let system: DemoSystem
    private let begin = Moment.now
    private var lineCount = 0

    init(system: DemoSystem) { self.system = system }

    // MARK: Actions

    mutating func title(_ text: String) { print("\n\(Color.bold.paint(text))") }

    /// Applies a user action, and prints it on its own line.
    mutating func act(_ what: String, _ call: ControlCall) throws {
        row(done: what)
        _ = try system.ask(call)
    }

    /// Prints an action on the system itself.
    mutating func announce(_ what: String) { row(done: what) }

    /// Prints decisions until one about `app` has this kind and contains `text`. The app's callbacks, states and ends
    /// must equal `expected`, in order. Other apps' lines are only printed.
    mutating func expect(
        _ app: String, _ expected: [String], until kind: String, _ text: String = "",
        within limit: Nanoseconds = .seconds(20)
    ) throws {
        let identifier = Self.identifier(app)
        var seen: [String] = []
        let end = Moment.now.awake + limit
        while true {
            guard let line = try system.nextDecision(within: end - Moment.now.awake) else {
                finding("\(app): timed out waiting for \(kind) \(text)")
                break
            }
            show(line)
            guard line.app?.rawValue == identifier else { continue }
            if Self.isCompared(line) { seen.append(line.text) }
            if line.kind == kind, text.isEmpty || line.text.contains(text) { break }
        }
        if seen != expected { finding("\(app): expected \(expected), found \(seen)") }
    }

    /// Waits until `app` is in `state`.
    mutating func wait(for app: String, toBe state: AppState, within limit: Nanoseconds = .seconds(20)) throws {
        let end = Moment.now.awake + limit
        while try system.app(Self.identifier(app))?.state != state {
            guard Moment.now.awake < end else { return finding("\(app): timed out waiting for it to be \(state.name)") }
            if let line = try system.nextDecision(within: .milliseconds(20)) { show(line) }
        }
    }

    private static func isCompared(_ line: DecisionLine) -> Bool {
        ["callback", "state", "ended", "expiring"].contains(line.kind)
    }

    static func identifier(_ app: String) -> String { "org.roost.example.\(app)" }

    mutating func finding(_ text: String) {
        findings.append(text)
        print("  ✗ \(text)")
    }

    /// Checks a condition, described by `text`.
    mutating func check(_ isSo: Bool, _ text: String) {
        if isSo { row(kernel: text) } else { finding("false: \(text)") }
    }

    // MARK: Printing

    private mutating func show(_ line: DecisionLine) {
        let app = line.app?.rawValue.split(separator: ".").last.map(String.init) ?? ""
        switch line.kind {
        case "callback": row(app: app, callback: String(line.text.dropFirst("receives ".count)))
        case "state": row(app: app, state: line.text, kernel: evidence(of: line))
        case "ended": row(app: app, state: "", kernel: line.text)
        case "task", "task-ended", "expiring", "time", "found", "refused", "woken", "terminating":
            row(app: app, note: line.text)
        default: break
        }
    }

    /// The kernel's evidence for a transition from or to suspended. The evidence is read from the cgroup's own file or,
    /// without a cgroup, reported by the system. A suspended app that the kernel does not stop is a finding.
    private mutating func evidence(of line: DecisionLine) -> String {
        guard let identifier = line.app?.rawValue, line.text.contains(AppState.suspended.name),
            line.state != .notRunning
        else { return "" }
        let app = try? system.app(identifier)
        var word = app?.freezer ?? ""
        if let place = app?.place, place.hasPrefix("/"),
            let text = try? String(contentsOfFile: place + "/cgroup.events", encoding: .utf8)
        {
            word = text.split(separator: "\n").first { $0.hasPrefix("frozen") }.map(String.init) ?? ""
        }
        if line.state == .suspended, word != "frozen 1", word != "stopped" {
            finding("\(identifier) counts as suspended, but the kernel says \"\(word)\"")
        }
        return word
    }

    private mutating func row(
        done: String = "", app: String = "", callback: String = "", state: String = "", kernel: String = "",
        note: String = ""
    ) {
        if lineCount == 0 {
            print(Color.dim.paint(Self.columns("time", "action", "app", "callback", "state", "evidence")))
        }
        lineCount += 1
        let elapsed = (Moment.now.awake - begin.awake).rawValue / 1_000_000
        let time = "\(elapsed / 1000)." + String(String(1000 + elapsed % 1000).dropFirst())
        if note.isEmpty {
            print(Self.columns(time, done, app, callback, state, kernel))
        } else {
            print(Self.columns(time, "", app, Color.dim.paint(note), "", ""))
        }
    }

    private static func columns(_ cells: String...) -> String {
        let widths = [8, 26, 18, 22, 24, 0]
        var line = ""
        for (cell, width) in zip(cells, widths) {
            line += cell + String(repeating: " ", count: max(1, width - cell.count))
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: The end

    /// Replays the system's journals.
    mutating func checkJournals() {
        var check = JournalCheck()
        let files = Journal.files(in: system.state + "/journal")
        for file in files { check.run(file) }
        for text in check.findings { finding(text) }
        print(
            "\nThe journals of both runs of the system, \(check.events) events, were replayed: "
                + (findings.isEmpty ? "the same effects, no invariant broken." : "see above."))
        if files.count != 2 || check.events < 50 {
            finding("2 journals were expected with some events, not \(files.count)")
        }
    }

    func printSummary() {
        let elapsed = (Moment.now.awake - begin.awake).rawValue / 1_000_000_000
        print(
            findings.isEmpty
                ? Color.bold.paint("All checks passed, in \(elapsed) s.")
                : Color.bold.paint("\(findings.count) checks failed."))
    }
}
