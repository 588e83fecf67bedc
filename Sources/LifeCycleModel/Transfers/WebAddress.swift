/// The scheme, host and port of a URL that can be connected to by HTTP or HTTPS.
///
/// All URLs are checked here: those of apps, of records, and of redirects. Code that connects accepts only this type
/// and does not check again: an invalid port would end its process.
public struct WebAddress: Hashable, Sendable {
    /// Why a URL cannot be connected to.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case noURL(String)
        case otherScheme(String)
        case noHost(String)
        case badHost(String)
        case badPort(String)

        /// The code in `NSURLErrorDomain`: -1002 (unsupported) for another scheme, -1000 (bad URL) for any other fault.
        public var code: Int32 {
            switch self {
            case .otherScheme: -1002
            case .noURL, .noHost, .badHost, .badPort: -1000
            }
        }

        /// The fault, as a sentence for the user.
        public var description: String {
            switch self {
            case .noURL(let url): "\"\(url.prefix(200))\" is not an absolute URL"
            case .otherScheme(let scheme):
                "a background session downloads by http and https, not by \(scheme.prefix(40))"
            case .noHost(let url): "\"\(url.prefix(200))\" is no URL of a host"
            case .badHost(let host): "\"\(host.prefix(200))\" is not a host name"
            case .badPort(let port): "\"\(port.prefix(40))\" is not a port: ports are 1 to 65535"
            }
        }
    }

    /// `http` or `https`.
    public let scheme: String
    /// The host as it is written; an IPv6 address has its brackets.
    public let host: String
    /// The port; the scheme's default if the URL has none.
    public let port: Int

    /// Parses an absolute URL. Throws if it cannot be connected to.
    public init(_ url: String) throws(Fault) {
        // Iterating over an array is faster than over a string.
        let bytes = Array(url.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
        guard colon > 0, bytes[..<colon].allSatisfy(Self.isOfScheme) else { throw .noURL(url) }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        // This comes first: the rest of a URL with another scheme may have another form.
        guard Self.isSupported(scheme) else { throw .otherScheme(scheme) }
        let rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .noHost(url) }
        var place = rest.dropFirst(2).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        if let at = place.lastIndex(of: UInt8(ascii: "@")) { place = place[at...].dropFirst() }
        var end = place.firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
        if place.first == UInt8(ascii: "[") {
            guard let bracket = place.firstIndex(of: UInt8(ascii: "]")) else {
                throw .badHost(String(decoding: place, as: UTF8.self))
            }
            end = bracket + 1
        }
        let (host, port) = (String(decoding: place[..<end], as: UTF8.self), place[end...])
        guard port.isEmpty || port.first == UInt8(ascii: ":") else {
            throw .badHost(String(decoding: place, as: UTF8.self))
        }
        let digits = String(decoding: port.dropFirst(), as: UTF8.self)
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else {
            throw .badPort(digits)
        }
        let number = Int(digits)
        // The number overflowed.
        guard digits.isEmpty || number != nil else { throw .badPort(digits) }
        try self.init(scheme: scheme, host: host, port: number)
    }

    /// Checks the parts that another URL parser has found. Throws if they cannot be connected to.
    public init(scheme: String?, host: String?, port: Int?) throws(Fault) {
        let scheme = scheme?.lowercased() ?? ""
        guard Self.isSupported(scheme) else { throw .otherScheme(scheme) }
        guard let host, !host.isEmpty else { throw .noHost(scheme + "://") }
        guard Self.isHost(host) else { throw .badHost(host) }
        if let port, !(1...65_535).contains(port) { throw .badPort("\(port)") }
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
    }

    private static func isSupported(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    private static func isOfScheme(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "+-.".utf8.contains(byte) }

    /// Whether the text can be a host, with or without percent-encoding.
    private static func isHost(_ host: String) -> Bool {
        var name = Array(host.utf8)[...]
        let isBracketed = name.first == UInt8(ascii: "[") && name.last == UInt8(ascii: "]") && name.count > 1
        if isBracketed { name = name.dropFirst().dropLast() }
        guard !name.isEmpty else { return false }
        if isBracketed || name.contains(UInt8(ascii: ":")) {
            // An IPv6 address, which may have a zone.
            return name.contains(UInt8(ascii: ":"))
                && name.allSatisfy { isLetterOrDigit($0) || ":.%-_~".utf8.contains($0) }
        }
        guard let bytes = unescaped(name) else { return false }
        return bytes.allSatisfy {
            isLetterOrDigit($0) || $0 > 0x20 && $0 != 0x7F && !"/\\?#@:[]<>^|%\"`{}".utf8.contains($0)
        }
    }

    /// The percent-decoded bytes; nil if the encoding is invalid.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
