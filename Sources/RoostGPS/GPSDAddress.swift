/// The host and port of gpsd.
public struct GPSDAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name, or an IP address without brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// gpsd's own port, on this machine.
    public static let standard = GPSDAddress(host: "127.0.0.1", port: 2947)

    /// The longest host name in bytes, as in DNS.
    package static let longestHost = 253

    private init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Reads `HOST:PORT`, or `[ADDRESS]:PORT` for IPv6. Nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (before, digits) = (text[..<colon], text[text.index(after: colon)...])
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        let isBracketed = before.hasPrefix("[") && before.hasSuffix("]")
        let host = isBracketed ? before.dropFirst().dropLast() : before
        guard !host.isEmpty, host.utf8.count <= Self.longestHost, host.contains(":") == isBracketed,
            host.utf8.allSatisfy({
                Self.isOfHost($0) || isBracketed && ($0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%"))
            })
        else { return nil }
        self.init(host: String(host), port: port)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The text from which the address can be read.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
