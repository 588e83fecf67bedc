import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// K178: the foreground goes first, in the kernel's own words.
    @Suite(.whereCgroupsFreeze) struct ForegroundFirstTests {
        @Test func theFrontHasTheLargerShare() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin work\n")
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.openApp(.counter)
                try system.openApp(.second)
                try system.untilInBackground(.counter)
                let (back, front) = (try share(of: .counter, system), try share(of: .second, system))
                #expect(isLess(back, than: front), "\(back) and \(front)")
                // The two change places.
                try system.tell(.switchTo(.counter))
                try system.until(.counter, is: .active)
                try system.untilInBackground(.second)
                #expect(try share(of: .counter, system) == front)
                #expect(try share(of: .second, system) == back)
                // Locked, nobody is in front.
                try system.tell(.lock)
                try system.untilInBackground(.counter)
                #expect(try share(of: .counter, system) == back)
            }
        }

        /// What `ps` calls it, and how much it is: `cpu.weight 500`.
        private struct Share: Hashable {
            var kind: String
            var value: Int
        }

        /// As `roost ps --json` has it, which has to be what the kernel's files say.
        private func share(of app: BundleIdentifier, _ system: TestSystem) throws -> Share {
            let apps = try JSONDecoder().decode([AppSummary].self, from: Data(system.roost("ps", "--json").out.utf8))
            let summary = try #require(apps.first { $0.identifier == app })
            let words = try #require(summary.priority).split(separator: " ")
            let share = Share(
                kind: words.dropLast().joined(separator: " "), value: try #require(words.last.flatMap { Int($0) }))
            #expect(Kernel.share(share.kind, of: try #require(summary.pid)) == share.value, "\(share)")
            return share
        }

        /// Weights and shares are more the higher they are, niceness the lower.
        private func isLess(_ left: Share, than right: Share) -> Bool {
            guard left.kind == right.kind else { return false }
            return left.kind.hasSuffix("nice") ? left.value > right.value : left.value < right.value
        }
    }
}
