/// A JSON value, for calls and for the messages of apps.
///
/// Foundation's coders are avoided. Their first use costs milliseconds, which each launch of an app would pay. Each
/// further use costs several times as much as the rest of a request.
enum JSON: Hashable, Sendable {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON
    }

    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is not whole, or exceeds 64 bits.
    case number(Double)
    case string(String)
    case array([JSON])
    /// The members, in the order in which they are written.
    case object([Member])

    /// An object with these members, except those that are nil. They must be sorted by name, so that equal values have
    /// equal bytes.
    static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        var list: [Member] = []
        list.reserveCapacity(members.count)
        for (name, value) in members {
            guard let value else { continue }
            assert(list.last.map { $0.name < name } ?? true, "\(name) is out of order")
            list.append(Member(name: name, value: value))
        }
        return .object(list)
    }

    /// A member of an object; nil if it is missing. If a name occurs twice, the first member counts.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The JSON text, without the terminating NUL.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        append(to: &text)
        return text
    }

    private func append(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let isTrue): text += (isTrue ? "true" : "false").utf8
        case .integer(let number): JSONText.append(number, to: &text)
        case .number(let number): text += "\(number)".utf8
        case .string(let string): JSONText.append(string, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.append(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONText.append(member.name, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }
}
