/// An encoder that writes a value as one line of JSON, directly into bytes. The journal is written for each event, and
/// records for each change. `JSONEncoder` builds a tree first, which would take longer than the brain and the answer
/// together.
///
/// `JSONDecoder` can read the line. The encoder is for values with synthesized coding, which write one container at a
/// time, each to its end.
package struct LineEncoder {
    private let line = Line()

    package init() {}

    /// Appends the line of `value`, including its newline. Throws if a number is not finite; then nothing is appended.
    package func append(_ value: some Encodable, to text: inout [UInt8]) throws {
        swap(&line.text.bytes, &text)
        defer { swap(&line.text.bytes, &text) }
        let begin = line.text.bytes.count
        do {
            try value.encode(to: line)
            line.text.endLine()
        } catch {
            line.text.cut(at: begin)
            throw error
        }
    }

    /// The line of `value`, including its newline. Throws if a number is not finite.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        var text: [UInt8] = []
        try append(value, to: &text)
        return text
    }

    /// `value` as text. Throws if a number is not finite.
    package func text(of value: some Encodable) throws -> String {
        String(decoding: try encode(value).dropLast(), as: UTF8.self)
    }
}

/// The line as it grows.
private struct LineText {
    var bytes: [UInt8] = []
    /// The closing brackets of the open containers.
    private var ends: [UInt8] = []

    var depth: Int { ends.count }

    mutating func endLine() {
        close(to: 0)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Removes all from `begin` on.
    mutating func cut(at begin: Int) {
        bytes.removeSubrange(begin...)
        ends = []
    }

    mutating func open(_ beginning: Unicode.Scalar, _ end: Unicode.Scalar) {
        bytes.append(UInt8(ascii: beginning))
        ends.append(UInt8(ascii: end))
    }

    /// Closes the containers within the one at `depth`: they are complete.
    private mutating func close(to depth: Int) {
        while ends.count > depth { bytes.append(ends.removeLast()) }
    }

    /// Begins an element of the array at `depth`.
    mutating func beginElement(at depth: Int, isFirst: Bool) {
        close(to: depth)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
    }

    /// Begins a member of the object at `depth`.
    mutating func beginMember(_ name: String, at depth: Int, isFirst: Bool) {
        beginElement(at: depth, isFirst: isFirst)
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func write(word: StaticString) {
        bytes += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    }
    mutating func write(_ flag: Bool) { write(word: flag ? "true" : "false") }
    mutating func write(_ string: String) { JSONText.append(string, to: &bytes) }
    mutating func write(_ number: some SignedInteger) { JSONText.append(Int64(number), to: &bytes) }
    mutating func write(_ number: some UnsignedInteger) { JSONText.append(UInt64(number), to: &bytes) }
    mutating func write(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, EncodingError.Context(codingPath: [], debugDescription: "\(number) is no number in JSON"))
        }
        bytes += number.description.utf8
    }
}

/// The encoder of the values in a line.
private final class Line: Encoder {
    var text = LineText()

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        text.open("{", "}")
        return KeyedEncodingContainer(Members(line: self, depth: text.depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.open("[", "]")
        return Elements(line: self, depth: text.depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Value(line: self) }
}

/// A JSON object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let line: Line
    let depth: Int
    var isEmpty = true
    var codingPath: [any CodingKey] { [] }

    private mutating func begin(_ key: Key) {
        line.text.beginMember(key.stringValue, at: depth, isFirst: isEmpty)
        isEmpty = false
    }

    mutating func encodeNil(forKey key: Key) {
        begin(key)
        line.text.write(word: "null")
    }

    mutating func encode(_ value: Bool, forKey key: Key) {
        begin(key)
        line.text.write(value)
    }

    mutating func encode(_ value: String, forKey key: Key) {
        begin(key)
        line.text.write(value)
    }

    mutating func encode(_ value: Int, forKey key: Key) {
        begin(key)
        line.text.write(value)
    }

    mutating func encode(_ value: Int32, forKey key: Key) {
        begin(key)
        line.text.write(value)
    }

    mutating func encode(_ value: Int64, forKey key: Key) {
        begin(key)
        line.text.write(value)
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
        preconditionFailure("no value in a line inherits its coding")
    }
}

/// A JSON array.
private struct Elements: UnkeyedEncodingContainer {
    let line: Line
    let depth: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    private mutating func begin() {
        line.text.beginElement(at: depth, isFirst: count == 0)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        line.text.write(word: "null")
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

    func encodeNil() { line.text.write(word: "null") }
    func encode(_ value: Bool) { line.text.write(value) }
    func encode(_ value: String) { line.text.write(value) }
    func encode(_ value: Double) throws { try line.text.write(value) }
    func encode(_ value: Float) throws { try line.text.write(value) }
    func encode(_ value: Int) { line.text.write(value) }
    func encode(_ value: Int8) { line.text.write(value) }
    func encode(_ value: Int16) { line.text.write(value) }
    func encode(_ value: Int32) { line.text.write(value) }
    func encode(_ value: Int64) { line.text.write(value) }
    func encode(_ value: UInt) { line.text.write(value) }
    func encode(_ value: UInt8) { line.text.write(value) }
    func encode(_ value: UInt16) { line.text.write(value) }
    func encode(_ value: UInt32) { line.text.write(value) }
    func encode(_ value: UInt64) { line.text.write(value) }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: line) }
}
