import Foundation
package import FoundationNetworking
package import LifeCycleModel

/// The reason why a request cannot be sent to the system.
package struct RequestRefusal: Error, Hashable, Sendable {
    package let code: Int
    package let reason: String
}

extension TransferRequest {
    /// Creates the system's form of a request. Throws the error of the future task if the system would not accept it.
    package init(_ request: URLRequest) throws(RequestRefusal) {
        guard let url = request.url?.absoluteString, url.utf8.count <= Self.longestURL else {
            throw RequestRefusal(
                code: NSURLErrorBadURL, reason: "the URL is missing, or longer than \(Self.longestURL) bytes")
        }
        do throws(WebAddress.Fault) {
            _ = try WebAddress(url)
        } catch {
            throw RequestRefusal(code: Int(error.code), reason: error.description)
        }
        guard request.httpBodyStream == nil else {
            throw RequestRefusal(
                code: NSURLErrorRequestBodyStreamExhausted,
                reason: "a background session cannot send a body stream, because the stream ends with the app")
        }
        self.init(url: url)
        method = request.httpMethod ?? "GET"
        fields = (request.allHTTPHeaderFields ?? [:]).map { HTTPField(name: $0.key, value: $0.value) }
            .sorted { $0.name < $1.name }
        guard method.utf8.count <= 64, HTTPField(name: method, value: "").hasGoodName,
            fields.allSatisfy({ $0.hasGoodName && $0.hasGoodValue })
        else {
            throw RequestRefusal(
                code: NSURLErrorBadURL, reason: "the method or a header field holds an invalid character")
        }
        guard fields.count <= Self.mostFields,
            fields.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.longestFields
        else {
            throw RequestRefusal(
                code: NSURLErrorDataLengthExceedsMaximum,
                reason: "the header holds more than \(Self.mostFields) fields or \(Self.longestFields) bytes")
        }
        body = request.httpBody?.base64EncodedString()
        guard (body?.utf8.count ?? 0) <= Self.longestBody else {
            throw RequestRefusal(
                code: NSURLErrorDataLengthExceedsMaximum,
                reason: "the body is longer than \(Self.longestBody / 4 * 3) bytes")
        }
        // 60 s is the default of a request, so it does not override the session's timeout.
        if request.timeoutInterval != 60 { timeout = Nanoseconds(seconds: request.timeoutInterval) }
        networks.cellular = request.allowsCellularAccess
    }

    /// The request as a `URLRequest`; nil if Foundation cannot parse the URL.
    package var urlRequest: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = body.flatMap { Data(base64Encoded: $0) }
        if let timeout { request.timeoutInterval = timeout.seconds }
        request.allowsCellularAccess = networks.cellular
        return request
    }
}

extension TransferResponse {
    /// The response as an `HTTPURLResponse`; nil without a valid URL.
    func httpResponse(for request: URLRequest?) -> HTTPURLResponse? {
        guard let url = URL(string: url) ?? request?.url else { return nil }
        var header: [String: String] = [:]
        for field in fields { header[field.name] = header[field.name].map { "\($0), \(field.value)" } ?? field.value }
        return HTTPURLResponse(url: url, statusCode: Int(status), httpVersion: "HTTP/1.1", headerFields: header)
    }
}

extension TransferSessionConfiguration {
    /// Creates the system's form of a configuration. Invalid header fields, and fields beyond the limit, are left out.
    init(_ configuration: URLSessionConfiguration) {
        self.init()
        sendsLaunchEvents = configuration.sessionSendsLaunchEvents
        isDiscretionary = configuration.isDiscretionary
        networks.cellular = configuration.allowsCellularAccess
        networks.expensive = configuration.allowsExpensiveNetworkAccess
        networks.constrained = configuration.allowsConstrainedNetworkAccess
        connectionsPerHost = Int32(clamping: max(1, configuration.httpMaximumConnectionsPerHost))
        requestTimeout = max(Nanoseconds(1), Nanoseconds(seconds: configuration.timeoutIntervalForRequest))
        resourceTimeout = max(Nanoseconds(1), Nanoseconds(seconds: configuration.timeoutIntervalForResource))
        sharedContainer = configuration.sharedContainerIdentifier.map { String($0.prefix(200)) }
        var room = TransferRequest.longestFields
        fields = (configuration.httpAdditionalHeaders ?? [:])
            .map { HTTPField(name: "\($0.key)", value: "\($0.value)") }
            .filter { $0.hasGoodName && $0.hasGoodValue }
            .sorted { $0.name < $1.name }
            .prefix(TransferRequest.mostFields)
            .filter { field in
                room -= field.name.utf8.count + field.value.utf8.count
                return room >= 0
            }
    }
}

extension Nanoseconds {
    /// A time from seconds, clamped to the range of 64 bits.
    init(seconds: TimeInterval) {
        let count = seconds * 1e9
        self.init(
            count.isNaN ? 0 : count >= 9.2e18 ? .max : count <= -9.2e18 ? .min : Int64(count))
    }

    var seconds: TimeInterval { TimeInterval(rawValue) / 1e9 }
}
