import LifeCycleModel

/// Wire formats that calls and replies about downloads share.
extension JSONField {
    /// A string of at most `limit` bytes.
    func string(atMost limit: Int) throws(WireError) -> String {
        let string = try string()
        guard string.utf8.count <= limit else {
            throw .invalidParameter(field: name, problem: "is longer than \(limit) bytes")
        }
        return string
    }

    /// A whole number of at least 0.
    func count() throws(WireError) -> Int64 {
        let number = try whole(Int64.self)
        guard number >= 0 else { throw .invalidParameter(field: name, problem: "is negative") }
        return number
    }

    /// A whole number of at least 1.
    func positive<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(WireError) -> Number {
        let number = try whole(Number.self)
        guard number >= 1 else { throw .invalidParameter(field: name, problem: "is not positive") }
        return number
    }

    /// An optional time.
    func timeIfGiven() throws(WireError) -> Nanoseconds? { try (ifGiven?.whole(Int64.self)).map(Nanoseconds.init) }

    /// The name of a session.
    func sessionIdentifier() throws(WireError) -> SessionIdentifier {
        guard let identifier = SessionIdentifier(try string()) else {
            throw .invalidParameter(
                field: name, problem: "is empty or longer than \(SessionIdentifier.longest) bytes")
        }
        return identifier
    }

    /// Fields of a header. Their number and total length are limited, and each must be valid.
    func headerFields() throws(WireError) -> [HTTPField] {
        let elements = try list()
        guard elements.count <= TransferRequest.mostFields else {
            throw .invalidParameter(field: name, problem: "holds more than \(TransferRequest.mostFields) fields")
        }
        var fields: [HTTPField] = []
        var size = 0
        for element in elements {
            let field = HTTPField(
                name: try element.object()["name"].string(), value: try element["value"].string())
            size += field.size
            guard size <= TransferRequest.longestFields else {
                throw .invalidParameter(field: name, problem: "are longer than \(TransferRequest.longestFields) bytes")
            }
            guard field.hasGoodName else {
                throw .invalidParameter(field: element["name"].name, problem: "is not a valid header name")
            }
            guard field.hasGoodValue else {
                throw .invalidParameter(
                    field: element["value"].name, problem: "has a character that is invalid in a header")
            }
            fields.append(field)
        }
        return fields
    }
}

extension HTTPField {
    /// The size in bytes that counts for the limit.
    var size: Int { name.utf8.count + value.utf8.count }

    static func json(_ fields: [HTTPField]) -> JSON {
        .array(fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
    }
}

extension NetworkAccess {
    init(_ field: JSONField) throws(WireError) {
        let fields = try field.object()
        self.init()
        cellular = try fields["cellular"].bool()
        expensive = try fields["expensive"].bool()
        constrained = try fields["constrained"].bool()
    }

    var json: JSON {
        .object([
            "cellular": .bool(cellular), "constrained": .bool(constrained), "expensive": .bool(expensive),
        ])
    }
}

extension TransferRequest {
    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(url: try parts["url"].string(atMost: Self.longestURL))
        method = try parts["method"].string(atMost: 64)
        guard HTTPField(name: method, value: "").hasGoodName else {
            throw .invalidParameter(field: parts["method"].name, problem: "is not an HTTP method")
        }
        fields = try parts["fields"].headerFields()
        body = try parts["body"].ifGiven?.string(atMost: Self.longestBody)
        if let body, !body.utf8.allSatisfy(Self.isBase64) {
            throw .invalidParameter(field: parts["body"].name, problem: "is not in base64")
        }
        timeout = try parts["timeout"].timeIfGiven()
        networks = try NetworkAccess(parts["networks"])
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    var json: JSON {
        .object([
            "body": body.map { .string($0) }, "fields": HTTPField.json(fields), "method": .string(method),
            "networks": networks.json, "timeout": timeout.map { .integer($0.rawValue) }, "url": .string(url),
        ])
    }
}

extension TransferSessionConfiguration {
    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init()
        sendsLaunchEvents = try parts["sendsLaunchEvents"].bool()
        isDiscretionary = try parts["isDiscretionary"].bool()
        networks = try NetworkAccess(parts["networks"])
        connectionsPerHost = try parts["connectionsPerHost"].positive()
        fields = try parts["fields"].headerFields()
        requestTimeout = Nanoseconds(try parts["requestTimeout"].positive())
        resourceTimeout = Nanoseconds(try parts["resourceTimeout"].positive())
        sharedContainer = try parts["sharedContainer"].ifGiven?.string(atMost: WireLimits.name)
    }

    var json: JSON {
        .object([
            "connectionsPerHost": .integer(Int64(connectionsPerHost)), "fields": HTTPField.json(fields),
            "isDiscretionary": .bool(isDiscretionary), "networks": networks.json,
            "requestTimeout": .integer(requestTimeout.rawValue), "resourceTimeout": .integer(resourceTimeout.rawValue),
            "sendsLaunchEvents": .bool(sendsLaunchEvents), "sharedContainer": sharedContainer.map { .string($0) },
        ])
    }
}

extension TransferID {
    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(
            session: TransferSessionID(
                app: AppID(try parts["app"].whole()), number: try parts["session"].positive()),
            number: try parts["task"].positive())
    }

    var json: JSON {
        .object([
            "app": .integer(Int64(session.app.rawValue)), "session": .integer(Int64(session.number)),
            "task": .integer(number),
        ])
    }
}
