import Testing

/// The places in a file where a test returns early without a failure, so that it passes without the rest of its checks.
private func findings(in file: SourceFile) -> [Finding] {
    guard file.isTest else { return [] }
    guard file.text.contains("@Test") else { return [] }
    let lines = SwiftText(file.text).lines
    let raw = file.lines
    let all = functions(in: file.text).filter { $0.name.hasPrefix("func ") }
    let attribute = /@Test\b/.wordBoundaryKind(.simple)
    let bareReturn = /\breturn\s*(?:\}|$)/.wordBoundaryKind(.simple)
    var found: [Finding] = []
    for (index, line) in lines.enumerated() where line.contains(attribute) {
        guard let test = all.first(where: { $0.line > index }) else { continue }
        for place in test.line..<test.line + test.length {
            // In `line`, returned literals and comments are blanked; `whole` has both.
            let (line, whole) = (lines[place - 1], raw[place - 1])
            guard line.contains("return"), line.contains(bareReturn), whole.contains(bareReturn),
                !recordsIssue(lines, before: place - 1)
            else { continue }
            let complaint = "a test that returns early passes: use #require, Test.cancel or another test"
            found.append(Finding(path: file.path, line: place, complaint: complaint))
        }
    }
    return found
}

/// Whether the block that returns on this line first records an issue.
private func recordsIssue(_ lines: [String], before index: Int) -> Bool {
    let start = lines[...index].lastIndex { $0.hasSuffix("{") } ?? index
    return lines[(lines[index].contains("{") ? index : start)...index].contains { $0.contains("Issue.record(") }
}

@Suite struct EarlyReturnTests {
    @Test func noTestReturnsEarly() {
        let found = Repository.files.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test(arguments: [
        "@Test func a() {\n    guard b else { return }\n}",
        "@Test(arguments: [\n    1,\n])\nfunc a(b: Int) {\n    return\n}",
        "@Test func a() {\n    Issue.record(b)\n    guard\n        c\n    else {\n        return\n    }\n}",
        "@Test func a() {\n    run {\n        if b { return }\n    }\n}",
    ])
    func objects(text: String) {
        #expect(findings(in: SourceFile(path: "Tests/X/Y.swift", text: text)).count == 1, "\(text)")
    }

    @Test(arguments: [
        "@Test func a() {\n    guard b else {\n        Issue.record(b)\n        return\n    }\n}",
        "@Test func a() {\n    guard b else { Issue.record(b); return }\n}",
        "@Test func a() {\n    b { return $0 }\n}\nfunc c() {\n    guard b else { return }\n}",
        "@Test func a() {\n    // return\n}", "@Test func a() {\n    b {\n        return \"c\"\n    }\n}",
    ])
    func allows(text: String) {
        let found = findings(in: SourceFile(path: "Tests/X/Y.swift", text: text))
        #expect(found.isEmpty, "\(text): \(found.report)")
    }
}
