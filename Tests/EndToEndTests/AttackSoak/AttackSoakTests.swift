import Foundation
import Testing

extension EndToEnd {
    /// Attacks from all sides at once, while the system's processes are killed and the machine fails.
    ///
    /// `ROOST_ATTACK` is the duration in seconds; without it, a run of a few seconds keeps the soak working.
    /// `ROOST_SEED` repeats the actions of the test, but not those of the attackers.
    @Suite struct AttackSoakTests {
        @Test(.whereCgroupsFreeze) func nothingIsLostAmongAttackers() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            let environment = ProcessInfo.processInfo.environment
            let length = environment["ROOST_ATTACK"].flatMap { Double($0) } ?? 12
            let seed = environment["ROOST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
            print("attacks: ROOST_SEED=\(seed)")
            try TestSystem.run(settings: AttackSoak.settings, starting: false, mayReportErrors: true) { system in
                mkdir(system.state, 0o711)
                let (exit, _, err) = try system.run([
                    "mount", "-t", "tmpfs", "-o", "size=512m,mode=711", "none", system.state,
                ])
                try #require(exit == .code(0), "\(err)")
                try system.start()
                let soak = try AttackSoak(system, seed: seed)
                do {
                    try soak.run(for: length)
                } catch {
                    throw TestFailure(description: soak.account(of: error))
                }
                print(soak.tally)
            }
        }
    }
}
