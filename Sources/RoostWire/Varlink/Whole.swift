/// A whole number in a payload. Foundation's decoder does not say which field held `1.5`, or a number too large for
/// its type; this does.
@propertyWrapper struct Whole<Number: FixedWidthInteger & Codable>: Codable {
    let wrappedValue: Number

    init(wrappedValue: Number) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        do {
            wrappedValue = try decoder.singleValueContainer().decode(Number.self)
        } catch {
            throw DecodingError.typeMismatch(
                Number.self, .init(codingPath: decoder.codingPath, debugDescription: "not a whole number in range"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
