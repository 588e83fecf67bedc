/// A value in a message and its name, which is told where the value is not as the interface says.
struct JSONField: Hashable, Sendable {
    /// The name, with those of what is around it: `open[3].name`. Empty for the message itself.
    let name: String
    /// The value; nil where it is left out.
    let value: JSON?

    /// A member of an object, given or not; of anything else none is.
    subscript(_ member: String) -> JSONField {
        JSONField(name: name.isEmpty ? member : "\(name).\(member)", value: value?[member])
    }

    /// The field, unless it is left out or null.
    var ifGiven: JSONField? {
        switch value {
        case nil, .null?: nil
        default: self
        }
    }

    func string() throws(WireError) -> String {
        guard case .string(let string) = value else { throw wrong("a string") }
        return string
    }

    func bool() throws(WireError) -> Bool {
        guard case .bool(let bool) = value else { throw wrong("a boolean") }
        return bool
    }

    /// A whole number that the type holds, in whatever way it is written.
    func whole<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(WireError) -> Number {
        let number: Number? =
            switch value {
            case .integer(let integer): Number(exactly: integer)
            case .number(let number): Number(exactly: number)
            default: nil
            }
        guard let number else { throw wrong("a whole number in range") }
        return number
    }

    /// One of the words a type is written in.
    func choice<Choice: RawRepresentable & CaseIterable>(
        of type: Choice.Type = Choice.self
    ) throws(WireError) -> Choice where Choice.RawValue == String {
        let word = try string()
        guard let choice = Choice(rawValue: word) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter(field: name, problem: "\"\(word.prefix(64))\" is none of \(words)")
        }
        return choice
    }

    /// The field, if it is an object: one whose members are all left out is told apart from what is none.
    func object() throws(WireError) -> JSONField {
        guard case .object = value else { throw wrong("an object") }
        return self
    }

    /// The elements of a list, each with its place as its name.
    func list() throws(WireError) -> [JSONField] {
        guard case .array(let elements) = value else { throw wrong("an array") }
        return elements.enumerated().map { JSONField(name: "\(name)[\($0)]", value: $1) }
    }

    private func wrong(_ wanted: String) -> WireError {
        switch value {
        case nil: .invalidParameter(field: name, problem: "is missing")
        case .null?: .invalidParameter(field: name, problem: "is null")
        default: .invalidParameter(field: name, problem: "is not \(wanted)")
        }
    }
}
