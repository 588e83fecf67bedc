import Foundation
import Testing

extension EndToEnd {
    /// Random actions of a user on real apps, while the supervisor and the guardian are killed at random. Nothing is
    /// lost, and no app stays frozen.
    ///
    /// `ROOST_SOAK` is the duration in seconds, with twenty apps. Without it, a run of a few seconds with a few apps
    /// keeps the soak working. `ROOST_SEED` repeats the actions, but not their timing relative to the apps.
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
