import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T14, T15, T16, R-122: which apps are warned when memory is low, and which are ended when it runs out.
    @Suite(.whereCgroupsFreeze) struct MemoryTests {
        private static let warning = ["callback didReceiveMemoryWarning", "notification didReceiveMemoryWarning"]

        @Test func runningAppsReceiveMemoryWarnings() throws {
            try TestSystem.run { system in
                try system.install("Counter", as: .third)
                try system.openApp(.third)
                try system.suspend(.third)
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.openApp(.second)
                try system.install("Counter")
                try system.openApp(.counter)
                try system.untilInBackground(.second)
                let apps: [BundleIdentifier] = [.counter, .second, .third]
                let printed = apps.map { system.log($0).count }
                #expect(try system.roost("memory", "warning").out.contains("memory is low"))
                for (app, first) in zip(apps, printed).prefix(2) {
                    try system.untilPrinted(app, Self.warning[1], from: first)
                    #expect(system.received(app, from: first) == Self.warning)
                }
                try system.expectFrozen(.third)
                // The suspended app is not warned later either.
                try system.openApp(.third)
                #expect(!system.received(.third, from: printed[2]).contains { $0.contains("Memory") })
            }
        }

        /// Three suspended apps of different sizes are ended first, then an app that works in the background. The
        /// foreground app stays.
        @Test func theLargestSuspendedAppGoesFirst() throws {
            try TestSystem.run { system in
                let sizes: [(app: BundleIdentifier, size: Int)] = [(.second, 20), (.counter, 40), (.third, 5)]
                let (worker, foreground) = (
                    BundleIdentifier.named("org.roost.test.Worker"), BundleIdentifier.named("org.roost.test.Front")
                )
                for (app, size) in sizes {
                    try system.install(
                        "Counter", as: app == .counter ? nil : app, script: "didBecomeActive hold \(size)\n")
                    try system.openApp(app)
                    try system.suspend(app)
                }
                try system.install("Counter", as: worker, script: "didEnterBackground begin work\n")
                try system.openApp(worker)
                try system.install("Counter", as: foreground)
                try system.openApp(foreground)
                try system.untilInBackground(worker)
                let memory = try listed(system)
                for (app, size) in sizes {
                    let bytes = try #require(memory[app])
                    #expect(bytes > Int64(size) << 20, "\(app) holds \(bytes) bytes")
                    // Shared memory of a small process counts in part, of a large one (64 MiB and more) in full.
                    let pid = try system.pid(app)
                    let (least, most) = (Kernel.proportionalSize(of: pid) ?? 0, Kernel.residentSize(of: pid) ?? 0)
                    #expect((least - (4 << 20)...most + (4 << 20)).contains(bytes), "\(app): \(least) to \(most)")
                }
                for app in [BundleIdentifier.counter, .second, .third] {
                    let (process, received) = (try system.process(app), system.received(app))
                    #expect(try system.roost("memory", "critical").out.contains("the system needed memory"))
                    let end = try system.until(app, is: .notRunning)
                    #expect(process.isGone)
                    #expect(end.lastEnd?.contains("jetsam: vm-pageshortage") == true, "\(end.lastEnd ?? "")")
                    #expect(end.isForceQuit == false)
                    #expect(system.received(app) == received, "a suspended app is not notified")
                    #expect(try system.summary(worker).state == .background)
                }
                let printed = (worker: system.log(worker).count, foreground: system.log(foreground).count)
                try system.tell(.memory(.critical))
                let end = try system.until(worker, is: .notRunning)
                #expect(end.lastEnd?.contains("the system needed memory") == true, "\(end.lastEnd ?? "")")
                #expect(
                    system.received(worker, from: printed.worker)
                        == ["callback willTerminate", "notification willTerminate"], "T16: a running app is notified")
                // Only the foreground app is left: it has priority, and is warned (R-24).
                try system.tell(.memory(.critical))
                try system.untilPrinted(foreground, Self.warning[1], from: printed.foreground)
                #expect(try system.summary(foreground).state == .active)
                // An app that was ended to free memory can be launched again, and may be woken.
                try system.openApp(.second)
                try system.tell(.wake(.third, .locationMonitoring))
            }
        }

        /// The memory of each app according to `roost ps --json`.
        private func listed(_ system: TestSystem) throws -> [BundleIdentifier: Int64] {
            let apps = try JSONDecoder().decode([AppSummary].self, from: Data(system.roost("ps", "--json").out.utf8))
            return Dictionary(uniqueKeysWithValues: apps.map { ($0.identifier, $0.memory ?? 0) })
        }
    }
}
