/// An app's `CFBundleIdentifier`: letters, digits, hyphens and periods, as Apple's key demands.
///
/// It names directories and cgroups. Therefore a value that leads out of its directory cannot be made.
public struct BundleIdentifier: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The identifier as the app's `Info.plist` has it.
    public let rawValue: String

    /// The longest allowed identifier, in bytes: it must fit into a file name with room for a suffix.
    public static let longest = 155

    /// Checks and wraps `rawValue`. Nil if it is empty, too long, or has characters other than `A-Za-z0-9.-`. Nil also
    /// if a part between periods is empty (so `..` never occurs) or begins with a hyphen.
    public init?(_ rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.count <= Self.longest else { return nil }
        var previous = UInt8(ascii: ".")
        for byte in rawValue.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                break
            case UInt8(ascii: "-") where previous != UInt8(ascii: "."):
                break
            case UInt8(ascii: ".") where previous != UInt8(ascii: "."):
                break
            default:
                return nil
            }
            previous = byte
        }
        guard previous != UInt8(ascii: ".") else { return nil }
        self.rawValue = rawValue
    }

    /// Reads a string, and checks it as `init(_:)` does. Throws if it is not an identifier.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let identifier = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not a bundle identifier"))
        }
        self = identifier
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// In the order of their text.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The identifier itself.
    public var description: String { rawValue }
}
