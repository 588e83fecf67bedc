internal import CRoostCurl
internal import LifeCycleModel

/// An absolute URL that can be connected to, as libcurl understands it.
///
/// The same parser checks and connects. Another parser might find another host in the same text.
struct WebURL {
    /// Without spaces and characters outside ASCII.
    let text: String
    let address: WebAddress

    /// Parses an absolute URL. Throws if it cannot be connected to.
    init(_ text: String) throws(WebAddress.Fault) { try self.init([text]) }

    /// Parses the target of a redirect, which may be relative to `base`.
    init(_ location: String, from base: String) throws(WebAddress.Fault) {
        try self.init([base, location.replacing(" ", with: "%20")])
    }

    /// Each text is relative to the one before.
    private init(_ texts: [String]) throws(WebAddress.Fault) {
        let handle = curl_url()
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_URLENCODE)
        for text in texts {
            // libcurl repairs a text that this check rejects, and so might connect to another host than is written.
            do { _ = try WebAddress(text) } catch .noURL where texts.count > 1 {
                // It is relative.
            }
            guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else { throw .noURL(text) }
        }
        func part(_ part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        let port = part(CURLUPART_PORT)
        address = try WebAddress(
            scheme: part(CURLUPART_SCHEME), host: part(CURLUPART_HOST), port: port.flatMap { Int($0) })
        text = part(CURLUPART_URL) ?? ""
    }
}
