/// What a concern adds to the description of the interfaces.
struct ConcernInterface {
    /// A member of a struct in varlink's own language.
    struct Member {
        let name: String
        let type: String

        init(_ name: String, _ type: String) { (self.name, self.type) = (name, type) }

        fileprivate var text: String { ",\n  \(name): ?\(type)" }
    }

    /// The kinds of `Callback` that call for the concern.
    var kinds: [String] = []
    /// The members of `Callback` for these kinds.
    var members: [Member] = []
    /// The members of a reply to `Attach` that hold a message of the concern.
    var messages: [Member] = []
    /// Declarations of `roost.App`.
    var app: [UInt8] = []
    /// Declarations of `roost.Control`.
    var control: [UInt8] = []

    /// The text with what all concerns add inside its own declarations.
    static func filled(_ text: String) -> String {
        let all = WireConcerns.interfaces
        return text.replacing("@kinds", with: all.flatMap(\.kinds).map { ", \($0)" }.joined())
            .replacing("@members", with: all.flatMap(\.members).map(\.text).joined())
            .replacing("@messages", with: all.flatMap(\.messages).map(\.text).joined())
    }
}
