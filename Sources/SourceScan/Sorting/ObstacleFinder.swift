/// Finds the obstacles to compiling a file on Linux, from the file's words and the tree's declarations. The finder does
/// not know the types of expressions, so only the compiler is authoritative.
struct ObstacleFinder {
    private let file: FileFacts
    private let tree: TreeNames
    private var found: [Obstacle] = []
    private var reported: Set<String> = []

    private init(_ file: FileFacts, in tree: TreeNames) {
        self.file = file
        self.tree = tree
    }

    /// The obstacles in a file, each name once, sorted by line.
    static func obstacles(in file: FileFacts, of tree: TreeNames) -> [Obstacle] {
        var finder = ObstacleFinder(file, in: tree)
        finder.conditions()
        finder.imports()
        finder.runtime()
        finder.words()
        finder.receivers()
        finder.patterns()
        finder.overrides()
        finder.members()
        return finder.found.sorted { ($0.line, $0.name) < ($1.line, $1.name) }
    }

    private mutating func add(_ kind: Obstacle.Kind, _ name: String, line: Int, _ advice: String) {
        guard reported.insert(name).inserted else { return }
        found.append(Obstacle(kind, name, line: line, advice))
    }

    // MARK: Conditions

    private mutating func conditions() {
        guard let (condition, line) = file.hiding else { return }
        add(.condition, condition, line: line, "nothing of the file is compiled on Linux: \(Self.otherCondition)")
    }

    private static let otherCondition = "#if os(iOS) || os(Linux)"

    /// Whether the tree declares the name for iOS only. For such a name, adds an obstacle.
    private mutating func isHidden(_ name: String, member: Bool = false, _ line: Int) -> Bool {
        guard let place = tree.hidden[name] else { return false }
        add(
            .condition, (member ? "." : "") + name, line: line,
            "declared in \(place), for iOS alone: \(Self.otherCondition)")
        return true
    }

    // MARK: Imports

    private mutating func imports() {
        for (module, line) in file.imports where !Conditions.modules.contains(module) {
            add(.module, "import \(module)", line: line, Frameworks.advice(module))
        }
    }

    private func imports(any modules: Set<String>) -> Bool { file.imports.contains { modules.contains($0.module) } }

    // MARK: The Objective-C runtime

    private static let attributes = [
        "@objc": "omit it and the code that needs it: use closures instead of selectors",
        "@objcMembers": "omit it and the code that needs it: use closures instead of selectors",
        "@IBOutlet": "there is no Interface Builder: use a file that only iOS builds, or create the views in loadView",
        "@UIApplicationMain": "@main",
        "@NSApplicationMain": "it is for macOS: omit the file",
        "@NSManaged": "it is Core Data's: put the store behind a protocol of the app",
    ]
    private static let directives = [
        "#selector": "a closure: addObserver(forName:object:queue:using:), Timer with a block",
        "#keyPath": "a Swift key path",
        "#Preview": "a SwiftUI file, under #if canImport(SwiftUI)",
        "#imageLiteral": "a file that only iOS builds",
        "#colorLiteral": "a file that only iOS builds",
    ]

    private mutating func runtime() {
        for (index, token) in file.tokens.enumerated() {
            if token.kind == .attribute, let advice = Self.attributes[token.text] {
                add(.objectiveC, token.text, line: token.line, advice)
            } else if token.kind == .directive, let advice = Self.directives[token.text] {
                add(token.text == "#Preview" ? .module : .objectiveC, token.text, line: token.line, advice)
            } else if token.kind == .word, index + 2 < file.tokens.count, index > 0,
                file.tokens[index - 1].isSymbol("."), file.tokens[index + 1].isSymbol("?"),
                file.tokens[index + 2].isSymbol("("), isDelegateMethod(token.text)
            {
                add(
                    .objectiveC, token.text + "?(", line: token.line,
                    "call it without the second ?: the method has a default")
            }
        }
    }

    /// Whether a delegate of RoostKit has the method, and the tree has no member with this name.
    private func isDelegateMethod(_ name: String) -> Bool {
        ["UIApplicationDelegate", "UISceneDelegate", "UIWindowSceneDelegate"].contains {
            RoostKitNames.types[$0]?.members.contains(name) == true
        } && !tree.members.subtracting(["application", "scene"]).contains(name)
    }

    // MARK: Names

