/// A parser for the JSON of a message, in one pass. Invalid input is an error and never traps: not UTF-8, not an
/// object, or nested too deep.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The object that a message consists of. The framer has limited its length.
    static func message(_ message: [UInt8]) throws(WireError) -> JSONField {
        guard let first = message.first else { throw .emptyMessage }
        guard first == UInt8(ascii: "{") else { throw .notJSON("it does not begin with {") }
        var parser = JSONParser(bytes: message)
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == message.count else { throw parser.unexpected("the end of the message") }
        return JSONField(name: "", value: value)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 { position += 1 }
    }

    /// The error at the parser's position. Invalid UTF-8 is reported first, because it may be the cause.
    private func unexpected(_ wanted: String) -> WireError {
        guard String(validating: bytes, as: UTF8.self) != nil else { return .notUTF8 }
        return .notJSON("\(wanted) is expected at byte \(position)")
    }

    private mutating func value() throws(WireError) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let next? where next == UInt8(ascii: "-") || Self.digits ~= next: return try number()
        default: throw unexpected("a value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(WireError) -> JSON {
        for offset in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[offset]) {
            throw unexpected("a value")
        }
        return value
    }

    // MARK: Containers

    private mutating func descend() throws(WireError) {
        depth += 1
        guard depth <= WireLimits.depth else { throw .tooDeep(limit: WireLimits.depth) }
        position += 1
        skipSpace()
    }

    private mutating func members() throws(WireError) -> [JSON.Member] {
        try descend()
        defer { depth -= 1 }
        var members: [JSON.Member] = []
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("a colon") }
            members.append(JSON.Member(name: name, value: try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the object") }
        }
    }

    private mutating func elements() throws(WireError) -> [JSON] {
        try descend()
        defer { depth -= 1 }
        var elements: [JSON] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the list") }
        }
    }

    // MARK: Numbers

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private mutating func number() throws(WireError) -> JSON {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        let firstDigit = position
        // The number is accumulated as negative, because the negative range is larger by one.
        var negated: Int64? = 0
        while let digit = digit() {
            let (product, productOverflows) = (negated ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) = product.subtractingReportingOverflow(digit)
            negated = negated == nil || productOverflows || sumOverflows ? nil : sum
        }
        let digits = position - firstDigit
        guard digits == 1 || digits > 1 && bytes[firstDigit] != UInt8(ascii: "0") else {
            throw unexpected("a number without leading zeros")
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try skipDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try skipDigits()
        }
        if isWhole, let negated, isNegative || negated != .min { return .integer(isNegative ? negated : -negated) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isZero = !text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
        guard let number = Double(text), number.isFinite, isZero || number != 0 else {
            position = start
            throw unexpected("a number that fits in 64 bits")
        }
        return .number(number)
    }

    private mutating func digit() -> Int64? {
        guard let next, Self.digits ~= next else { return nil }
        position += 1
        return Int64(next - UInt8(ascii: "0"))
    }

    private mutating func skipDigits() throws(WireError) {
        guard digit() != nil else { throw unexpected("a digit") }
        while digit() != nil {}
    }

    // MARK: Strings

    private mutating func string() throws(WireError) -> String {
        position += 1
        let start = position
        while let next, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\"), next >= 0x20 { position += 1 }
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try checked(bytes[start..<position])
        }
        var unescaped = [UInt8](bytes[start..<position])
        while let next {
            if next == UInt8(ascii: "\\") {
                try unescape(into: &unescaped)
            } else if next >= 0x20 {
                position += 1
                if next == UInt8(ascii: "\"") { return try checked(unescaped[...]) }
                unescaped.append(next)
            } else {
                break
            }
        }
        throw unexpected("the rest of a string")
    }

    private func checked(_ text: ArraySlice<UInt8>) throws(WireError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
        return string
    }

    private mutating func unescape(into text: inout [UInt8]) throws(WireError) {
        position += 1
        guard let escaped = next else { throw unexpected("an escaped character") }
        position += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(Character(try scalar())).utf8
        default:
            position -= 1
            throw unexpected("a valid escape character")
        }
    }

    /// The scalar after `\u`. A scalar above 16 bits consists of two escapes.
    private mutating func scalar() throws(WireError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw unexpected("the second half of a surrogate pair")
        }
        let second = try codeUnit()
        guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) & 0x3ff) << 10 + (UInt32(second) & 0x3ff))
        else {
            // Both escapes, of six bytes each.
            position -= 12
            throw unexpected("a valid surrogate pair")
        }
        return scalar
    }

    private mutating func codeUnit() throws(WireError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let next, let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
                throw unexpected("a hexadecimal digit")
            }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
