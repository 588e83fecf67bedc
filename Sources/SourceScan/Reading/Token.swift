/// A piece of Swift source that means something: comments and the text of literals are left out.
struct Token: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// An identifier or a keyword, without backticks.
        case word
        /// `@` and the attribute's name.
        case attribute
        /// `#` and what follows it: a directive, a macro.
        case directive
        /// A literal of any kind.
        case literal
        /// A character of punctuation or of an operator.
        case symbol
    }

    let kind: Kind
    /// Its text; that of a literal is empty.
    let text: String
    /// Where it begins, from 1.
    let line: Int
    /// Whether it stands in backticks: a name then, whatever the word.
    var isQuoted = false

    /// A word that may be a keyword.
    var keyword: String? { kind == .word && !isQuoted ? text : nil }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func isWord(_ word: String) -> Bool { keyword == word }
}
