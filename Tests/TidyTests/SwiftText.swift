/// Swift source line by line, with its comments and the text of its string literals blanked. Only words that the
/// compiler acts on are left.
struct SwiftText {
    let lines: [String]

    init(_ source: String) {
        var blanker = Blanker(source: Array(source.unicodeScalars))
        lines = blanker.run().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

private struct Blanker {
    let source: [Unicode.Scalar]
    var index = 0
    var output = String.UnicodeScalarView()

    init(source: [Unicode.Scalar]) { self.source = source }

    mutating func run() -> String {
        while index < source.count {
            if starts(with: "//") {
                while index < source.count, source[index] != "\n" { blank() }
            } else if starts(with: "/*") {
                blockComment()
            } else if let hashes = literalHashes() {
                literal(hashes: hashes)
            } else {
                output.append(source[index])
                index += 1
            }
        }
        return String(output)
    }

    private func starts(with text: String) -> Bool {
        source[index...].starts(with: text.unicodeScalars)
    }

    private mutating func blank() {
        output.append(source[index] == "\n" ? "\n" : " ")
        index += 1
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count where index < source.count { blank() }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < source.count
    }

    /// The number of `#` before a string literal that begins here; nil if none begins here.
    private func literalHashes() -> Int? {
        var place = index
        while place < source.count, source[place] == "#" { place += 1 }
        return place < source.count && source[place] == "\"" ? place - index : nil
    }

    /// Blanks a literal with its content. Code inside an interpolation is so rare that it is not read.
    private mutating func literal(hashes: Int) {
        let pounds = String(repeating: "#", count: hashes)
        blank(hashes)
        let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        blank(quote.count)
        while index < source.count, !starts(with: quote + pounds) {
            if quote.count == 1, source[index] == "\n" { return }
            if starts(with: "\\" + pounds + "(") {
                blank(2 + hashes)
                interpolation()
            } else {
                blank(starts(with: "\\" + pounds) ? 2 + hashes : 1)
            }
        }
        blank(quote.count + hashes)
    }

    private mutating func interpolation() {
        var depth = 1
        while index < source.count, depth > 0 {
            if let hashes = literalHashes() {
                literal(hashes: hashes)
                continue
            }
            if source[index] == "(" { depth += 1 }
            if source[index] == ")" { depth -= 1 }
            blank()
        }
    }
}
