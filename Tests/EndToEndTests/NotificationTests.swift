import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Local notifications with real processes (R-100 to R-103).
    @Suite struct NotificationTests {
        /// A script that registers for alerts, and schedules a notification when it leaves the screen.
        private static func script(_ text: String = "tea", in seconds: Double = 1) -> String {
            "didFinishLaunching settings\ndidEnterBackground schedule \(text) \(seconds)\n"
        }

        private func all(_ system: TestSystem) throws -> [NotificationSummary] {
            guard case .notifications(let all) = try system.ask(.notifications(app: .counter)) else {
                throw TestFailure(description: "the system does not list the notifications")
            }
            return all
        }

        /// Waits until exactly one notification is displayed, and returns it.
        private func untilShown(_ system: TestSystem) throws -> NotificationSummary {
            try system.until("a notification is displayed") {
                let all = try all(system)
                return all.first?.state == "shown" ? all.first : nil
            }
        }

        /// A suspended app with one displayed notification.
        private func showing(_ system: TestSystem) throws -> NotificationSummary {
            try system.install("Counter", script: Self.script())
            try system.launch(.counter)
            try system.suspend(.counter)
            try system.script(.counter, "")
            return try untilShown(system)
        }

        private func decisions(_ system: TestSystem) throws -> [String] {
            try system.why(.counter).filter { $0.kind == "notification" }.map(\.text)
        }

        /// The foreground app is called, and nothing is displayed.
        @Test func theForegroundAppIsCalled() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", script: "didFinishLaunching settings\ndidBecomeActive schedule tea 1\n")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "callback didRegisterUserNotificationSettings types=7")
                try system.untilPrinted(.counter, "callback didReceiveLocalNotification body=tea state=active")
                let said = try decisions(system)
                let asked = try #require(said.firstIndex { $0.contains("is scheduled") })
                #expect(said[asked...].contains { $0.contains("fires") } && !said.contains { $0.contains("is shown") })
                #expect(try all(system).isEmpty)
                try system.until(.counter, is: .active)
            }
        }

        /// In the background, the notification is displayed on time, and the app stays suspended. A tap brings the app
        /// to the foreground, and calls it before it is active.
        @Test func aTapBringsASuspendedAppToTheForeground() throws {
            try TestSystem.run { system in
                let shown = try showing(system)
                #expect(shown.body == "tea" && shown.app == .counter)
                try system.expectFrozen(.counter)
                let lines = try system.why(.counter)
                let asked = try #require(lines.first { $0.text.contains("is scheduled") })
                let fired = try #require(lines.first { $0.text.contains(" fires") && $0.text != asked.text })
                #expect(fired.time - asked.time >= .milliseconds(900), "\(fired.time - asked.time)")
                let (_, out, _) = try system.roost("notifications")
                #expect(out.contains("tea") && out.contains("shown"), "\(out)")

                let printed = system.log(.counter).count
                let pid = try system.pid(.counter)
                let command = try system.roost("notifications", "tap", "\(shown.app)", "\(shown.number)")
                #expect(command.exit == .code(0), "\(command)")
                try system.untilActive(.counter, from: printed)
                #expect(
                    system.callbacks(.counter, from: printed).filter { $0.hasPrefix("callback") } == [
                        "callback willEnterForeground state=background",
                        "callback didReceiveLocalNotification body=tea state=inactive",
                        "callback didBecomeActive state=active",
                    ])
                #expect(try system.pid(.counter) == pid && all(system).isEmpty)
                let again = try system.roost("notifications", "tap", "\(shown.app)", "\(shown.number)")
                #expect((again.out + again.err).contains("the app has no notification \(shown.number)"), "\(again)")
            }
        }

        /// An app without a process is launched with the launch option (section 1.4), without the callback.
        @Test func aTapLaunchesAnAppThatIsGone() throws {
            try TestSystem.run { system in
                let shown = try showing(system)
                let process = try system.process(.counter)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.counter, is: .notRunning)
                let printed = system.log(.counter).count
                try system.tell(.notification(.answer(.counter, number: shown.number, .tap)))
                try system.untilActive(.counter, from: printed)
                let callbacks = system.callbacks(.counter, from: printed)
                #expect(
                    callbacks.first
                        == "callback willFinishLaunching options=UIApplicationLaunchOptionsLocalNotificationKey state=inactive"
                )
                #expect(!callbacks.contains { $0.contains("didReceiveLocalNotification") })
                #expect(system.log(.counter).dropFirst(printed).contains("launched by tea"))
            }
        }

        /// Behind the lock a tap opens no app, whether suspended or without a process. The notification stays.
        @Test func aTapOpensNoAppWhileTheDeviceIsLocked() throws {
            try TestSystem.run { system in
                let shown = try showing(system)
                try system.tell(.lock)
                // Other decisions may follow a refusal: the report of a killed app's thaw comes late.
                func refusals() throws -> [String] {
                    try system.why(.counter).filter { $0.kind == "refused" }.map(\.text)
                }
                func expectRefusal() throws {
                    let printed = system.log(.counter).count
                    let refused = try refusals()
                    let failure = #expect(throws: ControlFailure.self) {
                        try system.tell(.notification(.answer(.counter, number: shown.number, .tap)))
                    }
                    #expect(failure?.message.contains("the screen is locked") == true, "\(failure?.message ?? "")")
                    #expect(try refusals() == refused + ["not opened: the screen is locked; unlock it first"])
                    #expect(try all(system) == [shown] && system.log(.counter).count == printed)
                }
                try expectRefusal()
                try system.expectFrozen(.counter)
                let process = try system.process(.counter)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.counter, is: .notRunning)
                try expectRefusal()
                #expect(try system.summary(.counter).pid == nil)
                try system.tell(.unlock)
                let printed = system.log(.counter).count
                try system.tell(.notification(.answer(.counter, number: shown.number, .tap)))
                try system.untilActive(.counter, from: printed)
            }
        }

        /// The notification is also displayed if its app no longer runs and was swiped away (R-102).
        @Test func notificationsOfForceQuitAppsAreDisplayed() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: Self.script(in: 2))
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                #expect(try untilShown(system).body == "tea")
                #expect(try system.summary(.counter).state == .notRunning, "the app is not launched for it")
            }
        }

        @Test func dismissedNotificationsAreRemoved() throws {
            try TestSystem.run { system in
                let shown = try showing(system)
                let command = try system.roost("notifications", "dismiss", "\(shown.app)", "\(shown.number)")
                #expect(command.exit == .code(0), "\(command)")
                #expect(try all(system).isEmpty)
                try system.expectFrozen(.counter)
                #expect(try system.roost("notifications").out.contains("there are no notifications"))
            }
        }

        /// The command's JSON is the system's reply, for all apps or for one.
        @Test func theListAsJSON() throws {
            try TestSystem.run { system in
                func list(_ arguments: [String]) throws -> [NotificationSummary] {
                    let command = [TestSystem.program, "notifications"] + arguments + ["--json"]
                    let (exit, out, err) = try system.run(command)
                    #expect(exit == .code(0) && err.isEmpty, "\(err)")
                    return try JSONDecoder().decode([NotificationSummary].self, from: Data(out.utf8))
                }
                #expect(try list([]).isEmpty)
                let shown = try showing(system)
                for arguments in [[], ["list"], ["\(BundleIdentifier.counter)"]] as [[String]] {
                    #expect(try list(arguments) == [shown], "\(arguments)")
                }
                try system.install("Counter", as: .second)
                #expect(try list(["\(BundleIdentifier.second)"]).isEmpty)
            }
        }

        /// Whichever process is killed, the notification is displayed once. A notification that was due while no system
        /// ran is displayed afterwards.
        @Test(arguments: TestSystem.Victim.allCases)
        func aNotificationFiresOnceAfterAnyKill(victim: TestSystem.Victim) throws {
            try TestSystem.run { system in
                try system.install("Counter", script: Self.script(in: 2))
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.script(.counter, "")
                try system.crashAndRestart(victim)
                let shown = try untilShown(system)
                #expect(try system.why(.counter).count { $0.text.contains("is shown") } == 1)
                try system.crashAndRestart(victim)
                #expect(try all(system) == [shown])
                // The earlier decisions are persisted, and the restart adds none.
                #expect(try system.why(.counter).count { $0.text.contains("is shown") } == 1)
                try system.tell(.notification(.answer(.counter, number: shown.number, .dismiss)))
                try system.crashAndRestart(victim)
                #expect(try all(system).isEmpty)
            }
        }

        @Test func theSoonest64AreKept() throws {
            try TestSystem.run { system in
                let script =
                    "didFinishLaunching settings\ndidBecomeActive schedules 70 1000\nwillResignActive scheduled\n"
                try system.install("Counter", script: script)
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.untilPrinted(.counter, "scheduled 64")
                let kept = try all(system)
                #expect(kept.map(\.body) == (0..<64).map { "number \($0)" })
                #expect(kept.allSatisfy { $0.state == "scheduled" })
                #expect(try decisions(system).count { $0.contains("discarded") } == 6)
                try system.crashAndRestart(.both)
                #expect(try all(system) == kept)
            }
        }

        /// Ten thousand notifications do no harm: the system keeps the soonest of them, and meanwhile another app is
        /// opened. The app keeps its connection, although its main thread is busy. This test allows an app any time to
        /// schedule so many.
        @Test func tenThousandAreNoHarm() throws {
            try TestSystem.run(settings: ["launch=600s"]) { system in
                try scheduleTenThousand(system) {}
                #expect(!system.log(.counter).contains { $0.contains("unreachable") })
            }
        }

        /// The system is killed amid ten thousand requests. The app repeats what the system has not confirmed before it
        /// answers any callback. This test also allows it any time for that.
        @Test func theSystemIsKilledAmidTenThousand() throws {
            let limits = ["launch", "otherCallback", "resignActive", "enterBackground"]
            try TestSystem.run(settings: limits.map { "\($0)=600s" }) { system in
                try scheduleTenThousand(system) {
                    try system.until("some notifications are scheduled") { try all(system).isEmpty ? nil : true }
                    try system.crashAndRestart()
                }
                #expect(system.log(.counter).count { $0.contains("connected again") } == 1)
            }
        }

        /// Launches an app that schedules them as it launches, and opens another app over it.
        private func scheduleTenThousand(_ system: TestSystem, meanwhile: () throws -> Void) throws {
            let script =
                "didFinishLaunching settings\ndidFinishLaunching schedules 10000 1000\nwillResignActive scheduled\n"
            try system.install("Counter", script: script)
            try system.install("Counter", as: .second)
            try system.tell(.launch(.counter))
            try system.openApp(.second)
            try meanwhile()
            try system.until("all notifications are scheduled", within: 10 * Deadline.patience) {
                let lines = system.log(.counter)
                return lines.contains { $0.hasPrefix("notification didEnterBackground") } ? true : nil
            }
            try system.until(.counter, is: .suspended)
            try system.openApp(.counter)
            try system.suspend(.counter)
            try system.untilPrinted(.counter, "scheduled 64")
            #expect(try all(system).map(\.body) == (0..<64).map { "number \($0)" })
        }

        /// A missing sound file, and a file that is not a sound: both are replaced by the default sound, and the device
        /// vibrates (R-104).
        @Test func invalidSoundsAreReplacedByTheDefault() throws {
            try TestSystem.run { system in
                let script = "didFinishLaunching settings\ndidEnterBackground schedule tea 0.2 missing.caf\n"
                try system.install("Counter", script: script + "didEnterBackground schedule soup 0.4 Info.plist\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.until("both notifications are displayed") {
                    try all(system).filter { $0.state == "shown" }.count == 2 ? true : nil
                }
                let replaced = try decisions(system).filter { $0.contains("plays the default sound: ") }
                #expect(replaced.count == 2 && replaced[0].contains("the app has no such file"), "\(replaced)")
                #expect(replaced.last?.contains("aiff, wav or caf") == true, "\(replaced)")
                #expect(system.systemLog.split(separator: "\n").count { $0.contains("the device vibrates") } == 2)
                try system.expectFrozen(.counter)
            }
        }

        @Test func canceledNotificationsAreNoLongerScheduled() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter",
                    script: "didBecomeActive schedules 3 1000\nwillResignActive cancels\ndidEnterBackground scheduled\n"
                )
                try system.launch(.counter)
                #expect(try system.until("the notifications are scheduled") { try all(system).count == 3 ? true : nil })
                try system.suspend(.counter)
                try system.untilPrinted(.counter, "scheduled 0")
                #expect(try all(system).isEmpty)
            }
        }

        /// An app that has not registered, or may not display notifications, displays none, and `roost why` says so.
        /// Bad numbers are refused.
        @Test func disallowedNotificationsAreNotDisplayed() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground schedule late -5\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.until("the reason is reported") {
                    try decisions(system).contains { $0.hasSuffix("the app has not registered for its types") }
                        ? true : nil
                }
                #expect(try all(system).isEmpty)
                try system.roost("notifications", "forbid", "org.roost.example.Counter")
                try system.script(.counter, Self.script(in: 0))
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try system.launch(.counter)
                try system.untilPrinted(.counter, "callback didRegisterUserNotificationSettings types=0")
                try system.suspend(.counter)
                try system.until("the reason is reported") {
                    try decisions(system).contains { $0.hasSuffix("the user forbids the app's notifications") }
                        ? true : nil
                }
                for arguments in [["tap", "org.roost.example.Counter", "0"], ["dismiss", "org.nobody", "1"]] {
                    let command = try system.run([TestSystem.program, "notifications"] + arguments)
                    #expect(command.exit != .code(0) && !command.err.isEmpty, "\(arguments): \(command)")
                }
            }
        }

        /// In `roost run` the bell rings for a displayed notification, and a key answers it.
        @Test(.whereTmuxIs) func aNotificationRingsTheBell() throws {
            try TestSystem.run(starting: false) { system in
                try Tmux.run(in: system, columns: 100, rows: 40) { tmux in
                    let program = try tmux.start("run", try system.copyOfExample("Alarm"))
                    try tmux.untilStatus("Alarm · active")
                    try tmux.press("h")
                    try tmux.until("bell     Alarm: Time to wake up!")
                    try tmux.press("e", "1")
                    try tmux.untilStatus("Alarm · active")
                    try tmux.press("e")
                    try tmux.until("no notification is shown")
                    try tmux.press("q")
                    #expect(try tmux.end(of: program) == 0)
                }
            }
        }
    }
}
