/// A declaration that other files may use: a type, an extension, or a member. Declarations within functions are left
/// out.
struct Declaration: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case `class`, `struct`, `enum`, `protocol`, `actor`, `extension`, `typealias`, `associatedtype`
        case `func`, `var`, `let`, `case`

        /// Whether the declaration declares a type.
        var isType: Bool {
            switch self {
            case .class, .struct, .enum, .protocol, .actor, .typealias, .associatedtype: true
            case .extension, .func, .var, .let, .case: false
            }
        }
    }

    let kind: Kind
    let name: String
    /// The line of the declaration's keyword, from 1.
    let line: Int
    /// The enclosing types, the outermost first.
    let path: [String]
    /// Whether the declaration is in an extension rather than in the type itself.
    let isInExtension: Bool
    /// The types that the declared type inherits from or conforms to.
    let inherits: [String]
    /// Modifiers such as `public`, `override` and `private`, and attributes.
    let modifiers: Set<String>

    var isTopLevel: Bool { path.isEmpty }
    /// Whether no other file sees the declaration.
    var isOfItsFile: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
}
