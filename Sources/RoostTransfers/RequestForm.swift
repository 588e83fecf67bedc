internal import CRoostCurl
internal import FoundationEssentials
internal import LifeCycleModel

/// The error for a request that cannot be sent.
struct Refusal: Error {
    let problem: TransferProblem
}

/// A checked request, without the fields that apps may not set.
struct RequestForm {
    let url: WebURL
    private let method: String
    private let fields: [HTTPField]
    private let body: Data?

    /// Fields that belong to the connection, or that affect the content of the answer.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    init(_ request: TransferRequest) throws(Refusal) {
        guard request.url.utf8.count <= TransferRequest.longestURL else {
            throw Refusal(problem: .badURL(request.url))
        }
        // libcurl also supports other schemes, which an app must not reach through the system.
        do throws(WebAddress.Fault) { url = try WebURL(request.url) } catch {
            throw Refusal(problem: .unusable(request.url, error))
        }
        method = request.method.uppercased()
        guard !method.isEmpty, method.utf8.count <= 32,
            method.utf8.allSatisfy({ UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z") })
        else { throw Refusal(problem: .badRequest(request.url, "“\(request.method)” is not an HTTP method")) }
        if let text = request.body {
            guard let bytes = Data(base64Encoded: text) else {
                throw Refusal(problem: .badRequest(request.url, "its body is not base64"))
            }
            body = bytes
        } else {
            body = nil
        }
        fields = Self.fields(of: request)
        // A line break in a value would begin another field.
        if let field = fields.first(where: { !$0.hasGoodName || !$0.hasGoodValue }) {
            throw Refusal(problem: .badRequest(request.url, "the header “\(field.name.prefix(64))” is invalid"))
        }
    }

    private static func fields(of request: TransferRequest) -> [HTTPField] {
        var fields = request.fields.filter { !reserved.contains($0.name.lowercased()) }
        if !fields.contains("accept") { fields.append(HTTPField(name: "Accept", value: "*/*")) }
        // A range must refer to the same bytes as the file on disk.
        fields.append(HTTPField(name: "Accept-Encoding", value: "identity"))
        return fields
    }

    /// The question for resuming from `start`, or for the whole resource.
    func question(from start: PartialFile.Start) -> Question {
        var question = Question(method: method, hasOwnRange: fields.contains("range"), hasBody: body != nil)
        guard question.isResumable, start.validator != nil else { return question }
        question.offset = start.offset
        question.validator = start.validator
        question.expected = start.expected
        return question
    }

    /// The header in the form that libcurl expects.
    func lines(for question: Question) -> [String] {
        var fields = fields
        if question.offset > 0, let validator = question.validator {
            fields.removeAll { ["range", "if-range"].contains($0.name.lowercased()) }
            fields.append(HTTPField(name: "Range", value: "bytes=\(question.offset)-"))
            fields.append(HTTPField(name: "If-Range", value: validator))
        }
        // libcurl sends a field without a value if its line ends with a semicolon. It omits a field of its own if the
        // line ends with a colon.
        return fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            + (fields.contains("content-type") ? [] : ["Content-Type:"]) + ["Expect:"]
    }

    /// Sets the URL, the method and the body of a request. False if there is no memory.
    func set(on handle: UnsafeMutableRawPointer, isFresh: Bool) -> Bool {
        guard croost_curl_set_url(handle, url.text, isFresh ? 1 : 0) == CURLE_OK else { return false }
        guard let body else { return croost_curl_set_method(handle, method, nil, 0) == CURLE_OK }
        return body.withUnsafeBytes { bytes in
            // An empty buffer has no address.
            withUnsafePointer(to: 0 as UInt8) { empty in
                croost_curl_set_method(
                    handle, method, bytes.baseAddress ?? UnsafeRawPointer(empty), Int64(bytes.count))
            }
        } == CURLE_OK
    }
}

extension [HTTPField] {
    /// Whether there is a field with this name, which is given in lower case.
    fileprivate func contains(_ name: String) -> Bool { contains { $0.name.lowercased() == name } }
}
