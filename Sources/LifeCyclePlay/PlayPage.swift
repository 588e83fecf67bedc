import LifeCycleModel

/// The page to play with: one self-contained file, generated from the brain's behavior.
///
/// The page decides nothing. The page contains the result of each act in each reachable state, with the text to show,
/// and only looks up the results.
public struct PlayPage: Sendable {
    /// A generation and a kind of app, with their table.
    public struct Entry: Sendable {
        let policy: Policy
        let app: PlayApp
        let table: PlayTable
        /// The table's edges, in the page's encoding.
        let graph: [String]

        /// Explores all states, which takes seconds in a release build and a minute in a debug build. Throws if the
        /// table differs from the device's behavior.
        public init(_ place: Place) throws {
            (policy, app) = (place.policy, place.app)
            table = try PlayTable(policy: policy, app: app)
            try table.check(policy: policy, app: app)
            graph = try table.packed
        }
    }

    /// A choice of generation and kind of app. The tables are made separately, on any number of threads.
    public struct Place: Sendable {
        let policy: Policy
        let app: PlayApp
    }

    /// All places of a page, in order.
    public static let places = Policy.presets.flatMap { policy in
        PlayApp.all(in: policy).map { Place(policy: policy, app: $0) }
    }

    let entries: [Entry]

    /// The page of the entries for `places`, in their order.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// A complete HTML page, with its style, script and data.
    public var text: String {
        Self.markup
            .replacing("/*style*/", with: Self.style)
            .replacing("/*data*/", with: data)
            .replacing("/*script*/", with: Self.script)
    }

    // MARK: The data

    /// The data for look-up, each value once.
    private var data: String {
        var texts = Interned<Phrase>()
        var lines = Interned<String>()
        var runs = Interned<[Int]>()
        var views = Interned<String>()
        var graphs = Interned<String>()
        var tables: [String] = []
        for entry in entries {
            let numbers = entry.table.runs.map { run in
                runs.number(of: run.map { lines.number(of: Self.json($0, &texts)) })
            }
            let shown = entry.table.facts.map { views.number(of: Self.json($0, &texts)) }
            // Tables with different times but the same shape have the same graph, which uses the table's own numbers of
            // runs.
            let graphNumber = graphs.number(of: "[" + entry.graph.map(Self.json).joined(separator: ",\n") + "]")
            tables.append(
                "{\"gen\":\(Self.json(entry.policy.name)),\"app\":\(Self.json(entry.app.rawValue)),"
                    + "\"graph\":\(graphNumber),\"runs\":\(Self.json(numbers)),\"views\":\(Self.json(shown))}")
        }
        let parts: [(String, [String])] = [
            ("texts", texts.all.map(Self.json)), ("lines", lines.all), ("runs", runs.all.map(Self.json)),
            ("views", views.all), ("graphs", graphs.all), ("tables", tables),
            ("generations", entries.map(\.policy.name).uniqued.map(Self.json)),
            ("apps", PlayApp.allCases.map { "[\(Self.json($0.rawValue)),\(Self.json($0.name))]" }),
            ("digits", [Self.json(String(PlayTable.digits))]),
            ("kinds", PlayLine.Kind.allCases.map { Self.json($0.rawValue) }),
            ("states", AppState.allCases.map { Self.json(Phrase($0.name)) }),
            ("doers", PlayAct.Doer.allCases.map { "[\(Self.json($0.rawValue)),\(Self.json($0.name))]" }),
            ("acts", PlayAct.all.map(Self.json)),
            ("scenarios", PlayScenario.all.map(Self.json)),
            ("words", PlayWords.all.map { "[\(Self.json($0.key)),\(Self.json($0.text))]" }),
        ]
        return "{"
            + parts.map { "\"\($0.0)\":[\n" + $0.1.joined(separator: ",\n") + "]" }.joined(separator: ",\n") + "}"
    }

    private static func json(_ line: PlayLine, _ texts: inout Interned<Phrase>) -> String {
        let kind = PlayLine.Kind.allCases.firstIndex(of: line.kind) ?? 0
        let state = line.state.flatMap { AppState.allCases.firstIndex(of: $0) }.map { ",\($0)" } ?? ""
        let rule = line.rule.map { ",\(json($0))" } ?? (state.isEmpty ? "" : ",\"\"")
        return "[\(kind),\(texts.number(of: line.text))\(rule)\(state)]"
    }

    private static func json(_ facts: PlayFacts, _ texts: inout Interned<Phrase>) -> String {
        let flags = [
            facts.isLocked, facts.isInterrupted, facts.isForceQuit, facts.isPrewarmed, facts.isPushHeld,
        ]
        let bits = flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
        let state = AppState.allCases.firstIndex(of: facts.state) ?? 0
        let time = facts.timeLeft.map { texts.number(of: Phrase("\($0)")) } ?? -1
        let next = facts.next.map { texts.number(of: $0) } ?? -1
        let (task, notification) = (facts.task.rawValue, facts.notification.rawValue)
        return "[\(state),\(facts.front),\(bits),\(task),\(time),\(next),\(notification)]"
    }

    private static func json(_ act: PlayAct) -> String {
        "[\(json(act.word)),\(json(act.doer.rawValue)),\(json(act.name))]"
    }

    private static func json(_ scenario: PlayScenario) -> String {
        let acts = scenario.acts.map { json($0.word) }.joined(separator: ",")
        return "[\(json(scenario.word)),\(json(scenario.name)),\(json(scenario.about)),[\(acts)]]"
    }

    private static func json(_ phrase: Phrase) -> String {
        phrase.english == phrase.korean
            ? json(phrase.english) : "[\(json(phrase.english)),\(json(phrase.korean))]"
    }

    private static func json(_ numbers: [Int]) -> String {
        "[" + numbers.map(String.init).joined(separator: ",") + "]"
    }

    private static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            // No text can then end the element that contains it.
            case "<": result += "\\u003c"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Distinct values, numbered in the order in which they were first added.
private struct Interned<Value: Hashable> {
    private(set) var all: [Value] = []
    private var numbers: [Value: Int] = [:]

    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = all.count
        all.append(value)
        return all.count - 1
    }
}

extension [String] {
    /// The distinct elements, in the order of their first occurrences.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
