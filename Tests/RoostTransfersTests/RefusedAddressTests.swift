import Foundation
import LifeCycleModel
import Testing

@testable import RoostTransfers

/// Addresses that no download may reach, however they are written.
@Suite struct RefusedAddressTests {
    @Test(arguments: [
        "169.254.169.254", "169.254.0.1", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518",
        "fe80::1", "febf::1", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::169.254.169.254",
        "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192",
        "::ffff:0:a9fe:a9fe", "::ffff:0:169.254.169.254", "64:ff9b:1::a9fe:a9fe", "64:ff9b:1:7::192.0.0.192",
        "2001::5601:5601", "2001:0:4136:e378:8000:63bf:5601:5601", "[fe80::1]",
    ])
    func isRefused(host: String) {
        #expect(RefusedAddress(host: host) != nil)
    }

    @Test(arguments: [
        "127.0.0.1", "169.253.255.255", "169.255.0.0", "10.0.0.1", "192.168.1.1", "::1", "fec0::1", "fd00:ec2::255",
        "2001:db8::1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b:1::10.0.0.1", "2001::a9fe:a9fe",
        "2001:1::5601:5601", "64:ff9b:2::a9fe:a9fe", "example.org", "localhost", "", "[::1]", "[",
    ])
    func isNot(host: String) {
        #expect(RefusedAddress(host: host) == nil)
    }

    @Test(arguments: [("169.254.169.254", true), ("fe80::1", true), ("127.0.0.1", false), ("::1", false)])
    func connectionsAreRefused(address: String, isRefused: Bool) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(address, nil, &hints, &found) == 0)
        defer { freeaddrinfo(found) }
        let refused = RefusedAddress(try #require(found?.pointee.ai_addr))
        #expect(refused?.text == (isRefused ? address : nil))
    }

    /// By the URL, in any spelling, and by a redirect: there is no connection and no retry.
    @Test(arguments: [
        "http://169.254.169.254/x", "http://2852039166/x", "http://[fe80::1]/x", "http://[::ffff:a9fe:1]/x",
    ])
    func isNotAsked(url: String) throws {
        let rig = try Rig()
        rig.begin(url)
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1004 && !problem.isRetryable && problem.reason.contains("link-local"), "\(problem)")
        let server = try BadServer()
        rig.begin(server.url("/redirect", ["status": "302", "location": url]), 2)
        let redirected = try #require(try rig.end(of: 2).problem)
        #expect(redirected.code == -1004 && redirected.reason.contains("link-local"), "\(redirected)")
    }

    /// By a name with such an address: the engine connects, but sends no request, unless the owner of the system allows
    /// it.
    @Test(.enabled("only root can create a network namespace") { geteuid() == 0 })
    func namesOfRefusedAddressesGetNoRequest() throws {
        let directory = try TemporaryDirectory()
        let server = """
            import http.server, sys
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    with open(sys.argv[1] + "/requests", "a") as log: log.write(self.path + "\\n")
                    self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
            server = http.server.ThreadingHTTPServer(("169.254.169.254", 80), Handler)
            open(sys.argv[1] + "/ready", "w").write("ready\\n")
            server.serve_forever()
            """
        try server.write(toFile: directory.path + "/server.py", atomically: false, encoding: .utf8)
        let script = """
            set -e
            ip link set lo up; ip address add 169.254.169.254/32 dev lo
            echo "169.254.169.254 metadata.test" > "$0/hosts"; mount --bind "$0/hosts" /etc/hosts
            mkfifo "$0/ready"
            python3 "$0/server.py" "$0" 2>/dev/null & server=$!
            read line < "$0/ready"
            python3 -c 'import urllib.request; urllib.request.urlopen("http://metadata.test/probe")'
            "$1" "$0" - 1 http://metadata.test/secret </dev/null
            export ALLOWS_LINK_LOCAL=1
            "$1" "$0" - 1 http://metadata.test/allowed http://169.254.169.254/number </dev/null
            kill $server
            """
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-nm", "sh", "-c", script, directory.path, Self.tool]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.contains("failed 1 -1004") && said.contains("link-local"), "\(said)")
        let asked = try String(contentsOfFile: directory.path + "/requests", encoding: .utf8)
        #expect(asked == "/probe\n/allowed\n/number\n")
    }

    private static let tool: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("TransferTestTool").path
    }()
}
