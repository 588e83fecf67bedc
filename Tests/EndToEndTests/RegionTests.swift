import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let gate = named("org.roost.test.Gate")
}

extension TestSystem {
    fileprivate func locates(_ arguments: String...) throws {
        let done = try run([Self.program, "location"] + arguments)
        #expect(done.exit == .code(0), "\(done.err)")
    }
}

extension EndToEnd {
    /// Monitored regions.
    @Suite(.whereCgroupsFreeze) struct RegionTests {
        /// A crossing thaws the app, and launches it after a SIGKILL of its process and of the whole system. The app
        /// does not start the monitoring again.
        @Test func crossingsWakeAndLaunch() throws {
            try TestSystem.run(settings: ["regionDwell=200ms"]) { system in
                try system.installTestApp("RegionTestApp", as: .gate)
                try system.locates("permit", BundleIdentifier.gate.rawValue, "always")
                try system.locates("52.5163", "13.3777")
                try system.launch(.gate)
                try system.untilPrinted(.gate, "state gate 1")
                #expect(
                    system.log(.gate) == ["launched by the user", "monitors []", "started gate", "state gate 1"])
                let first = try system.suspend(.gate)

                // 280 m to the east are outside, but not 100 m beyond the edge; 550 m are.
                try system.locates("52.5163", "13.3818")
                try system.expectFrozen(.gate)
                try system.locates("52.5163", "13.3858")
                try system.untilPrinted(.gate, "left gate")
                #expect(try system.until(.gate, is: .suspended).pid == first.pid)
                try system.expectFrozen(.gate)
                let said = try system.why(.gate).map(\.text)
                #expect(said.contains("is told that the device has left the region \"gate\""), "\(said)")

                let process = try system.process(.gate)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.gate, is: .notRunning)
                try system.crashAndRestart(.both)
                try system.locates("52.5163", "13.3778")
                try system.untilPrinted(.gate, "entered gate")
                let log = system.log(.gate)
                let last = log.drop { $0 != "launched by a location" }.prefix(3)
                #expect(last == ["launched by a location", "monitors [\"gate\"]", "entered gate"], "\(log)")
                try system.until(.gate, is: .suspended)

                try system.locates("permit", BundleIdentifier.gate.rawValue, "deny")
                let count = system.log(.gate).count
                try system.locates("0", "0")
                try system.expectFrozen(.gate)
                #expect(system.log(.gate).count == count)
            }
        }
    }
}
