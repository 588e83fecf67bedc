/// A JSON value, of which calls and the messages of apps are made.
///
/// Not Foundation's coders: their first use costs a process milliseconds, which every launch of an app would pay, and
/// every use several times what all the rest of a request takes.
enum JSON: Hashable, Sendable {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON
    }

    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is not whole, or beyond 64 bits.
    case number(Double)
    case string(String)
    case array([JSON])
    /// Members in the order in which they are written.
    case object([Member])

    /// An object of these members, without those that are nil. To be given in the order of their names: equal values are
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

    /// A member of an object; of two with one name the first counts. Nil where there is none.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text, as a message without the NUL that ends it.
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
