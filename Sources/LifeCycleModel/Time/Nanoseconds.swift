/// A length of time, or a clock's reading, in whole nanoseconds.
///
/// The brain holds no floating-point number, so `TimeInterval` is made of this only at the edges.
public struct Nanoseconds: Hashable, Comparable, Sendable, Codable, AdditiveArithmetic {
    /// The count itself.
    public let rawValue: Int64

    /// Wraps a count of nanoseconds.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// `count` seconds.
    public static func seconds(_ count: Int64) -> Self { Self(count * 1_000_000_000) }

    /// `count` milliseconds.
    public static func milliseconds(_ count: Int64) -> Self { Self(count * 1_000_000) }

    /// `count` microseconds.
    public static func microseconds(_ count: Int64) -> Self { Self(count * 1_000) }

    /// No time at all.
    public static let zero = Self(0)

    /// Later than every reading a clock gives.
    public static let distantFuture = Self(.max)

    /// The sum; beyond what 64 bits hold, `distantFuture`.
    public static func + (left: Self, right: Self) -> Self {
        let (sum, overflowed) = left.rawValue.addingReportingOverflow(right.rawValue)
        return overflowed ? .distantFuture : Self(sum)
    }

    /// The difference, which may be below zero.
    public static func - (left: Self, right: Self) -> Self { Self(left.rawValue &- right.rawValue) }

    /// The shorter, or earlier, one first.
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

    /// Reads `30`, `30s`, `1.5 s`, `200ms`, `40us`, `3m`, `1h`; a bare number is seconds. Nil for anything else.
    public init?(parsing text: String) {
        var number = ""
        var unit = ""
        for character in text where character != " " {
            if unit.isEmpty, character.isASCII, character.isNumber || character == "." {
                number.append(character)
            } else {
                unit.append(character)
            }
        }
        let scale: Int64
        switch unit {
        case "", "s": scale = 1_000_000_000
        case "ms": scale = 1_000_000
        case "us", "µs": scale = 1_000
        case "ns": scale = 1
        case "m", "min": scale = 60_000_000_000
        case "h": scale = 3_600_000_000_000
        default: return nil
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
        var (total, overflowed) = whole.multipliedReportingOverflow(by: scale)
        if overflowed { return nil }
        if parts.count == 2 {
            guard (1...9).contains(parts[1].count), let fraction = Int64(parts[1]) else { return nil }
            let divisor = (0..<parts[1].count).reduce(Int64(1)) { power, _ in power * 10 }
            let (product, tooLarge) = fraction.multipliedReportingOverflow(by: scale)
            if tooLarge { return nil }
            (total, overflowed) = total.addingReportingOverflow(product / divisor)
            if overflowed { return nil }
        }
        rawValue = total
    }
}
