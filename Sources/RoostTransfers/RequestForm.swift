internal import AsyncHTTPClient
internal import FoundationEssentials
internal import LifeCycleModel
internal import NIOHTTP1

/// The error for a request that cannot be sent.
struct Refusal: Error {
    let problem: TransferProblem
}

/// A checked request, without the fields that apps may not set.
struct RequestForm {
    private let method: HTTPMethod
    private let headers: HTTPHeaders
    private let hasBody: Bool
    /// The host of the URL.
    let host: String
    /// The request for the whole resource. It is created in advance, because that is the slowest work that need not
    /// happen on the event loop.
    private let whole: Result<HTTPClient.Request, any Error>

    /// Fields that belong to the connection, or that affect the content of the answer.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    init(_ request: TransferRequest) throws(Refusal) {
        guard request.url.utf8.count <= TransferRequest.longestURL, let url = URL(string: request.url) else {
            throw Refusal(problem: .badURL(request.url))
        }
        // The client also supports other schemes such as Unix sockets, which an app must not reach through the system.
        do throws(WebAddress.Fault) { host = try url.address.host } catch {
            throw Refusal(problem: .unusable(request.url, error))
        }
        let method = request.method.uppercased()
        guard !method.isEmpty, method.utf8.count <= 32,
            method.utf8.allSatisfy({ UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z") })
        else { throw Refusal(problem: .badRequest(request.url, "“\(request.method)” is not an HTTP method")) }
        self.method = HTTPMethod(rawValue: method)
        let body: HTTPClient.Body?
        if let text = request.body {
            guard let bytes = Data(base64Encoded: text) else {
                throw Refusal(problem: .badRequest(request.url, "its body is not base64"))
            }
            body = .bytes(Array(bytes))
        } else {
            body = nil
        }
        headers = Self.headers(of: request)
        hasBody = body != nil
        let (verb, headers) = (self.method, headers)
        whole = Result { try HTTPClient.Request(url: url, method: verb, headers: headers, body: body) }
    }

    private static func headers(of request: TransferRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in request.fields where !reserved.contains(field.name.lowercased()) {
            headers.add(name: field.name, value: field.value)
        }
        if !headers.contains(name: "Accept") { headers.add(name: "Accept", value: "*/*") }
        // A range must refer to the same bytes as the file on disk.
        headers.add(name: "Accept-Encoding", value: "identity")
        return headers
    }

    /// The host and port of a URL; nil if it cannot be connected to.
    static func authority(of url: String) -> (host: String, port: Int)? {
        guard let address = try? URL(string: url)?.address else { return nil }
        return (address.host, address.port)
    }

    /// The question for resuming from `start`, or for the whole resource.
    func question(from start: PartialFile.Start) -> Question {
        var question = Question(
            method: method.rawValue, hasOwnRange: headers.contains(name: "Range"), hasBody: hasBody)
        guard question.isResumable, start.validator != nil else { return question }
        question.offset = start.offset
        question.validator = start.validator
        question.expected = start.expected
        return question
    }

    func request(for question: Question) throws -> HTTPClient.Request {
        var request = try whole.get()
        if question.offset > 0, let validator = question.validator {
            request.headers.replaceOrAdd(name: "Range", value: "bytes=\(question.offset)-")
            request.headers.replaceOrAdd(name: "If-Range", value: validator)
        }
        return request
    }
}

extension URL {
    /// The host and port of the URL. Throws if it cannot be connected to. Both the text and the parsed URL are checked,
    /// because the connection uses the parsed one.
    var address: WebAddress {
        get throws(WebAddress.Fault) {
            _ = try WebAddress(absoluteString)
            return try WebAddress(scheme: scheme, host: host, port: port)
        }
    }
}
