import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// K178: the foreground has priority, as the kernel reports it.
    @Suite(.whereCgroupsFreeze) struct ForegroundFirstTests {
        /// If the controllers are on version 1, an ordinary user has no weights. Then the niceness of sessions replaces
        /// them, or the class of batch processes if the kernel does not group processes by session.
        @Test(arguments: [SetUp.asFound, .ordinaryUser])
        func theForegroundHasTheLargerShare(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp) { system in
                try system.install("Counter", script: "didEnterBackground begin work\n")
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.openApp(.counter)
                try system.openApp(.second)
                try system.untilInBackground(.counter)
                let foreground = try untilShares(of: .second, system) { $0.count == 2 ? $0 : nil }
                // The shares of the processor and of the disks. If the kernel defers a change, it comes a little later.
                let back = try untilShares(of: .counter, system) {
                    $0.count == 2 && zip($0, foreground).allSatisfy(isLess) ? $0 : nil
                }
                #expect(try ionice(of: .counter, system) == "best-effort: prio 7")
                // The two apps change places.
                try system.tell(.switchTo(.counter))
                try system.until(.counter, is: .active)
                try system.untilInBackground(.second)
                try untilShares(of: .counter, system) { $0 == foreground ? $0 : nil }
                #expect(try ionice(of: .counter, system) != "best-effort: prio 7")
                try untilShares(of: .second, system) { $0 == back ? $0 : nil }
                #expect(try ionice(of: .second, system) == "best-effort: prio 7")
                // While the device is locked, no app is in the foreground.
                try system.tell(.lock)
                try system.untilInBackground(.counter)
                try untilShares(of: .counter, system) { $0 == back ? $0 : nil }
            }
        }

        /// A share: its name in `roost ps`, and its value, as in `cpu.weight 500`.
        private struct Share: Hashable {
            var kind: String
            var value: Int
        }

        /// Waits until the shares are as wanted: in `roost ps --json`, in the kernel's files, and according to
        /// `ionice`.
        @discardableResult private func untilShares(
            of app: BundleIdentifier, _ system: TestSystem, _ condition: ([Share]) -> [Share]?
        ) throws -> [Share] {
            try system.until("\(app) has its share", lookingAgainAfter: 0.05) {
                let summary = try self.summary(of: app, system)
                let shares = try #require(summary.priority).split(separator: ",").map { text in
                    if text == "batch" { return Share(kind: "nice", value: Kernel.batch) }
                    let words = text.split(separator: " ")
                    return Share(
                        kind: words.dropLast().joined(separator: " "),
                        value: try #require(words.last.flatMap { Int($0) }))
                }
                guard try shares.allSatisfy({ try kernelAgrees($0, of: app, try #require(summary.pid), system) }) else {
                    return nil
                }
                return condition(shares)
            }
        }

        private func kernelAgrees(
            _ share: Share, of app: BundleIdentifier, _ pid: Int32, _ system: TestSystem
        ) throws -> Bool {
            guard share.kind == "ionice" else { return Kernel.share(share.kind, of: pid) == share.value }
            // A process without its own I/O priority has the priority that follows from niceness 0.
            let said = try ionice(of: app, system)
            return said == "best-effort: prio \(share.value)" || said.hasPrefix("none:") && share.value == 4
        }

        private func summary(of app: BundleIdentifier, _ system: TestSystem) throws -> AppSummary {
            let apps = try JSONDecoder().decode([AppSummary].self, from: Data(system.roost("ps", "--json").out.utf8))
            return try #require(apps.first { $0.identifier == app })
        }

        /// A process's disk priority, in the words of `ionice`: `best-effort: prio 7`, `none: prio 0`.
        private func ionice(of app: BundleIdentifier, _ system: TestSystem) throws -> String {
            let pid = try #require(try summary(of: app, system).pid)
            return try system.run(["ionice", "-p", "\(pid)"]).out.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Compares shares: a higher weight or share is more, a higher niceness is less.
        private func isLess(_ left: Share, than right: Share) -> Bool {
            guard left.kind == right.kind else { return false }
            return left.kind.hasSuffix("nice") ? left.value > right.value : left.value < right.value
        }
    }
}
