/// A reason why Apple's service would reject the payload of a push, or a device could not use it.
public enum PayloadFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload is empty.
    case empty
    /// The payload has this many bytes, more than there may be.
    case tooLarge(Int, most: Int)
    /// The payload is not a JSON object, for this reason.
    case malformed(String)
    /// A key has an invalid value.
    case invalid(key: String, problem: String)

    /// The message, with the reason code of Apple's service if there is one.
    public var description: String {
        switch self {
        case .empty: "the payload is empty (PayloadEmpty)"
        case .tooLarge(let size, let most):
            "the payload has \(size) bytes, more than the \(most) there may be (PayloadTooLarge)"
        case .malformed(let why): "the payload is not a JSON object: \(why)"
        case .invalid(let key, let problem): "the payload's \(key) \(problem)"
        }
    }
}

extension JSONParser {
    /// Reads the payload of a push, which is a JSON object of at most `most` bytes.
    static func payload(
        _ bytes: [UInt8], atMost most: Int
    ) throws(PayloadFault) -> (text: String, content: JSONField) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= most else { throw .tooLarge(bytes.count, most: most) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed("it is not UTF-8") }
        do {
            return (text, try message(trimmed(bytes)))
        } catch {
            guard case .notJSON(let why) = error else { throw .malformed("\(error)") }
            throw .malformed(why)
        }
    }

    /// The bytes without surrounding white space, such as a file's last newline.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let space: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
        guard let first = bytes.firstIndex(where: { !space.contains($0) }),
            let last = bytes.lastIndex(where: { !space.contains($0) })
        else { return [] }
        return Array(bytes[first...last])
    }
}
