/// A JSON object that another program has written, for readers of a few of its members. No bytes make the parser fail
/// otherwise than by nil.
package struct JSONObject {
    private let message: JSONField

    /// Nil if the bytes are not one JSON object, or if it is nested deeper than `WireLimits.depth`. The caller limits the
    /// number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard let message = try? JSONParser.message(bytes) else { return nil }
        self.message = message
    }

    /// A string; nil if the member is missing or is another kind of value.
    package func string(_ name: String) -> String? {
        guard case .string(let string) = message[name].value else { return nil }
        return string
    }

    /// A number; nil if the member is missing or is another kind of value. Never infinite and never NaN, which JSON lacks.
    package func number(_ name: String) -> Double? {
        switch message[name].value {
        case .integer(let number): Double(number)
        case .number(let number): number
        case nil, .null?, .bool?, .string?, .array?, .object?: nil
        }
    }
}
