import Foundation
import LifeCycleModel
import RoostWire
import Testing

@testable import RoostRuntime

@Suite struct DecisionHistoryTests {
    private let path = FileManager.default.temporaryDirectory.path + "/roost-history-\(UUID().uuidString)"

    private func app(_ name: String) -> BundleIdentifier {
        guard let app = BundleIdentifier("org.test." + name) else { preconditionFailure("letters and full stops") }
        return app
    }

    private func line(_ text: String, _ name: String = "a", time: Int64 = 5, kind: String = "state") -> DecisionLine {
        DecisionLine(
            time: Nanoseconds(time), app: app(name), launch: 3, kind: kind, text: text,
            state: kind == "state" ? .active : nil)
    }

    @Test func aLaterRunReadsEarlierDecisions() {
        defer { unlink(path) }
        let lines = [line("plain"), line("two\nlines, and a \\ too"), line("it ended", kind: "ended")]
        let first = DecisionHistory(path: path)
        for line in lines { first.note(line) }
        first.note(line("another's", "b"))
        #expect(first.write() == nil)
        #expect(first.earlier(about: app("a")).isEmpty, "decisions of this run are not earlier ones")
        let second = DecisionHistory(path: path)
        second.note(line("new"))
        #expect(second.write() == nil)
        #expect(second.earlier(about: app("a")) == lines)
        #expect(second.earlierEnds == [app("a"): "it ended"])
    }

    @Test func aFIFOInPlaceOfTheHistoryDoesNotBlock() throws {
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        // With a reader, opening the pipe for writing would succeed.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let history = DecisionHistory(path: path)
        history.note(line("lost"))
        #expect(history.write() == nil)
        #expect(DecisionHistory(path: path).earlier(about: app("a")).isEmpty)
        var byte: UInt8 = 0
        #expect(read(reader, &byte, 1) == 0, "nothing was written to it")
    }

    @Test func decisionsOfARemovedAppAreForgotten() {
        defer { unlink(path) }
        let first = DecisionHistory(path: path)
        first.note(line("it ended", kind: "ended"))
        first.forget(app("a"))
        _ = first.write()
        let second = DecisionHistory(path: path)
        #expect(second.earlier(about: app("a")).isEmpty && second.earlierEnds.isEmpty)
    }

    /// An app with many decisions leaves the other apps' decisions, and the file stays within its limit.
    @Test func theFileIsBounded() throws {
        defer { unlink(path) }
        let first = DecisionHistory(path: path)
        first.note(line("quiet", "quiet"))
        _ = first.write()
        let second = DecisionHistory(path: path)
        let text = String(repeating: "x", count: 1000)
        for number in 0..<5000 {
            second.note(line("\(number) \(text)", "loud"))
            _ = second.write()
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max
        #expect(size <= DecisionHistory.largest + 2000, "\(size)")
        #expect(second.earlier(about: app("quiet")).map(\.text) == ["quiet"])
        #expect(second.earlier(about: app("loud")).isEmpty)
        let third = DecisionHistory(path: path)
        let loud = third.earlier(about: app("loud"))
        #expect(loud.count == DecisionHistory.perApp && loud.last?.text.hasPrefix("4999 ") == true)
        #expect(third.earlier(about: app("quiet")).map(\.text) == ["quiet"])
    }

    @Test func invalidLinesAreSkipped() throws {
        defer { unlink(path) }
        let text = "garbage\n1 x y\n1 5 org.test.a 3 state active good\n1 5 org.test.a 3 sta"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let history = DecisionHistory(path: path)
        history.note(line("new"))
        _ = history.write()
        #expect(history.earlier(about: app("a")).map(\.text) == ["good"])
        #expect(DecisionHistory(path: path).earlier(about: app("a")).map(\.text) == ["good", "new"])
    }

    @Test func withoutADirectoryNothingIsPersisted() {
        let history = DecisionHistory(path: "/nonexistent/decisions")
        history.note(line("new"))
        #expect(history.write() == nil && history.earlier(about: app("a")).isEmpty)
    }
}
