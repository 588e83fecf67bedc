internal import RoostWire

/// An encoder that writes a value as one line of JSON, directly into bytes. The journal is written for each event.
/// `JSONEncoder` builds a tree first, which would take longer than the brain and the answer together.
///
/// `JSONDecoder` can read the line. The encoder is for values with synthesized coding, which write one container at a
/// time, each to its end.
struct LineEncoder {
    private let line = Line()

    /// The line of `value`, including its newline.
    func encode(_ value: some Encodable) throws -> [UInt8] {
        try value.encode(to: line)
        return line.take()
    }
}

/// The line as it grows.
private final class Line: Encoder {
    private var text: [UInt8] = []
    /// The closing brackets of the open containers.
    private var ends: [UInt8] = []

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var depth: Int { ends.count }

    func take() -> [UInt8] {
        close(to: 0)
        text.append(UInt8(ascii: "\n"))
        defer { text.removeAll(keepingCapacity: true) }
        return text
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open("{", "}")
        return KeyedEncodingContainer(Members(line: self, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open("[", "]")
        return Elements(line: self, depth: depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Value(line: self) }

    func open(_ beginning: Unicode.Scalar, _ end: Unicode.Scalar) {
        text.append(UInt8(ascii: beginning))
        ends.append(UInt8(ascii: end))
    }

    /// Closes the containers within the one at `depth`: they are complete.
    func close(to depth: Int) {
        while ends.count > depth { text.append(ends.removeLast()) }
    }

    func separate() { text.append(UInt8(ascii: ",")) }

    func write(name: String) {
        JSONText.append(name, to: &text)
        text.append(UInt8(ascii: ":"))
    }

    func write(_ word: StaticString) {
        text += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    }
    func write(_ string: String) { JSONText.append(string, to: &text) }
    func write(_ number: Int64) { JSONText.append(number, to: &text) }
    func write(_ number: UInt64) { JSONText.append(number, to: &text) }
    func write(number: some BinaryFloatingPoint & CustomStringConvertible) { text += number.description.utf8 }
}

/// A JSON object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let line: Line
    let depth: Int
    var isEmpty = true
    var codingPath: [any CodingKey] { [] }

    private mutating func begin(_ key: Key) {
        line.close(to: depth)
        if !isEmpty { line.separate() }
        isEmpty = false
        line.write(name: key.stringValue)
    }

    mutating func encodeNil(forKey key: Key) {
        begin(key)
        line.write("null" as StaticString)
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        begin(key)
        try value.encode(to: line)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        begin(key)
        return line.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        begin(key)
        return line.unkeyedContainer()
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return line
    }

    mutating func superEncoder() -> any Encoder {
        preconditionFailure("no value of the journal inherits its coding")
    }
}

/// A JSON array.
private struct Elements: UnkeyedEncodingContainer {
    let line: Line
    let depth: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    private mutating func begin() {
        line.close(to: depth)
        if count > 0 { line.separate() }
        count += 1
    }

    mutating func encodeNil() {
        begin()
        line.write("null" as StaticString)
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        begin()
        try value.encode(to: line)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        begin()
        return line.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        return line.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return line
    }
}

/// A value without a container.
private struct Value: SingleValueEncodingContainer {
    let line: Line
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { line.write("null" as StaticString) }
    func encode(_ value: Bool) { line.write(value ? "true" as StaticString : "false") }
    func encode(_ value: String) { line.write(value) }
    func encode(_ value: Double) { line.write(number: value) }
    func encode(_ value: Float) { line.write(number: value) }
    func encode(_ value: Int) { line.write(Int64(value)) }
    func encode(_ value: Int8) { line.write(Int64(value)) }
    func encode(_ value: Int16) { line.write(Int64(value)) }
    func encode(_ value: Int32) { line.write(Int64(value)) }
    func encode(_ value: Int64) { line.write(value) }
    func encode(_ value: UInt) { line.write(UInt64(value)) }
    func encode(_ value: UInt8) { line.write(UInt64(value)) }
    func encode(_ value: UInt16) { line.write(UInt64(value)) }
    func encode(_ value: UInt32) { line.write(UInt64(value)) }
    func encode(_ value: UInt64) { line.write(value) }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: line) }
}
