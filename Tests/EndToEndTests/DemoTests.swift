import Glibc
import Testing

extension EndToEnd {
    /// The demonstration checks itself: that it does, and that it leaves nothing behind.
    @Suite struct DemoTests {
        @Test func allIsAsItShouldBe() throws {
            try TestSystem.run { system in
                let demo = try system.roost("demo", adding: ["ROOST_EXAMPLES": Examples.directory()])
                #expect(demo.exit == .code(0), "\(demo.out)\(demo.err)")
                #expect(demo.out.contains("the same effects, no invariant broken"))
                #expect(demo.out.contains("All as it should be"))
                #expect(!demo.out.contains("✗"))
            }
        }

        @Test func withoutTheExamplesItSaysWhatToDo() throws {
            try TestSystem.run { system in
                let demo = try system.roost("demo", "--apps", "/nonexistent")
                #expect(demo.exit == .code(1) && demo.err.contains("Examples/build"), "\(demo.err)")
            }
        }
    }
}
