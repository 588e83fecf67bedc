import FoundationEssentials

/// The JSON of replies to the command line, which are too large for manual parsing. Decoding errors name the field.
enum MessageText {
    /// Decodes a message that `JSONParser` has accepted.
    static func decode<Value: Decodable>(_ type: Value.Type, from message: [UInt8]) throws(WireError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(message))
        } catch let error as DecodingError {
            throw wireError(for: error)
        } catch {
            throw .notJSON("\(error)")
        }
    }

    private static func wireError(for error: DecodingError) -> WireError {
        switch error {
        case .keyNotFound(let key, let context):
            .invalidParameter(field: field(context.codingPath + [key]), problem: "is missing")
        case .valueNotFound(_, let context):
            .invalidParameter(field: field(context.codingPath), problem: "is null")
        case .typeMismatch(let type, let context):
            .invalidParameter(field: field(context.codingPath), problem: "is not \(article(for: type))")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            .notJSON(context.debugDescription)
        case .dataCorrupted(let context):
            .invalidParameter(field: field(context.codingPath), problem: context.debugDescription)
        @unknown default:
            .notJSON("\(error)")
        }
    }

    /// A coding path as text, such as `open[3].name`, without the envelope's `parameters`.
    private static func field(_ path: [any CodingKey]) -> String {
        var text = ""
        for (position, key) in path.enumerated() {
            if let index = key.intValue {
                text += "[\(index)]"
            } else if !(position == 0 && key.stringValue == "parameters" && path.count > 1) {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text
    }

    private static func article(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "a boolean"
        case is any BinaryInteger.Type: "a whole number in range"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "of the right type"
        }
    }

    /// Encodes a value as a message, without the terminating NUL. Keys are sorted, so that equal values have equal
    /// bytes.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            // All payloads consist of strings, integers and booleans, which have a JSON form.
            preconditionFailure("a payload without a JSON form: \(error)")
        }
    }
}
