/// Finds the declarations in the tokens of a file.
struct DeclarationReader {
    /// An open pair of braces.
    private enum Scope {
        case type(name: String, isExtension: Bool, modifiers: Set<String>, isProtocol: Bool)
        case body
    }

    private let tokens: [Token]
    private var index = 0
    private var scopes: [Scope] = []
    /// The scope that the next brace opens.
    private var next = Scope.body
    private var parentheses = 0
    private var found: [Declaration] = []

    private init(_ tokens: [Token]) { self.tokens = tokens }

    /// The declarations in a file's tokens.
    static func declarations(in tokens: [Token]) -> [Declaration] {
        var reader = DeclarationReader(tokens)
        reader.run()
        return reader.found
    }

    private mutating func run() {
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            switch (token.kind, token.text) {
            case (.symbol, "{"):
                scopes.append(next)
                next = .body
            case (.symbol, "}"): _ = scopes.popLast()
            case (.symbol, "("), (.symbol, "["): parentheses += 1
            case (.symbol, ")"), (.symbol, "]"): parentheses -= 1
            case (.word, _): word(token)
            default: break
            }
        }
    }

    private var isBetweenMembers: Bool {
        guard parentheses <= 0 else { return false }
        if case .body = scopes.last { return false }
        return true
    }

    private mutating func word(_ token: Token) {
        guard isBetweenMembers, let kind = Declaration.Kind(rawValue: token.keyword ?? ""), index < tokens.count
        else { return }
        // `.class`, `Self.self.case`, and labels.
        if index > 1, tokens[index - 2].isSymbol(".") { return }
        let name = tokens[index]
        switch kind {
        case .func:
            guard name.kind == .word || name.kind == .symbol else { return }
            add(kind, name.text, at: token)
        case .var, .let, .typealias, .associatedtype:
            guard name.kind == .word else { return }
            add(kind, name.text, at: token)
        case .case:
            guard case .type = scopes.last else { return }
            cases(at: token)
        case .class, .struct, .enum, .protocol, .actor, .extension:
            let isSugar = kind == .extension && name.isSymbol("[")
            guard isSugar || (name.kind == .word && Declaration.Kind(rawValue: name.keyword ?? "") == nil) else {
                return
            }
            type(kind, at: token)
        }
    }

    private mutating func add(_ kind: Declaration.Kind, _ name: String, at token: Token, inherits: [String] = []) {
        var path: [String] = []
        var isInExtension = false
        var modifiers = modifiers(before: token)
        for scope in scopes {
            guard case .type(let name, let isExtension, let outer, let isProtocol) = scope else { continue }
            path.append(name)
            isInExtension = isInExtension || isExtension
            // Members of protocols have the protocol's access. Members of an extension have the extension's explicit
            // access.
            if isProtocol || isExtension, modifiers.isDisjoint(with: Self.access) {
                modifiers.formUnion(outer.intersection(Self.access))
            }
        }
        found.append(
            Declaration(
                kind: kind, name: name, line: token.line, path: path, isInExtension: isInExtension, inherits: inherits,
                modifiers: modifiers))
    }

    private static let access: Set = ["public", "open", "internal", "package", "private", "fileprivate"]
    private static let modifierWords = access.union([
        "class", "convenience", "distributed", "dynamic", "final", "indirect", "isolated", "lazy", "mutating",
        "nonisolated", "nonmutating", "optional", "override", "postfix", "prefix", "required", "static", "unowned",
        "weak",
    ])

    /// The modifiers and attributes before a declaration's keyword. `private(set)` does not restrict the visibility.
    private func modifiers(before token: Token) -> Set<String> {
        var result: Set<String> = []
        var place = index - 2
        while place >= 0 {
            let before = tokens[place]
            if before.isSymbol(")") {
                while place >= 0, !tokens[place].isSymbol("(") { place -= 1 }
                place -= 1
                // The word before the parenthesis is its modifier or attribute.
                if place >= 0, tokens[place].kind == .attribute { result.insert(tokens[place].text) }
                guard place >= 0, tokens[place].kind == .attribute || Self.modifierWords.contains(tokens[place].text)
                else { break }
            } else if before.kind == .attribute || (before.kind == .word && Self.modifierWords.contains(before.text)) {
                result.insert(before.text)
            } else {
                break
            }
            place -= 1
        }
        return result
    }

    /// Reads `case one, two(Int), three = 3`.
    private mutating func cases(at token: Token) {
        var depth = 0
        var isName = true
        while index < tokens.count {
            let here = tokens[index]
            if here.kind == .word, depth == 0 {
                if isName {
                    add(.case, here.text, at: token)
                } else {
                    return
                }
                isName = false
            } else if here.isSymbol("(") {
                depth += 1
            } else if here.isSymbol(")") {
                depth -= 1
            } else if here.isSymbol(","), depth == 0 {
                isName = true
            } else if depth == 0, here.isSymbol("}") || here.kind == .attribute || here.kind == .directive {
                return
            }
            index += 1
        }
    }

    /// The type that `[Element]` or `[Key: Value]` abbreviates. Stops before the closing bracket.
    private mutating func sugarType() -> String {
        var depth = 0
        var isDictionary = false
        repeat {
            if tokens[index].isSymbol("[") { depth += 1 }
            if tokens[index].isSymbol("]") { depth -= 1 }
            if tokens[index].isSymbol(":"), depth == 1 { isDictionary = true }
            index += 1
        } while depth > 0 && index < tokens.count
        index -= 1
        return isDictionary ? "Dictionary" : "Array"
    }

    /// Reads the head of a type or an extension, up to its brace.
    private mutating func type(_ kind: Declaration.Kind, at token: Token) {
        let start = index
        var name = tokens[index].isSymbol("[") ? sugarType() : tokens[index].text
        index += 1
        while index + 1 < tokens.count, tokens[index].isSymbol("."), tokens[index + 1].kind == .word {
            name += "." + tokens[index + 1].text
            index += 2
        }
        var inherits: [String] = []
        var depth = 0
        var isAfterColon = false
        while index < tokens.count, !tokens[index].isSymbol("{"), !tokens[index].isSymbol("}") {
            let here = tokens[index]
            if here.isSymbol("<") || here.isSymbol("(") { depth += 1 }
            if here.isSymbol(">") || here.isSymbol(")") { depth -= 1 }
            if depth == 0, here.isSymbol(":") { isAfterColon = true }
            if here.isWord("where") { isAfterColon = false }
            if depth == 0, isAfterColon, here.kind == .word, !["any", "class"].contains(here.text) {
                // Of `Module.Name`, only the name counts.
                if tokens[index - 1].isSymbol("."), !inherits.isEmpty { inherits.removeLast() }
                inherits.append(here.text)
            }
            index += 1
        }
        let end = index
        index = start
        add(kind, name, at: token, inherits: inherits)
        let modifiers = found.last?.modifiers ?? []
        index = end
        next = .type(
            name: name, isExtension: kind == .extension, modifiers: modifiers, isProtocol: kind == .protocol)
    }
}
