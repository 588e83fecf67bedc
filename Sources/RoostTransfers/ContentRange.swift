/// A field `Content-Range: bytes 100-199/200`.
struct ContentRange: Hashable {
    /// The first byte and the last.
    let first: Int64
    let last: Int64
    /// The whole length; nil for `*`.
    let total: Int64?

    /// Nil for what is no such field, as for a range in other units or the one of a 416.
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

    /// How many bytes it is of.
    var count: Int64 { last - first + 1 }

    /// Digits and nothing else: `Int64` alone would take a sign.
    static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int64(text)
    }
}
