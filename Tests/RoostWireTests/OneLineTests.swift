import RoostWire
import Testing

@Suite struct OneLineTests {
    @Test(arguments: [
        ("plain – ü", "plain – ü"), ("a\nb\tc\\d", #"a\nb\tc\\d"#), ("\r\n", "\r" + #"\n"#), (#"\n"#, #"\\n"#),
        ("", ""), ("\n\n", #"\n\n"#),
    ])
    func aTextIsOneLine(text: String, line: String) {
        #expect(Array(text.onOneLine.utf8) == Array(line.utf8))
        #expect(Array(line.fromOneLine.utf8) == Array(text.utf8))
    }

    /// A file may hold anything.
    @Test func anyTextCanBeRead() {
        #expect(#"a\"#.fromOneLine == "a")
        #expect(#"\x"#.fromOneLine == "x")
    }
}
