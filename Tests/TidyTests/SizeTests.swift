import Testing

private let longestFile = 500
private let longestFunction = 70

/// The allowed exceptions, with the reason: a path, or a path and a function's name after a space.
private let exceptions: [String: String] = [:]

/// The functions, initializers and computed properties of a file that have a body, with their lengths in lines.
///
/// A function that is a single exhaustive `switch` has no length, because it is a table.
func functions(in text: String) -> [(name: String, line: Int, length: Int)] {
    let lines = SwiftText(text).lines
    let start =
        /(?:^|[^.\w`])(func\s+[^\s(<]+|init[?!]?(?=\s*[(<])|deinit|subscript(?=\s*[(<])|var\s+\w+\s*:[^={]*(?=\{))/
    return lines.enumerated().flatMap { index, line in
        line.matches(of: start).compactMap { match in
            bodyEnd(lines, from: index, after: match.range.upperBound)
                .map { end in
                    let length = isOneSwitch(lines[index...end]) ? 0 : end - index + 1
                    return (name: String(match.output.1), line: index + 1, length: length)
                }
        }
    }
}

/// Whether a function consists of one `switch` that lists all cases, without a `default` and without other statements.
private func isOneSwitch(_ lines: ArraySlice<String>) -> Bool {
    guard let last = lines.last else { return false }
    let indent = last.prefix { $0 == " " } + "    "
    guard let first = lines.firstIndex(where: { $0.hasPrefix(indent + "switch ") }), first > lines.startIndex,
        first - 1 == lines.startIndex || lines[first - 1].hasPrefix(indent.dropLast(4) + ")"),
        lines[first - 1].hasSuffix("{")
    else { return false }
    let words = lines[(first + 1)...].dropLast().filter { $0.hasPrefix(indent) }.map { $0.dropFirst(indent.count) }
    let statements = words.filter { !$0.hasPrefix(" ") && !$0.isEmpty }
    return statements.last == "}" && statements.dropLast().allSatisfy { $0.hasPrefix("case ") || $0.hasPrefix("//") }
}

/// The line on which the body ends; nil if there is no body, as in a protocol.
private func bodyEnd(_ lines: [String], from first: Int, after start: String.Index) -> Int? {
    var round = 0
    var braces = 0
    for index in first..<lines.count {
        let line = lines[index]
        let rest = index == first ? line[start...] : line[...]
        if index > first, braces == 0, round == 0,
            rest.contains(/^\s*(?:@\w+\s+)*(?:\w+\s+)*(?:func|init|var|let|case)\b/.wordBoundaryKind(.simple))
        {
            return nil
        }
        for character in rest {
            switch character {
            case "(", "[": round += 1
            case ")", "]": round -= 1
            case "{" where round == 0 || braces > 0: braces += 1
            case "}" where round == 0 || braces > 0:
                braces -= 1
                if braces <= 0 { return braces == 0 ? index : nil }
            default: break
            }
        }
    }
    return nil
}

private func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    var found: [Finding] = []
    let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
    if count > longestFile, exceptions[file.path] == nil {
        found.append(Finding(path: file.path, line: 0, complaint: "\(count) lines; \(longestFile) are enough"))
    }
    for function in functions(in: file.text) where function.length > longestFunction {
        guard exceptions["\(file.path) \(function.name)"] == nil else { continue }
        found.append(
            Finding(
                path: file.path, line: function.line,
                complaint: "\(function.name): \(function.length) lines; \(longestFunction) are enough"))
    }
    return found
}

@Suite struct SizeTests {
    @Test func filesAndFunctionsAreShort() {
        let found = Repository.files.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test func exceptionsNameExistingFiles() {
        for key in exceptions.keys { #expect(Repository.holds(String(key.prefix { $0 != " " })), "\(key)") }
    }

    @Test func measures() {
        let text = """
            protocol P { func none(); func alsoNone() -> Int }
            protocol Q {
                func none(_ body: () -> Void)
                var value: Int { get }
            }
            struct S {
                var plain: [Int] = [1].map { $0 }
                var computed: Int {
                    1
                }
                init?(x: () -> Void = { }) {
                    self.init(y: 1)
                }
                func long(
                    a: Int, b: () -> Int = { 1 }
                ) where T == Int {
                    if a { "}" } else { /* } */ }

                }
            }
            """
        let found = functions(in: text).map { "\($0.name) \($0.line) \($0.length)" }
        #expect(found == ["var value: Int  4 1", "var computed: Int  8 3", "init? 11 3", "func long 14 6"])
    }

    @Test func objects() {
        let body = String(repeating: "    x()\n", count: 69)
        #expect(findings(in: SourceFile(path: "a.swift", text: "func f() {\n\(body)}\n")).count == 1)
        let cases = String(repeating: "    case x: y\n", count: 80)
        func table(_ head: String, _ tail: String = "") -> SourceFile {
            SourceFile(path: "a.swift", text: head + "    switch z {\n\(cases)    }\n\(tail)}\n")
        }
        #expect(findings(in: table("func f() {\n")).isEmpty, "a table of cases may be long")
        #expect(findings(in: table("func f(\n    a: Int\n) -> Int {\n")).isEmpty)
        #expect(findings(in: table("func f() {\n    x()\n")).count == 1)
        #expect(findings(in: table("func f() {\n", "    x()\n")).count == 1)
        #expect(
            findings(
                in: SourceFile(path: "a.swift", text: "func f() {\n    switch z {\n\(cases)    default: y\n    }\n}\n")
            ).count == 1)
        let file = String(repeating: "let x = 1\n", count: 501)
        #expect(findings(in: SourceFile(path: "a.swift", text: file)).count == 1)
        #expect(findings(in: SourceFile(path: "a.swift", text: String(file.dropLast(10)))).isEmpty)
    }
}
