import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

@Suite struct CertificateTests {
    private static let file = ["size": "300000", "etag": "\"a\""]

    private func problem(trusting isTrusted: Bool = true, days: Int = 30) throws -> Int32? {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server(days: days))
        let rig = try Rig { if isTrusted { $0.additionalRoots = certificates.root } }
        rig.begin(server.url("/file", Self.file))
        let ending = try rig.end()
        if ending.size == 300_000 {
            #expect(rig.bytes() == BadServer.content(300_000))
        } else {
            #expect(ending.problem?.isRetryable == false)
        }
        return ending.problem?.code
    }

    @Test func anAdditionalRoot() throws { #expect(try problem() == nil) }
    @Test func anUntrustedCertificateIsRefused() throws { #expect(try problem(trusting: false) == -1202) }
    @Test func expired() throws { #expect(try problem(days: -1) == -1201) }

    @Test func forAnotherHost() throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server("elsewhere.example"))
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/file", Self.file))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1202 && !problem.isRetryable)
        #expect(problem.reason.hasSuffix("the server's certificate is for another host"))
    }

    /// A connection that ends without a TLS close alert may have been cut.
    @Test func aBodyNeedsTheCloseAlert() throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server())
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/cut", ["size": "300000", "unlimited": "1"]))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1005, "\(problem)")
        rig.begin(server.url("/whole", ["size": "300000", "unlimited": "1", "alert": "1"]), 2)
        #expect(try rig.end(of: 2).size == 300_000)
    }

    /// Neither a coding that changes nothing nor a status line with another version of HTTP makes a cut body whole.
    @Test(arguments: [["coding": "identity"], ["protocol": "HTTP/2"]])
    func aCutBodyIsNotWhole(step: BadServer.Step) throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server())
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/cut", ["size": "300000", "unlimited": "1"].merging(step) { $1 }))
        #expect(try rig.end().problem?.isRetryable == true)
    }

    /// OpenSSL reads all messages that are there in one call. A server may send many session tickets, but not without end.
    @Test(arguments: [100, 3000]) func sessionTickets(count: Int) throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server(), settings: ["TICKETS": "\(count)"])
        let rig = try Rig { $0.additionalRoots = certificates.root }
        // A request that could be sent twice would be sent again, on a connection that resumes the session.
        rig.begin(server.url("/file", Self.file)) { $0.method = "POST" }
        let ending = try rig.end()
        #expect(count == 100 ? ending.size == 300_000 : ending.problem?.code == -1005, "\(ending)")
    }

    /// A reset during the handshake is a lost connection, not a refused one.
    @Test func aResetHandshakeIsRetried() throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server(), settings: ["RESET": "1"])
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/file", Self.file))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1005 && problem.isRetryable, "\(problem)")
        #expect(problem.reason.contains("during the handshake"), "\(problem)")
        #expect(problem.reason.contains("Connection reset by peer"), "\(problem)")
    }

    /// Over TLS, the next error is that of the close alert, which can no longer be sent.
    @Test(arguments: [false, true]) func aResetIsSaidToBeTheServersEnd(isSecure: Bool) throws {
        let certificates = try Certificates()
        let server = try isSecure ? BadServer(certificate: certificates.server()) : BadServer()
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/reset", Self.file.merging(["cut": "200000", "reset": "1"]) { $1 }))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1005 && problem.isRetryable, "\(problem)")
        let reasons = ["the server closed it", "Connection reset by peer"]
        #expect(reasons.contains { problem.reason.hasSuffix("the connection was lost: \($0)") }, "\(problem)")
    }

    /// There is no body that could be cut.
    @Test func anAnswerWithoutABodyNeedsNoCloseAlert() throws {
        let certificates = try Certificates()
        let server = try BadServer(
            certificate: certificates.server(), answer: "HTTP/1.1 204 No Content\r\n\r\n")
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(server.url("/empty", [:]))
        #expect(try rig.end().response?.status == 204)
    }

    @Test func rootsThatAreNotThere() throws {
        #expect(throws: SystemError.self) { try Rig { $0.additionalRoots = "/nowhere/roots.pem" } }
    }

    @Test func anEmptyRootsFileIsAProblem() throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server())
        let rig = try Rig { $0.additionalRoots = "/dev/null" }
        rig.begin(server.url("/file", Self.file))
        let problem = try rig.end().problem
        #expect(problem?.code == -1200, "\(String(describing: problem))")
    }

    @Test func noTLSAtAll() throws {
        let server = try BadServer()
        let rig = try Rig()
        rig.begin("https://localhost:\(server.port)/")
        #expect(try rig.end().problem?.code == -1200)
    }

    /// A redirect to a server with a bad certificate is reported with that server's address.
    @Test func behindARedirect() throws {
        let certificates = try Certificates()
        let secure = try BadServer(certificate: certificates.server(days: -1))
        let plain = try BadServer()
        let rig = try Rig { $0.additionalRoots = certificates.root }
        rig.begin(plain.url("/away", ["status": "302", "location": secure.url("/file", Self.file)]))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -1201)
        #expect(problem.reason.hasPrefix("https://localhost:\(secure.port)/file"))
    }
}
