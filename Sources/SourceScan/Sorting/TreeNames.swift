/// The declarations in the files of a tree, by name.
struct TreeNames {
    /// The types that each type and its extensions inherit from or conform to.
    private(set) var inherits: [String: [String]] = [:]
    private(set) var types: Set<String> = []
    /// All functions, properties and cases.
    private(set) var members: Set<String> = []
    private(set) var membersByType: [String: Set<String>] = [:]

    /// The generic parameters of each type.
    private(set) var parameters: [String: Set<String>] = [:]
    /// The names that are declared for iOS only and nowhere else, with their files.
    private(set) var hidden: [String: String] = [:]

    /// All variables, parameters and labels of tuples.
    let variables: Set<String>
    let tupleLabels: Set<String>
    /// Whether a type has dynamic members, which are declared nowhere.
    let hasDynamicMembers: Bool
    /// Whether a file creates a background session. The names of `SessionShim` then belong to the module.
    let hasBackgroundSessions: Bool

    init(_ files: [FileFacts]) {
        variables = files.reduce(into: []) { $0.formUnion($1.variables) }
        tupleLabels = files.reduce(into: []) { $0.formUnion($1.tupleLabels) }
        hasDynamicMembers = files.contains { $0.uses["dynamicMemberLookup"] != nil }
        hasBackgroundSessions = files.contains(where: \.hasBackgroundSession)
        for declaration in files.lazy.flatMap(\.declarations) {
            let names = declaration.name.split(separator: ".").map(String.init)
            if declaration.kind.isType || declaration.kind == .extension {
                if declaration.kind.isType { types.insert(declaration.name) }
                inherits[names.last ?? "", default: []] += declaration.inherits
            } else {
                members.insert(declaration.name)
            }
            if let owner = declaration.path.last { membersByType[owner, default: []].insert(declaration.name) }
        }
        for file in files {
            parameters.merge(file.parameters) { $0.union($1) }
            for (name, line) in file.hidden where !types.contains(name) && !members.contains(name) {
                hidden[name] = hidden[name] ?? "\(file.path):\(line)"
            }
        }
    }

    /// A type with its known ancestors and protocols, itself first.
    func ancestry(of name: String) -> [String] {
        var result = [name]
        var index = 0
        while index < result.count {
            for parent in inherits[result[index]] ?? [] where !result.contains(parent) { result.append(parent) }
            index += 1
        }
        return result
    }

    func declares(_ name: String) -> Bool { types.contains(name) || members.contains(name) }

    /// Whether a type is visible on screen: a view, a view controller, or a type of SwiftUI.
    func isView(_ name: String) -> Bool {
        ancestry(of: name).contains { parent in
            if Self.viewProtocols.contains(parent) { return true }
            guard parent.hasPrefix("UI"), !types.contains(parent) else { return false }
            return Self.viewEndings.contains { parent.hasSuffix($0) }
        }
    }

    private static let viewProtocols: Set = [
        "View", "ViewModifier", "PreviewProvider", "UIViewRepresentable", "UIViewControllerRepresentable",
        "ButtonStyle",
        "LabelStyle", "ToggleStyle", "Shape", "InsettableShape", "Layout", "Widget", "WidgetBundle", "TimelineProvider",
    ]
    private static let viewEndings = [
        "View", "ViewController", "Controller", "Cell", "Button", "Label", "Control", "Bar", "Field", "Slider",
        "Switch",
        "Stepper", "Image", "Font", "Color", "Layout", "Recognizer", "Item",
    ]
}
