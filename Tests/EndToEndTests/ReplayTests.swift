import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `roost replay` of a real system's journal, unchanged and edited.
    @Suite struct ReplayTests {
        /// The journal of a short life of one app.
        private func recorded(_ body: (_ system: TestSystem, _ journal: String) throws -> Void) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                #expect(try system.terminate() == .code(0))
                try body(system, system.state + "/journal/journal-00000001.jsonl")
            }
        }

        private func lines(_ path: String) throws -> [String] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        @Test func givesTheSame() throws {
            try recorded { system, journal in
                let events = try lines(journal).count - 1
                #expect(events > 10)
                for arguments in [[journal], [], ["--state", system.state]] {
                    let (exit, out, err) = try system.run([TestSystem.program, "replay"] + arguments)
                    #expect(exit == .code(0) && err.isEmpty, "\(err)")
                    #expect(out.hasPrefix("ok  \(journal): \(events) events, "), "\(out)")
                    #expect(out.hasSuffix(" effects, as recorded\n"))
                }
                let trace = try system.roost("replay", "--trace", journal).out
                #expect(trace.contains("  device(DeviceEvent.appOpened(app 1))\n"), "\(trace)")
                #expect(
                    trace.contains("    org.roost.example.Counter  state  background → suspended  T04\n"), "\(trace)")
                #expect(trace.split(separator: "\n").count { $0.first?.isNumber == true } == events)
            }
        }

        @Test func replayReportsTheFirstDifference() throws {
            try recorded { system, journal in
                var changed = try lines(journal)
                let index = try #require(changed.firstIndex { $0.contains(#"{"homePressed":"#) })
                // The home button took the app out of the foreground; the edited record says that it is still in the
                // foreground.
                let line = changed[index]
                changed[index] = line.replacing("\"isInFront\":false", with: "\"isInFront\":true")
                #expect(changed[index] != line, "\(line)")
                let copy = system.directory + "/changed.jsonl"
                try (changed.joined(separator: "\n") + "\n").write(toFile: copy, atomically: false, encoding: .utf8)
                let (exit, out, err) = try system.roost("replay", copy, journal)
                #expect(exit == .code(1))
                let errors = err.split(separator: "\n").map(String.init)
                try #require(errors.count == 3, "\(err)")
                #expect(errors.first?.hasPrefix("\(copy):\(index + 1):1: error: event \(index), ") == true, "\(err)")
                #expect(
                    errors.first?.hasSuffix(" from the beginning, has other effects: device(DeviceEvent.homePressed)")
                        == true, "\(err)")
                #expect(errors[1].hasPrefix("  - store(Record.launch(LaunchRecord(launch: 1.1, "), "\(err)")
                #expect(errors[1].contains("isInForeground: true"), "\(err)")
                let now = errors[1].replacing("  - ", with: "  + ")
                    .replacing("isInForeground: true", with: "isInForeground: false")
                #expect(errors[2] == now)
                let results = out.split(separator: "\n")
                #expect(results.count == 2 && results[0].hasPrefix("differs  \(copy): \(index - 1) events, "), "\(out)")
                #expect(results[1].hasPrefix("ok  \(journal): "), "the next journal is still replayed: \(out)")
            }
        }

        /// Without the event that launched the app, everything after it differs.
        @Test func replayReportsAMissingEvent() throws {
            try recorded { system, journal in
                var lines = try lines(journal)
                let launch = try #require(lines.firstIndex { $0.contains("appOpened") })
                lines.remove(at: launch)
                let copy = system.directory + "/less.jsonl"
                try (lines.joined(separator: "\n") + "\n").write(toFile: copy, atomically: false, encoding: .utf8)
                let (exit, out, err) = try system.roost("replay", copy)
                #expect(exit == .code(1) && out.hasPrefix("differs  \(copy): \(launch - 1) events, "), "\(out)")
                #expect(err.hasPrefix("\(copy):\(launch + 1):1: error: event \(launch), "), "\(err)")
            }
        }

        /// A faulty file is reported with its place and exit code 2; the other files are replayed.
        @Test func badInput() throws {
            try recorded { system, journal in
                let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
                let count = try lines(journal).count
                let newer = try #require(String(data: whole, encoding: .utf8))
                    .replacing("{\"start\":{\"format\":17,", with: "{\"start\":{\"format\":99,")
                var torn = try lines(journal)
                torn[3].removeLast(20)
                let damaged = torn[3].count + 1
                let table: [(name: String, bytes: Data?, message: String)] = [
                    (
                        "newer", Data(newer.utf8),
                        ":1:20: error: this journal is of format 99, and this Roost reads format 17: "
                    ),
                    ("empty", Data(), ":1:1: error: the file is empty: expected a journal"),
                    (
                        "binary", Data((0...255).map { UInt8($0) }),
                        ":1:1: error: this is no journal: expected {\"start\":"
                    ),
                    ("scenario", Data("steps: []\n".utf8), ":1:1: error: this is no journal: expected {\"start\":"),
                    ("cut", whole.prefix(100), ":1:101: error: the line is cut off: expected "),
                    (
                        "torn", Data(torn.joined(separator: "\n").utf8),
                        ":4:\(damaged): error: the line is damaged: expected "
                    ),
                    ("none", nil, ":1:1: error: cannot read the file: No such file or directory"),
                ]
                for (name, bytes, message) in table {
                    let path = "\(system.directory)/\(name).jsonl"
                    try bytes?.write(to: URL(fileURLWithPath: path))
                    let (exit, out, err) = try system.roost("replay", path, journal)
                    #expect(exit == .code(2), "\(name)")
                    #expect(err.hasPrefix(path + message) && err.split(separator: "\n").count == 1, "\(err)")
                    #expect(out.hasPrefix("ok  \(journal): "), "\(name): \(out)")
                }
                let folder = try system.roost("replay", system.state + "/journal")
                #expect(
                    folder.exit == .code(2)
                        && folder.err.contains(":1:1: error: cannot read the file: Is a directory"))
                let cut = system.directory + "/power.jsonl"
                try whole.dropLast(10).write(to: URL(fileURLWithPath: cut))
                let (exit, out, err) = try system.roost("replay", cut)
                #expect(exit == .code(0) && err.isEmpty, "\(err)")
                let expected = "ok  \(cut): cut off in line \(count), which a loss of power does: \(count - 2) events, "
                #expect(out.hasPrefix(expected), "\(out)")
                for wrong in [
                    ["--state", system.state, journal], ["--frobnicate"], ["--trace=5", journal], ["--state"],
                ] {
                    let (exit, out, err) = try system.run([TestSystem.program, "replay"] + wrong)
                    #expect(exit == .code(2) && out.isEmpty && err.contains("Usage: roost replay"), "\(err)")
                }
            }
        }

        @Test func withoutASystemThereAreNoJournals() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.roost("replay")
                #expect(exit == .code(69) && err.contains("roost up"), "\(err)")
            }
        }
    }
}
