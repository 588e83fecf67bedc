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
        guard file.isTest, file.target == test.target else { return false }
        let code = SwiftText(file.text).lines
        guard let suite = code.firstIndex(where: { $0.contains("struct \(test.suite)") }) else { return false }
        return code[suite...].contains { $0.contains("func \(test.function)(") }
    }
}

/// The rows of the rule book's tables, without their heads.
private func rows(in text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| rule ") }.map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
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
            #expect(row.count == 6, "\(row.first ?? "")")
            #expect(row.first?.contains(/^[RTKX]-?\d+$/) == true, "\(row.first ?? "")")
            #expect(!namedTests(in: row.count > 3 ? row[3] : "").isEmpty, "no test holds \(row.first ?? "")")
            #expect(!row.contains(""), "\(row.first ?? "") has an empty column")
        }
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
    }
}
