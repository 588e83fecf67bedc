/// What is to be known of a file: what it imports, declares and uses.
struct FileFacts: Sendable {
    /// From the top of the scanned tree.
    let path: String
    /// What is compiled on Linux.
    let tokens: [Token]
    let lines: Int
    let imports: [(module: String, line: Int)]
    let declarations: [Declaration]
    /// The types it has for itself: declared within functions, and parameters of generics.
    let ownTypes: Set<String>
    /// The names of its variables and parameters, wherever they are.
    let variables: Set<String>
    /// Each word that is neither a member of something, nor a label, nor being declared, with its first line.
    let uses: [String: Int]
    /// Each word after a full stop, with its first line.
    let memberUses: [String: Int]

    /// Reads a file's text.
    init(path: String, text: String) {
        let all = Tokenizer.tokens(text)
        let tokens = Conditions.compiled(all)
        self.path = path
        self.tokens = tokens
        lines = text.utf8.reduce(into: text.isEmpty || text.utf8.last == 10 ? 0 : 1) { if $1 == 10 { $0 += 1 } }
        imports = Self.imports(tokens)
        declarations = DeclarationReader.declarations(in: tokens)
        ownTypes = Self.ownTypes(tokens)
        variables = Self.variables(tokens)
        var uses: [String: Int] = [:]
        var memberUses: [String: Int] = [:]
        for (index, token) in tokens.enumerated() where token.kind == .word || token.kind == .attribute {
            let name = token.kind == .attribute ? String(token.text.dropFirst()) : token.text
            switch Self.role(of: index, in: tokens) {
            case .member: if memberUses[name] == nil { memberUses[name] = token.line }
            case .use: if uses[name] == nil { uses[name] = token.line }
            case .other: break
            }
        }
        self.uses = uses
        self.memberUses = memberUses
    }

    /// Its name without folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether it makes a background session: what carries such a one is RoostURLSession.
    var hasBackgroundSession: Bool {
        tokens.indices.dropLast(2).contains {
            tokens[$0].text == "background" && tokens[$0 + 1].isSymbol("(") && tokens[$0 + 2].text == "withIdentifier"
        }
    }

    var hasMain: Bool { name == "main.swift" || tokens.contains { $0.kind == .attribute && $0.text == "@main" } }

    // MARK: Reading

    private enum Role { case member, use, other }

    private static let declaring: Set = [
        "func", "var", "let", "class", "struct", "enum", "protocol", "actor", "extension", "typealias",
        "associatedtype", "import", "case",
    ]

    private static func role(of index: Int, in tokens: [Token]) -> Role {
        let before = index > 0 ? tokens[index - 1] : nil
        let after = index + 1 < tokens.count ? tokens[index + 1] : nil
        if let before {
            // A name that a module's own stands before is looked up like one without.
            if before.isSymbol(".") {
                let isRange = index > 1 && tokens[index - 2].isSymbol(".")
                let module = index > 1 && tokens[index - 2].kind == .word ? tokens[index - 2].text : ""
                if isRange || Conditions.modules.contains(module) { return .use }
                return .member
            }
            if before.isWord("extension") { return .use }
            if before.kind == .word, declaring.contains(before.text) { return .other }
        }
        if let after, after.isSymbol(":"), let before,
            before.isSymbol("(") || before.isSymbol(",") || before.kind == .word || before.isSymbol("[")
        {
            // A label, a parameter, or a key, which may be a name to be looked up: keys are rarely types.
            return before.isSymbol("[") ? .use : .other
        }
        return .use
    }

    private static func imports(_ tokens: [Token]) -> [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), index == 0 || !tokens[index - 1].isSymbol(".") else { return nil }
            var place = index + 1
            if place + 1 < tokens.count, kinds.contains(tokens[place].text) { place += 1 }
            guard place < tokens.count, tokens[place].kind == .word, tokens[place].line == tokens[index].line else {
                return nil
            }
            return (tokens[place].text, tokens[index].line)
        }
    }

    /// `let x`, `for x in`, `x: Int`, `{ x in`, `[weak x]`.
    private static func variables(_ tokens: [Token]) -> Set<String> {
        let before: Set = ["let", "var", "for", "weak", "unowned"]
        var result: Set<String> = []
        for (index, token) in tokens.enumerated() where token.kind == .word {
            let isIntroduced = index > 0 && before.contains(tokens[index - 1].text)
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if isIntroduced || next?.isSymbol(":") == true || next?.isWord("in") == true { result.insert(token.text) }
        }
        return result
    }

    private static func ownTypes(_ tokens: [Token]) -> Set<String> {
        let types: Set = ["class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype"]
        var result: Set<String> = []
        for index in tokens.indices.dropLast() where tokens[index].kind == .word {
            if types.contains(tokens[index].text), tokens[index + 1].kind == .word {
                result.insert(tokens[index + 1].text)
            }
            // `func f<Element: P>`, `struct S<Key, Value>`.
            guard index > 0, tokens[index + 1].isSymbol("<"),
                tokens[index - 1].isWord("func") || types.contains(tokens[index - 1].text)
                    || tokens[index].isWord("init")
            else { continue }
            var place = index + 2
            var depth = 1
            while place < tokens.count, depth > 0 {
                if tokens[place].isSymbol("<") { depth += 1 }
                if tokens[place].isSymbol(">") { depth -= 1 }
                if depth == 1, tokens[place].kind == .word,
                    tokens[place - 1].isSymbol("<") || tokens[place - 1].isSymbol(",")
                {
                    result.insert(tokens[place].text)
                }
                place += 1
            }
        }
        return result
    }
}
