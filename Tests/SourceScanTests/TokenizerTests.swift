import Testing

@testable import SourceScan

@Suite struct TokenizerTests {
    private func words(_ text: String) -> [String] {
        Tokenizer.tokens(text).filter { $0.kind != .literal }.map(\.text)
    }

    @Test(arguments: [
        ("a /* UIView /* b */ c */ d // e", ["a", "d"]), ("\"UIView\" + x", ["+", "x"]),
        (#""\(a.b("c"))d" e"#, ["a", ".", "b", "(", ")", "e"]), ("#\"a \\(b) \\#(c)\"# d", ["c", "d"]),
        ("\"\"\"\nUIView \"quoted\" \\(x)\n\"\"\"\ny", ["x", "y"]), ("`class`.x", ["class", ".", "x"]),
        ("1...5", [".", ".", "."]), ("1.5 + 0xFF", ["+"]), ("#/a\"b/# c", ["c"]),
        ("@objc #selector(x)", ["@objc", "#selector", "(", "x", ")"]), ("\"never ended\nnext", ["next"]),
        ("/* never ended", []), ("\"\"\"\nnever ended", []), ("이름 = 1", ["이름", "="]), ("", []),
    ])
    func leavesCommentsAndTextsOut(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func countsLines() {
        let tokens = Tokenizer.tokens("a\n/*\n*/ b \"\"\"\n\n\"\"\"\nc \"\\(\nd)\"\r\ne")
        #expect(tokens.filter { $0.kind == .word }.map(\.line) == [1, 3, 6, 7, 8])
    }

    @Test func isQuickWithManyLines() {
        let text = String(repeating: "let value = call(\"text \\(other.name)\") // why\n", count: 100_000)
        let facts = FileFacts(path: "a.swift", text: text)
        #expect(facts.lines == 100_000 && facts.uses["call"] == 1 && facts.memberUses["name"] == 1)
    }
}

@Suite struct ConditionTests {
    private func compiled(_ text: String) -> [String] {
        Conditions.compiled(Tokenizer.tokens(text)).map(\.text)
    }

    @Test func theIOSBranchIsCompiled() {
        let tokens = Tokenizer.tokens("#if os(Linux)\na\n#elseif os(iOS)&&canImport(UIKit)\nb\n#endif")
        #expect(Conditions.compiled(tokens, for: .iOS).map(\.text) == ["b"])
        let found = Conditions.hidingCondition(in: tokens)
        #expect(found?.text == "#elseif os(iOS) && canImport(UIKit)" && found?.line == 3)
        #expect(Conditions.hidingCondition(in: Tokenizer.tokens("#if !os(macOS)\na\n#endif")) == nil)
    }

    @Test(arguments: [
        ("os(Linux)", true), ("os(iOS)", false), ("!os(iOS)", true), ("os(iOS) || os(Linux)", true),
        ("os(Linux) && !DEBUG", false), ("canImport(UIKit)", true), ("canImport(CoreData)", false),
        ("canImport(FoundationNetworking)", true), ("swift(>=5.9)", true), ("compiler(<5)", false),
        ("targetEnvironment(simulator)", false), ("OF_ITS_OWN", false), ("DEBUG", true), ("(os(iOS) || true)", true),
        ("false", false), ("", false),
    ])
    func onlyTheMatchingBranchIsCompiled(condition: String, holds: Bool) {
        #expect(compiled("#if \(condition)\na\n#else\nb\n#endif\nc") == [holds ? "a" : "b", "c"])
    }

    @Test func branchesNestAndTheFirstThatHoldsCounts() {
        let text = """
            #if os(iOS)
            a
            #if os(Linux)
            b
            #else
            c
            #endif
            #elseif os(Linux)
            d
            #elseif DEBUG
            e
            #else
            f
            #endif
            g
            """
        #expect(compiled(text) == ["d", "g"])
        #expect(compiled("#endif\na\n#else\nb\n#if os(iOS)\nc") == ["a", "b"])
    }
}
