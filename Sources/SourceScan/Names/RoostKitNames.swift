/// RoostKit's public names.
enum RoostKitNames {
    /// A type, what it inherits or conforms to, and its own members.
    struct Entry: Sendable {
        let inherits: [String]
        let members: Set<String>
    }

    /// The types by name, `UIApplication.State` that of one in another; and types of other modules that RoostKit adds to.
    static let types: [String: Entry] = {
        var result: [String: Entry] = [:]
        for text in RoostKitTable.parts.values {
            for line in text.replacing("\n  ", with: " ").split(separator: "\n") {
                let halves = line.split(separator: "=", omittingEmptySubsequences: false).map {
                    $0.split(separator: " ").map(String.init)
                }
                guard halves.count == 2, let name = halves[0].first else { continue }
                let known = result[name]
                result[name] = Entry(
                    inherits: (known?.inherits ?? []) + halves[0].dropFirst(),
                    members: Set(halves[1]).union(known?.members ?? []))
            }
        }
        return result
    }()

    /// What it declares beside types.
    static let others: Set<String> = ["UIApplicationMain", "UISceneErrorDomain"]

    /// Whether it is a name of UIKit's that is RoostKit's as well.
    static func has(_ name: String) -> Bool {
        (types[name] != nil && !ToolchainNames.all.contains(name)) || others.contains(name)
    }

    /// The members of all of them.
    static let members = Set(types.values.flatMap(\.members))

    /// What any object has.
    private static let ofObjects = ToolchainNames.names(
        "init self Type copy mutableCopy isEqual hash hashValue description debugDescription isKind isMember superclass"
    )

    /// Whether a type, or one it inherits from, has a member.
    static func type(_ name: String, has member: String) -> Bool {
        guard let entry = types[name] else { return false }
        return entry.members.contains(member) || ofObjects.contains(member)
            || entry.inherits.contains { type($0, has: member) }
    }
}
