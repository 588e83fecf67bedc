/// A concern's additions to the descriptions of the interfaces.
struct ConcernInterface {
    /// A member of a struct in varlink's interface language.
    struct Member {
        let name: String
        let type: String

        init(_ name: String, _ type: String) { (self.name, self.type) = (name, type) }

        fileprivate var text: String { ",\n  \(name): ?\(type)" }
    }

    /// The additional kinds of `Callback`.
    var kinds: [String] = []
    /// The members of `Callback` for these kinds.
    var members: [Member] = []
    /// The members of a reply to `Attach` that carry messages of the concern.
    var messages: [Member] = []
    /// Declarations for `roost.App`.
    var app: [UInt8] = []
    /// Declarations for `roost.Control`.
    var control: [UInt8] = []

    /// The text, with the additions of all concerns to its own declarations.
    static func filled(_ text: String) -> String {
        let all = WireConcerns.interfaces
        return text.replacing("@kinds", with: all.flatMap(\.kinds).map { ", \($0)" }.joined())
            .replacing("@members", with: all.flatMap(\.members).map(\.text).joined())
            .replacing("@messages", with: all.flatMap(\.messages).map(\.text).joined())
    }
}
