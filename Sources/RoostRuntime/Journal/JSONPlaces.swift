/// Finds positions in an unreadable line of JSON: where it stops being JSON, or where a given value begins.
///
/// `JSONDecoder` reports neither in a form that a program could use.
struct JSONPlaces {
    /// A position at which a line stops being JSON, with the expected token.
    struct Fault: Error, Hashable {
        let offset: Int
        let expected: String
    }

    /// A step on the path to a value.
    enum Step: Hashable {
        case name(String)
        case index(Int)
    }

    private static let deepest = 128

    private let bytes: [UInt8]
    private let target: [Step]
    private var position = 0
    private var path: [Step] = []
    /// The number of steps of the target that were found, and the offset of the value there.
    private var found = (count: 0, offset: 0)

    private init(_ bytes: [UInt8], target: [Step]) {
        self.bytes = bytes
        self.target = target
    }

    /// The position at which `bytes` stop being a JSON value; nil if the value is valid. For a truncated value, the
    /// position is the end.
    static func fault(in bytes: [UInt8]) -> Fault? {
        var places = JSONPlaces(bytes, target: [])
        do throws(Fault) {
            try places.document()
            return nil
        } catch {
            return error
        }
    }

    /// The offset of the value at path `target`, or of the innermost enclosing value that exists.
    static func offset(of target: [Step], in bytes: [UInt8]) -> Int {
        var places = JSONPlaces(bytes, target: target)
        try? places.document()
        return places.found.offset
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(_ character: Unicode.Scalar, orElse expected: String) throws(Fault) {
        guard take(character) else { throw Fault(offset: position, expected: expected) }
    }

    private mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 { position += 1 }
    }

    private mutating func document() throws(Fault) {
        try value()
        skipSpace()
        guard next == nil else { throw Fault(offset: position, expected: "the end of the line") }
    }

    private mutating func value() throws(Fault) {
        skipSpace()
        if path.count > found.count, target.starts(with: path) { found = (path.count, position) }
        guard path.count < Self.deepest else {
            throw Fault(offset: position, expected: "lists and objects at most \(Self.deepest) deep")
        }
        switch next {
        case UInt8(ascii: "{"): try members()
        case UInt8(ascii: "["): try elements()
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func members() throws(Fault) {
        position += 1
        skipSpace()
        if take("}") { return }
        while true {
            skipSpace()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw Fault(offset: position, expected: "a name in quotes") }
            try string()
            path.append(.name(String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)))
            skipSpace()
            try take(":", orElse: "a colon")
            try value()
            path.removeLast()
            skipSpace()
            if take("}") { return }
            try take(",", orElse: "a comma, or the end of the object")
        }
    }

    private mutating func elements() throws(Fault) {
        position += 1
        skipSpace()
        if take("]") { return }
        var index = 0
        while true {
            path.append(.index(index))
            try value()
            path.removeLast()
            index += 1
            skipSpace()
            if take("]") { return }
            try take(",", orElse: "a comma, or the end of the list")
        }
    }

    private mutating func word(_ word: String) throws(Fault) {
        for character in word.unicodeScalars { try take(character, orElse: word) }
    }

    private mutating func string() throws(Fault) {
        position += 1
        while let next, next >= 0x20 {
            if take("\"") { return }
            guard take("\\") else {
                position += 1
                continue
            }
            if take("u") {
                for _ in 0..<4 {
                    guard let digit = self.next, Character(Unicode.Scalar(digit)).isHexDigit else {
                        throw Fault(offset: position, expected: "four hexadecimal digits")
                    }
                    position += 1
                }
            } else {
                guard let escaped = self.next, "\"\\/bfnrt".utf8.contains(escaped) else {
                    throw Fault(offset: position, expected: "an escaped character")
                }
                position += 1
            }
        }
        throw Fault(offset: position, expected: "the rest of a string")
    }

    private mutating func number() throws(Fault) {
        let start = position
        let isNegative = take("-")
        guard skipDigits() else {
            throw Fault(offset: position, expected: isNegative ? "a digit" : "a value")
        }
        let first = start + (isNegative ? 1 : 0)
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
            throw Fault(offset: first, expected: "a number without leading zeros")
        }
        if take("."), !skipDigits() { throw Fault(offset: position, expected: "a digit") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if !skipDigits() { throw Fault(offset: position, expected: "a digit") }
        }
    }

    /// False if there are no digits.
    private mutating func skipDigits() -> Bool {
        let start = position
        while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { position += 1 }
        return position > start
    }
}
