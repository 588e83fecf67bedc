/// The facts about a file: its imports, declarations and uses.
struct FileFacts: Sendable {
    /// The path from the top of the scanned tree.
    let path: String
    /// The tokens that are compiled on Linux. If no token is compiled on Linux, the tokens that are compiled on iOS.
    let tokens: [Token]
    let lines: Int
    /// The condition that leaves nothing of the file on Linux but something on iOS, with its line; nil without such a
    /// condition.
    let hiding: (text: String, line: Int)?
    /// Whether nothing is compiled on either system, although the file has content.
    let isEmpty: Bool
    /// The names declared on iOS but not on Linux, with their lines.
    let hidden: [String: Int]
    let imports: [(module: String, line: Int)]
    let declarations: [Declaration]
    /// The file's local types: declared within functions, and generic parameters.
    let ownTypes: Set<String>
    /// The generic parameters of the types that the file declares.
    let parameters: [String: Set<String>]
    /// The names of all the file's variables and parameters.
    let variables: Set<String>
    let tupleLabels: Set<String>
    /// Each word that is neither a member, nor a label, nor a declared name, with its first line.
    let uses: [String: Int]
    /// Each word after a period, with its first line.
    let memberUses: [String: Int]

    /// Reads a file's text.
    init(path: String, text: String) {
        let all = Tokenizer.tokens(text)
        let here = Conditions.compiled(all)
        let onIOS = Conditions.compiled(all, for: .iOS)
        let isNothing = !Self.hasContent(here)
        let isHidden = isNothing && Self.hasContent(onIOS)
        let tokens = isHidden ? onIOS : here
        self.path = path
        self.tokens = tokens
        lines = text.utf8.reduce(into: text.isEmpty || text.utf8.last == 10 ? 0 : 1) { if $1 == 10 { $0 += 1 } }
        hiding = isHidden ? Conditions.hidingCondition(in: all) : nil
        isEmpty = isNothing && !isHidden && Self.hasContent(all)
        imports = Self.imports(tokens)
        declarations = DeclarationReader.declarations(in: tokens)
        hidden = here.count == onIOS.count || isHidden ? [:] : Self.hidden(onIOS, besides: declarations)
        ownTypes = Self.ownTypes(tokens)
        parameters = Self.parameters(tokens)
        variables = VariableReader.variables(in: tokens)
        tupleLabels = VariableReader.tupleLabels(in: tokens)
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

    /// Whether the tokens contain anything but imports and conditions.
    private static func hasContent(_ tokens: [Token]) -> Bool {
        var passedOver = 0
        for token in tokens where token.kind != .attribute {
            if token.isWord("import") || ["#if", "#elseif", "#else", "#endif"].contains(token.text) {
                passedOver = token.line
            }
            if token.line != passedOver { return true }
        }
        return false
    }

    private static func hidden(_ tokens: [Token], besides found: [Declaration]) -> [String: Int] {
        let known = Set(found.map(\.name))
        let all = DeclarationReader.declarations(in: tokens)
        return Dictionary(
            all.filter { $0.kind != .extension && !known.contains($0.name) }.map { ($0.name, $0.line) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The file's name without folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether the file creates a background session, which needs RoostURLSession.
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

    private static let keywords: Set = [
        "as", "async", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "didSet",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "get", "guard", "if",
        "import",
        "in", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil", "nonmutating", "open", "operator",
        "override", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "set", "some", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "weak", "where",
        "while", "willSet",
    ]

    private static func role(of index: Int, in tokens: [Token]) -> Role {
        let before = index > 0 ? tokens[index - 1] : nil
        let after = index + 1 < tokens.count ? tokens[index + 1] : nil
        // A keyword is not a name.
        if let word = tokens[index].keyword, keywords.contains(word), before?.isSymbol(".") != true { return .other }
        if let before {
            // A name with its module's name is looked up like a name without the module's name.
            if before.isSymbol(".") {
                let isRange = index > 1 && tokens[index - 2].isSymbol(".")
                let module = index > 1 && tokens[index - 2].kind == .word ? tokens[index - 2].text : ""
                if isRange || Conditions.modules.contains(module) { return .use }
                return .member
            }
            if before.isWord("extension") { return .use }
            if let word = before.keyword, declaring.contains(word) { return .other }
        }
        if let after, after.isSymbol(":"), let before,
            before.isSymbol("(") || before.isSymbol(",") || before.kind == .word || before.isSymbol("[")
        {
            // A label, a parameter or a key. A key may be a name to look up, although keys are rarely types.
            return before.isSymbol("[") ? .use : .other
        }
        return .use
    }

    /// Whether the next token is a member, a label or an argument, and not a statement.
    private static func isWithin(_ before: Token) -> Bool { before.kind == .symbol && ".(,".contains(before.text) }

    private static func imports(_ tokens: [Token]) -> [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), index == 0 || !isWithin(tokens[index - 1]) else { return nil }
            var place = index + 1
            if place + 1 < tokens.count, kinds.contains(tokens[place].text) { place += 1 }
            guard place < tokens.count, tokens[place].kind == .word, tokens[place].line == tokens[index].line else {
                return nil
            }
            return (tokens[place].text, tokens[index].line)
        }
    }

    private static let typeWords: Set = [
        "precedencegroup", "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype",
    ]

    private static func ownTypes(_ tokens: [Token]) -> Set<String> {
        var result: Set<String> = []
        for index in tokens.indices.dropLast() where tokens[index].kind == .word {
            if typeWords.contains(tokens[index].keyword ?? ""), tokens[index + 1].kind == .word {
                result.insert(tokens[index + 1].text)
            }
            // `func && <Element>`.
            if tokens[index].isWord("func") {
                let name = tokens[(index + 1)...].prefix { $0.kind == .symbol && $0.text != "(" }
                result.formUnion(parameters(after: name.endIndex - 2, in: tokens))
            }
            // `func f<Element: P>`, `struct S<Key, Value>`.
            guard index > 0,
                tokens[index - 1].isWord("func") || typeWords.contains(tokens[index - 1].keyword ?? "")
                    || tokens[index].isWord("init") || tokens[index].isWord("subscript")
            else { continue }
            result.formUnion(parameters(after: index, in: tokens))
        }
        return result
    }

    /// By the names of the types.
    private static func parameters(_ tokens: [Token]) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for index in tokens.indices.dropFirst() where typeWords.contains(tokens[index - 1].keyword ?? "") {
            let found = parameters(after: index, in: tokens)
            if !found.isEmpty { result[tokens[index].text, default: []].formUnion(found) }
        }
        return result
    }

    /// The generic parameters after a name; for a protocol its primary associated types.
    private static func parameters(after index: Int, in tokens: [Token]) -> Set<String> {
        guard index + 1 < tokens.count, tokens[index + 1].isSymbol("<") else { return [] }
        var result: Set<String> = []
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
        return result
    }
}
