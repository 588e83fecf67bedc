/// Conditional compilation: selects the parts of a file that are compiled. At most one branch of each `#if` is
/// compiled.
enum Conditions {
    /// The system that a file is compiled for.
    enum System: String {
        /// Linux, where Roost builds the file.
        case linux = "Linux"
        /// iOS. Only `os` differs from Linux; the importable modules are the same.
        case iOS
    }

    /// The modules that can be imported. UIKit is RoostKit.
    static let modules: Set<String> = [
        "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "Glibc", "Observation", "RegexBuilder", "RoostKit", "Swift",
        "Synchronization", "UIKit", "_Concurrency", "_StringProcessing",
    ]

    /// The tokens that are compiled, without the directives of conditions.
    static func compiled(_ tokens: [Token], for system: System = .linux) -> [Token] {
        /// For each open `#if`: whether the current branch is compiled, and whether no later branch can be compiled.
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
            var condition = condition(in: tokens, after: &index, for: system)
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

extension Conditions {
    /// The condition on the rest of the directive's line. `index` moves to the next line.
    private static func condition(in tokens: [Token], after index: inout Int, for system: System) -> Condition {
        let start = index
        while index < tokens.count, tokens[index].line == tokens[start - 1].line { index += 1 }
        return Condition(tokens: Array(tokens[start..<index]), system: system)
    }

    /// The first condition that holds on iOS and not on Linux, as written, with its line; nil if no condition does.
    static func hidingCondition(in tokens: [Token]) -> (text: String, line: Int)? {
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            guard token.kind == .directive, ["#if", "#elseif"].contains(token.text) else { continue }
            let start = index
            var onIOS = condition(in: tokens, after: &index, for: .iOS)
            var end = start
            var here = condition(in: tokens, after: &end, for: .linux)
            guard onIOS.holds(), !here.holds() else { continue }
            let words = tokens[start..<index].map(\.text).joined()
            return (token.text + " " + words.replacing("||", with: " || ").replacing("&&", with: " && "), token.line)
        }
        return nil
    }
}

/// A condition after `#if`. Flags and unknown questions do not hold, except `DEBUG`.
private struct Condition {
    private let tokens: [Token]
    private let system: Conditions.System
    private var index = 0

    #if arch(x86_64)
        private static let architecture = "x86_64"
    #else
        private static let architecture = "arm64"
    #endif

    init(tokens: [Token], system: Conditions.System) {
        self.tokens = tokens
        self.system = system
    }

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
        case "os": name == system.rawValue
        case "canImport": Conditions.modules.contains(name) && !argument.contains { $0.isSymbol(".") }
        // A condition on a version asks for at least an existing version, or uses `<`.
        case "swift", "compiler": argument.first?.isSymbol(">") == true
        case "arch": name == Self.architecture
        case "_endian": name == "little"
        default: false
        }
    }
}
