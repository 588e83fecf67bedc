import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Remote notifications with real processes (R-90, R-91).
    @Suite struct PushTests {
        private static let modes = ["remote-notification"]
        private static let script = "didFinishLaunching registers\ndidFinishLaunching settings\n"
        private static let silent = payload("silent")

        private static func payload(_ text: String, more: String = "") -> String {
            "{\"aps\":{\"content-available\":1\(more)},\"text\":\"\(text)\"}"
        }

        private func push(_ payload: String, _ system: TestSystem, to app: BundleIdentifier = .counter) throws {
            try system.tell(.notification(.push(app, try RemoteNotification(payload: Array(payload.utf8)))))
        }

        private func decisions(_ system: TestSystem) throws -> [String] {
            try system.why(.counter).filter { $0.kind == "push" }.map(\.text)
        }

        private func installRegistered(_ system: TestSystem, script: String = script) throws {
            try system.install("Counter", script: script, modes: Self.modes)
            try system.launch(.counter)
            try system.untilPrinted(.counter, "callback didRegisterForRemoteNotifications bytes=32")
        }

        @Test func aSuspendedAppIsThawedForAPushAndFrozenAgain() throws {
            try TestSystem.run { system in
                try installRegistered(system)
                try system.suspend(.counter)
                let first = try system.process(.counter)
                let printed = system.log(.counter).count
                try push(Self.payload("안녕 \\n\\u0041"), system)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=안녕", from: printed)
                let last = try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                #expect(last.pid == first.pid)
                #expect(try system.why(.counter).contains { $0.kind == "handled" && $0.text.contains("newData") })
            }
        }

        /// An app without a process is launched into the background, with the launch option (section 1.4).
        @Test func anAppWithoutAProcessIsLaunched() throws {
            try TestSystem.run { system in
                try installRegistered(system)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.counter, is: .notRunning)
                let printed = system.log(.counter).count
                try push(Self.silent, system)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification", from: printed)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                let callbacks = system.callbacks(.counter, from: printed)
                #expect(
                    callbacks.first
                        == "callback willFinishLaunching options=UIApplicationLaunchOptionsRemoteNotificationKey state=background"
                )
                #expect(callbacks.contains("callback didReceiveRemoteNotification text=silent state=background"))
            }
        }

        /// Three silent pushes an hour wake the app. Of the others, the newest is delivered when the user opens the
        /// app.
        @Test func theNewestIsHeldBackUntilTheAppIsOpened() throws {
            try TestSystem.run { system in
                try installRegistered(system)
                try system.suspend(.counter)
                for number in 1...3 {
                    try push(Self.payload("\(number)"), system)
                    try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=\(number)")
                    try system.until(.counter, is: .suspended)
                }
                try push(Self.payload("4"), system)
                try push(Self.payload("5"), system)
                #expect(try decisions(system).last?.contains("held back and replaces the previous one") == true)
                try system.expectFrozen(.counter)
                // A push that is held back outlives the system.
                try system.crashAndRestart(.both)
                try system.launch(.counter)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=5")
                #expect(!system.log(.counter).contains { $0.contains("text=4") })
            }
        }

        @Test func appsThatNeverCallTheHandlerAreKilled() throws {
            try TestSystem.run(settings: ["remoteNotification=1500ms"]) { system in
                try installRegistered(system, script: Self.script + "didReceiveRemoteNotification leave\n")
                try system.suspend(.counter)
                let process = try system.process(.counter)
                try push(Self.silent, system)
                let end = try system.until(.counter, is: .notRunning)
                #expect(process.isGone)
                #expect(
                    end.lastEnd?.contains("did not call the completion handler of didReceiveRemoteNotification") == true
                )
            }
        }

        /// An app that is not registered, has not the mode, or is not installed: the push is refused with the reason.
        @Test func refusedPushesReportTheReason() throws {
            try TestSystem.run { system in
                func refusal(_ app: BundleIdentifier = .counter) -> String? {
                    let failure = #expect(throws: ControlFailure.self) { try push(Self.silent, system, to: app) }
                    return failure?.message
                }
                #expect(refusal()?.contains("no app \"org.roost.example.Counter\" is installed") == true)
                try system.install("Counter", without: Self.modes)
                #expect(refusal()?.contains("has not registered") == true)
                try system.script(.counter, Self.script)
                try system.launch(.counter)
                try system.untilPrinted(.counter, "callback didRegisterForRemoteNotifications")
                try system.suspend(.counter)
                #expect(refusal()?.contains("UIBackgroundModes") == true)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                #expect(refusal()?.contains("UIBackgroundModes") == true)
            }
        }

        /// A silent push waits until the device may be woken for it. A visible push is not delayed.
        @Test(arguments: [
            ("lowPowerMode", "on", "off", "Low Power Mode is on"), ("batteryLevel", "19", "20", "the battery is low"),
        ])
        func aPushIsHeldBackWhileASettingForbidsIt(name: String, off: String, on: String, words: String) throws {
            try TestSystem.run { system in
                try system.tell(.set(name: "power", value: "battery", app: nil))
                try installRegistered(system)
                try system.suspend(.counter)
                try system.tell(.set(name: name, value: off, app: nil))
                try push(Self.payload("1"), system)
                #expect(try decisions(system).last == "a remote notification is held back: " + words)
                try system.expectFrozen(.counter)
                try system.tell(.set(name: name, value: on, app: nil))
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=1")
                try system.until(.counter, is: .suspended)
                try system.tell(.set(name: name, value: off, app: nil))
                try push(Self.payload("2", more: ",\"alert\":\"look\""), system)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=2")
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }

        @Test func aPushBeforeTheFirstUnlockIsHeldBack() throws {
            try TestSystem.run { system in
                try installRegistered(system)
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.restartDevice()
                let printed = system.log(.counter).count
                try push(Self.silent, system)
                #expect(
                    try decisions(system).last
                        == "a remote notification is held back: the device has not been unlocked since it started")
                #expect(try system.summary(.counter).state == .notRunning && system.log(.counter).count == printed)
                try system.tell(.unlock)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=silent", from: printed)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }

        /// An app that was swiped away loses the push that was held back, and gets no others. The same holds without
        /// Background App Refresh.
        @Test func appsThatMayNotBeWokenLosePushes() throws {
            try TestSystem.run { system in
                func expectRefusal(_ words: String) throws {
                    let failure = #expect(throws: ControlFailure.self) { try push(Self.payload("2"), system) }
                    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
                    #expect(try decisions(system).last?.contains(words) == true)
                }
                try installRegistered(system)
                try system.suspend(.counter)
                try system.tell(.set(name: "lowPowerMode", value: "on", app: nil))
                try push(Self.payload("1"), system)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                #expect(
                    try decisions(system).last
                        == "a remote notification is dropped: the user has swiped the app away")
                try system.tell(.set(name: "lowPowerMode", value: "off", app: nil))
                try expectRefusal("swiped it away")
                #expect(try system.summary(.counter).pid == nil)
                try system.launch(.counter)
                try system.suspend(.counter)
                for app in [nil, BundleIdentifier.counter] {
                    try system.tell(.set(name: "backgroundRefresh", value: "off", app: app))
                    try expectRefusal("Background App Refresh is off")
                    try system.expectFrozen(.counter)
                    try system.tell(.set(name: "backgroundRefresh", value: "on", app: app))
                }
                #expect(!system.received(.counter).contains("callback didReceiveRemoteNotification"))
                try push(Self.payload("3"), system)
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=3")
            }
        }

        /// Visible pushes are displayed, also while the device is locked, and for an app that was force-quit. A tap
        /// opens the app with the push: a suspended app is called, an app without a process is first launched with it
        /// (R-90, R-102).
        @Test func visiblePushesAreDisplayedAndATapOpensTheApp() throws {
            try TestSystem.run { system in
                func shown() throws -> [NotificationSummary] {
                    guard case .notifications(let all) = try system.ask(.notifications(app: .counter)) else {
                        return []
                    }
                    return all.filter { $0.state == "shown" }
                }
                try installRegistered(system, script: Self.script)
                try system.suspend(.counter)
                let alert =
                    "{\"aps\":{\"alert\":{\"title\":\"민지\",\"body\":\"첫째\"},\"badge\":3,\"sound\":\"default\","
                    + "\"thread-id\":\"t\",\"interruption-level\":\"passive\"},\"text\":\"one\"}"
                try push(alert, system)
                try system.expectFrozen(.counter)
                let first = try #require(shown().first)
                #expect(first.title == "민지" && first.body == "첫째" && first.payload == alert)
                let json = try system.roost("notifications", "--json").out
                for field in ["badge\" : 3", "sound\" : \"default\"", "thread\" : \"t\"", "level\" : \"passive\""] {
                    #expect(json.contains(field), "\(json)")
                }
                #expect(try system.why(.counter).contains { $0.text == "its badge shows 3" })
                let printed = system.log(.counter).count
                try system.tell(.notification(.answer(.counter, number: first.number, .tap)))
                try system.untilPrinted(
                    .counter, "callback didReceiveRemoteNotification text=one state=inactive", from: printed)
                try system.until(.counter, is: .active)
                #expect(try shown().isEmpty)

                try system.suspend(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try push(Self.payload("two", more: ",\"alert\":\"둘째\""), system)
                #expect(try decisions(system).last?.contains("did not wake the app: the user swiped it away") == true)
                // A displayed notification outlives the system.
                try system.crashAndRestart(.both)
                let gone = system.log(.counter).count
                try system.tell(.notification(.answer(.counter, number: try #require(shown().first).number, .tap)))
                try system.untilPrinted(
                    .counter, "callback didReceiveRemoteNotification text=two state=inactive", from: gone)
                try system.until(.counter, is: .active)
                let callbacks = system.callbacks(.counter, from: gone)
                #expect(
                    callbacks.first
                        == "callback willFinishLaunching options=UIApplicationLaunchOptionsRemoteNotificationKey state=inactive"
                )
                #expect(callbacks.count { $0.contains("didReceiveRemoteNotification") } == 1)
            }
        }

        /// The command checks the payload, and reports errors in it.
        @Test func thePayloadIsChecked() throws {
            try TestSystem.run { system in
                let file = system.directory + "/payload.json"
                func result(_ payload: String) throws -> (exit: Exit, text: String) {
                    try payload.write(toFile: file, atomically: true, encoding: .utf8)
                    let (exit, _, text) = try system.roost("push", "org.roost.example.Counter", "--payload", file)
                    return (exit, text)
                }
                for (payload, word) in [
                    ("", "PayloadEmpty"), ("[]", "not a JSON object"), ("{\"a\":1}", "aps is missing"),
                    ("{\"aps\":{\"badge\":-1}}", "aps.badge is negative"),
                    ("{\"aps\":{\"content-available\":2}}", "neither 0 nor 1"),
                    ("{\"aps\":{}, \"x\":\"" + String(repeating: "y", count: 4096) + "\"}", "PayloadTooLarge"),
                ] {
                    let (exit, text) = try result(payload)
                    #expect(exit == .code(1) && text.contains(word), "\(payload.prefix(40)): \(exit) \(text)")
                    #expect(text.hasPrefix("roost: cannot send the payload in \(file): "), "\(text)")
                }
                for (path, reason) in [
                    (system.directory, "Is a directory"), (system.directory + "/none", "No such file or directory"),
                ] {
                    let (exit, _, text) = try system.roost("push", "org.roost.example.Counter", "--payload", path)
                    #expect(exit == .code(1) && text.contains(path) && text.contains(reason), "\(exit) \(text)")
                }
            }
        }
    }
}
