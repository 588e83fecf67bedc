import Foundation
import Testing

extension EndToEnd {
    /// `roost simulate`, as its users see it.
    @Suite struct SimulateTests {
        private static let right = """
            apps: {Notes: {scenes: false}}
            steps:
              - launch: Notes
              - wait: 1h30m
              - home
              - expect: {Notes: suspended}
            """

        private func simulate(
            _ text: String, _ arguments: String..., named name: String = "a.yaml",
            check: (_ exit: Exit, _ out: String, _ err: String, _ folder: String) throws -> Void
        ) throws {
            let folder = NSTemporaryDirectory() + "roost-simulate-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            try TestSystem.run(starting: false) { system in
                let given = arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder) }
                let (exit, out, err) = try system.run(
                    [TestSystem.program, "simulate", "\(folder)/\(name)"] + given)
                try check(exit, out, err, folder)
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }

        @Test func printsTheTraceInColumns() throws {
            try simulate(Self.right) { exit, out, err, folder in
                #expect(exit == .code(0) && err.isEmpty, "\(err)")
                let lines = out.split(separator: "\n")
                #expect(lines.first == "   0:00.000         you    launch Notes")
                let ruled = lines.filter { $0.hasSuffix("  T01") || $0.hasSuffix("  T04") }
                #expect(ruled.count == 4 && Set(ruled.map(\.count)).count == 1, "aligned: \(ruled)")
                #expect(ruled.last?.hasPrefix("1:30:00.000  Notes  state  background → suspended  ") == true)
                #expect(lines.last == "ok     \(folder)/a.yaml: 1 as expected")
                #expect(!out.contains("\u{1B}"), "no colors in a pipe")
            }
        }

        @Test func simulateReportsAFailedExpectation() throws {
            try simulate(Self.right.replacing("suspended}", with: "active}"), "--quiet") { exit, out, err, folder in
                #expect(exit == .code(2))
                #expect(err == "\(folder)/a.yaml:6:21: error: expected Notes to be active, but it is suspended\n")
                #expect(out == "wrong  \(folder)/a.yaml: 0 as expected\n")
            }
        }

        @Test func simulateReportsUnreadableFiles() throws {
            try simulate("steps: [", "FOLDER/none.yaml", "FOLDER") { exit, out, err, folder in
                #expect(exit == .code(2) && out.isEmpty)
                let lines = err.split(separator: "\n")
                #expect(
                    lines.count == 3 && lines[0].hasPrefix("\(folder)/a.yaml:2:1: error: this is not YAML"), "\(err)")
                #expect(lines.last == "\(folder):1:1: error: cannot read the file: Is a directory")
            }
        }

        @Test func otherLimitsMayBeInForce() throws {
            let text = Self.right.replacing("- home", with: "- {begin: upload, in: Notes}\n  - home\n  - wait: 4m")
            try simulate(text, "-q") { exit, _, _, _ in #expect(exit == .code(0)) }
            try simulate(text, "-q", "--policy", "iOS4") { exit, _, err, _ in
                #expect(exit == .code(2) && err.contains("it is background, held by background task 1"), "\(err)")
            }
            try simulate(text, "-q", "--policy", "iOS4", "--set", "backgroundTime=3m") { exit, _, err, _ in
                #expect(exit == .code(0), "\(err)")
            }
            for wrong in [
                ["--policy", "iOS1"], ["--set", "patience=1s"], ["--set", "launch=soon"], ["--seeds", "5...1"],
                ["--quiet", "--timeline"],
            ] {
                try simulate(text, wrong[0], wrong[1]) { exit, _, err, _ in
                    #expect(exit == .code(2) && err.contains("Usage: roost simulate"), "\(err)")
                }
            }
        }

        @Test func noScenarioIsNamed() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, out, err) = try system.run([TestSystem.program, "simulate"])
                #expect(
                    exit == .code(2) && out.isEmpty && err.contains("Missing expected argument '<scenario>"), "\(err)")
            }
        }

        @Test func drawsAPicture() throws {
            try simulate(Self.right, "-q", "--timeline", "FOLDER/a.html") { exit, _, err, folder in
                #expect(exit == .code(0), "\(err)")
                let page = try String(contentsOfFile: folder + "/a.html", encoding: .utf8)
                #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
                #expect(page.contains("didEnterBackground") && page.contains("1:30:00.000"))
            }
            try simulate(Self.right, "-q", "--timeline", "FOLDER/none/a.html") { exit, _, err, folder in
                #expect(
                    exit == .code(1) && err.contains("cannot write ") && err.contains("none/a.html: No such file"),
                    "\(err)")
            }
        }

        @Test func namesCannotUpsetATerminal() throws {
            let text = Self.right.replacing("Notes", with: "\"\\e[31m메모\\n\"")
            try simulate(text, named: "b\u{1B}[0m.yaml") { exit, out, err, _ in
                #expect(exit == .code(0), "\(err)")
                #expect(out.contains("\\u{1b}[31m메모\\u{a}") && !out.contains("\u{1B}"), "\(out)")
            }
        }
    }
}
