import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// Servers that send wrong data, disconnect, change a resource or stop sending.
@Suite struct BadServerTests {
    private let server: BadServer
    private let rig: Rig

    init() throws {
        server = try BadServer()
        rig = try Rig()
    }

    private static let size = 300_000
    private static let tag = ["size": "\(size)", "etag": "\"a\""]

    private func step(_ more: BadServer.Step) -> BadServer.Step { Self.tag.merging(more) { $1 } }

    /// Resumes from the bytes of the first attempt.
    private func resume(_ url: String, after ending: Rig.Ending) throws -> Rig.Ending {
        let checkpoint = try #require(ending.checkpoint)
        rig.begin(url, attempt: 2, checkpoint: checkpoint)
        return try rig.end(attempt: 2)
    }

    // MARK: Honest servers

    @Test func aPlainFile() throws {
        rig.begin(server.url("/plain", Self.tag))
        let ending = try rig.end()
        #expect(ending.size == Int64(Self.size))
        #expect(ending.response?.status == 200)
        #expect(rig.bytes() == BadServer.content(Self.size))
        #expect(rig.offsets() == [0])
        let fields = try #require(try server.requests("/plain").first).fields
        #expect(fields["accept-encoding"] == "identity")
        #expect(fields["range"] == nil)
    }

    @Test func anEmptyFile() throws {
        rig.begin(server.url("/empty", ["size": "0"]))
        #expect(try rig.end().size == 0)
        #expect(rig.bytes() == [])
    }

    @Test func inChunksWithoutALength() throws {
        rig.begin(server.url("/chunks", ["size": "200000", "chunked": "1"]))
        #expect(try rig.end().size == 200_000)
        #expect(rig.bytes() == BadServer.content(200_000))
    }

    @Test func untilTheConnectionCloses() throws {
        rig.begin(server.url("/unlimited", ["size": "200000", "unlimited": "1"]))
        #expect(try rig.end().size == 200_000)
        #expect(rig.bytes() == BadServer.content(200_000))
    }

    @Test func anErrorIsAnAnswer() throws {
        rig.begin(server.url("/none", ["size": "1000", "status": "404"]))
        let ending = try rig.end()
        #expect(ending.response?.status == 404)
        #expect(ending.size == 1000)
    }

    @Test func theRequestIsSentAsTheAppMadeIt() throws {
        rig.begin(server.url("/sent", ["echo": "1"])) { request in
            request.method = "post"
            request.body = Data("four".utf8).base64EncodedString()
            request.fields = [
                HTTPField(name: "X-Own", value: "1"), HTTPField(name: "Accept-Encoding", value: "gzip"),
                HTTPField(name: "Host", value: "elsewhere"),
            ]
        }
        #expect(try rig.end().response?.status == 200)
        let request = try #require(try server.requests("/sent").first)
        #expect(request.method == "POST")
        #expect(request.fields["x-own"] == "1")
        #expect(request.fields["accept-encoding"] == "identity")
        #expect(request.fields["content-length"] == "4")
        #expect(request.fields["host"] == "localhost:\(server.port)")
    }

    // MARK: Breaking off, and going on

