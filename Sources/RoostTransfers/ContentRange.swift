/// The value of a field `Content-Range: bytes 100-199/200`.
struct ContentRange: Hashable {
    /// The first and last byte.
    let first: Int64
    let last: Int64
    /// The length of the whole resource; nil for `*`.
    let total: Int64?

    /// Nil if the text is not a byte range, as with other units or in a 416 answer.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else { return nil }
        self.first = first
        self.last = last
        if halves[1] == "*" {
            total = nil
        } else {
            guard let whole = Self.number(halves[1]), last < whole else { return nil }
            total = whole
        }
    }

    /// The number of bytes in the range.
    var count: Int64 { last - first + 1 }

    /// A number of digits only; `Int64` alone would accept a sign.
    static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int64(text)
    }
}
