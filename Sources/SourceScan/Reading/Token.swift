/// A token of Swift source. Comments and the text of literals are left out.
struct Token: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// An identifier or a keyword, without backticks.
        case word
        /// `@` and the attribute's name.
        case attribute
        /// `#` and the word after it: a directive or a macro.
        case directive
        /// A literal of any kind.
        case literal
        /// A character of punctuation or of an operator.
        case symbol
    }

    let kind: Kind
    /// The text; empty for a literal.
    let text: String
    /// The line of its beginning, from 1.
    let line: Int
    /// Whether the word is in backticks: it is then a name, even if it is a keyword.
    var isQuoted = false

    /// The word if it may be a keyword; otherwise nil.
    var keyword: String? { kind == .word && !isQuoted ? text : nil }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func isWord(_ word: String) -> Bool { keyword == word }
}
