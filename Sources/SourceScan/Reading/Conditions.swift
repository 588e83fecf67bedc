/// What of a file is compiled on Linux: of each `#if`, one branch at most.
enum Conditions {
    /// The modules that can be imported, UIKit being RoostKit.
    static let modules: Set<String> = [
        "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "Glibc", "Observation", "RegexBuilder", "RoostKit", "Swift",
        "Synchronization", "UIKit", "_Concurrency", "_StringProcessing",
    ]

    /// The tokens that are compiled, without the directives that choose them.
    static func compiled(_ tokens: [Token]) -> [Token] {
        /// Whether the branch is compiled, and whether one of its `#if` already is or may not be.
        var branches: [(isOn: Bool, isDecided: Bool)] = []
        var result: [Token] = []
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            guard token.kind == .directive, ["#if", "#elseif", "#else", "#endif"].contains(token.text) else {
                if branches.last?.isOn ?? true { result.append(token) }
                continue
            }
            let start = index
            while index < tokens.count, tokens[index].line == token.line { index += 1 }
            var condition = Condition(tokens: Array(tokens[start..<index]))
            switch token.text {
            case "#if":
                let isOutside = branches.last?.isOn ?? true
                let holds = isOutside && condition.holds()
                branches.append((holds, holds || !isOutside))
            case "#elseif":
                guard let last = branches.popLast() else { continue }
                let holds = !last.isDecided && condition.holds()
                branches.append((holds, holds || last.isDecided))
            case "#else":
                guard let last = branches.popLast() else { continue }
                branches.append((!last.isDecided, true))
            default: _ = branches.popLast()
            }
        }
        return result
    }
}

/// A condition after `#if`. What it asks of flags and of things unknown does not hold, but for `DEBUG`.
private struct Condition {
    private let tokens: [Token]
    private var index = 0

    #if arch(x86_64)
        private static let architecture = "x86_64"
    #else
        private static let architecture = "arm64"
    #endif

    init(tokens: [Token]) { self.tokens = tokens }

    mutating func holds() -> Bool {
        var value = conjunction()
        while take("|") {
            _ = take("|")
            let next = conjunction()
            value = value || next
        }
        return value
    }

    private mutating func conjunction() -> Bool {
        var value = term()
        while take("&") {
            _ = take("&")
            let next = term()
            value = value && next
        }
        return value
    }

    private mutating func take(_ symbol: String) -> Bool {
        guard index < tokens.count, tokens[index].isSymbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func term() -> Bool {
        if take("!") { return !term() }
        if take("(") {
            let value = holds()
            _ = take(")")
            return value
        }
        guard index < tokens.count, tokens[index].kind == .word else {
            index += 1
            return false
        }
        let word = tokens[index].text
        index += 1
        guard take("(") else { return word == "true" || word == "DEBUG" }
        var argument: [Token] = []
        while index < tokens.count, !tokens[index].isSymbol(")") {
            argument.append(tokens[index])
            index += 1
        }
        _ = take(")")
        let name = argument.first { $0.kind == .word }?.text ?? ""
        return switch word {
        case "os": name == "Linux"
        case "canImport": Conditions.modules.contains(name) && !argument.contains { $0.isSymbol(".") }
        // Whoever asks for a version asks for one that is there, or writes `<`.
        case "swift", "compiler": argument.first?.isSymbol(">") == true
        case "arch": name == Self.architecture
        case "_endian": name == "little"
        default: false
        }
    }
}
