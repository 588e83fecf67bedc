import LifeCycleModel
import RoostGPSD
import Testing

/// The lines of a stream, and the limits on what passes.
@Suite struct FlowTests {
    private func lines(_ pieces: [String], in splitter: inout LineSplitter) -> [String] {
        var found: [String] = []
        for piece in pieces {
            Array(piece.utf8).withUnsafeBytes { splitter.add($0) { found.append(String(decoding: $0, as: UTF8.self)) } }
        }
        return found
    }

    @Test func linesAreJoinedFromPieces() {
        var splitter = LineSplitter()
        #expect(lines(["a", "b\nc", "\n\n\nd"], in: &splitter) == ["ab", "c"])
        #expect(lines(["\r\ne"], in: &splitter) == ["d\r"])
    }

    @Test func aLineThatIsTooLongIsSkippedToItsEnd() {
        let longest = String(repeating: "x", count: LineSplitter.longest)
        var splitter = LineSplitter()
        #expect(lines([longest, "\nb\n"], in: &splitter) == [longest, "b"])
        #expect(lines([longest + "x\nb\n"], in: &splitter) == ["b"])
        #expect(lines([longest, "x", longest, longest, "y\n", "b\n"], in: &splitter) == ["b"])
    }

    private static func fix(_ latitude: Int32) -> LocationFix? {
        LocationFix(latitude: latitude, longitude: 0, accuracy: 0, time: .zero)
    }

    @Test func theNewestPositionOfEachIntervalPasses() throws {
        var pace = Pace()
        let start = Nanoseconds.seconds(5)
        let seen1 = pace.takeDue(at: start)
        #expect(seen1 == nil && pace.nextDeadline(at: start) == nil)
        pace.add(try #require(Self.fix(1)))
        let seen2 = pace.takeDue(at: start)
        #expect(seen2 == Self.fix(1), "the first passes at once")
        for number: Int32 in 2...9 { pace.add(try #require(Self.fix(number))) }
        let early = pace.takeDue(at: start + .milliseconds(99))
        #expect(early == nil && pace.nextDeadline(at: start) == start + Pace.interval)
        let late = pace.takeDue(at: start + Pace.interval)
        #expect(late == Self.fix(9))
        #expect(pace.nextDeadline(at: start + Pace.interval) == nil)
    }

    @Test func anIntervalHasALimitOfPieces() {
        var pace = Pace()
        let start = Nanoseconds.seconds(5)
        for _ in 1..<Pace.piecesPerInterval { pace.read(1, at: start) }
        #expect(pace.mayRead(at: start))
        pace.read(1, at: start)
        #expect(!pace.mayRead(at: start) && pace.nextDeadline(at: start) == start + Pace.interval)
        #expect(pace.mayRead(at: start + Pace.interval))
    }

    @Test func anIntervalHasALimitOfBytes() {
        var pace = Pace()
        let start = Nanoseconds.seconds(5)
        pace.read(Pace.bytesPerInterval - 1, at: start)
        #expect(pace.mayRead(at: start))
        pace.read(1, at: start + .milliseconds(50))
        #expect(!pace.mayRead(at: start + .milliseconds(99)))
        #expect(pace.nextDeadline(at: start + .milliseconds(99)) == start + Pace.interval)
        #expect(pace.mayRead(at: start + Pace.interval))
    }
}
