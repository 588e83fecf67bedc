/// The error for a message that no honest peer sends.
package struct Malformed: Error, Hashable {
    package init() {}
}

/// Writes values in sequence: integers with fixed width in little-endian order, texts with a length prefix.
package struct Packer {
    package private(set) var bytes: [UInt8] = []

    /// A message as it is sent: its length, and what `body` writes.
    package static func frame(_ body: (inout Packer) -> Void) -> [UInt8] {
        var packer = Packer()
        body(&packer)
        var head = Packer()
        head.put(UInt32(clamping: packer.bytes.count))
        return head.bytes + packer.bytes
    }

    package mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func put(_ text: String) {
        var text = text
        text.withUTF8 {
            put(UInt32(clamping: $0.count))
            bytes.append(contentsOf: $0)
        }
    }

    /// Writes a flag that says whether the value follows, then the value.
    package mutating func put<Value>(_ value: Value?, _ body: (inout Packer, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    package mutating func put<Value>(_ values: [Value], _ body: (inout Packer, Value) -> Void) {
        put(UInt32(clamping: values.count))
        for value in values { body(&self, value) }
    }
}

/// Reads values in the order in which they were written. For any input, it never reads beyond the end.
package struct Unpacker {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var isAtEnd: Bool { position == bytes.endIndex }

    private mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Malformed) -> Number {
        var number = Number.zero
        for byte in try take(Number.bitWidth / 8).reversed() { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return number
    }

    package mutating func flag() throws(Malformed) -> Bool {
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw Malformed()
        }
    }

    /// A text of at most `limit` bytes.
    package mutating func text(most limit: Int) throws(Malformed) -> String {
        let count = Int(try number(UInt32.self))
        guard count <= limit, let text = String(validating: try take(count), as: UTF8.self) else { throw Malformed() }
        return text
    }

    package mutating func optional<Value>(
        _ read: (inout Unpacker) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try flag() ? try read(&self) : nil
    }

    package mutating func list<Value>(
        most limit: Int, _ read: (inout Unpacker) throws(Malformed) -> Value
    ) throws(Malformed) -> [Value] {
        let count = Int(try number(UInt32.self))
        guard count <= limit else { throw Malformed() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
