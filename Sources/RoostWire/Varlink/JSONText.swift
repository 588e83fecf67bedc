/// Formatting of strings and whole numbers as JSON.
package enum JSONText {
    /// Appends a string in quotation marks.
    package static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case UInt8(ascii: "\n"): text += "\\n".utf8
            case UInt8(ascii: "\r"): text += "\\r".utf8
            case UInt8(ascii: "\t"): text += "\\t".utf8
            case 0..<0x20: text += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// Appends a whole number. It makes no string, because the journal has many times, and strings of their length are
    /// allocated on the heap.
    package static func append(_ number: Int64, to text: inout [UInt8]) {
        if number < 0 { text.append(UInt8(ascii: "-")) }
        append(number.magnitude, to: &text)
    }

    /// Appends a whole number that is not negative.
    package static func append(_ number: UInt64, to text: inout [UInt8]) {
        let first = text.count
        var rest = number
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        text[first...].reverse()
    }
}
