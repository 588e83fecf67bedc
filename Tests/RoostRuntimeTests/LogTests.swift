import LifeCycleModel
import Logging
import RoostWire
import Synchronization
import Testing

@testable import RoostRuntime

/// The system's own log, with text that others have sent.
@Suite(.serialized) struct LogTests {
    /// Collects the log's output.
    private final class Written: TextOutputStream, Sendable {
        private let whole = Mutex("")

        func write(_ string: String) { whole.withLock { $0 += string } }
        var text: String { whole.withLock { $0 } }
        func lines(with words: String) -> [String] {
            text.split(separator: "\n").filter { $0.contains(words) }.map { String($0) }
        }
        var handler: VisibleLog { VisibleLog(StreamLogHandler(label: "roost", stream: self)) }
    }

    /// A stranger can neither begin its own line nor send anything to a terminal.
    @Test(arguments: [
        #"{"method":"roost.App.\u001b]0;x\u0007\r\nFORGED\u009b31m\u202e"}"#,
        #"{"method":"x\u001b[31m\nFORGED\u2066.y"}"#,
        #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"x","lastCallback":0,"#
            + #""phase":"\u001b\nFORGED","open":[]}}"#,
    ])
    func anUnidentifiedPeersTextStaysOnOneLine(json: String) throws {
        let written = Written()
        let bench = try Bench(handler: written.handler)
        let peer = try bench.peer()
        peer.send(Array(json.utf8) + [0])
        _ = try peer.lastWords()
        let lines = written.lines(with: "a connection was closed for a bad message")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("FORGED") == true && lines.first?.contains("\\u{1b}") == true, "\(lines)")
        #expect(written.lines(with: "FORGED") == lines)
        #expect(
            !written.text.unicodeScalars.contains {
                ($0.properties.generalCategory == .control && $0 != "\n") || $0 == "\u{202E}" || $0 == "\u{2066}"
            })
    }

    @Test func longLogLinesAreTruncated() {
        let written = Written()
        let logger = Logger(label: "roost", factory: { _ in written.handler })
        logger.warning("a\u{1B}\nb", metadata: ["said": "\(String(repeating: "x", count: 1 << 20))"])
        #expect(written.text.utf8.count < 2 * VisibleLog.longest)
        #expect(written.text.hasSuffix("a\\u{1b}\\u{a}b\n") && written.text.contains("xxx…"))
    }

    /// However often a stranger is refused, the log has only a few lines of it.
    @Test func manyRefusalsAreFewLines() throws {
        let written = Written()
        let bench = try Bench(handler: written.handler)
        for _ in 1...40 {
            let peer = try bench.peer()
            peer.send(.attach(token: "nonsense", .new))
            _ = try peer.lastWords()
        }
        let count = written.lines(with: "a connection was refused").count
        // A slow machine may allow another line.
        #expect((Int(LineLimit.burst)...Int(LineLimit.burst) + 2).contains(count), "\(count) lines")
    }

    @Test func logLinesAreRateLimited() {
        var limit = LineLimit()
        var now = Nanoseconds.seconds(1000)
        for _ in 1...LineLimit.burst { #expect(limit.next(at: now) == 0) }
        for _ in 1...7 { #expect(limit.next(at: now) == nil) }
        now = now + LineLimit.pause - Nanoseconds(1)
        #expect(limit.next(at: now) == nil)
        now = now + Nanoseconds(1)
        #expect(limit.next(at: now) == 8, "the number of dropped lines is reported")
        #expect(limit.next(at: now) == nil)
        now = now + LineLimit.pause
        #expect(limit.next(at: now) == 1)
        // After a quiet time the full number is allowed again.
        now = now + .seconds(1000)
        for _ in 1...LineLimit.burst { #expect(limit.next(at: now) == 0) }
        #expect(limit.next(at: now) == nil)
    }
}
