import LifeCycleModel
import Testing

/// URLs that a connection can be made to, and others.
@Suite struct WebAddressTests {
    @Test(
        arguments: [
            ("http://example.org", "example.org", 80), ("HTTPS://Example.org/a:b@c?d", "Example.org", 443),
            ("http://a:b@example.org:8080/", "example.org", 8080), ("http://example.org:/", "example.org", 80),
            ("http://example.org:65535", "example.org", 65535), ("http://example.org:00080/", "example.org", 80),
            ("http://[::1]:81/", "[::1]", 81), ("http://[fe80::1%25eth0]/", "[fe80::1%25eth0]", 80),
            ("http://127.0.0.1:1#x", "127.0.0.1", 1), ("http://bücher.example/", "bücher.example", 80),
            ("http://b%C3%BCcher.example/", "b%C3%BCcher.example", 80), ("http://a_b.example?x:y", "a_b.example", 80),
        ] as [(String, String, Int)])
    func readsValidAddresses(url: String, host: String, port: Int) throws {
        let address = try WebAddress(url)
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(
        arguments: [
            ("", -1000), ("example.org", -1000), (":", -1000), ("a b:c", -1000), ("ftp://example.org/", -1002),
            ("file:///etc/passwd", -1002), ("http+unix://%2Frun%2Fx/y", -1002), ("mailto:a@b", -1002),
            ("http:example.org", -1000), ("http:///x", -1000), ("http://:80/", -1000), ("http://a@/", -1000),
            ("http://a b/", -1000), ("http://a/ b", -1000), ("http://a\u{7f}/", -1000),
            ("http://a:70000/", -1000), ("http://a:65536", -1000), ("http://a:0/", -1000), ("http://a:-1/", -1000),
            ("http://a:+1/", -1000), ("http://a:1x/", -1000), ("http://a:99999999999999999999/", -1000),
            ("http://[::1]:70000/", -1000), ("http://[::1]x/", -1000), ("http://[::1", -1000), ("http://[]/", -1000),
            ("http://%5B%5D/", -1000), ("http://%00/", -1000), ("http://a%00.b/", -1000), ("http://a%2Fb/", -1000),
            ("http://%/", -1000), ("http://%zz/", -1000), ("http://[a]/", -1000), ("http://a\\b/", -1000),
        ] as [(String, Int32)])
    func refusesInvalidAddresses(url: String, code: Int32) {
        let fault = #expect(throws: WebAddress.Fault.self) { try WebAddress(url) }
        #expect(fault?.code == code)
        #expect(fault?.description.isEmpty == false)
    }

    /// The parts are from another URL parser, which may have removed percent-encoding.
    @Test func partsAreCheckedAlike() throws {
        #expect(try WebAddress(scheme: "HTTPS", host: "::1", port: nil).port == 443)
        #expect(throws: WebAddress.Fault.badPort("70000")) { try WebAddress(scheme: "http", host: "a", port: 70000) }
        #expect(throws: WebAddress.Fault.badHost("[]")) { try WebAddress(scheme: "http", host: "[]", port: nil) }
        #expect(throws: WebAddress.Fault.badHost("a\0b")) { try WebAddress(scheme: "http", host: "a\0b", port: nil) }
        #expect(throws: WebAddress.Fault.noHost("http://")) { try WebAddress(scheme: "http", host: nil, port: nil) }
        #expect(throws: WebAddress.Fault.otherScheme("")) { try WebAddress(scheme: nil, host: "a", port: nil) }
    }
}
