/// A length of time, or a clock's reading, in whole nanoseconds.
///
/// The brain uses no floating-point numbers, so `TimeInterval` is converted only at the edges.
public struct Nanoseconds: Hashable, Comparable, Sendable, Codable, AdditiveArithmetic {
    /// The number of nanoseconds.
    public let rawValue: Int64

    /// Wraps a count of nanoseconds.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Traps if the nanoseconds do not fit into 64 bits, about 292 years.
    public static func seconds(_ count: Int64) -> Self { Self(count * 1_000_000_000) }

    /// Traps on overflow, like `seconds(_:)`.
    public static func milliseconds(_ count: Int64) -> Self { Self(count * 1_000_000) }

    /// Traps on overflow, like `seconds(_:)`.
    public static func microseconds(_ count: Int64) -> Self { Self(count * 1_000) }

    /// No time at all.
    public static let zero = Self(0)

    /// A time later than every clock reading.
    public static let distantFuture = Self(.max)

    /// The sum; `distantFuture` if it overflows 64 bits.
    public static func + (left: Self, right: Self) -> Self {
        let (sum, overflowed) = left.rawValue.addingReportingOverflow(right.rawValue)
        return overflowed ? .distantFuture : Self(sum)
    }

    /// The difference, which may be negative.
    public static func - (left: Self, right: Self) -> Self { Self(left.rawValue &- right.rawValue) }

    /// Whether `left` is shorter, or earlier.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Reads a whole number.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes a whole number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Nanoseconds: CustomStringConvertible {
    /// The value with the unit that reads best: `30 s`, `2.5 s`, `150 ms`, `40 µs`.
    public var description: String {
        let (unit, name): (Int64, String) =
            switch rawValue.magnitude {
            case 1_000_000_000...: (1_000_000_000, "s")
            case 1_000_000...: (1_000_000, "ms")
            case 1_000...: (1_000, "µs")
            case 0: (1_000_000_000, "s")
            default: (1, "ns")
            }
        let thousandths = unit == 1 ? 0 : (rawValue.magnitude % UInt64(unit)) * 1000 / UInt64(unit)
        var text = "\(rawValue < 0 ? "-" : "")\(rawValue.magnitude / UInt64(unit))"
        if thousandths > 0 {
            var digits = String(thousandths)
            digits = String(repeating: "0", count: 3 - digits.count) + digits
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return text + " " + name
    }

    /// Parses `30`, `30s`, `1.5 s`, `200ms`, `40us`, `3m`, `1h`, `1h30m`; a number without a unit is in seconds. Each
    /// part must have a smaller unit than the part before, and only the last may have a fraction. Nil for anything
    /// else.
    public init?(parsing text: String) {
        func isOfNumber(_ character: Character) -> Bool {
            character == "." || (character.isASCII && character.isNumber)
        }
        var rest = text.filter { $0 != " " }[...]
        var total = Int64(0)
        var smallest = Int64.max
        repeat {
            let number = rest.prefix(while: isOfNumber)
            rest = rest[number.endIndex...]
            let unit = rest.prefix { !isOfNumber($0) }
            rest = rest[unit.endIndex...]
            // A number without a unit must be the only part.
            guard let scale = Self.scale(of: unit), scale < smallest, !unit.isEmpty || smallest == .max,
                rest.isEmpty || !number.contains("."), let part = Self.count(number, of: scale)
            else { return nil }
            let (sum, overflowed) = total.addingReportingOverflow(part)
            if overflowed { return nil }
            total = sum
            smallest = scale
        } while !rest.isEmpty
        rawValue = total
    }

    private static func scale(of unit: Substring) -> Int64? {
        switch unit {
        case "", "s": 1_000_000_000
        case "ms": 1_000_000
        case "us", "µs": 1_000
        case "ns": 1
        case "m", "min": 60_000_000_000
        case "h": 3_600_000_000_000
        default: nil
        }
    }

    /// A number with at most nine decimals, times `scale`; nil if it is not a number, or too large.
    private static func count(_ number: Substring, of scale: Int64) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
        let (total, overflowed) = whole.multipliedReportingOverflow(by: scale)
        if overflowed { return nil }
        guard parts.count == 2 else { return total }
        guard (1...9).contains(parts[1].count), let fraction = Int64(parts[1]) else { return nil }
        let divisor = (0..<parts[1].count).reduce(Int64(1)) { power, _ in power * 10 }
        let (product, tooLarge) = fraction.multipliedReportingOverflow(by: scale)
        if tooLarge { return nil }
        let (sum, tooMuch) = total.addingReportingOverflow(product / divisor)
        return tooMuch ? nil : sum
    }
}
