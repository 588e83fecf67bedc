import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Active apps receive events, other apps do not. Changes of the device in the meantime are reported as their net
    /// change.
    @Suite(.whereCgroupsFreeze) struct InputTests {
        @Test func eventsArriveInOrderWhileActive() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.openApp(.counter)
                let printed = system.log(.counter).count
                var expected: [String] = []
                for number in 1...50 {
                    try system.tell(.send(.counter, .text("<\(number)>")))
                    expected += "<\(number)>".map { "key \($0)" }
                    guard number % 10 == 0 else { continue }
                    try system.tell(.send(.counter, .touch(x: Int64(number) * 1000, y: 240_500)))
                    expected.append("touch \(number).0,240.5")
                }
                #expect(try system.roost("send", "\(BundleIdentifier.counter)", "--text", "끝 ✓").exit == .code(0))
                #expect(try system.roost("send", "\(BundleIdentifier.counter)", "--touch", "0,0").exit == .code(0))
                expected += ["key 끝", "key  ", "key ✓", "touch 0.0,0.0"]
                try system.untilPrinted(.counter, "touch 0.0", from: printed)
                #expect(events(.counter, system) == expected)
            }
        }

        private func events(_ app: BundleIdentifier, _ system: TestSystem) -> [String] {
            system.log(app).filter { $0.hasPrefix("key ") || $0.hasPrefix("touch ") }
        }

        /// In every other state events are refused, and the message names the state. Refused events are never delivered
        /// later.
        @Test func inputForAnInactiveAppIsDropped() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin work\n")
                func expectRefusal(_ word: String) throws {
                    for input in [["--text", word], ["--touch", "1,1"]] {
                        let (exit, out, err) = try system.run(
                            [TestSystem.program, "send", "\(BundleIdentifier.counter)"] + input)
                        #expect(exit == .code(1) && out.isEmpty && err.contains(word), "\(word): \(out)\(err)")
                    }
                }
                try expectRefusal("not running")
                try system.openApp(.counter)
                try system.tell(.interrupt(.call))
                try system.until(.counter, is: .inactive)
                try expectRefusal("inactive")
                try system.tell(.accept(nil))
                try system.untilInBackground(.counter)
                try expectRefusal("background")
                try system.script(.counter, "willEnterForeground end work\n")
                try system.openApp(.counter)
                try system.tell(.send(.counter, .text("a")))
                try system.suspend(.counter)
                try expectRefusal("suspended")
                try system.openApp(.counter)
                try system.tell(.send(.counter, .text("b")))
                try system.untilPrinted(.counter, "key b")
                #expect(events(.counter, system) == ["key a", "key b"])
            }
        }

        ///
        @Test func changesDuringASuspensionAreReportedOnce() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.openApp(.counter)
                try system.suspend(.counter)
                func set(_ name: String, _ value: String, _ app: BundleIdentifier? = nil) throws {
                    try system.tell(.set(name: name, value: value, app: app))
                }
                for round in 1...10 {
                    try set("batteryLevel", "\(90 - round)")
                    try set("power", round % 2 == 1 ? "battery" : "external")
                    try set("lowPowerMode", round % 3 == 0 ? "off" : "on")
                    try set("passcode", round % 2 == 1 ? "on" : "off")
                    try system.tell(.lock)
                    try set("network", round % 2 == 1 ? "cellular" : "wifi")
                    try set("backgroundRefresh", round % 2 == 1 ? "off" : "on")
                    try system.tell(.unlock)
                    try set("backgroundRefresh", "off", .counter)
                }
                try system.expectFrozen(.counter)
                let printed = system.log(.counter).count
                try system.openApp(.counter)
                // From external power at 100 to external power at 80: the battery is no longer full, and level and mode
                // have changed.
                let news = [
                    "notification batteryStateDidChange", "notification batteryLevelDidChange",
                    "notification powerStateDidChange", "notification backgroundRefreshStatusDidChange",
                ]
                let comeBack = [
                    "callback willEnterForeground", "notification willEnterForeground", "callback didBecomeActive",
                    "notification didBecomeActive",
                ]
                #expect(system.received(.counter, from: printed) == news + comeBack)
                // A change that is undone again is not reported.
                try system.suspend(.counter)
                for round in 1...10 { try set("lowPowerMode", round % 2 == 1 ? "off" : "on") }
                let second = system.log(.counter).count
                try system.openApp(.counter)
                #expect(system.received(.counter, from: second) == comeBack)
            }
        }
    }
}
