/// Formatting of strings and whole numbers as JSON.
package enum JSONText {
    /// Appends a string in quotation marks.
    package static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            // Most strings have nothing to escape.
            var rest = bytes[...]
            while let index = rest.firstIndex(where: isEscaped) {
                text += rest[..<index]
                escape(rest[index], in: &text)
                rest = rest[(index + 1)...]
            }
            text += rest
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, in text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\n"): text += "\\n".utf8
        case UInt8(ascii: "\r"): text += "\\r".utf8
        case UInt8(ascii: "\t"): text += "\\t".utf8
        case 0..<0x20: text += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
        default:
            text.append(UInt8(ascii: "\\"))
            text.append(byte)
        }
    }

    /// Appends a whole number.
    package static func append(_ number: Int64, to text: inout [UInt8]) {
        if number < 0 { text.append(UInt8(ascii: "-")) }
        append(number.magnitude, to: &text)
    }

    /// Appends a whole number that is not negative. Nothing is allocated for it, because the journal has many times.
    package static func append(_ number: UInt64, to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: mostDigits) { digits in
            var first = mostDigits
            var rest = number
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            text += digits[first...]
        }
    }

    /// The number of digits of the largest number.
    private static let mostDigits = 20
}
