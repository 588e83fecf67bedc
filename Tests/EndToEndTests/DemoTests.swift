import Glibc
import Testing

extension EndToEnd {
    /// The demonstration checks itself. This test checks that it succeeds and leaves nothing behind.
    @Suite struct DemoTests {
        @Test func theDemoSucceedsAndLeavesNothing() throws {
            try TestSystem.run { system in
                let kept = system.directory + "/journals"
                let demo = try system.roost(
                    "demo", "--journals", kept, adding: ["ROOST_EXAMPLES": Examples.directory()])
                #expect(demo.exit == .code(0), "\(demo.out)\(demo.err)")
                #expect(demo.out.contains("the same effects, no invariant broken"))
                #expect(demo.out.contains("All checks passed"))
                #expect(!demo.out.contains("✗"))
                let journals = ["00000001", "00000002"].map { "\(kept)/journal-\($0).jsonl" }
                let replay = try system.run([TestSystem.program, "replay"] + journals)
                #expect(replay.exit == .code(0), "\(replay.out)\(replay.err)")
                let results = replay.out.split(separator: "\n")
                #expect(results.count == 2 && results.allSatisfy { $0.hasPrefix("ok  ") }, "\(replay.out)")
                let again = try system.roost(
                    "demo", "--journals", kept, adding: ["ROOST_EXAMPLES": Examples.directory()])
                #expect(again.exit == .code(1) && again.err.contains("name another directory"), "\(again.err)")
            }
        }

        @Test func withoutTheExamplesDemoSaysWhatToDo() throws {
            try TestSystem.run { system in
                let demo = try system.roost("demo", "--apps", "/nonexistent")
                #expect(demo.exit == .code(1) && demo.err.contains("Examples/build"), "\(demo.err)")
            }
        }
    }
}
