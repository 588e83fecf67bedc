import Glibc
import LifeCycleModel
import RoostHelpers
import RoostPorts
import Testing

@testable import RoostCarrier

/// The messages between supervisor and carrier as bytes, and bytes that are no message.
@Suite struct CarrierCodingTests {
    private static let id = CarrierRig.id(5)
    private static let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"a\"", boot: "b")

    private static let job: TransferJob = {
        var request = TransferRequest(url: "https://example.org/ü")
        request.method = "POST"
        request.fields = [HTTPField(name: "A", value: "b")]
        request.body = "AAAA"
        return TransferJob(
            id: id, attempt: 7, request: request, checkpoint: checkpoint, resumes: [CarrierRig.id(1)],
            requestTimeout: .seconds(3))
    }()

    private static let settings: CarrierSettings = {
        var settings = CarrierSettings(directory: "/d", bootID: "b")
        settings.additionalRoots = "/r"
        settings.user = 7
        return settings
    }()

    private static let problem: TransferProblem = {
        var problem = TransferProblem(
            code: -1001, reason: "why", isRetryable: true, retryAfter: .seconds(1), checkpoint: checkpoint)
        problem.isForLackOfRoom = true
        return problem
    }()

    private static let orders: [CarrierOrder] = [
        .settings(settings), .settings(CarrierSettings(directory: "", bootID: "")), .begin(job), .stop(id),
    ]

    private static let response = TransferResponse(
        url: "http://x/", status: 200, fields: [HTTPField(name: "A", value: "b")])

    private static let words: [CarrierWord] = [
        .report(.responded(id, attempt: 1, offset: 0, expected: nil)),
        .report(.progressed(id, attempt: 1, received: 5, expected: 9)),
        .report(.checkpointed(id, attempt: 1, checkpoint)), .report(.completed(id, attempt: 1, response, size: 9)),
        .report(.failed(id, attempt: 1, problem)), .report(.stopped(id, attempt: 1, nil)), .resting, .gaveUp("so"),
    ]

    @Test(arguments: orders) func orderAndBack(order: CarrierOrder) throws {
        #expect(try CarrierOrder(order.frame[4...]) == order)
    }

    @Test(arguments: words) func wordAndBack(word: CarrierWord) throws {
        #expect(try CarrierWord(word.frame[4...]) == word)
    }

    /// A message that is truncated, extended, or has any byte changed is refused or is another message; it never traps.
    @Test(arguments: words) func anyOtherBytes(word: CarrierWord) {
        let bytes = word.frame[4...]
        for end in bytes.indices { #expect(throws: Malformed.self) { try CarrierWord(bytes[..<end]) } }
        #expect(throws: Malformed.self) { try CarrierWord(bytes + [0]) }
        for index in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var changed = Array(bytes)
                changed[index - bytes.startIndex] = value
                _ = try? CarrierWord(changed[...])
            }
        }
    }

    @Test func invalidReportsAreRejected() {
        let bad: [TransferReport] = [
            .responded(Self.id, attempt: 1, offset: -1, expected: nil), .moved(Self.id, errno: nil),
            .progressed(Self.id, attempt: 1, received: 1, expected: -1),
            .completed(Self.id, attempt: 1, TransferResponse(url: "", status: -1, fields: []), size: 1),
            .completed(
                Self.id, attempt: 1,
                TransferResponse(url: "", status: 200, fields: [HTTPField(name: "a b", value: "")]), size: 1),
            .failed(Self.id, attempt: 1, TransferProblem(code: 5, reason: "", isRetryable: true)),
            .failed(
                Self.id, attempt: 1, TransferProblem(code: -1, reason: "", isRetryable: true, retryAfter: .seconds(-1))),
            .stopped(
                Self.id, attempt: 1, TransferCheckpoint(received: 5, expected: 4, validator: nil, boot: "")),
        ]
        for report in bad {
            #expect(throws: Malformed.self, "\(report)") { try CarrierWord(CarrierWord.report(report).frame[4...]) }
        }
    }

    /// A frame beyond the longest length is refused before it is read.
    @Test func aFrameTooLong() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        var channel = HelperChannel(taking: ends[0], longest: 100)
        defer { close(ends[1]) }
        let whole: [UInt8] = [2, 0, 0, 0, 8, 9, 101, 0, 0, 0]
        for byte in whole {
            #expect(try channel.next() == nil)
            #expect(write(ends[1], [byte], 1) == 1)
            #expect(channel.receive() == .open)
            if byte == 9 {
                let bytes = try channel.next()
                #expect(bytes.map { Array($0) } == [8, 9])
            }
            if byte == 101 { break }
        }
        #expect(write(ends[1], [0, 0, 0] as [UInt8], 3) == 3)
        #expect(channel.receive() == .open)
        #expect(throws: Malformed.self) { try channel.next() }
    }
}
