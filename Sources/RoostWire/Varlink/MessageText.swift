import FoundationEssentials

/// The JSON of a message: checked before a decoder sees it, and decoded with errors that name the field.
enum MessageText {
    /// Refuses what no decoder should be handed: not UTF-8, not an object, nested too deep. Its length is the framer's
    /// concern.
    static func check(_ message: [UInt8]) throws(WireError) {
        guard !message.isEmpty else { throw .emptyMessage }
        guard message.first == UInt8(ascii: "{") else { throw .notJSON("it does not begin with {") }
        guard depth(of: message) <= WireLimits.depth else { throw .tooDeep(limit: WireLimits.depth) }
        guard String(validating: message, as: UTF8.self) != nil else { throw .notUTF8 }
    }

    /// The deepest nesting outside of strings. Right for every text that is JSON; one that isn't is refused later.
    private static func depth(of message: [UInt8]) -> Int {
        var depth = 0
        var deepest = 0
        var inString = false
        var isEscaped = false
        for byte in message {
            if isEscaped {
                isEscaped = false
            } else if inString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { inString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): inString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    deepest = max(deepest, depth)
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
        return deepest
    }

    /// Decodes a message that was checked.
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

    /// A coding path as people write it: `open[3].name`. The envelope's `parameters` goes without saying.
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

    /// Encodes a value as a message, with the NUL that ends it. Keys are sorted: equal values are equal bytes.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value)) + [0]
        } catch {
            // Our payloads hold strings, integers and booleans: all of them have a JSON form.
            preconditionFailure("a payload without a JSON form: \(error)")
        }
    }
}

/// Parameters of a call or reply without any.
struct Nothing: Codable {}

/// The `parameters` of a call or reply; missing or null ones count as an empty object.
struct ParametersOf<Parameters: Decodable>: Decodable {
    let parameters: Parameters

    private enum CodingKeys: String, CodingKey { case parameters }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.parameters), try !container.decodeNil(forKey: .parameters) {
            parameters = try container.decode(Parameters.self, forKey: .parameters)
        } else {
            parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        }
    }
}
