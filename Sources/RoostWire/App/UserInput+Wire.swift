import LifeCycleModel

/// The wire format of user input: either text or a touch.
extension UserInput {
    init(_ field: JSONField) throws(WireError) {
        let fields = try field.object()
        switch (fields["text"].ifGiven, fields["touch"].ifGiven) {
        case (let text?, nil):
            let typed = try text.string()
            guard !typed.isEmpty, typed.utf8.count <= UserInput.longestText else {
                throw .invalidParameter(
                    field: text.name, problem: "is empty or longer than \(UserInput.longestText) bytes")
            }
            self = .text(typed)
        case (nil, let touch?): self = .touch(x: try touch["x"].whole(), y: try touch["y"].whole())
        default: throw .invalidParameter(field: field.name, problem: "holds not exactly one of text and touch")
        }
    }

    var json: JSON {
        switch self {
        case .text(let text): .object(["text": .string(text)])
        case .touch(let x, let y): .object(["touch": .object(["x": .integer(x), "y": .integer(y)])])
        }
    }
}
