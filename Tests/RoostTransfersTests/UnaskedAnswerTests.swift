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
        let id = TransferID(session: TransferSessionID(app: AppID(8), number: 1), number: 1)
        rig.engine.begin(
            TransferJob(
                id: id, attempt: 1, request: TransferRequest(url: server.url("/other", ["size": "2000"])),
                checkpoint: nil, requestTimeout: .seconds(20)))
        let size = try rig.wait { if case .completed(id, _, _, let size) = $0 { size } else { nil } }
        #expect(size == 2000)
    }
}
