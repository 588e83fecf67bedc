/// RoostKit's public names.
enum RoostKitNames {
    /// A type: the types that it inherits from or conforms to, and its own members.
    struct Entry: Sendable {
        let inherits: [String]
        let members: Set<String>
    }

    /// The types by name; a nested type as `UIApplication.State`. Types of other modules are included if RoostKit
    /// extends them.
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

    /// Public names that are not types.
    static let others: Set<String> = ["UIApplicationMain", "UIMinimumKeepAliveTimeout", "UISceneErrorDomain"]

    /// Whether RoostKit has this name of UIKit.
    static func has(_ name: String) -> Bool {
        (types[name] != nil && !ToolchainNames.all.contains(name)) || others.contains(name)
    }

    /// The members of all types.
    static let members = Set(types.values.flatMap(\.members))

    /// The members of every object.
    private static let ofObjects = ToolchainNames.names(
        "init self Type copy mutableCopy isEqual hash hashValue description debugDescription isKind isMember superclass"
    )

    /// Whether a type, or a type that it inherits from, has a member.
    static func type(_ name: String, has member: String) -> Bool {
        guard let entry = types[name] else { return false }
        return entry.members.contains(member) || ofObjects.contains(member)
            || entry.inherits.contains { type($0, has: member) }
    }
}
