/// Finds the names of values in a file's tokens. The names may also occur in other files.
struct VariableReader {
    private let tokens: [Token]

    /// Finds `let x`, `for x in`, `x: Int`, `{ x in`, `[weak x]`, `let (a, b)`, `case let .some(a)`, `{ a, b in`.
    static func variables(in tokens: [Token]) -> Set<String> {
        let reader = VariableReader(tokens: tokens)
        // The compiler's implicit names, which no declaration introduces.
        var result: Set<String> = ["error", "newValue", "oldValue"]
        for (index, token) in tokens.enumerated() where token.kind == .word {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            let isIntroduced = index > 0 && introducing.contains(tokens[index - 1].keyword ?? "")
            if isIntroduced || next?.isSymbol(":") == true || next?.isWord("in") == true { result.insert(token.text) }
            if introducing.contains(token.keyword ?? "") { result.formUnion(reader.pattern(after: index)) }
            if token.isWord("in") { result.formUnion(reader.closureParameters(before: index)) }
        }
        return result
    }

    private static let introducing: Set = ["let", "var", "for", "weak", "unowned"]

    /// The words in the parentheses of a pattern: `(a, b)`, `.some(a)`, `Event.received(a, from: b)`.
    private func pattern(after index: Int) -> [String] {
        var place = index + 1
        while place < tokens.count, tokens[place].kind == .word || tokens[place].isSymbol("."),
            tokens[place].line == tokens[index].line
        {
            place += 1
        }
        // `let x = (`: an initial value is not a pattern.
        guard place < tokens.count, tokens[place].isSymbol("(") else { return [] }
        var result: [String] = []
        var depth = 0
        repeat {
            if tokens[place].isSymbol("(") { depth += 1 }
            if tokens[place].isSymbol(")") { depth -= 1 }
            if tokens[place].kind == .word { result.append(tokens[place].text) }
            place += 1
        } while depth > 0 && place < tokens.count
        return result
    }

    /// The words between a closure's brace and its `in`; empty for another kind of `in`.
    private func closureParameters(before index: Int) -> [String] {
        var result: [String] = []
        var place = index - 1
        while place >= 0, index - place < 80 {
            let token = tokens[place]
            if token.isSymbol("{") { return result }
            if token.kind == .word {
                if Self.notInParameters.contains(token.keyword ?? "") { return [] }
                result.append(token.text)
            } else if token.kind != .attribute, !(token.kind == .symbol && "(),:[]<>.?!_&=->".contains(token.text)) {
                return []
            }
            place -= 1
        }
        return []
    }

    private static let notInParameters: Set = ["for", "if", "guard", "while", "switch", "return", "let", "var", "case"]

    /// Finds the labels of `(name: 1, size: 2)` and `(name: String, size: Int)`, but not of calls and function
    /// parameters.
    static func tupleLabels(in tokens: [Token]) -> Set<String> {
        var result: Set<String> = []
        /// For each open parenthesis or bracket, whether it belongs to a tuple.
        var open: [Bool] = []
        for (index, token) in tokens.enumerated() {
            if token.isSymbol("(") || token.isSymbol("[") {
                open.append(
                    token.isSymbol("(")
                        && !isCalled(index > 0 ? tokens[index - 1] : nil, index > 1 ? tokens[index - 2] : nil))
            } else if token.isSymbol(")") || token.isSymbol("]") {
                _ = open.popLast()
            } else if token.kind == .word, open.last == true, index + 1 < tokens.count, tokens[index + 1].isSymbol(":"),
                tokens[index - 1].isSymbol("(") || tokens[index - 1].isSymbol(",")
            {
                result.insert(token.text)
            }
        }
        return result
    }

    /// Whether a parenthesis after these tokens belongs to a call or a declaration.
    private static func isCalled(_ before: Token?, _ earlier: Token?) -> Bool {
        guard let before else { return false }
        switch before.kind {
        case .word:
            return !["return", "in", "try", "await", "case", "let", "var", "else"].contains(before.keyword ?? "")
        case .attribute, .directive: return true
        case .literal: return false
        case .symbol:
            // `->` before a type; `f<T>(`, `f?(`, `f!(`, `f()(`, `f[0](`.
            if before.text == ">" { return earlier?.isSymbol("-") != true }
            return ["?", "!", ")", "]"].contains(before.text)
        }
    }
}
