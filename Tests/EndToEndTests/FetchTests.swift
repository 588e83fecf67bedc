import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Background fetch with real processes (R-89, R-68, R-98).
    @Suite struct FetchTests {
        /// The shortest possible interval, and an app that stops fetching after its first fetch.
        private static let soon = ["fetchInterval=1s"]
        private static let once = """
            didFinishLaunching fetches 0
            performFetch fetches never
            performFetch wait gate
            performFetch fetched newData

            """

        private func lines(_ system: TestSystem, _ kind: String, of app: BundleIdentifier = .counter) throws -> [String]
        {
            try system.why(app).filter { $0.kind == kind }.map(\.text)
        }

        /// How many fetches an app has had.
        private func turns(_ system: TestSystem, _ app: BundleIdentifier = .counter) throws -> Int {
            try lines(system, "fetch", of: app).count { $0.hasPrefix("is due to fetch") }
        }

        /// The fetch does not come early. The app is thawed, called, and frozen again once it is done.
        @Test func aSuspendedAppIsThawedAndFrozenAgain() throws {
            try TestSystem.run(settings: Self.soon) { system in
                try system.install("Counter", script: Self.once)
                try system.makeGate(.counter)
                let first = try system.launch(.counter)
                let printed = system.log(.counter).count
                try system.suspend(.counter)
                try system.untilPrinted(.counter, "waits at gate", from: printed)
                try system.expectRunning(.counter)
                #expect(try system.summary(.counter).state == .background)
                #expect(
                    system.received(.counter, from: printed).suffix(3) == [
                        "callback didEnterBackground", "notification didEnterBackground", "callback performFetch",
                    ])
                try system.openGate(.counter)
                let last = try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                #expect(last.pid == first.pid)
                let why = try system.why(.counter)
                let asked = try #require(why.first { $0.kind == "fetch" })
                let turn = try #require(why.first { $0.text.hasPrefix("is due to fetch") })
                #expect(asked.text == "asks for background fetch as often as possible")
                #expect(turn.time - asked.time >= .seconds(1), "\(turn.time - asked.time)")
                let handled = try lines(system, "handled")
                #expect(handled.count == 1 && handled[0].hasPrefix("performFetch: newData"), "\(handled)")
            }
        }

        /// An app without a process is launched for the fetch, off the screen, and without a launch option (section
        /// 1.4).
        @Test func anAppWithoutAProcessIsLaunched() throws {
            // The app is suspended and killed before its fetch is due.
            try TestSystem.run(settings: ["fetchInterval=3s"]) { system in
                try system.install("Counter", script: Self.once.replacing("performFetch wait gate\n", with: ""))
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                process.send(SIGKILL)
                try process.waitUntilGone()
                let printed = system.log(.counter).count
                try system.untilPrinted(.counter, "callback performFetch", from: printed)
                let launched = try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                #expect(launched.pid != process.pid)
                #expect(
                    system.callbacks(.counter, from: printed) == [
                        "callback willFinishLaunching options=nil state=background",
                        "callback didFinishLaunching state=background",
                        "notification didFinishLaunching state=background",
                        "callback didEnterBackground state=background",
                        "notification didEnterBackground state=background", "callback performFetch state=background",
                    ])
            }
        }

        /// The app's interval outlives the system, whichever of its processes is killed.
        @Test func theFetchIntervalOutlivesTheSystem() throws {
            try TestSystem.run(settings: ["fetchInterval=3s"]) { system in
                try system.install("Counter", script: Self.once.replacing("performFetch wait gate\n", with: ""))
                try system.launch(.counter)
                try system.suspend(.counter)
                let printed = system.log(.counter).count
                try system.crashAndRestart(.both)
                try system.untilPrinted(.counter, "callback performFetch", from: printed)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }

        /// The supervisor is killed during a fetch. The app reports the fetch when it reconnects, and may still finish
        /// it.
        @Test func aFetchOutlivesTheSystem() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "performFetch leave\ndidBecomeActive fetched newData\n")
                try system.tell(.wake(.counter, .backgroundFetch))
                try system.untilPrinted(.counter, "callback performFetch")
                func untilAnEventIsOpen() throws {
                    try system.until("the app has an event to handle") {
                        try system.summary(.counter).assertions == ["an event that it must handle"] ? true : nil
                    }
                }
                try untilAnEventIsOpen()
                try system.crashAndRestart()
                try system.untilPrinted(.counter, "Roost: connected again")
                try untilAnEventIsOpen()
                try system.launch(.counter)
                let handled = try system.until("the app has handled the event") { try lines(system, "handled").first }
                #expect(handled.hasPrefix("performFetch: newData"), "\(handled)")
                #expect(system.received(.counter).count { $0 == "callback performFetch" } == 1)
            }
        }

        @Test func appsThatNeverCallTheHandlerAreKilled() throws {
            try TestSystem.run(settings: ["backgroundFetch=1500ms"]) { system in
                try system.install("Counter", script: "performFetch leave\n")
                let begin = ContinuousClock.now
                try system.tell(.wake(.counter, .backgroundFetch))
                let process = try system.process(.counter)
                try system.untilPrinted(.counter, "callback performFetch")
                try system.until("the method has returned, and the event is still open") {
                    try system.summary(.counter).assertions == ["an event that it must handle"] ? true : nil
                }
                let end = try system.until(.counter, is: .notRunning)
                #expect(ContinuousClock.now - begin >= .milliseconds(1500))
                #expect(process.isGone)
                #expect(
                    end.lastEnd?.contains("did not call the completion handler of performFetch in time, 0x2182bad4")
                        == true, "\(end.lastEnd ?? "")")
                #expect(!system.received(.counter).contains("callback willTerminate"))
            }
        }

        /// The handler is called twice, and once more after the end. The handler counts once; the app's log has a
        /// warning, and nothing else changes.
        @Test func theHandlerCountsOnce() throws {
            let twice = "performFetch fetched newData\nperformFetch fetched noData\n"
            try TestSystem.runWithBystander(script: twice) { system in
                try system.suspend(.counter)
                let printed = system.log(.counter).count
                try system.tell(.wake(.counter, .backgroundFetch))
                try system.untilPrinted(.counter, "The completion handler of", from: printed)
                try system.until(.counter, is: .suspended)
                try system.script(.counter, "didEnterBackground fetched failed\n")
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.until("the repeated call is logged again") {
                    system.log(.counter).count { $0.contains("was called more than once") } == 2 ? true : nil
                }
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                let handled = try lines(system, "handled")
                #expect(handled.count == 1 && handled[0].hasPrefix("performFetch: newData"), "\(handled)")
                #expect(try lines(system, "late").isEmpty, "RoostKit does not send a second result")
            }
        }

        /// Without the mode, or with its successor from iOS 13 on, both calls only write a warning.
        @Test(arguments: [
            (["fetch"], "", "UIBackgroundModes"),
            ([], "<key>BGTaskSchedulerPermittedIdentifiers</key><array/>", "BGTaskSchedulerPermittedIdentifiers"),
        ]) func undeclaredFetchesAreRefused(without modes: [String], keys: String, word: String) throws {
            try TestSystem.run(settings: Self.soon) { system in
                try system.install("Counter", script: Self.once, without: modes, keys: keys)
                try system.launch(.counter)
                try system.untilPrinted(.counter, "setMinimumBackgroundFetchInterval(_:) has no effect")
                #expect(system.log(.counter).contains { $0.contains("has no effect") && $0.contains(word) })
                try system.until("the refusal is recorded") {
                    try lines(system, "fetch").first { $0.hasPrefix("asks for background fetch, but may not fetch: ") }
                }
                #expect(try lines(system, "fetch").allSatisfy { $0.contains(word) })
                try system.suspend(.counter)
                let failure = #expect(throws: ControlFailure.self) {
                    try system.tell(.wake(.counter, .backgroundFetch))
                }
                #expect(
                    failure?.code == .refused && failure?.message.contains(word) == true, "\(failure?.message ?? "")")
                try system.expectFrozen(.counter)
                #expect(!system.received(.counter).contains("callback performFetch"))
            }
        }

        /// A second app fetches meanwhile. Its fetches show that the first app could have been due.
        @Test func barredAppsFetchNothing() throws {
            try TestSystem.run(settings: ["fetchInterval=300ms"]) { system in
                for app in [BundleIdentifier.counter, .second] {
                    try system.install(
                        "Counter", as: app == .counter ? nil : app, script: "didFinishLaunching fetches 0\n")
                }
                func turns(_ app: BundleIdentifier) throws -> Int { try self.turns(system, app) }
                func expectNoFetch(_ reason: String) throws {
                    let (first, second) = (try turns(.counter), try turns(.second))
                    try system.until("three fetches of the other app") { try turns(.second) >= second + 3 ? true : nil }
                    #expect(try turns(.counter) == first, "\(reason)")
                    #expect(try lines(system, "fetch").last == "may not fetch: " + reason)
                }
                try system.launch(.counter)
                try system.launch(.second)
                try system.tell(.home)
                try system.until("both have fetched") { try turns(.counter) > 0 && turns(.second) > 0 ? true : nil }
                try system.tell(.set(name: "backgroundRefresh", value: "off", app: .counter))
                try expectNoFetch("Background App Refresh is off")
                try system.tell(.set(name: "backgroundRefresh", value: "on", app: .counter))
                let before = try turns(.counter)
                try system.until("the app fetches again") { try turns(.counter) > before ? true : nil }
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try expectNoFetch("the user swiped it away and has not opened it since")
                // A setting for all apps is reported for each of them.
                try system.tell(.set(name: "lowPowerMode", value: "on", app: nil))
                #expect(try lines(system, "fetch", of: .second).last == "may not fetch: Low Power Mode is on")
                try system.until(.second, is: .suspended)
                try system.tell(.set(name: "lowPowerMode", value: "off", app: nil))
                #expect(try lines(system, "fetch", of: .second).contains("may fetch again"))
            }
        }

        /// A foreground app that does not fetch measures the time that has passed.
        @Test(arguments: [
            ("lowPowerMode", "on", "off", "Low Power Mode is on"), ("lowDataMode", "on", "off", "Low Data Mode is on"),
            ("network", "none", "wifi", "there is no network"), ("batteryLevel", "19", "20", "the battery is low"),
        ])
        func noAppFetchesWhileASettingForbidsIt(name: String, off: String, on: String, words: String) throws {
            try TestSystem.run(settings: ["fetchInterval=300ms"]) { system in
                try system.tell(.set(name: "power", value: "battery", app: nil))
                try system.install("Counter", script: "didFinishLaunching fetches 0\n")
                try system.install("Counter", as: .second)
                try system.launch(.counter)
                try system.launch(.second)
                try system.until("the app has fetched") { try turns(system) > 0 ? true : nil }
                try system.tell(.set(name: name, value: off, app: nil))
                #expect(try lines(system, "fetch").last == "may not fetch: " + words)
                try system.until(.counter, is: .suspended)
                let before = try turns(system)
                // Four times the app's interval.
                try system.untilCounted(.second, more: 12)
                #expect(try turns(system) == before)
                try system.expectFrozen(.counter)
                try system.tell(.set(name: name, value: on, app: nil))
                try system.until("the app fetches again") { try turns(system) > before ? true : nil }
                #expect(try lines(system, "fetch").contains("may fetch again"))
            }
        }
    }
}
