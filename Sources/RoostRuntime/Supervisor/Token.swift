import LifeCycleModel

/// The secret by which an app identifies itself: 128 bits from the kernel's random source, in hexadecimal.
enum Token {
    static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(source.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares two tokens in constant time for equal lengths. Empty tokens are never equal.
    static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension DeviceToken {
    /// A token of random bytes from the kernel.
    static func random() -> DeviceToken? {
        var source = SystemRandomNumberGenerator()
        return DeviceToken((0..<size).map { _ in source.next() })
    }
}
