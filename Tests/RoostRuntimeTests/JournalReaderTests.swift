import Foundation
import LifeCycleModel
import LifeCyclePolicy
import RoostWire
import Testing

@testable import RoostRuntime

/// Journals after a power cut, an editor or a stranger: errors are reported with their place, and never trap.
@Suite struct JournalReaderTests {
    private static func line(_ entry: JournalEntry) throws -> String {
        String(decoding: try LineEncoder().encode(entry), as: UTF8.self)
    }

    /// A start and two iterations.
    private static func lines() throws -> [String] {
        let device = Device(policy: .iOS26)
        let now = Moment.zero.advanced(by: .seconds(5))
        return [
            try line(.start(format: JournalEntry.format, device: device)),
            try line(.turn(at: now, event: .device(.homePressed), effects: [.decided(.device(.unlocked))])),
            try line(.turn(at: now, event: .device(.memoryRanLow), effects: [])),
        ]
    }

    /// A device with another shape is another format. In that case raise `JournalEntry.format`, and record the file
    /// again: it is the journal of a system that ran the example Counter.
    @Test func aRecordedJournalIsOfThisFormat() throws {
        let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let recorded = try Data(contentsOf: top.appending(path: "Fuzz/Corpus/journal/counter.jsonl"))
        let found = try read(recorded)
        #expect(found.problem == nil)
        #expect(found.turns == 20 && found.cutOff == nil)
    }

    /// Reads a file that holds `bytes`; returns the number of iterations, the line that was cut off, and the problem.
    private func read(_ bytes: Data) throws -> (turns: Int, cutOff: Int?, problem: JournalProblem?) {
        let path = NSTemporaryDirectory() + "roost-journal-\(UUID().uuidString).jsonl"
        try bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var turns = 0
        do throws(JournalProblem) {
            let reader = try JournalReader(path: path)
            _ = try reader.start()
            while try reader.turn() != nil { turns += 1 }
            return (turns, reader.cutOffLine, nil)
        } catch {
            return (turns, nil, error)
        }
    }

    private func read(_ text: String) throws -> (turns: Int, cutOff: Int?, problem: JournalProblem?) {
        try read(Data(text.utf8))
    }

    @Test func aValidJournalIsRead() throws {
        let found = try read(try Self.lines().joined())
        #expect(found.turns == 2 && found.cutOff == nil && found.problem == nil, "\(found)")
    }

    /// The last line may be cut off anywhere: everything before it is read. If only its last byte is missing, the line is
    /// complete.
    @Test func aLastLineThatIsCutOff() throws {
        let lines = try Self.lines()
        let last = Array(lines[2].utf8)
        for count in 1..<(last.count - 1) {
            var bytes = Data((lines[0] + lines[1]).utf8) + last.prefix(count)
            for _ in 0..<2 {
                let found = try read(bytes)
                #expect(found.turns == 1 && found.cutOff == 3 && found.problem == nil, "\(count): \(found)")
                bytes += Data(count: 100)
            }
        }
        let found = try read(lines[0] + lines[1] + lines[2].dropLast())
        #expect(found.turns == 2 && found.cutOff == nil && found.problem == nil, "\(found)")
    }

