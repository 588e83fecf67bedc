import LifeCycleModel

/// What the user did, as the interfaces have it: one of the two.
struct InputPayload: Codable {
    struct Touch: Codable {
        @Whole var x: Int64
        @Whole var y: Int64
    }

    var text: String?
    var touch: Touch?

    init(_ input: UserInput) {
        switch input {
        case .text(let text): self.text = text
        case .touch(let x, let y): touch = Touch(x: x, y: y)
        }
    }

    func input(field: String) throws(WireError) -> UserInput {
        switch (text, touch) {
        case (let text?, nil):
            guard !text.isEmpty, text.utf8.count <= UserInput.longestText else {
                throw .invalidParameter(
                    field: field + ".text", problem: "is empty or longer than \(UserInput.longestText) bytes")
            }
            return .text(text)
        case (nil, let touch?): return .touch(x: touch.x, y: touch.y)
        default: throw .invalidParameter(field: field, problem: "holds not exactly one of text and touch")
        }
    }
}
