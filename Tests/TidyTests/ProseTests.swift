import Testing

/// A word or phrase that plain English has a better one for.
private func banned() -> [(pattern: Regex<Substring>, instead: String)] {
    [
        (/\banew\b/, "again"), (/\b(?:nobody|somebody|whoever)\b/, "no client, a caller, the peer"),
        (/\bbesides\b/, "also"), (/\bas far as\b/, "if"), (/\bfor people\b/, "visible"),
        (/\bno more\b(?! than)/, "no longer"), (/\bfruitless\b/, "unproductive"),
        (/\bin front\b(?! of)/, "in the foreground"),
    ]
}

/// A doc comment that begins with a clause instead of a noun phrase.
private func clause() -> Regex<Substring> { /^\s*\/\/\/ (?:What|Who|Whoever|Where) (?!to\b)/ }

/// The lines of a file that people read: Markdown without its code, and the comments of Swift sources.
private func prose(of file: SourceFile) -> [(line: Int, text: String)] {
    var isCode = false
    return file.lines.enumerated().compactMap { index, line in
        if file.isMarkdown {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            return isCode ? nil : (index + 1, withoutCode(line))
        }
        return line.drop { $0 == " " }.hasPrefix("//") ? (index + 1, withoutCode(line)) : nil
    }
}

private func withoutCode(_ line: Substring) -> String { String(line).replacing(/`[^`]*`/, with: "x") }

private func findings(in file: SourceFile) -> [Finding] {
    prose(of: file).flatMap { line, text in
        var found = banned().compactMap { ban in
            text.firstMatch(of: ban.pattern.ignoresCase()).map {
                Finding(path: file.path, line: line, complaint: "“\($0.output)”: \(ban.instead)")
            }
        }
        if file.isSource, text.contains(clause()) {
            found.append(Finding(path: file.path, line: line, complaint: "say what it is, with a noun first"))
        }
        return found
    }
}

/// `scripts/prose` counts more, and is not so strict.
@Suite struct ProseTests {
    /// Korean pages.
    private static let excepted: Set = ["README.ko.md", "docs/ko/guide.md"]

    private static func isRead(_ file: SourceFile) -> Bool {
        (file.isSource || file.isMarkdown) && !excepted.contains(file.path)
    }

    @Test func pagesAndCommentsArePlain() {
        let found = Repository.files.filter(Self.isRead).flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test(arguments: [
        "/// It begins anew.", "// Nobody asks.", "/// What the server sent.", "/// An app in front.",
        "/// No more is sent.",
    ])
    func objects(text: String) {
        #expect(findings(in: SourceFile(path: "Sources/roost/X.swift", text: text)).count == 1, "\(text)")
    }

    @Test(arguments: [
        "/// The file is no more than a page.", "/// What to do next.", "let anew = 1", "/// See `nobody`.",
        "/// A proxy in front of the server.",
    ])
    func allows(text: String) {
        #expect(findings(in: SourceFile(path: "Sources/roost/X.swift", text: text)).isEmpty, "\(text)")
    }

    @Test func readsNoCodeOfAPage() {
        let page = SourceFile(path: "docs/x.md", text: "a\n```\nnobody\n```\nnobody\n")
        #expect(findings(in: page).map(\.line) == [5])
    }
}