    @Test(arguments: ["cut", "stall"])
    func breaksOffMidway(how: String) throws {
        let url = server.url("/\(how)", step([how: "200000"]), Self.tag)
        rig.begin(url, timeout: .milliseconds(700))
        let ending = try rig.end()
        #expect(ending.problem?.code == (how == "cut" ? -1005 : -1001))
        #expect(ending.problem?.isRetryable == true)
        #expect(
            ending.checkpoint
                == TransferCheckpoint(received: 200_000, expected: 300_000, validator: "\"a\"", boot: Rig.boot))
        #expect(try resume(url, after: ending).size == Int64(Self.size))
        #expect(rig.offsets() == [0, 200_000])
        #expect(rig.bytes() == BadServer.content(Self.size))
        let second = try #require(try server.requests("/\(how)").last)
        #expect(second.fields["range"] == "bytes=200000-")
        #expect(second.fields["if-range"] == "\"a\"")
    }

    @Test func chunksWithoutAnEnd() throws {
        rig.begin(server.url("/unended", step(["chunked": "1", "unended": "1"])))
        let ending = try rig.end()
        #expect(ending.problem?.code == -1005)
        #expect(ending.checkpoint?.received == Int64(Self.size))
    }

    /// Without a validator, the received bytes are useless.
    @Test(arguments: [["size": "300000"], ["size": "300000", "etag": "W/\"a\""]])
    func withoutAValidator(fields: [String: String]) throws {
        let path = "/weak\(fields.count)"
        let url = server.url(path, fields.merging(["cut": "200000"]) { $1 }, fields)
        rig.begin(url)
        let ending = try rig.end()
        #expect(ending.problem?.code == -1005)
        #expect(ending.checkpoint == nil)
        #expect(rig.bytes() == nil)
        rig.begin(url, attempt: 2)
        #expect(try rig.end(attempt: 2).size == Int64(Self.size))
        #expect(try server.requests(path).last?.fields["range"] == nil)
    }

    @Test func byTheDateOfTheLastChange() throws {
        let fields = [
            "size": "300000", "modified": "Sun, 06 Nov 1994 08:49:36 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let url = server.url("/modified", fields.merging(["cut": "200000"]) { $1 }, fields)
        rig.begin(url)
        #expect(try resume(url, after: rig.end()).size == Int64(Self.size))
        #expect(rig.offsets() == [0, 200_000])
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    /// The server ignores If-Range, and its parts do not show their version.
    @Test func withoutTheDateOfTheLastChange() throws {
        let fields = [
            "size": "300000", "modified": "Sun, 06 Nov 1994 08:49:36 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let url = server.url(
            "/undated", fields.merging(["cut": "200000"]) { $1 }, ["size": "300000", "version": "2", "blind": "1"])
        rig.begin(url)
        #expect(try resume(url, after: rig.end()).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size, version: 2))
        #expect(rig.offsets() == [0, 0])
    }

    @Test func closedBeforeAnAnswer() throws {
        rig.begin(server.url("/raw", ["raw": "1"]))
        #expect(try rig.end().problem?.code == -1005)
        // The attempt is repeated once, in case an idle connection had been reused.
        #expect(try server.requests("/raw").count == 2)
        rig.begin(server.url("/rawonce", ["raw": "1"], Self.tag), 2)
        #expect(try rig.end(of: 2).size == Int64(Self.size))
    }

    // MARK: Another version midway

    /// The file is of one version, in whichever way the server shows the change.
    @Test(arguments: [
        // The server supports If-Range and sends the whole other version.
        ["etag": "\"b\"", "version": "2"],
        // The server ignores If-Range, but its tag shows the change.
        ["etag": "\"b\"", "version": "2", "blind": "1"],
        // With the same length or another, and the same tag or none.
        ["etag": "\"a\"", "version": "2", "size": "300001"],
        ["etag": "W/\"a\"", "version": "2", "blind": "1"],
        ["etag": "", "version": "2", "blind": "1"],
        // A shorter version, which ends before the rest would begin.
        ["etag": "\"b\"", "version": "2", "size": "150000", "blind": "1"],
        // The server does not support ranges.
        ["etag": "\"a\"", "version": "2", "ranges": "0"],
    ])
    func theFileIsOfOneVersion(other: [String: String]) throws {
        let path = "/changed"
        let url = server.url(path, step(["cut": "200000"]), step(other))
        rig.begin(url)
        let ending = try resume(url, after: rig.end())
        let size = Int(other["size"] ?? "") ?? Self.size
        #expect(ending.size == Int64(size))
        #expect(rig.bytes() == BadServer.content(size, version: 2))
        #expect(rig.offsets() == [0, 0])
    }

    /// A crash after a change, and then the old version is back. The bytes are of the new version, which the checkpoint
    /// does not know. The version file beside them has it.
    @Test func theOldVersionReturnsAfterAChange() throws {
        let other = step(["etag": "\"b\"", "version": "2"])
        let url = server.url(
            "/back", step(["cut": "100000"]), other.merging(["stall": "250000"]) { $1 }, Self.tag)
        rig.begin(url)
        let checkpoint = try #require(try rig.end().checkpoint)
        rig.begin(url, attempt: 2, checkpoint: checkpoint)
        _ = try rig.wait(for: { if case .progressed(_, 2, 250_000, _) = $0 { true } else { nil } })
        // The bytes are on disk as after a crash of the engine; the report is not used.
        rig.engine.stop(Rig.id())
        _ = try rig.end(attempt: 2)
        try rig.restart()
        rig.begin(url, attempt: 3, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 3).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
        #expect(rig.offsets() == [0])
    }

    @Test(arguments: ["bytes 0-299999/300000", "bytes 100000-199999/300000", "nonsense", "bytes 200000-299999/*"])
    func aWrongRange(range: String) throws {
        let path = "/range"
        let url = server.url(path, step(["cut": "200000"]), step(["range": range]), Self.tag)
        rig.begin(url)
        let ending = try resume(url, after: rig.end())
        #expect(ending.size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
        // The last range is valid, because the length is already known.
        #expect(rig.offsets() == (range.hasSuffix("*") ? [0, 200_000] : [0, 0]))
    }

    @Test func aWholeFileIsAskedForItsLastByte() throws {
        let url = server.url("/whole", Self.tag)
        rig.begin(url)
        _ = try rig.end()
        try rig.restart()
        rig.begin(
            url, attempt: 2,
            checkpoint: TransferCheckpoint(received: 0, expected: 300_000, validator: "\"a\"", boot: Rig.boot))
        #expect(try rig.end(attempt: 2).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
        #expect(try server.requests("/whole").last?.fields["range"] == "bytes=299999-")
    }

    @Test(arguments: ["408", "500", "502"]) func anErrorInPlaceOfTheRest(status: String) throws {
        let url = server.url(
            "/broken\(status)", step(["cut": "200000"]), ["status": status, "size": "20"], Self.tag)
        rig.begin(url)
        let ending = try resume(url, after: rig.end())
        #expect(ending.problem?.isRetryable == true)
        let checkpoint = try #require(ending.checkpoint)
        #expect(checkpoint.received == 200_000)
        rig.begin(url, attempt: 3, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 3).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
        #expect(rig.offsets() == [0, 200_000])
    }

    // MARK: Lengths

    @Test func moreThanAnnounced() throws {
        // Bytes beyond the announced length belong to no answer, and never reach the file.
        rig.begin(server.url("/extra", step(["extra": "5000", "length": "300000"])))
        #expect(try rig.end().size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    @Test func moreThanTheRange() throws {
        let url = server.url(
            "/extrarange", step(["cut": "200000"]), step(["chunked": "1", "extra": "5000"]), Self.tag)
        rig.begin(url)
        let ending = try resume(url, after: rig.end())
        #expect(ending.problem?.code == -1011)
        #expect(ending.problem?.wastesBytes == true, "every retry repeats all bytes")
        #expect(ending.checkpoint == nil)
        rig.begin(url, attempt: 3)
        #expect(try rig.end(attempt: 3).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    @Test func lessThanTheWhole() throws {
        let url = server.url(
            "/less", step(["cut": "100000"]), step(["range": "bytes 100000-149999/300000", "length": "50000"]),
            Self.tag)
        rig.begin(url)
        let ending = try resume(url, after: rig.end())
        #expect(ending.problem?.code == -1005)
        #expect(ending.checkpoint?.received == 150_000)
    }

    // MARK: Silence

    @Test func neverAnswers() throws {
        rig.begin(server.url("/silent", ["silent": "1"]), timeout: .milliseconds(300))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1001)
        #expect(problem.isRetryable)
    }

    /// A byte now and then is slow, but not silence.
    @Test func drips() throws {
        rig.begin(server.url("/drip", ["size": "30", "pause": "50"]), timeout: .milliseconds(1000))
        #expect(try rig.end().size == 30)
    }

    /// Bytes in the kernel's buffer are lost with the process, so a server nearby cannot fill a large buffer.
    @Test(arguments: [false, true]) func aServerNearbyHasASmallBuffer(isSecure: Bool) throws {
        let certificates = try Certificates()
        let server = try isSecure ? BadServer(certificate: certificates.server()) : self.server
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/large", ["size": "3000000", "stall": "2000000"]))
        _ = try rig.wait { if case .responded = $0 { true } else { nil } }
        let sizes = (3..<1024).compactMap { Self.receiveBuffer(of: $0, connectedTo: server.port) }
        // The kernel doubles what is asked for.
        #expect(sizes == [512 << 10])
    }

    private static func receiveBuffer(of descriptor: Int32, connectedTo port: Int) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let known = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
        // The port has the same place in addresses of both kinds.
        let peer = withUnsafeBytes(of: address) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
        guard known, [AF_INET, AF_INET6].contains(Int32(address.ss_family)), Int(peer) == port else { return nil }
        var size: Int32 = 0
        length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, &length) == 0 ? size : nil
    }

    // MARK: Redirects

    @Test func redirectsForEver() throws {
        let url = server.url("/loop", ["status": "302", "location": "itself"])
        rig.begin(url)
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1007)
        #expect(!problem.isRetryable)
        #expect(try server.requests("/loop").count == 21)
    }

    @Test func secretsStayWithTheirOrigin() throws {
        let other = try BadServer()
        let target = other.url("/target", Self.tag)
        rig.begin(server.url("/away", ["status": "307", "location": target])) {
            $0.fields = [
                HTTPField(name: "Authorization", value: "Bearer x"), HTTPField(name: "Cookie", value: "a=b"),
                HTTPField(name: "X-Kept", value: "1"),
            ]
        }
        let ending = try rig.end()
        #expect(ending.size == Int64(Self.size))
        #expect(ending.response?.url == target)
        #expect(try server.requests("/away").first?.fields["authorization"] == "Bearer x")
        let fields = try #require(try other.requests("/target").first).fields
        #expect(fields["authorization"] == nil)
        #expect(fields["cookie"] == nil)
        #expect(fields["x-kept"] == "1")
    }

    @Test(arguments: ["ftp://localhost/x", "file:///etc/passwd", "http+unix://%2Frun%2Fx.sock/"])
    func redirectsElsewhere(location: String) throws {
        rig.begin(server.url("/astray", ["status": "301", "location": location]))
        #expect(try rig.end().problem?.code == -1002)
    }

    /// No connection is attempted, because it would end the process.
    @Test(arguments: [
        "http://127.0.0.1:70000/", "https://[::1]:65536/x", "//localhost:0/", "http://%5B%5D/", "http://[/",
        "http://localhost:-1/", "http:///x",
    ])
    func redirectsNowhere(location: String) throws {
        let url = server.url("/nowhere", ["status": "302", "location": location])
        rig.begin(url)
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1000)
        #expect(!problem.isRetryable && problem.reason.contains("redirects to"))
        // The second redirect is checked like the first.
        rig.begin(server.url("/first", ["status": "302", "location": url]), 2)
        #expect(try rig.end(of: 2).problem?.code == -1000)
        // Other downloads are unaffected.
        rig.begin(server.url("/plain", Self.tag), 3)
        #expect(try rig.end(of: 3).size == Int64(Self.size))
    }

    /// A server's answer may be larger than an app can receive. The engine reports as much of it as fits.
    @Test func largeAnswersAreTrimmedForTheApp() throws {
        let url = server.url("/far", ["status": "302", "far": "9000"])
        rig.begin(url)
        let ending = try rig.end()
        let response = try #require(ending.response, "\(ending)")
        #expect(rig.bytes() == BadServer.content(1000))
        #expect(response.url == url)
        #expect(response.fields.count > 20 && response == response.fitting)
        // A reason is not longer than an app can read, either.
        rig.begin(server.url("/farther", ["status": "302", "far": "30000", "to": "ftp://localhost"]), 2)
        let problem = try #require(try rig.end(of: 2).problem)
        #expect(problem.code == -1002 && problem.reason.utf8.count <= TransferFailure.longestReason)
    }

    // MARK: Busy, or no server at all

    @Test(
        arguments: [("503", "7", 7), ("429", "3", 3), ("503", "", nil), ("429", "", nil)] as [(String, String, Int64?)])
    func busy(status: String, after: String, seconds: Int64?) throws {
        var fields = ["status": status, "size": "10"]
        if !after.isEmpty { fields["retry"] = after }
        rig.begin(server.url("/busy", fields))
        let problem = try #require(try rig.end().problem)
        #expect(problem.isRetryable)
        #expect(problem.retryAfter == seconds.map { .seconds($0) })
    }

    /// The bytes that had been received before are not lost.
    @Test func busyMidway() throws {
        let url = server.url("/busymidway", step(["cut": "200000"]), ["status": "503"], Self.tag)
        rig.begin(url)
        let second = try resume(url, after: rig.end())
        #expect(second.problem?.isRetryable == true)
        #expect(second.checkpoint?.received == 200_000)
        rig.begin(url, attempt: 3, checkpoint: second.checkpoint)
        #expect(try rig.end(attempt: 3).size == Int64(Self.size))
        #expect(rig.offsets() == [0, 200_000])
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    /// A validator that cannot be in a checkpoint is none.
    @Test(arguments: ["\"a\u{1}b\"", "\"" + String(repeating: "a", count: 2000) + "\""])
    func anUnusableValidator(tag: String) throws {
        rig.begin(server.url("/tag", ["size": "300000", "etag": tag, "cut": "200000"]))
        let ending = try rig.end()
        #expect(ending.problem?.isRetryable == true && ending.checkpoint == nil)
    }

    @Test func speaksNoHTTP() throws {
        rig.begin(server.url("/garbage", ["garbage": "1"]))
        #expect(try rig.end().problem?.code == -1011)
    }

    /// Heads that libcurl and Roost might understand differently, and those that cost too much.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /other\r\nHTTP/1.1 200 : x\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /other\r\n\rX: y\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation:\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x1388\r\n\r\n",
        "HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n ,chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n 00\r\n\r\nabcdefghij",
        "HTTP/2 200 OK\r\n\r\nabcd", "HTTP/3 200 OK\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "a:\n", count: 2000) + "Content-Length: 0\r\n\r\n",
    ])
    func badHeads(answer: String) throws {
        let server = try BadServer(answer: answer)
        rig.begin(server.url("/head", [:]))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1011, "\(problem)")
        #expect(try server.requests("/other").isEmpty)
    }

    @Test func aHeadOfManyKilobytes() throws {
        rig.begin(server.url("/bulk", ["size": "10", "bulk": "200"]))
        #expect(try rig.end().problem?.code == -1011)
    }

    @Test(
        arguments: [
            ("ftp://localhost/x", -1002), ("http+unix://%2Frun%2Fx/y", -1002), ("file:///etc/passwd", -1002),
            ("nothing", -1000), ("http://", -1000), ("", -1000), ("http://no.such.host.invalid/", -1003),
            ("http://127.0.0.1:1/", -1004), ("http://127.0.0.1:70000/", -1000), ("http://localhost:65536/", -1000),
            ("https://[::1]:99999999999999999999/", -1000), ("http://%5B%5D/", -1000), ("http://localhost:0/", -1000),
        ] as [(String, Int32)])
    func unreachableServersAreReported(url: String, code: Int32) throws {
        rig.begin(url)
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == code)
        #expect(!problem.reason.isEmpty)
    }

    @Test func aFieldThatWouldSmuggle() throws {
        rig.begin(server.url("/smuggle", Self.tag)) { $0.fields = [HTTPField(name: "X", value: "a\r\nY: b")] }
        #expect(try rig.end().problem?.code == -1000)
        #expect(try server.requests("/smuggle").isEmpty)
    }
}
