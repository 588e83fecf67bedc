import Testing

/// The places in a file that list more than six cases only to do nothing. Each new case would have to be listed there.
/// The cases should be nested in their own enum, or the switch inverted.
private func findings(in file: SourceFile) -> [Finding] {
    guard file.isSource, !file.path.hasSuffix("/Concerns/ConcernWords.swift") else { return [] }
    let lines = SwiftText(file.text).lines
    let raw = file.lines
    var found: [Finding] = []
    for index in lines.indices where unindented(lines[index]).hasPrefix("case ") {
        guard !unindented(raw[index]).hasPrefix("case \""), let (count, body) = cases(lines, raw, from: index),
            count > 6,
            ["break", "return", "return nil", "nil", "return false", "false", "\"\""].contains(body),
            !answersBothWays(lines, from: index), !isAnswerToChange(lines, index)
        else { continue }
        let complaint = "\(count) cases are listed to do nothing: nest them, or turn the switch round"
        found.append(Finding(path: file.path, line: index + 1, complaint: complaint))
    }
    return found
}

private func unindented(_ line: some StringProtocol) -> String { String(line.drop { $0 == " " }) }

/// The number of patterns of a `case`, and the first line of its body.
private func cases(_ lines: [String], _ raw: [Substring], from first: Int) -> (count: Int, body: String)? {
    var (depth, count) = (0, 1)
    for index in first..<lines.count {
        for place in lines[index].indices {
            switch lines[index][place] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case ",": if depth == 0 { count += 1 }
            case ":" where depth == 0:
                let offset = lines[index].distance(from: lines[index].startIndex, to: place)
                let rest = unindented(raw[index].dropFirst(offset + 1))
                let next = index + 1 < lines.count ? unindented(raw[index + 1]) : ""
                return (count, rest.isEmpty ? next : rest)
            case "{", "=": return nil
            default: break
            }
        }
    }
    return nil
}

/// Whether the switch returns true for some cases and false for others, so that a new case has to choose.
private func answersBothWays(_ lines: [String], from index: Int) -> Bool {
    let indent = lines[index].prefix { $0 == " " }
    let start = lines[..<index].lastIndex {
        $0.hasPrefix(indent + "switch ") || $0.hasPrefix(indent.dropLast(4) + "func ")
    }
    let end = lines[index...].firstIndex { $0 == indent + "}" } ?? lines.endIndex
    return lines[(start ?? 0)..<end].contains { $0.hasSuffix(": true") || unindented($0) == "true" }
}

/// Whether this is a concern's answer to a change of the device, which lists each change.
private func isAnswerToChange(_ lines: [String], _ index: Int) -> Bool {
    guard let start = lines[..<index].lastIndex(where: { $0.contains("func ") }) else { return false }
    return lines[start...index].contains { $0.contains("_ change: DeviceChange") }
}

@Suite struct IdleCaseTests {
    @Test func noSwitchListsCasesToDoNothing() {
        let found = Repository.files.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test(arguments: ["break", "return", "return nil", "nil", "\"\"", "return false"])
    func objects(body: String) {
        let text = "switch a {\ncase .b: c()\ncase .d, .e(.f, _), .g, .h,\n    .i, .j, .k: \(body)\n}"
        #expect(findings(in: SourceFile(path: "Sources/X/Y.swift", text: text)).count == 1, "\(text)")
    }

    @Test(arguments: [
        "switch a {\ncase .d, .e(.f, .g, .h, .i, .j, .k, .l): break\n}",
        "switch a {\ncase .b: true\ncase .d, .e, .f, .g, .h, .i, .j: false\n}",
        "switch a {\ncase .d, .e, .f, .g, .h, .i, .j: k()\n}",
        "enum A {\n    case d, e, f, g, h, i, j\n}\nreturn",
        "func handle(_ change: DeviceChange) {\nswitch a {\ncase .d, .e, .f, .g, .h, .i, .j: break\n}",
    ])
    func allows(text: String) {
        let found = findings(in: SourceFile(path: "Sources/X/Y.swift", text: text))
        #expect(found.isEmpty, "\(text): \(found.report)")
    }
}
