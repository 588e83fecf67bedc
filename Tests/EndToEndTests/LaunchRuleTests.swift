import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Every row of the launch rules with every event, on real processes (R-65, R-68, R-123, R-124, R-126, T02). A
    /// refused event makes no process, and is recorded. An admitted event launches the app, which is frozen again.
    @Suite struct LaunchRuleTests {
        /// The events from outside that may wake an app.
        private static let events = LaunchReason.allCases.filter(\.isEvent)
        /// The events that Background App Refresh governs, because the app can do without them.
        private static let liked: [LaunchReason] = [
            .locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand,
        ]
        private static let others = events.filter { !liked.contains($0) }
        /// The modes that Counter itself declares.
        private static let declared = ["location", "fetch", "remote-notification"]
        private static let allModes = events.compactMap { $0.requiredMode?.rawValue }.filter { !declared.contains($0) }

        /// Runs a system that does not launch an app with the mode `voip` again by itself (R-175).
        private func run(policy: String? = nil, _ body: (TestSystem) throws -> Void) throws {
            try TestSystem.run(policy: policy, settings: ["launchesVoIPAtStart=false"]) { try body($0) }
        }

        /// Each event is refused with these words, and no code of the app runs for it.
        private func expectRefusals(
            _ system: TestSystem, of events: [LaunchReason] = events, _ app: BundleIdentifier = .counter,
            saying words: String
        ) throws {
            let (printed, known) = (system.log(app).count, try system.why(app).count)
            for event in events {
                let failure = #expect(throws: ControlFailure.self, "\(event)") {
                    try system.tell(.wake(app, event))
                }
                #expect(failure?.code == .refused)
                #expect(failure?.message.contains(words) == true, "\(event): \(failure?.message ?? "")")
            }
            let refused = try system.why(app).dropFirst(known).filter { $0.kind == "refused" }.map(\.text)
            #expect(refused.count == events.count)
            for (text, event) in zip(refused, events) {
                #expect(text.hasPrefix("not woken for \(event.rawValue): ") && text.contains(words), "\(text)")
            }
            #expect(try system.summary(app).pid == nil && system.log(app).count == printed)
        }

        /// Each event launches the app into the background. The app is frozen again, and killed before the next event.
        private func expectLaunches(
            _ system: TestSystem, for events: [LaunchReason], _ app: BundleIdentifier = .counter
        ) throws {
            for event in events {
                let printed = system.log(app).count
                try system.tell(.wake(app, event))
                try system.until(app, is: .suspended)
                try system.expectFrozen(app)
                let callbacks = system.callbacks(app, from: printed)
                for line in ["callback didFinishLaunching", "notification didEnterBackground"] {
                    #expect(callbacks.contains("\(line) state=background"), "\(event): \(callbacks)")
                }
                let process = try system.process(app)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(app, is: .notRunning)
            }
        }

        /// For each mode, an app that declares only that mode.
        @Test func aModeIsForItsOwnEvents() throws {
            try run { system in
                for event in Self.events {
                    // Region monitoring needs no mode (R-130).
                    guard let mode = event.requiredMode?.rawValue else { continue }
                    let app = BundleIdentifier.named("org.roost.test.\(event.rawValue)")
                    try system.install(
                        "Counter", as: app, modes: Self.declared.contains(mode) ? [] : [mode],
                        without: Self.declared.filter { $0 != mode })
                    let others = Self.events.filter { $0 != event && $0.requiredMode != nil }
                    try expectRefusals(system, of: others, app, saying: "UIBackgroundModes")
                    try expectLaunches(system, for: [event], app)
                }
            }
        }

        /// R-130.
        @Test func theMonitoringOfPlacesNeedsNoMode() throws {
            try run { system in
                try system.install("Counter", without: Self.declared)
                try expectRefusals(system, of: [.locationUpdate], saying: "UIBackgroundModes")
                try expectLaunches(system, for: [.locationMonitoring])
                let options = "options=UIApplicationLaunchOptionsLocationKey"
                #expect(system.log(.counter).contains { $0.contains(options) })
            }
        }

        @Test func nothingThatHappensOpensAnApp() throws {
            try run { system in
                try system.install("Counter", modes: Self.allModes)
                let failure = #expect(throws: ControlFailure.self) { try system.tell(.wake(.counter, .user)) }
                #expect(failure?.message.contains("only the user can open an app") == true)
                #expect(try system.why(.counter).last?.text.hasPrefix("not opened: only the user") == true)
                #expect(try system.summary(.counter).pid == nil && system.log(.counter).isEmpty)
            }
        }

        /// In iOS 7 this includes location events (R-75).
        @Test func aForceQuitAppIsNotWokenForAnyEvent() throws {
            try run(policy: "iOS7") { system in
                try system.install("Counter", modes: Self.allModes)
                try system.launch(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try expectRefusals(system, saying: "swiped it away")
                try system.crashAndRestart(.both)
                try expectRefusals(system, saying: "swiped it away")
                // After the user has opened it, the app may be woken again, also without a process.
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.counter, is: .notRunning)
                try expectLaunches(system, for: Self.events)
            }
        }

        @Test func nothingWakesBeforeTheFirstUnlocking() throws {
            try run { system in
                try system.install("Counter", modes: Self.allModes.filter { $0 != "voip" })
                let events = Self.events.filter { $0 != .voip }
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.restartDevice()
                try expectRefusals(system, of: events, saying: "not been unlocked since it started")
                try system.crashAndRestart()
                try expectRefusals(system, of: events, saying: "not been unlocked since it started")
                try system.tell(.unlock)
                try expectLaunches(system, for: events)
                // Locked again, the device may still wake apps, because it was unlocked once.
                try system.tell(.lock)
                try expectLaunches(system, for: events)
            }
        }

        /// Background App Refresh is off for the app, or for all apps. Events that it does not govern still arrive.
        @Test(arguments: [nil, BundleIdentifier.counter])
        func withoutBackgroundAppRefresh(of app: BundleIdentifier?) throws {
            try run { system in
                try system.install("Counter", modes: Self.allModes)
                try system.install("Counter", as: .second, modes: Self.allModes)
                try system.tell(.set(name: "backgroundRefresh", value: "off", app: app))
                try expectRefusals(system, of: Self.liked, saying: "Background App Refresh is off")
                if app == nil {
                    try expectRefusals(system, of: Self.liked, .second, saying: "Background App Refresh is off")
                } else {
                    try expectLaunches(system, for: Self.liked, .second)
                }
                try expectLaunches(system, for: Self.others)
                try system.tell(.set(name: "backgroundRefresh", value: "on", app: app))
                try expectLaunches(system, for: Self.liked)
            }
        }

        @Test func appsThatExitOnSuspendAreNotWoken() throws {
            try run { system in
                try system.install(
                    "Counter", modes: Self.allModes, keys: "<key>UIApplicationExitsOnSuspend</key><true/>")
                try expectRefusals(system, saying: "keeps it out of the background")
            }
        }

        /// From iOS 13 on, scheduled tasks replace fetches, and only fetches (R-89).
        @Test(arguments: [("iOS7", true), ("iOS26", false)])
        func appsWithScheduledTasksHaveNoFetches(policy: String, mayFetch: Bool) throws {
            try run(policy: policy) { system in
                try system.install(
                    "Counter", modes: Self.allModes, keys: "<key>BGTaskSchedulerPermittedIdentifiers</key><array/>")
                if !mayFetch {
                    try expectRefusals(system, of: [.backgroundFetch], saying: "BGTaskSchedulerPermittedIdentifiers")
                }
                try expectLaunches(system, for: Self.events.filter { mayFetch || $0 != .backgroundFetch })
            }
        }

        /// If a generation requires scenes, an app without scenes is not launched for an event either.
        @Test func appsWithoutRequiredScenesAreNotLaunched() throws {
            try run(policy: "iOS27") { system in
                try system.install("Counter", modes: Self.allModes)
                try expectRefusals(system, saying: "UIApplicationSceneManifest")
                try system.install("Counter", as: .second, withScene: true, modes: Self.allModes)
                try expectLaunches(system, for: Self.events, .second)
            }
        }

        /// An app that takes long to end is not woken meanwhile. Once the app has ended, it is woken; until iOS 6 also
        /// after the user has swiped it away.
        @Test func endingAppsAreNotWoken() throws {
            try run(policy: "iOS4") { system in
                try system.install("Counter", script: "willTerminate wait gate\n", modes: Self.allModes)
                try system.makeGate(.counter)
                try system.openApp(.counter)
                let ending = try system.process(.counter)
                try system.tell(.quit(.counter))
                try system.untilPrinted(.counter, "waits at gate")
                for event in Self.events {
                    let failure = #expect(throws: ControlFailure.self) { try system.tell(.wake(.counter, event)) }
                    #expect(failure?.message == "not woken for \(event.rawValue): it is being ended")
                }
                #expect(try system.process(.counter).pid == ending.pid && !ending.isGone)
                try system.openGate(.counter)
                try ending.waitUntilGone()
                try system.until(.counter, is: .notRunning)
                try expectLaunches(system, for: Self.events)
            }
        }

        /// An app that takes long to end delays the end of the system. No other app is launched meanwhile.
        @Test func noAppIsLaunchedWhileTheSystemEnds() throws {
            try run { system in
                try system.install("Counter", as: .second, script: "willTerminate wait gate\n")
                try system.makeGate(.second)
                try system.install("Counter", modes: Self.allModes)
                try system.openApp(.second)
                let guardian = try #require(system.guardian)
                guardian.held.send(SIGTERM)
                try system.untilPrinted(.second, "waits at gate")
                try expectRefusals(system, saying: "the system is shutting down")
                try system.openGate(.second)
                #expect(try guardian.exit() == .code(0))
            }
        }
    }
}
