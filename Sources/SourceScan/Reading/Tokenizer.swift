/// Splits Swift source into tokens. Any text is accepted, even invalid source.
struct Tokenizer {
    private let source: [UInt8]
    private var index = 0
    private var line = 1
    private var tokens: [Token] = []

    private init(_ source: [UInt8]) { self.source = source }

    /// The tokens of a file's text.
    static func tokens(_ text: String) -> [Token] {
        var tokenizer = Tokenizer(Array(text.utf8))
        tokenizer.run(until: nil)
        return tokenizer.tokens
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        index + offset < source.count ? source[index + offset] : nil
    }

    private mutating func skip(_ count: Int = 1) {
        for _ in 0..<count where index < source.count {
            if source[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private func starts(with text: StaticString) -> Bool {
        guard index + text.utf8CodeUnitCount <= source.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(source[index..<index + $0.count]) }
    }

    /// Reads to the end or, within an interpolation, past its closing parenthesis.
    private mutating func run(until closing: UInt8?) {
        var depth = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while let here = byte(), here != UInt8(ascii: "\n") { skip() }
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): blockComment()
            case UInt8(ascii: "\""): literal(hashes: 0)
            case UInt8(ascii: "#"): hash()
            case UInt8(ascii: "@"):
                let start = line
                skip()
                add(.attribute, "@" + takeWord(), at: start)
            case UInt8(ascii: "`"):
                skip()
                let start = line
                let word = takeWord()
                if !word.isEmpty {
                    tokens.append(Token(kind: .word, text: word, line: start, isQuoted: true))
                }
                if byte() == UInt8(ascii: "`") { skip() }
            case _ where Self.isDigit(next): number()
            case _ where Self.isWord(next):
                let start = line
                add(.word, takeWord(), at: start)
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): skip()
            default:
                if next == UInt8(ascii: "(") { depth += 1 }
                if next == UInt8(ascii: ")") { depth -= 1 }
                if depth < 0, next == closing { return skip() }
                add(.symbol, String(UnicodeScalar(next)), at: line)
                skip()
            }
        }
    }

    private mutating func add(_ kind: Token.Kind, _ text: String, at line: Int) {
        tokens.append(Token(kind: kind, text: text, line: line))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 0x80...:
            true
        default: isDigit(byte)
        }
    }

    private mutating func takeWord() -> String {
        let start = index
        while let next = byte(), Self.isWord(next) { index += 1 }
        return String(decoding: source[start..<index], as: UTF8.self)
    }

    private mutating func number() {
        let start = line
        _ = takeWord()
        // A fraction, not a range or a member.
        if byte() == UInt8(ascii: "."), let after = byte(1), Self.isDigit(after) {
            skip()
            _ = takeWord()
        }
        add(.literal, "", at: start)
    }

    /// Comments nest.
    private mutating func blockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                skip(2)
            } else if starts(with: "*/") {
                depth -= 1
                skip(2)
            } else {
                skip()
            }
        } while depth > 0 && index < source.count
    }

    /// Reads a raw string, a regular expression, or a directive.
    private mutating func hash() {
        var hashes = 0
        while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
        if byte(hashes) == UInt8(ascii: "\"") {
            skip(hashes)
            return literal(hashes: hashes)
        }
        let start = line
        if byte(hashes) == UInt8(ascii: "/") {
            skip(hashes + 1)
            while index < source.count, !(byte() == UInt8(ascii: "/") && closes(hashes, after: 1)) { skip() }
            skip(hashes + 1)
            return add(.literal, "", at: start)
        }
        skip(hashes)
        add(.directive, "#" + takeWord(), at: start)
    }

    private func closes(_ hashes: Int, after offset: Int) -> Bool {
        for step in 0..<hashes where byte(offset + step) != UInt8(ascii: "#") { return false }
        return true
    }

    /// Reads a string, with its interpolations as code. A single-line string ends with its line at the latest. A stray
    /// quote, as in a regular expression, then affects only its line.
    private mutating func literal(hashes: Int) {
        add(.literal, "", at: line)
        let isLong = starts(with: "\"\"\"")
        skip(isLong ? 3 : 1)
        while let next = byte() {
            if next == UInt8(ascii: "\\"), closes(hashes, after: 1) {
                skip(1 + hashes)
                if byte() == UInt8(ascii: "(") {
                    skip()
                    run(until: UInt8(ascii: ")"))
                } else {
                    skip()
                }
            } else if isLong ? starts(with: "\"\"\"") : next == UInt8(ascii: "\"") {
                let quotes = isLong ? 3 : 1
                if closes(hashes, after: quotes) { return skip(quotes + hashes) }
                skip()
            } else if !isLong, next == UInt8(ascii: "\n") {
                return
            } else {
                skip()
            }
        }
    }
}
