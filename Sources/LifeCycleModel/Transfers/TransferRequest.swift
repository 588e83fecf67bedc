/// One field of a message's header, as it is sent.
public struct HTTPField: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// A field of these.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPField {
    /// What a header takes, in bytes.
    static func weight(of fields: [HTTPField]) -> Int64 {
        fields.reduce(0) { $0 + Int64($1.name.utf8.count + $1.value.utf8.count) }
    }

    /// Whether its name is one: a token of HTTP's.
    public var hasGoodName: Bool { !name.isEmpty && name.utf8.allSatisfy(Self.isOfToken) }

    /// Whether its value stays within its line.
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

/// What is asked of a server, and by which networks: an app's `URLRequest`.
public struct TransferRequest: Hashable, Sendable, Codable {
    /// An absolute HTTP or HTTPS URL.
    public var url: String
    /// The method.
    public var method = "GET"
    /// The request's own fields; the session's are added where they do not name the same.
    public var fields: [HTTPField] = []
    /// What is sent with it, in base64; nil for nothing.
    public var body: String?
    /// `timeoutIntervalForRequest`: how long nothing may arrive; nil for the session's.
    public var timeout: Nanoseconds?
    /// Which networks it may use; what the session forbids stays forbidden.
    public var networks = NetworkAccess()

    /// A GET of `url`, by any network.
    public init(url: String) { self.url = url }

    /// Whether the other asks the same of the same server: what has arrived for one is of use to the other.
    public func asksForTheSame(as other: TransferRequest) -> Bool {
        url == other.url && method == other.method && fields == other.fields && body == other.body
    }

    /// The size of its strings, in bytes.
    public var weight: Int64 {
        Int64(url.utf8.count + method.utf8.count + (body?.utf8.count ?? 0)) + HTTPField.weight(of: fields)
    }

    /// The most a URL may hold, in bytes.
    public static let longestURL = 8 * 1024
    /// The most that all fields may hold, in bytes.
    public static let longestFields = 32 * 1024
    /// The most fields there may be.
    public static let mostFields = 256
    /// The longest `taskDescription`, in bytes.
    public static let longestText = 4 * 1024
    /// The most that may be sent with it, in bytes of base64.
    public static let longestBody = 96 * 1024
}

/// `allowsCellularAccess` and its kin.
public struct NetworkAccess: Hashable, Sendable, Codable {
    /// Mobile networks.
    public var cellular = true
    /// Networks that cost something: mobile ones, and those a person has called metered.
    public var expensive = true
    /// Networks in Low Data Mode.
    public var constrained = true

    /// Every network.
    public init() {}

    /// What both allow.
    public func and(_ other: NetworkAccess) -> NetworkAccess {
        var both = self
        both.cellular = cellular && other.cellular
        both.expensive = expensive && other.expensive
        both.constrained = constrained && other.constrained
        return both
    }
}

/// The head of a server's answer: what an `HTTPURLResponse` is made of.
public struct TransferResponse: Hashable, Sendable, Codable {
    /// Where the last redirect led.
    public var url: String
    /// The status code. What is no success is delivered as any other answer: to HTTP it is one.
    public var status: Int32
    /// The fields, in their order.
    public var fields: [HTTPField]

    /// An answer of these.
    public init(url: String, status: Int32, fields: [HTTPField]) {
        self.url = url
        self.status = status
        self.fields = fields
    }

    /// The size of its strings, in bytes.
    public var weight: Int64 { Int64(url.utf8.count) + HTTPField.weight(of: fields) }

    /// As much of it as can be handed on, since servers are not held to our limits: the first of the fields, those that
    /// are some, and no URL where it is too long.
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
