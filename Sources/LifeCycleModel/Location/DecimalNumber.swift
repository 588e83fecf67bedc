/// Decimal numbers on the command line and in scenarios, read without floating point.
package enum DecimalNumber {
    /// Reads a number such as `-33.86` in units of the last of `digits` decimal places. A longer fraction is rounded.
    ///
    /// Returns nil if the text is not a decimal number, or has more than nine digits before the point.
    package static func parse(_ text: String, digits: Int) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...9).contains(parts[0].count), parts.allSatisfy(isDigits) else {
            return nil
        }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard !fraction.isEmpty else { return nil }
        let padded = fraction.prefix(digits) + String(repeating: "0", count: max(0, digits - fraction.count))
        guard let number = Int64(parts[0] + padded) else { return nil }
        let isRoundedUp = fraction.dropFirst(digits).first.map { $0 >= "5" } ?? false
        let rounded = isRoundedUp ? number + 1 : number
        return isNegative ? -rounded : rounded
    }

    private static func isDigits(_ text: Substring) -> Bool { text.allSatisfy { $0.isASCII && $0.isNumber } }
}
