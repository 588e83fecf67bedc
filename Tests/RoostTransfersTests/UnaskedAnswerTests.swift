import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// Answers without a request, on connections that stay open.
@Suite struct UnaskedAnswerTests {
    /// An answer without a request comes right behind the one before, or while the connection is idle. It is not
    /// the answer to the next request, which may be another app's.
    @Test(arguments: [false, true], [0, 100]) func anAnswerWithoutARequest(isSecure: Bool, after: Int) throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: isSecure ? certificates.server() : nil)
        let rig = try Rig {
            $0.additionalRoots = certificates.root
            // The connection stays open.
            $0.linger = .seconds(60)
        }
        rig.begin(server.url("/first", ["size": "1000", "unasked": "\(after)"]))
        #expect(try rig.end().size == 1000)
        try server.waitForUnasked()
        for number in 2...3 as ClosedRange<Int64> {
            rig.begin(server.url("/next\(number)", ["size": "2000", "version": "\(number)"]), number)
            #expect(try rig.end(of: number).size == 2000)
            #expect(rig.bytes(number) == BadServer.content(2000, version: Int(number)))
        }
    }

    /// The first connection of a redirected request gets an answer without a request.
    @Test(arguments: [false, true]) func aRedirectedRequestLeavesItsConnection(isSecure: Bool) throws {
        let certificates = try Certificates()
        let certificate = try isSecure ? certificates.server() : nil
        let (server, other) = (try BadServer(certificate: certificate), try BadServer(certificate: certificate))
        let rig = try Rig {
            $0.additionalRoots = certificates.root
            $0.linger = .seconds(60)
        }
        let target = other.url("/target", ["size": "1000"])
        rig.begin(server.url("/first", ["status": "302", "location": target, "size": "5", "unasked": "100"]))
        #expect(try rig.end().size == 1000)
        try server.waitForUnasked()
        rig.begin(server.url("/next", ["size": "2000"]), 2)
        #expect(try rig.end(of: 2).size == 2000)
    }

    /// The answer comes after the next request. If that is another app's, it is on a connection of its own.
    @Test func appsShareNoConnection() throws {
        let server = try BadServer()
        let rig = try Rig { $0.linger = .seconds(60) }
        rig.begin(server.url("/first", ["size": "1000", "unasked": "100"]))
        #expect(try rig.end().size == 1000)
        rig.begin(server.url("/other", ["size": "2000"]), of: 8)
        #expect(try rig.end(app: 8).size == 2000)
    }

    /// The same for an app that is redirected to the server of another app's connection.
    @Test func aRedirectLeadsToNoOtherAppsConnection() throws {
        let (server, away) = (try BadServer(), try BadServer())
        let rig = try Rig { $0.linger = .seconds(60) }
        rig.begin(server.url("/first", ["size": "1000"]))
        #expect(try rig.end().size == 1000)
        rig.begin(away.url("/away", ["status": "302", "location": server.url("/other", ["size": "2000"])]), of: 8)
        #expect(try rig.end(app: 8).size == 2000)
        #expect(try server.requests("/other").first?.port != server.requests("/first").first?.port)
    }

    /// A server may end many idle connections at once. The next request gets a new one.
    @Test func endedIdleConnections() throws {
        let server = try BadServer()
        let rig = try Rig { $0.linger = .seconds(60) }
        let numbers = 1...15 as ClosedRange<Int64>
        // Slow enough that all are under way at once.
        for number in numbers {
            rig.begin(server.url("/\(number)", ["size": "10", "pause": "30", "leave": "100"]), number)
        }
        for number in numbers { #expect(try rig.end(of: number).size == 10) }
        try server.waitUntilLeft(numbers.count)
        rig.begin(server.url("/next", ["size": "2000"]), 16)
        #expect(try rig.end(of: 16).size == 2000)
    }
}
