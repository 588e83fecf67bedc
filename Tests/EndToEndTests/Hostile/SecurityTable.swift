import Foundation

/// The table in `docs/security.md` of how each attack ends, with a column for each situation.
struct SecurityTable {
    private static let (begin, end) = ("<!-- begin: hostile app -->\n\n", "\n<!-- end: hostile app -->")
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/security.md")

    /// Whether to write the document instead of only comparing it.
    static var isToBeWritten: Bool { ProcessInfo.processInfo.environment["ROOST_WRITE_SECURITY_TABLE"] != nil }

    private var before: Substring
    private var after: Substring
    /// The table in the document.
    private(set) var text: String

    init() throws {
        let whole = try String(contentsOf: Self.document, encoding: .utf8)
        guard let start = whole.range(of: Self.begin)?.upperBound, let stop = whole.range(of: Self.end)?.lowerBound
        else {
            throw TestFailure(description: "docs/security.md has no markers for the table")
        }
        (before, text, after) = (whole[..<start], String(whole[start..<stop]), whole[stop...])
    }

    /// The table of all attacks, with new outcomes for one situation and the document's outcomes for the others.
    func with(_ outcomes: [String: String], of situation: Situation) -> String {
        let known = Dictionary(
            text.split(separator: "\n").map { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                return (cells[0], Array(cells.dropFirst()))
            }, uniquingKeysWith: { first, _ in first })
        var lines = [
            ["it tries to"] + Situation.allCases.map(\.heading), Situation.allCases.map { _ in "---" } + ["---"],
        ]
        for row in AttackTable.rows {
            let name = row.attack.name
            var cells = known[name] ?? Situation.allCases.map { _ in "?" }
            // If the machine decides, the table lists the possible outcomes.
            let expected = row.expected(situation)
            cells[situation.rawValue] = expected.count > 1 ? expected.joined(separator: " or ") : outcomes[name] ?? "?"
            lines.append([name] + cells)
        }
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    mutating func write(_ table: String) throws {
        text = table
        try (before + text + after).write(to: Self.document, atomically: true, encoding: .utf8)
    }
}