    /// A change to the lines above, and the problem that is then reported.
    static let wrongs: [(change: @Sendable ([String]) -> String, problem: String)] = [
        ({ _ in "" }, #"1:1: error: the file is empty: expected a journal, which begins with {"start":"#),
        ({ _ in "\n" }, #"1:1: error: this is no journal: expected {"start":, with which a journal begins"#),
        (
            { _ in "{\"stair\":1}\n" },
            #"1:6: error: this is no journal: expected {"start":, with which a journal begins"#
        ),
        ({ $0[1] }, #"1:3: error: this is no journal: expected {"start":, with which a journal begins"#),
        ({ _ in "{\"start\":{\"format\":" }, "1:20: error: the line is cut off: expected a value"),
        ({ _ in "{\"start\":{\"format\":tr}}" }, "1:22: error: the line is damaged: expected true"),
        ({ _ in "{\"start\":{\"device\":{}}}\n" }, #"1:10: error: expected "format" in here"#),
        (
            { $0[0].replacing("\"format\":17,", with: "\"format\":18,") },
            "1:20: error: this journal is of format 18, and this Roost reads format 17: read it with the newer Roost that wrote it"
        ),
        (
            { $0[0].replacing("\"format\":17,", with: "\"format\":16,") },
            "1:20: error: this journal is of format 16, and this Roost reads format 17: read it with the older Roost that wrote it"
        ),
        (
            { $0[0].replacing("\"runningApps\":0", with: "\"runningApps\":7") },
            "1:32: error: the device's state is contradictory: it has 0 apps, and 7 of them run"
        ),
        ({ $0[0] + $0[0] + $0[1] }, "2:1: error: expected a turn: a journal has one start"),
        ({ $0[0] + "\n" + $0[1] }, "2:1: error: the line is damaged: expected a value"),
        (
            { $0[0] + $0[1].dropLast(3) + "\n" + $0[2] },
            "2:184: error: the line is damaged: expected a comma, or the end of the object"
        ),
        (
            { $0[0] + $0[1].replacing("\"awake\":", with: "\"awake\" ") },
            "2:24: error: the line is damaged: expected a colon"
        ),
        (
            { $0[0] + $0[1].replacing("\"awake\":", with: "\"awake\":0") },
            "2:24: error: the line is damaged: expected a number without leading zeros"
        ),
        (
            { $0[0] + $0[1].replacing("\"awake\":", with: "\"awake\":-") },
            "2:15: error: expected a valid time"
        ),
        ({ $0[0] + $0[1].replacing("\"awake\":", with: "\"asleep\":") }, #"2:15: error: expected "awake" in here"#),
        (
            { $0[0] + $0[1].replacing("homePressed", with: "homeSqueezed") },
            "2:99: error: expected DeviceEvent, but the value is unknown to Roost"
        ),
        ({ $0[0] + $0[1].dropLast() + "}\n" }, "2:186: error: the line is damaged: expected the end of the line"),
        ({ $0[0] + $0[1] + "{\"turn\":x" }, "3:9: error: the line is damaged: expected a value"),
        (
            { $0[0] + String(repeating: "[", count: 100_000) + "\n" },
            "2:129: error: the line is damaged: expected lists and objects at most 128 deep"
        ),
    ]

    @Test(arguments: wrongs.indices) func anInvalidJournalIsReported(_ index: Int) throws {
        let (change, expected) = Self.wrongs[index]
        let found = try read(change(try Self.lines()))
        #expect(found.problem?.description == expected)
    }

    @Test func binaryDataIsReported() throws {
        let lines = try Self.lines()
        #expect(try read(Data([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1])).problem?.column == 1)
        let place = try #require(lines[1].range(of: "homePressed")).lowerBound.utf16Offset(in: lines[1])
        var damaged = Data(lines[1].utf8)
        damaged[place] = 0xFF
        let found = try read(Data(lines[0].utf8) + damaged)
        #expect(found.problem?.description == "2:\(place + 1): error: this is not UTF-8")
        damaged[place] = 0
        #expect(try read(Data(lines[0].utf8) + damaged).problem?.line == 2)
    }

    @Test(arguments: [("/nonexistent/journal.jsonl", "No such file or directory"), ("/", "Is a directory")])
    func anUnreadableFileIsReported(path: String, reason: String) {
        let problem = #expect(throws: JournalProblem.self) { try JournalReader.entries(of: path) }
        #expect(problem?.description == "1:1: error: cannot read the file: \(reason)")
    }

    /// A file without an end and without a line costs no more than its beginning.
    @Test func aFileWithoutEnd() {
        let problem = #expect(throws: JournalProblem.self) { try JournalReader.entries(of: "/dev/zero") }
        #expect(problem?.message.hasPrefix("this is no journal") == true)
    }
}
