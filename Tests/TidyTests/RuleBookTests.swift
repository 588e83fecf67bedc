import Foundation
import Testing

/// A test as the rule book names it: `target/suite/test`.
private struct NamedTest: Hashable, CustomStringConvertible {
    let target: String
    let suite: String
    let function: String

    var description: String { "\(target)/\(suite)/\(function)" }
}

private func namedTests(in text: String) -> [NamedTest] {
    text.matches(of: /`(\w+Tests)\/(\w+)\/(\w+)`/).map {
        NamedTest(target: String($0.output.1), suite: String($0.output.2), function: String($0.output.3))
    }
}

/// Whether one of `files` has the suite, and in it a function of that name.
private func isThere(_ test: NamedTest, in files: [SourceFile]) -> Bool {
    files.contains { file in
        // Taking a file apart takes long: it is not done for one that has no such words at all.
        let isSuite = { (text: String) in
            text.contains("struct \(test.suite)") || text.contains("class \(test.suite)")
        }
        guard file.isTest, file.target == test.target, isSuite(file.text) else { return false }
        let code = SwiftText(file.text).lines
        guard let suite = code.firstIndex(where: isSuite) else { return false }
        return code[suite...].contains { $0.contains("func \(test.function)(") }
    }
}

/// The rows of the rule book's tables of rules, without their heads. A line without a bar ends a table.
private func rows(in text: String) -> [[String]] {
    var isOfRules = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
        if line.hasPrefix("| rule ") { isOfRules = true }
        if !line.hasPrefix("|") { isOfRules = false }
        guard isOfRules, line.hasPrefix("| "), !line.hasPrefix("| rule ") else { return nil }
        return line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// The rules that a text says something of beside the tables' rows: by name, or within `R-29 to R-32`.
private func rulesToldOf(in text: String) -> Set<String> {
    let lines = text.split(separator: "\n").filter { $0.prefixMatch(of: /\| [RTKX]-?\d+ \|/) == nil }
    let told = lines.joined(separator: "\n")
    let named = told.matches(of: /[RTKX]-?\d+/).map { String($0.output) }
    let ranges = told.matches(of: /R-(\d+) to R-(\d+)/).flatMap { match -> [String] in
        guard let first = Int(match.output.1), let last = Int(match.output.2), first < last else { return [] }
        return (first...last).map { "R-\($0)" }
    }
    return Set(named + ranges)
}

@Suite struct RuleBookTests {
    private let book = Repository.files.first { $0.path == "docs/rules.md" }?.text ?? ""

    @Test func everyTestIsThere() {
        let named = namedTests(in: book)
        #expect(named.count > 50)
        let missing = Set(named).filter { !isThere($0, in: Repository.files) }.map(\.description).sorted()
        #expect(missing.isEmpty, "docs/rules.md names tests that are not there: \(missing)")
    }

    @Test func everyRuleIsWholeAndThereOnce() {
        let rows = rows(in: book)
        let rules = rows.compactMap(\.first)
        #expect(Set(rules).count == rules.count, "a rule has two rows")
        for row in rows {
            #expect(row.count == 5, "\(row.first ?? "")")
            #expect(row.first?.contains(/^[RTKX]-?\d+$/) == true, "\(row.first ?? "")")
            #expect(!namedTests(in: row.count > 3 ? row[3] : "").isEmpty, "no test holds \(row.first ?? "")")
            #expect(!row.contains(""), "\(row.first ?? "") has an empty column")
        }
    }

    /// A test of a check shows that the check objects, not that the brain keeps the rule.
    @Test func testsOfTheCheckerAreNoEvidence() {
        let checks = namedTests(in: book).filter { $0.suite.hasSuffix("InvariantTests") }
        #expect(checks.isEmpty, "\(checks)")
    }

    /// The process, states, tasks, memory, the opt-out, the lock: each of their rules has a row, or it is said why not.
    @Test func noRuleIsPassedOver() {
        func numbers(_ prefix: String, _ range: ClosedRange<Int>) -> [String] {
            range.map { "\(prefix)\($0 < 10 ? "0" : "")\($0)" }
        }
        let rules = numbers("R-", 1...49) + numbers("R-", 122...126) + numbers("T", 1...28)
        let known = Set(rows(in: book).compactMap(\.first)).union(rulesToldOf(in: book))
        let missing = rules.filter { !known.contains($0) }
        #expect(missing.isEmpty, "docs/rules.md says nothing of \(missing)")
    }

    /// What an app and its user would notice of a transition is shown by real processes, too.
    @Test func everyTransitionIsShownByRealProcesses() {
        let transitions = rows(in: book).filter { $0.first?.hasPrefix("T") == true }
        #expect(transitions.count > 20)
        let unshown = transitions.filter { !($0.dropFirst(3).first ?? "").contains("`EndToEndTests/") }.compactMap(
            \.first)
        #expect(unshown.isEmpty, "no end-to-end test of \(unshown)")
    }

    @Test func finds() {
        let named = namedTests(in: "`ATests/S/f`<br>`BTests/T/g`, `x/y/z`, ATests/S/h")
        #expect(named.map(\.description) == ["ATests/S/f", "BTests/T/g"])
        let file = SourceFile(path: "Tests/ATests/S.swift", text: "struct S {\n@Test func f() {}\n// func h()\n}")
        #expect(isThere(NamedTest(target: "ATests", suite: "S", function: "f"), in: [file]))
        #expect(!isThere(NamedTest(target: "ATests", suite: "S", function: "h"), in: [file]))
        #expect(!isThere(NamedTest(target: "BTests", suite: "S", function: "f"), in: [file]))
        #expect(!isThere(NamedTest(target: "ATests", suite: "T", function: "f"), in: [file]))
        #expect(rows(in: "| rule | x |\n|---|---|\n| R-01 | y |") == [["R-01", "y"]])
        #expect(rows(in: "| rule | x |\n|---|---|\n| R-01 | y |\n\n| what | x |\n| R-02 | y |") == [["R-01", "y"]])
        #expect(
            rulesToldOf(in: "| R-01 | R-02 |\n| R-03: x |\nR-12 to R-14, T20") == [
                "R-03", "R-12", "R-13", "R-14", "T20",
            ])
    }
}
