import LifeCycleModel
import RoostTransfers
import Testing

/// Servers that always have more to send, and the transfers beside theirs.
@Suite struct TurnTests {
    /// Bytes without end: of a file in tiny chunks, beside a file, and of a redirect.
    static let floods: [BadServer.Step] = [
        ["chunked": "1", "flood": "1\r\nx\r\n"],
        ["chunked": "1", "flood": "1;a"],
        ["status": "302", "location": "/next", "length": "99999999999", "flood": "a"],
        ["status": "302", "location": "/next", "chunked": "1", "flood": "1\r\nx\r\n"],
    ]

    @Test(arguments: floods) func aFloodKeepsNoOneWaiting(step: BadServer.Step) throws {
        let (server, other) = (try BadServer(), try BadServer())
        let rig = try Rig()
        for number in 1...3 as ClosedRange<Int64> { rig.begin(server.url("/flood\(number)", step), number) }
        for number in 1...20 as ClosedRange<Int64> {
            rig.begin(other.url("/other\(number)", ["size": "2000"]), number, of: 8)
            #expect(try rig.end(of: number, app: 8).size == 2000)
        }
        for number in 1...3 as ClosedRange<Int64> {
            rig.engine.stop(Rig.id(number))
            let ending = try rig.end(of: number)
            #expect(ending.size == nil, "\(ending)")
        }
    }

    /// libcurl may read the answer after a redirect before it waits for the new connection.
    @Test func manyRedirectsByTLS() throws {
        let certificates = try Certificates()
        let server = try BadServer(certificate: certificates.server())
        let rig = try Rig { $0.additionalRoots = certificates.root }
        let target = server.url("/target", ["size": "1000"])
        let numbers = 1...300 as ClosedRange<Int64>
        func begin(_ number: Int64) {
            let step =
                number % 3 == 0
                ? ["status": "302", "location": target, "size": "5"] : ["size": "1000", "version": "\(number)"]
            rig.begin(server.url("/\(number)", step), number)
        }
        for number in numbers.prefix(10) { begin(number) }
        for number in numbers {
            let ending = try rig.end(of: number)
            try #require(ending.size == 1000, "\(ending)")
            let version = number % 3 == 0 ? 1 : Int(number)
            try #require(rig.bytes(number) == BadServer.content(1000, version: version))
            if number + 10 <= 300 { begin(number + 10) }
        }
    }
}
