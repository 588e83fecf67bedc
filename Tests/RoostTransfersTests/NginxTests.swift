import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// Against a widely used server.
@Suite(.whereNginxIs) struct NginxTests {
    private func rig(_ nginx: Nginx, change: (inout TransferOptions) -> Void = { _ in }) throws -> Rig {
        try Rig {
            $0.additionalRoots = nginx.certificates.root
            change(&$0)
        }
    }

    @Test(arguments: Nginx.Way.allCases)
    func aFile(way: Nginx.Way) throws {
        let nginx = try Nginx()
        let bytes = try nginx.put("file", size: 20_000_003)
        let rig = try rig(nginx)
        rig.begin(nginx.url("/file", by: way))
        #expect(try rig.end().size == 20_000_003)
        #expect(rig.bytes() == bytes)
        #expect(nginx.log().first?.version == (way == .http2 ? "HTTP/2.0" : "HTTP/1.1"))
    }

    /// The transfer is stopped ten times. The file is complete, and hardly any byte is sent twice.
    @Test(arguments: Nginx.Way.allCases)
    func tenTimesInterrupted(way: Nginx.Way) throws {
        let size = 30_000_000
        let nginx = try Nginx()
        let bytes = try nginx.put("file", size: size)
        let rig = try rig(nginx)
        let url = nginx.url("/slower/file", by: way)
        var checkpoint: TransferCheckpoint?
        for attempt in 1...10 as ClosedRange<Int32> {
            rig.begin(url, attempt: attempt, checkpoint: checkpoint)
            _ = try rig.wait(for: { if case .responded(_, attempt, _, _) = $0 { true } else { nil } })
            if attempt % 2 == 0 {
                _ = try rig.wait(for: { if case .progressed(_, attempt, _, _) = $0 { true } else { nil } })
            }
            rig.engine.stop(Rig.id())
            // Before the first byte, a stopped attempt has no checkpoint.
            checkpoint = try rig.end(attempt: attempt).checkpoint ?? checkpoint
        }
        rig.begin(nginx.url("/file", by: way), attempt: 11, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 11).size == Int64(size))
        #expect(rig.bytes() == bytes)
        let begun = try #require(rig.offsets().last)
        #expect(begun > 0)
    }

    @Test(arguments: Nginx.Way.allCases)
    func twoThousandSmallFiles(way: Nginx.Way) throws {
        let nginx = try Nginx()
        let files = try (0..<20).map { try nginx.put("small\($0)", size: 65536) }
        let rig = try rig(nginx)
        let count: Int64 = 2000
        var begun: Int64 = 0
        var ended: Int64 = 0
        func beginNext() {
            if begun < count {
                begun += 1
                rig.begin(nginx.url("/small\(begun % 20)", by: way), begun)
            }
        }
        for _ in 1...8 { beginNext() }
        _ = try rig.wait { report -> Bool? in
            switch report {
            case .completed: ended += 1
            case .failed(_, _, let problem):
                Issue.record("\(problem)")
                ended += 1
            default: return nil
            }
            beginNext()
            return ended == count ? true : nil
        }
        for number in 1...count {
            let isWhole = rig.bytes(number) == files[Int(number % 20)]
            #expect(isWhole, "\(number)")
        }
        let log = nginx.log()
        #expect(log.count == 2000)
        #expect(log.reduce(0) { $0 + $1.bytes } == 2000 * 65536)
    }

    /// A file that is replaced on the server between two attempts, and a file that is removed.
    @Test func replacedMidway() throws {
        let nginx = try Nginx()
        _ = try nginx.put("file", size: 20_000_000)
        let rig = try rig(nginx)
        rig.begin(nginx.url("/slow/file"))
        _ = try rig.wait(for: { if case .progressed = $0 { true } else { nil } })
        rig.engine.stop(Rig.id())
        let checkpoint = try #require(try rig.end().checkpoint)
        let bytes = try nginx.put("file", size: 21_000_000)
        rig.begin(nginx.url("/file"), attempt: 2, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 2).size == 21_000_000)
        #expect(rig.bytes() == bytes)
        rig.begin(nginx.url("/gone"), 2)
        #expect(try rig.end(of: 2).response?.status == 404)
    }
}
