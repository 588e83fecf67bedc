import LifeCycleModel
import Testing

/// Text that is safe to show in a terminal.
@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("a\nb\r\u{1B}[31m\u{7}\u{0}", #"a\u{a}b\u{d}\u{1b}[31m\u{7}\u{0}"#),
        ("\u{80}\u{85}\u{9B}\u{9F}\u{7F}", #"\u{80}\u{85}\u{9b}\u{9f}\u{7f}"#),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}", #"\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}"#),
        ("\u{2066}\u{2067}\u{2068}\u{2069}", #"\u{2066}\u{2067}\u{2068}\u{2069}"#),
        ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ])
    func deceptiveCharactersAreEscaped(text: String, shown: String) {
        #expect(text.visible == shown)
        #expect(shown.visible == shown, "escaping twice changes nothing")
    }

    @Test(arguments: ["", "Übung 안녕", "👩‍👩‍👧 e\u{301}", "שלום\u{200F}!", "\u{A0}\\u{1b}"])
    func harmlessCharactersAreKept(text: String) {
        #expect(Array(text.visible.unicodeScalars) == Array(text.unicodeScalars))
    }
}
