/// A value in a message, with its name for error messages.
struct JSONField: Hashable, Sendable {
    /// The path of the field, such as `open[3].name`; empty for the message itself.
    let name: String
    /// The value; nil if it is missing.
    let value: JSON?

    /// A member of an object, whose value is nil if it is missing or this is not an object.
    subscript(_ member: String) -> JSONField {
        JSONField(name: name.isEmpty ? member : "\(name).\(member)", value: value?[member])
    }

    /// The field; nil if it is missing or null.
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

    /// A whole number in the type's range, in any JSON notation.
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

    /// A value of an enumeration, by its raw value.
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

    /// A value of an enumeration, by its number.
    func code<Code: RawRepresentable & CaseIterable>(
        of type: Code.Type = Code.self
    ) throws(WireError) -> Code where Code.RawValue == Int32 {
        let number = try whole(Int32.self)
        guard let code = Code(rawValue: number) else {
            let codes = Code.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw .invalidParameter(field: name, problem: "\(number) is none of \(codes)")
        }
        return code
    }

    /// The field, if it is an object. An object without members is valid.
    func object() throws(WireError) -> JSONField {
        guard case .object = value else { throw wrong("an object") }
        return self
    }

    /// The elements of a list, each named by its index.
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
