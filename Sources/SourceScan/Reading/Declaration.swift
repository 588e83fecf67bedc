/// Something that a file declares for others: a type, an extension, or a member of either. What lies within functions
/// is not among them.
struct Declaration: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case `class`, `struct`, `enum`, `protocol`, `actor`, `extension`, `typealias`, `associatedtype`
        case `func`, `var`, `let`, `case`

        /// Whether it is one of a type of its own.
        var isType: Bool {
            switch self {
            case .class, .struct, .enum, .protocol, .actor, .typealias, .associatedtype: true
            case .extension, .func, .var, .let, .case: false
            }
        }
    }

    let kind: Kind
    let name: String
    /// Where its keyword stands, from 1.
    let line: Int
    /// The types it lies in, the outermost first.
    let path: [String]
    /// What lies in an extension, rather than in the type itself.
    let isInExtension: Bool
    /// What its type inherits from or conforms to.
    let inherits: [String]
    /// `public`, `override`, `private` and their kin, and attributes.
    let modifiers: Set<String>

    var isTopLevel: Bool { path.isEmpty }
    /// Whether no other file sees it.
    var isOfItsFile: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
}
