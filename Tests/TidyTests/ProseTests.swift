import Testing

/// A word or phrase that plain English has a better one for.
private func banned() -> [(pattern: Regex<Substring>, instead: String)] {
    [
        (/\banew\b/, "again"), (/\b(?:nobody|somebody|whoever)\b/, "no client, a caller, the peer"),
        (/\bbesides\b/, "also"), (/\bas far as\b/, "if"), (/\bfor people\b/, "visible"),
        (/\bno more\b(?! than)/, "no longer"), (/\bfruitless\b/, "unproductive"),
        (/\bin front\b(?! of)/, "in the foreground"),
        (/\b(?:whatever|wherever|whomever)\b/, "any, every, if"), (/\bso often\b/, "the number"),
        (/\b(?:lest|thereby|therein|thereof|whereby|wherein|hence|insofar)\b/, "so, there, by which"),
        (/\btaken up\b/, "accepted"), (/\bgoes on\b/, "resumes, continues"), (/\blets? go\b/, "releases"),
        (/\b(?:stood|stands?) still\b/, "stalled"), (/\b(?:hears?|heard)\b/, "receives, received"),
        (/\bhand(?:s|ed)? over\b/, "deliver"), (/\bow(?:e|es|ed)\b/, "pending"),
        (/\b(?:organs?|tempers?)\b/, "adapter, behavior profile"),
        (/\bwish(?:es|ed)?\b/, "action, setting, request"),
        (/\b(?:acknowledgements?|cancell(?:ed|ing)|catalogue|judgement|signall(?:ed|ing)|towards)\b/, "US spelling"),
        (/\b(?:behaviour|centre|colour|favour|grey|honour|licence)s?\b/, "US spelling"),
    ]
}

/// A doc comment that begins with a clause instead of a noun phrase.
private func clause() -> Regex<Substring> { /^\s*\/\/\/ (?:What|Who|Whoever|Where) (?!to\b)/ }

/// The characters that begin a comment; nil in a file whose comments are not checked.
private func commentMark(of file: SourceFile) -> String? {
    if file.isSwift { return "//" }
    let folders = ["Scenarios/", "scripts/", "share/"]
    return file.path.hasSuffix(".varlink") || folders.contains { file.path.hasPrefix($0) } ? "#" : nil
}

/// The lines of a file that people read: Markdown without its code, and the comments of other files.
private func prose(of file: SourceFile) -> [(line: Int, text: String)] {
    var isCode = false
    let mark = commentMark(of: file)
    return file.lines.enumerated().compactMap { index, line in
        if file.isMarkdown {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            return isCode ? nil : (index + 1, withoutCode(line))
        }
        guard let mark, line.drop(while: { $0 == " " }).hasPrefix(mark) else { return nil }
        return (index + 1, withoutCode(line))
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
        if file.isSwift, text.contains(clause()) {
            found.append(Finding(path: file.path, line: line, complaint: "say what it is, with a noun first"))
        }
        return found
    }
}

/// `scripts/prose` counts more, and is not so strict.
@Suite struct ProseTests {
    /// Korean pages.
    private static let excepted: Set = ["README.ko.md", "docs/ko/guide.md"]

    @Test func pagesAndCommentsArePlain() {
        let found = Repository.files.filter { !Self.excepted.contains($0.path) }.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test(arguments: [
        "/// It begins anew.", "// Nobody asks.", "/// What the server sent.", "/// An app in front.",
        "/// No more is sent.", "/// Its behaviour is unknown.", "// The call is taken up.", "/// It goes on.",
        "// It stood still.",
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

    @Test(arguments: [
        "Sources/A/B.varlink", "Scenarios/T01.yaml", "scripts/test", "Tests/ATests/B.swift", "Package.swift",
    ])
    func readsComments(path: String) {
        let file = SourceFile(path: path, text: path.hasSuffix(".swift") ? "// nobody\nnobody" : "# nobody\nnobody")
        #expect(findings(in: file).map(\.line) == [1], "\(path)")
        #expect(findings(in: SourceFile(path: "LICENSE", text: file.text)).isEmpty)
    }

    @Test func readsNoCodeOfAPage() {
        let page = SourceFile(path: "docs/x.md", text: "a\n```\nnobody\n```\nnobody\n")
        #expect(findings(in: page).map(\.line) == [5])
    }
}
