internal import CRoostCurl

/// The settings of libcurl for all requests of an engine.
struct RequestSettings {
    private let additionalRoots: String?
    private let redirects: Int

    init(_ options: TransferOptions) {
        additionalRoots = options.additionalRoots
        redirects = options.redirects
    }

    /// The longest time for a connection, in seconds.
    private static let connectTimeout = 60
    /// The size of the buffer for received bytes. They fit in the processor's cache together with their copy.
    private static let buffer = 120 << 10

    func withC<Value>(_ body: (UnsafePointer<croost_curl_settings>) -> Value) -> Value {
        func with(_ roots: UnsafePointer<CChar>?) -> Value {
            var settings = croost_curl_settings(
                additional_roots: roots, redirects: redirects, connect_timeout: Self.connectTimeout,
                buffer: Self.buffer)
            return body(&settings)
        }
        return additionalRoots?.withCString { with($0) } ?? with(nil)
    }
}
