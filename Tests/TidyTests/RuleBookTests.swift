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

/// Whether one of `files` has the suite, with a function of that name.
private func isThere(_ test: NamedTest, in files: [SourceFile]) -> Bool {
    files.contains { file in
        // Parsing a file takes long, so files without these words are skipped.
        let isSuite = { (text: String) in
            text.contains("struct \(test.suite)") || text.contains("class \(test.suite)")
        }
        guard file.isTest, file.target == test.target, isSuite(file.text) else { return false }
        let code = SwiftText(file.text).lines
        guard let suite = code.firstIndex(where: isSuite) else { return false }
        return code[suite...].contains { $0.contains("func \(test.function)(") }
    }
}

/// A section of the rule book.
private struct Rule: Equatable {
    let name: String
    /// The text of the rule's parts by their names. The name of the rule's own text is empty.
    var parts: [String: String] = [:]

    var tests: [NamedTest] { namedTests(in: parts["Tests"] ?? "") }

    static let partNames = ["", "Code", "Tests", "Observed"]
}

/// The sections of rules. A section ends at any other heading.
private func rules(in text: String) -> [Rule] {
    var rules: [Rule] = []
    var part: String?
    for line in text.split(separator: "\n") {
        if let heading = line.wholeMatch(of: /### ([RTKX]-?\d+)/) {
            rules.append(Rule(name: String(heading.output.1)))
            part = ""
        } else if line.hasPrefix("#") {
            part = nil
        } else if let current = part, let index = rules.indices.last {
            let begin = line.prefixMatch(of: #/- (\w+): /#)
            let name = begin.map { String($0.output.1) } ?? current
            let words = begin.map { line[$0.range.upperBound...] } ?? line
            rules[index].parts[name, default: ""] += words.trimmingCharacters(in: .whitespaces) + " "
            part = name
        }
    }
    return rules
}

/// The rules that a text mentions outside their own sections: by name, or within `R-29 to R-32`.
private func rulesNamed(in text: String) -> Set<String> {
    let body = text.split(separator: "\n").filter { !$0.hasPrefix("###") }.joined(separator: "\n")
    let named = body.matches(of: /[RTKX]-?\d+/).map { String($0.output) }
    let ranges = body.matches(of: /R-(\d+) to R-(\d+)/).flatMap { match -> [String] in
        guard let first = Int(match.output.1), let last = Int(match.output.2), first < last else { return [] }
        return (first...last).map { "R-\($0)" }
    }
    return Set(named + ranges)
}

@Suite struct RuleBookTests {
    private let book = Repository.files.first { $0.path == "docs/rules.md" }?.text ?? ""

    /// The text about rules that have no section.
    private var notBuilt: String {
        ["### Advice Roost cannot enforce", "## Not built, and why"].map { heading in
            let rest = book.components(separatedBy: heading + "\n").dropFirst().joined()
            return rest.components(separatedBy: "\n#").first ?? ""
        }
        .joined(separator: "\n")
    }

    @Test func everyNamedTestExists() {
        let named = namedTests(in: book)
        #expect(named.count > 50)
        let missing = Set(named).filter { !isThere($0, in: Repository.files) }.map(\.description).sorted()
        #expect(missing.isEmpty, "docs/rules.md names missing tests: \(missing)")
    }

    @Test func everyRuleIsWholeAndThereOnce() {
        let rules = rules(in: book)
        #expect(rules.count > 100)
        #expect(Set(rules.map(\.name)).count == rules.count, "each rule has one section")
        for rule in rules {
            #expect(Set(rule.parts.keys) == Set(Rule.partNames), "\(rule.name)")
            #expect(!rule.tests.isEmpty, "no test covers \(rule.name)")
        }
    }

    /// A test of a check shows that the check objects, not that the brain follows the rule.
    @Test func testsOfTheCheckerAreNoEvidence() {
        let checks = namedTests(in: book).filter { $0.suite.hasSuffix("InvariantTests") }
        #expect(checks.isEmpty, "\(checks)")
    }

    /// Each rule and transition has a section, or an explanation why it has no section.
    @Test func noRuleIsPassedOver() {
        func numbers(_ prefix: String, _ range: ClosedRange<Int>) -> [String] {
            range.map { "\(prefix)\($0 < 10 ? "0" : "")\($0)" }
        }
        let known = Set(rules(in: book).map(\.name)).union(rulesNamed(in: notBuilt))
        let missing = (numbers("R-", 1...232) + numbers("T", 1...28)).filter { !known.contains($0) }
        #expect(missing.isEmpty, "docs/rules.md does not mention \(missing)")
    }

    /// Real processes also show the effects of each transition that an app and its user would notice.
    @Test func everyTransitionIsShownByRealProcesses() {
        let transitions = rules(in: book).filter { $0.name.hasPrefix("T") }
        #expect(transitions.count > 20)
        let unshown = transitions.filter { !$0.tests.contains { $0.target == "EndToEndTests" } }.map(\.name)
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
        let text = "### R-01\n\nx\ny\n\n- Code: a,\n  b\n- Tests: `ATests/S/f`\n## T\n- Observed: z\n### Others\nx"
        let rule = Rule(name: "R-01", parts: ["": "x y ", "Code": "a, b ", "Tests": "`ATests/S/f` "])
        #expect(rules(in: text) == [rule])
        #expect(
            rulesNamed(in: "### R-01\n| R-02 |\nR-03: x\nR-12 to R-14, T20") == [
                "R-02", "R-03", "R-12", "R-13", "R-14", "T20",
            ])
    }
}
