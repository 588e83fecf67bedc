import Foundation
import Testing

extension EndToEnd {
    /// `roost explore`, and `explore`, which is the same command without any dependency.
    @Suite struct ExploreTests {
        /// The command lines of both programs.
        private static let both: [[String]] = [
            [TestSystem.program, "explore"],
            [URL(fileURLWithPath: TestSystem.program).deletingLastPathComponent().path + "/explore"],
        ]

        /// A short run reaches little. That is a failure only with `--expect all`.
        @Test func unreachedCasesFailOnlyIfExpected() throws {
            try TestSystem.run(starting: false) { system in
                let short = ["explore", "--seeds", "1", "--steps", "10"]
                let result = try system.run([TestSystem.program] + short)
                #expect(result.exit == .code(0) && result.out.contains("NEVER REACHED"), "\(result.out)\(result.err)")
                #expect(try system.run([TestSystem.program] + short + ["--expect", "all"]).exit == .code(1))
                let json = try system.run([TestSystem.program] + short + ["--expect", "all", "--json"])
                #expect(json.exit == .code(1) && json.out.contains("\"missing\""), "\(json.out)")
            }
        }

        /// Hashes have a new seed in each process, and addresses differ. The digest may depend on neither.
        @Test func digestsAreEqualInEveryProcess() throws {
            try TestSystem.run(starting: false) { system in
                let arguments = ["--digest", "--seeds", "1...5", "--steps", "200"]
                let digests = try (Self.both + Self.both).map { command in
                    let (exit, out, err) = try system.run(command + arguments)
                    #expect(exit == .code(0) && err.isEmpty, "\(err)")
                    return out
                }
                #expect(Set(digests).count == 1, "\(digests)")
                #expect(digests[0].wholeMatch(of: /digest [0-9a-f]{16} of \d+ events in 5 histories\n/) != nil)
                let other = try system.run(Self.both[1] + ["--digest", "--seeds", "2...6", "--steps", "200"])
                #expect(other.out != digests[0])
            }
        }

        /// One machine runs `roost explore`, another runs `explore`: the merged parts are the whole run. A block ends in the
        /// middle of the seeds.
        @Test func bothShareARun() throws {
            try TestSystem.run(starting: false) { system in
                let request = ["--seeds", "60...67", "--steps", "50"]
                let parts = (1...2).map { "\(system.directory)/\($0).json" }
                for (index, command) in Self.both.enumerated() {
                    let shard = ["--shard", "\(index + 1)/2", "--report", parts[index]]
                    let ran = try system.run(command + request + shard)
                    #expect(ran.exit == .code(0), "\(ran.err)")
                }
                let digest = try system.run(Self.both[1] + request + ["--digest"]).out
                let merged = try Self.both.map { try system.run($0 + ["--merge"] + parts) }
                #expect(merged[0].out == merged[1].out && merged[0].out.contains("\n" + digest), "\(merged)")
                let json = try system.run(Self.both[0] + ["--json", "--expect", "all", "--merge"] + parts)
                #expect(json.exit == .code(1) && json.out.contains("\"digest\" : "), "\(json)")
                for command in Self.both {
                    let (exit, out, err) = try system.run(command + ["--merge", parts[0]])
                    #expect(exit == .code(2) && out.isEmpty && err.contains(": missing 2/2: run `explore "), "\(err)")
                }
            }
        }

        @Test func allShortSequences() throws {
            try TestSystem.run(starting: false) { system in
                for command in Self.both {
                    let (exit, out, err) = try system.run(command + ["--exhaustive", "--length", "2"])
                    #expect(exit == .code(0) && err.isEmpty, "\(err)")
                    let lines = out.split(separator: "\n")
                    #expect(lines.count == 5 && lines[2].hasPrefix("  length 2: "), "\(out)")
                    #expect(lines.last == "every sequence of up to 2 was explored: no rule was broken")
                    let timed = try system.run(command + ["--exhaustive", "--seconds", "1"])
                    #expect(timed.exit == .code(0) && timed.out.contains("every sequence of up to "), "\(timed)")
                }
            }
        }

        /// Both programs print the same message, and exit with 2.
        @Test(arguments: [
            (["--seeds", "5...1"], "--seeds takes a seed, or the first and the last as in 1...1000, not \"5...1\": "),
            (["--seeds", "a...b"], "not \"a...b\": \"a\" is no whole number from 0 to 18446744073709551615"),
            (["--seeds", "18446744073709551616"], "\"18446744073709551616\" is no whole number from 0 to"),
            (["--seeds", "0...18446744073709551615"], "these are more than 1000000000"),
            (["--seeds", "-1"], "\"-1\" is no whole number"), (["--steps", "0"], "--steps takes 1 to 1000000000, not"),
            (["--expect", "much"], "--expect takes all, not \"much\""),
            (["--exhaustive", "--length", "0"], "--length takes 1 to 20, not \"0\""),
            (["--exhaustive", "--length", "99"], "--length takes 1 to 20, not \"99\""),
            (["--exhaustive", "--seconds", "-1"], "--seconds takes 1 to 604800, not \"-1\""),
            (["--exhaustive", "--length", "3", "--seconds", "3"], "--length or --seconds, not both"),
            (["--exhaustive", "--seeds", "1...5"], "--exhaustive draws nothing"),
            (["--seconds", "5"], "--length and --seconds are for --exhaustive"),
            (["--shard", "1/2"], "--shard I/N and --report FILE go together"),
            (["--shard", "3/2", "--report", "x"], "not \"3/2\": the parts are 1 to 2"),
            (["--merge", "x", "--digest"], "--merge runs nothing"), (["--merge"], "--merge"),
            (["--digest", "--expect", "all"], "--digest prints one number"), (["--frobnicate"], "--frobnicate"),
        ])
        func wrongArguments(arguments: [String], words: String) throws {
            try TestSystem.run(starting: false) { system in
                for command in Self.both {
                    let (exit, out, err) = try system.run(command + arguments)
                    #expect(exit == .code(2) && out.isEmpty, "\(command): \(out)")
                    #expect(err.contains(words), "\(err)")
                }
                #expect(try system.run(Self.both[0] + arguments).err.contains("Usage: roost explore"))
            }
        }

        @Test func aValueIsMissing() throws {
            try TestSystem.run(starting: false) { system in
                for command in Self.both {
                    let (exit, _, err) = try system.run(command + ["--seeds"])
                    #expect(exit == .code(2) && err.contains("--seeds"), "\(err)")
                }
            }
        }

        @Test func jsonIsForRandomHistories() throws {
            try TestSystem.run(starting: false) { system in
                for other in ["--digest", "--exhaustive"] {
                    let (exit, out, _) = try system.run(Self.both[0] + ["--json", other])
                    #expect(exit == .code(2) && out.contains("--json is for random histories"), "\(out)")
                }
            }
        }
    }
}
