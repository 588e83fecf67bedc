import Foundation
import Testing

extension EndToEnd {
    /// Random acts of a user's on real apps, with the supervisor and the guardian killed at random: nothing is lost,
    /// and nothing left frozen.
    ///
    /// `ROOST_SOAK` is how many seconds it takes, with twenty apps; without it a few seconds with a few apps keep it
    /// from rotting. `ROOST_SEED` repeats the acts, though not the moments at which they meet what apps do.
    @Suite struct SoakTests {
        @Test(.whereCgroupsFreeze) func nothingIsLostAndNothingLeftFrozen() throws {
            let environment = ProcessInfo.processInfo.environment
            let length = environment["ROOST_SOAK"].flatMap { Double($0) }
            let seed = environment["ROOST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
            print("soak: ROOST_SEED=\(seed)")
            try TestSystem.run(settings: Soak.settings) { system in
                let soak = try Soak(system, seed: seed, appCount: length == nil ? 6 : 20)
                do {
                    try soak.run(for: length ?? 8)
                } catch {
                    throw TestFailure(description: soak.account(of: error))
                }
                print(soak.tally)
            }
        }
    }
}
