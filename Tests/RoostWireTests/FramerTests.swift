import RoostWire
import Testing

/// Divides a stream in any pieces into messages.
@Suite struct FramerTests {
    private func feed(_ framer: inout MessageFramer, _ text: String) throws -> [String] {
        var messages: [[UInt8]] = []
        try framer.feed(Array(text.utf8)[...], into: &messages)
        return messages.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func messagesComeWholeHoweverTheBytesCome() throws {
        var framer = MessageFramer()
        #expect(try feed(&framer, "{\"a\"") == [])
        #expect(framer.heldBytes == 4)
        #expect(try feed(&framer, ":1}\0{}\0{") == ["{\"a\":1}", "{}"])
        #expect(try feed(&framer, "") == [])
        #expect(try feed(&framer, "}\0") == ["{}"])
        #expect(framer.heldBytes == 0)
    }

    @Test func theLimitIsExact() throws {
        var framer = MessageFramer(limit: 4)
        #expect(try feed(&framer, "1234\0") == ["1234"])
        #expect(throws: WireError.messageTooLong(limit: 4)) { try feed(&framer, "12345\0") }
        #expect(throws: WireError.messageTooLong(limit: 4)) { try feed(&framer, "1\0") }
    }

    @Test func anEndlessMessageIsRefusedAtTheLimit() throws {
        var framer = MessageFramer()
        let piece = String(repeating: "x", count: 4096)
        for _ in 0..<64 { _ = try feed(&framer, piece) }
        #expect(framer.heldBytes == WireLimits.message)
        #expect(throws: WireError.messageTooLong(limit: WireLimits.message)) { try feed(&framer, "x") }
        #expect(framer.heldBytes == 0)
    }

    @Test func emptyMessagesAreRefusedAndTheOnesBeforeKept() {
        var framer = MessageFramer()
        var messages: [[UInt8]] = []
        #expect(throws: WireError.emptyMessage) { try framer.feed(Array("{}\0\0{}\0".utf8)[...], into: &messages) }
        #expect(messages == [Array("{}".utf8)])
        #expect(throws: WireError.emptyMessage) { try framer.feed(Array("{}\0".utf8)[...], into: &messages) }
        #expect(messages.count == 1, "nothing is parsed after an error")
    }
}