    private static let foundationImports: Set = ["UIKit", "Foundation", "RoostKit", "FoundationNetworking"]
    /// The names that the compiler knows. The attributes are those that also exist on Linux, and those that other
    /// checks report.
    private static let builtIn = ToolchainNames.names(
        """
        Self Any Protocol Type IBOutlet IBAction IBSegueAction IBDesignable IBInspectable GKInspectable NSManaged
        NSCopying UIApplicationMain NSApplicationMain TaskLocal DebugDescription Observable ObservationIgnored
        ObservationTracked AdditionPrecedence AssignmentPrecedence BitwiseShiftPrecedence CastingPrecedence
        ComparisonPrecedence DefaultPrecedence FunctionArrowPrecedence LogicalConjunctionPrecedence
        LogicalDisjunctionPrecedence MultiplicationPrecedence NilCoalescingPrecedence RangeFormationPrecedence
        TernaryPrecedence
        """)

    /// Checks the names that begin with a capital letter: each must have a declaration.
    private mutating func words() {
        for (name, line) in file.uses.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard let first = name.unicodeScalars.first, ("A"..."Z").contains(first), !isOfTheTree(name) else {
                continue
            }
            judge(name, line)
        }
    }

    private func isOfTheTree(_ name: String) -> Bool {
        tree.types.contains(name) || tree.members.contains(name) || file.ownTypes.contains(name)
            || isParameter(name) || Self.builtIn.contains(name) || Conditions.modules.contains(name)
    }

    /// Whether the name is a generic parameter of a type that the file extends or inherits from.
    private func isParameter(_ name: String) -> Bool {
        let bases = file.declarations.flatMap { declaration in
            (declaration.kind == .extension ? [declaration.name] : []) + declaration.inherits
        }
        return bases.contains { base in
            let last = base.split(separator: ".").last.map(String.init) ?? base
            return tree.parameters[last]?.contains(name)
                ?? (!tree.types.contains(last) && ToolchainNames.parameters.contains(name))
        }
    }

    private mutating func judge(_ name: String, _ line: Int) {
        let isFoundations = [ToolchainNames.foundation, ToolchainNames.foundationFunctions, ToolchainNames.dispatch]
            .contains { $0.contains(name) }
        if RoostKitNames.has(name) {
            guard !imports(any: ["UIKit", "RoostKit"]) else { return }
            return add(.uikit, name, line: line, "import UIKit, which this file does not")
        }
        if isFoundations {
            guard !imports(any: Self.foundationImports.union(["Dispatch", "FoundationEssentials"])) else { return }
            return add(.foundation, name, line: line, "import Foundation, which this file does not")
        }
        if ToolchainNames.foundationNetworking.contains(name) || ToolchainNames.networkingConstants.contains(name) {
            // The package's extra file imports FoundationNetworking for all files.
            guard !imports(any: ["FoundationNetworking"]), !tree.hasBackgroundSessions else { return }
            return add(
                .foundation, name, line: line,
                "#if canImport(FoundationNetworking), import FoundationNetworking: on Linux it is declared there")
        }
        if ToolchainNames.all.contains(name) || isHidden(name, line) { return }
        if name.hasPrefix("UI") {
            return add(
                .uikit, name, line: line,
                "RoostKit does not declare it: use a file that only iOS builds, or put it behind a protocol"
            )
        }
        // Constants of C: libc has many, without a common prefix.
        if name.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" }) { return }
        if AbsentName.byWord[name] != nil { return }
        let missing = file.imports.filter { !Conditions.modules.contains($0.module) }
        if missing.count == 1 {
            return add(
                .module, name, line: line, "no available module declares it: probably it is from \(missing[0].module)")
        }
        let isApples = ["NS", "CG", "CA", "CF", "OS"].contains { name.hasPrefix($0) }
        add(
            isApples ? .foundation : .unknown, name, line: line,
            isApples
                ? "missing on Linux: put its uses behind a protocol, or in a file that only iOS builds"
                : "no available module declares it: put its uses behind a protocol of the app")
    }

    // MARK: Absent names

    private mutating func patterns() {
        for (index, token) in file.tokens.enumerated() where token.kind == .word {
            for absent in AbsentName.byWord[token.text] ?? [] where !tree.members.contains(token.text) {
                guard !tree.types.contains(token.text), matches(absent, at: index),
                    !reported.contains(where: { $0.hasSuffix("." + token.text) })
                else { continue }
                add(absent.kind, absent.name, line: token.line, absent.advice)
            }
        }
    }

    private func matches(_ absent: AbsentName, at index: Int) -> Bool {
        let words = absent.pattern.split(separator: " ")
        let isMember = words.first == "."
        let start = isMember ? index - 1 : index
        guard start >= 0, start + words.count <= file.tokens.count else { return false }
        let isUIKits = absent.kind == .uikit
        // A use by a class on itself is not a declaration or a label.
        if isUIKits, file.uses[absent.name] == nil, file.memberUses[absent.name] == nil { return false }
        if !isMember, !isUIKits, index > 0, file.tokens[index - 1].isSymbol(".") { return false }
        return zip(words, file.tokens[start...]).allSatisfy { $0 == $1.text }
    }

    // MARK: Members

    /// Finds members that no known type has, for example from a package's extensions.
    private mutating func members() {
        guard !tree.hasDynamicMembers, !found.contains(where: { $0.kind == .module }) else { return }
        for (name, line) in file.memberUses {
            guard let first = name.unicodeScalars.first, ("a"..."z").contains(first), !name.contains("_"),
                !ToolchainMembers.all.contains(name), !RoostKitNames.members.contains(name), !tree.declares(name),
                !tree.variables.contains(name), !isOfRoostsSession(name),
                !reported.contains(where: {
                    $0.hasSuffix("." + name) || $0.hasPrefix(name) || $0.hasSuffix(" " + name)
                })
            else { continue }
            if isHidden(name, member: true, line) { continue }
            add(
                .unknown, "." + name, line: line,
                "no available type has it: put its uses behind a protocol of the app")
        }
    }

    private func isOfRoostsSession(_ name: String) -> Bool {
        tree.hasBackgroundSessions && SessionShim.members.contains(name)
    }

    // MARK: Uses of RoostKit's types

    /// Checks `UIApplication.X`, `UIApplication.shared.X`, and `x.X` if the file contains `x: UIApplication`.
    private mutating func receivers() {
        let tokens = file.tokens
        var variables = implicitVariables()
        for index in tokens.indices.dropLast(2) where tokens[index].kind == .word && tokens[index + 1].isSymbol(":") {
            let type = tokens[index + 2]
            guard type.kind == .word, RoostKitNames.has(type.text) else { continue }
            // The members of a nested type are unknown, as in `application: UIApplication.State`.
            let isNested = index + 3 < tokens.count && tokens[index + 3].isSymbol(".")
            if !isNested { variables[tokens[index].text, default: []].insert(type.text) }
        }
        for index in tokens.indices.dropLast(2) where tokens[index].kind == .word {
            var types: Set<String> = []
            var place = index + 1
            let name = tokens[index].text
            let isMember = index > 0 && tokens[index - 1].isSymbol(".")
            if !isMember, RoostKitNames.has(name), !tree.types.contains(name) {
                types = [name]
                if tokens[place].isSymbol("."), ["shared", "current", "main"].contains(tokens[place + 1].text) {
                    place += 2
                }
            } else if !isMember || (index > 1 && tokens[index - 2].isWord("self")) {
                types = variables[name] ?? []
                if place < tokens.count, tokens[place].isSymbol("?") || tokens[place].isSymbol("!") { place += 1 }
            }
            guard !types.isEmpty, place + 1 < tokens.count, tokens[place].isSymbol("."),
                tokens[place + 1].kind == .word
            else { continue }
            asked(tokens[place + 1], of: types)
        }
    }

    private mutating func asked(_ member: Token, of types: Set<String>) {
        guard !types.contains(where: { RoostKitNames.type($0, has: member.text) }),
            !tree.declares(member.text), let type = types.sorted().first
        else { return }
        add(
            .uikit, "\(type).\(member.text)", line: member.line,
            "RoostKit's \(type) does not declare it: put it behind a protocol, or in a file that only iOS builds")
    }

    /// The variables that a controller has without a declaration in the file.
    private func implicitVariables() -> [String: Set<String>] {
        let isController = file.declarations.contains {
            $0.kind == .class && tree.ancestry(of: $0.name).contains("UIViewController")
        }
        return isController && !tree.members.contains("view") ? ["view": ["UIView"]] : [:]
    }

    // MARK: Overriding

    private static let ofObjects: Set = ["isEqual", "hash", "description", "debugDescription", "copy", "mutableCopy"]

    /// Finds overrides of members that RoostKit's class lacks.
    private mutating func overrides() {
        for declaration in file.declarations where declaration.modifiers.contains("override") {
            guard let owner = declaration.path.last else { continue }
            let ancestry = tree.ancestry(of: owner).dropFirst()
            guard let base = ancestry.first(where: { RoostKitNames.types[$0] != nil }),
                !RoostKitNames.type(base, has: declaration.name), !Self.ofObjects.contains(declaration.name),
                !ancestry.contains(where: { tree.membersByType[$0]?.contains(declaration.name) == true })
            else { continue }
            add(
                .uikit, "override \(declaration.name)", line: declaration.line,
                "RoostKit's \(base) does not declare it: use a file that only iOS builds")
        }
    }
}
