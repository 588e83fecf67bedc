import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// K178: the foreground goes first, in the kernel's own words; R-48: time asleep is not the app's.
    @Suite(.whereCgroupsFreeze) struct ForegroundFirstTests {
        @Test func theFrontHasTheLargerShare() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin work\n")
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.launch(.counter)
                try system.launch(.second)
                try system.until(.counter, is: .background)
                let (back, front) = (try share(of: .counter, system), try share(of: .second, system))
                #expect(isLess(back, than: front), "\(back) and \(front)")
                // The two change places.
                try system.tell(.switchTo(.counter))
                try system.until(.counter, is: .active)
                try system.until(.second, is: .background)
                #expect(try share(of: .counter, system) == front)
                #expect(try share(of: .second, system) == back)
                // Locked, nobody is in front.
                try system.tell(.lock)
                try system.until(.counter, is: .background)
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

        /// The device sleeps for an hour while an app has background time: none of that hour counts. A living process'
        /// clocks can't be moved; so both halves of the system are killed, and started again where it is an hour later.
        @Test func timeAsleepIsNotTheApps() throws {
            let later = ["unshare", "-T", "--boottime", "3600"]
            try TestSystem.run(settings: ["backgroundTime=600s"]) { system in
                guard try system.run(later + ["true"]).exit == .code(0) else {
                    try Test.cancel("no time namespace may be made here")
                }
                try system.install("Counter", script: "didEnterBackground begin upload\n")
                try system.launch(.counter)
                try system.tell(.home)
                try system.until(.counter, is: .background)
                let pid = try system.pid(.counter)
                try system.crash(.both)
                system.wrapper = later
                try system.start()
                let uptimes = (
                    system: Kernel.boottimeOffset(of: try #require(system.supervisor).pid),
                    app: Kernel.boottimeOffset(of: pid)
                )
                #expect(uptimes.system == 3600 && uptimes.app == 0, "\(uptimes)")
                let found = try system.until("the task is declared again") {
                    let summary = try system.summary(.counter)
                    return summary.openTasks.isEmpty ? nil : summary
                }
                #expect(found.pid == pid && found.state == .background)
                let left = try #require(found.timeRemaining)
                #expect(left > .seconds(500) && left <= .seconds(600), "\(left)")
                #expect(!system.log(.counter).contains { $0.hasPrefix("expired") })
                try system.untilCounted(.counter, more: 1)
            }
        }
    }
}
