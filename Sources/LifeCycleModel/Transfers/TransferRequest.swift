/// A field of an HTTP header, as it is sent.
public struct HTTPField: Hashable, Sendable, Codable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// Does not check the name or the value: see `hasGoodName` and `hasGoodValue`.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPField {
    /// The size of a header's names and values, in bytes.
    static func weight(of fields: [HTTPField]) -> Int64 {
        fields.reduce(0) { $0 + Int64($1.name.utf8.count + $1.value.utf8.count) }
    }

    /// Whether the name is valid: an HTTP token.
    public var hasGoodName: Bool { !name.isEmpty && name.utf8.allSatisfy(Self.isOfToken) }

    /// Whether the value is valid: no control character but the tab.
    public var hasGoodValue: Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// An app's `URLRequest`, with the networks that it may use.
public struct TransferRequest: Hashable, Sendable, Codable {
    /// An absolute HTTP or HTTPS URL.
    public var url: String
    /// A token of HTTP of at most 64 bytes.
    public var method = "GET"
    /// The request's own header fields. The session's fields with other names are added.
    public var fields: [HTTPField] = []
    /// The body of the request, in base64; nil if there is none.
    public var body: String?
    /// `timeoutIntervalForRequest`: the longest time without a received byte; nil for the session's timeout.
    public var timeout: Nanoseconds?
    /// The networks that the request may use; networks that the session forbids stay forbidden.
    public var networks = NetworkAccess()

    /// A GET of `url`, by any network.
    public init(url: String) { self.url = url }

    /// Whether both requests ask for the same resource, so that the bytes of one are usable for the other.
    public func asksForTheSame(as other: TransferRequest) -> Bool {
        url == other.url && method == other.method && fields == other.fields && body == other.body
    }

    /// The size of the URL, method, body and header fields, in bytes.
    public var weight: Int64 {
        Int64(url.utf8.count + method.utf8.count + (body?.utf8.count ?? 0)) + HTTPField.weight(of: fields)
    }

    /// The longest URL, in bytes.
    public static let longestURL = 8 * 1024
    /// The largest size of all header fields, in bytes.
    public static let longestFields = 32 * 1024
    /// The most header fields.
    public static let mostFields = 256
    /// The longest `taskDescription`, in bytes.
    public static let longestText = 4 * 1024
    /// The longest body, in bytes of base64.
    public static let longestBody = 96 * 1024
}

/// The networks that a transfer may use, as by `allowsCellularAccess` and similar properties.
public struct NetworkAccess: Hashable, Sendable, Codable {
    /// Whether cellular networks are allowed.
    public var cellular = true
    /// Whether expensive networks are allowed: cellular networks, and those that the user has set as metered.
    public var expensive = true
    /// Whether networks in Low Data Mode are allowed.
    public var constrained = true

    /// Allows every network.
    public init() {}

    /// The networks that both allow.
    public func and(_ other: NetworkAccess) -> NetworkAccess {
        var both = self
        both.cellular = cellular && other.cellular
        both.expensive = expensive && other.expensive
        both.constrained = constrained && other.constrained
        return both
    }
}

/// The head of a server's response: the data of an `HTTPURLResponse`.
public struct TransferResponse: Hashable, Sendable, Codable {
    /// The URL after the last redirect.
    public var url: String
    /// The status code. A response with an error status is delivered like any other.
    public var status: Int32
    /// The header fields, in their order.
    public var fields: [HTTPField]

    /// Takes a server's fields unchanged: see `fitting` for the part that the brain accepts.
    public init(url: String, status: Int32, fields: [HTTPField]) {
        self.url = url
        self.status = status
        self.fields = fields
    }

    /// The size of the URL and the header fields, in bytes.
    public var weight: Int64 { Int64(url.utf8.count) + HTTPField.weight(of: fields) }

    /// The part of the response that fits the limits, which servers need not observe. The result has the first valid
    /// header fields. Its URL is empty if the response's URL is too long.
    public var fitting: TransferResponse {
        var size = 0
        let some = fields.filter { $0.hasGoodName && $0.hasGoodValue }.prefix(TransferRequest.mostFields).prefix {
            size += $0.name.utf8.count + $0.value.utf8.count
            return size <= TransferRequest.longestFields
        }
        return TransferResponse(
            url: url.utf8.count <= TransferRequest.longestURL ? url : "", status: status, fields: Array(some))
    }
}
