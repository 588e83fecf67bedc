import Foundation
import Testing

extension EndToEnd {
    /// The command `roost audio`.
    @Suite struct AudioCommandTests {
        /// A call that is on already may begin again, and a call that is over may end again.
        @Test func aCallBeginsAndEnds() throws {
            try TestSystem.run { system in
                for (word, text) in [("begin", "a phone call is on now\n"), ("end", "no phone call is on now\n")] {
                    for _ in 0..<2 {
                        let (exit, out, err) = try system.roost("audio", "call", word)
                        #expect(exit == .code(0) && out == text, "\(out)\(err)")
                    }
                }
            }
        }

        @Test(arguments: [
            (["call"], "change"), (["call", "rings"], "'begin' and 'end'"), (["call", "begin", "end"], "'end'"),
            (["rings"], "'rings'"),
        ])
        func wrongArguments(arguments: [String], word: String) throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.run([TestSystem.program, "audio"] + arguments)
                #expect(exit == .code(64), "\(err)")
                #expect(err.contains(word) && err.contains("Usage: roost"), "\(err)")
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }
    }
}
