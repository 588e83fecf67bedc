import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Every row of the launch rules by every event, on real processes (R-65, R-68, R-123, R-124, R-126,
    /// T02): what is refused makes no process, and is on record; what is admitted is launched and frozen again.
    @Suite struct LaunchRuleTests {
        /// What an app may be woken for from outside.
        private static let events = LaunchReason.allCases.filter(\.isEvent)
        /// What it would merely like to be woken for: Background App Refresh governs it.
        private static let liked: [LaunchReason] = [
            .locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand,
        ]
        private static let others = events.filter { !liked.contains($0) }
        /// What Counter declares by itself.
        private static let declared = ["location", "fetch", "remote-notification"]
        private static let allModes = events.compactMap { $0.requiredMode?.rawValue }.filter { !declared.contains($0) }

        /// Each is refused in these words, and nothing of the app runs for it.
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

        /// Each launches the app into the background; it is frozen again, and killed before the next.
        private func expectLaunches(
            _ system: TestSystem, for events: [LaunchReason], _ app: BundleIdentifier = .counter
        ) throws {
            for event in events {
                let printed = system.log(app).count
                try system.tell(.wake(app, event))
                try system.until(app, is: .suspended)
                try system.expectFrozen(app)
                let heard = system.callbacks(app, from: printed)
                for line in ["callback didFinishLaunching", "notification didEnterBackground"] {
                    #expect(heard.contains("\(line) state=background"), "\(event): \(heard)")
                }
                let process = try system.process(app)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(app, is: .notRunning)
            }
        }

        /// An app for each mode, which has declared that one alone.
        @Test func aModeIsForItsOwnEvents() throws {
            try TestSystem.run { system in
                for event in Self.events {
                    // The monitoring of places needs no mode (R-130).
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
            try TestSystem.run { system in
                try system.install("Counter", without: Self.declared)
                try expectRefusals(system, of: [.locationUpdate], saying: "UIBackgroundModes")
                try expectLaunches(system, for: [.locationMonitoring])
                let options = "options=UIApplicationLaunchOptionsLocationKey"
                #expect(system.log(.counter).contains { $0.contains(options) })
            }
        }

        @Test func nothingThatHappensOpensAnApp() throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: Self.allModes)
                let failure = #expect(throws: ControlFailure.self) { try system.tell(.wake(.counter, .user)) }
                #expect(failure?.message.contains("only the user opens apps") == true)
                #expect(try system.why(.counter).last?.text.hasPrefix("not opened: only the user") == true)
                #expect(try system.summary(.counter).pid == nil && system.log(.counter).isEmpty)
            }
        }

        /// In iOS 7 for a place neither (R-75).
        @Test func whatWasSwipedAwayIsWokenForNothing() throws {
            try TestSystem.run(policy: "iOS7") { system in
                try system.install("Counter", modes: Self.allModes)
                try system.launch(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try expectRefusals(system, saying: "swiped it away")
                try system.crashAndRestart(.both)
                try expectRefusals(system, saying: "swiped it away")
                // Opened by the user it may be woken again, also when it is gone.
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
            try TestSystem.run { system in
                try system.install("Counter", modes: Self.allModes.filter { $0 != "voip" })
                let events = Self.events.filter { $0 != .voip }
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.startDeviceAnew()
                try expectRefusals(system, of: events, saying: "not unlocked since its start")
                try system.crashAndRestart()
                try expectRefusals(system, of: events, saying: "not unlocked since its start")
                try system.tell(.unlock)
                try expectLaunches(system, for: events)
                // Locked again it may: the device was unlocked once.
                try system.tell(.lock)
                try expectLaunches(system, for: events)
            }
        }

        /// Off for the app, or for all: what others want of it comes all the same.
        @Test(arguments: [nil, BundleIdentifier.counter])
        func withoutBackgroundAppRefresh(of app: BundleIdentifier?) throws {
            try TestSystem.run { system in
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

        @Test func whoIsNeverInTheBackgroundIsNotWoken() throws {
            try TestSystem.run { system in
                try system.install(
                    "Counter", modes: Self.allModes, keys: "<key>UIApplicationExitsOnSuspend</key><true/>")
                try expectRefusals(system, saying: "keeps it out of the background")
            }
        }

        /// From iOS 13 on tasks take the place of fetches, and of nothing else (R-89).
        @Test(arguments: [("iOS7", true), ("iOS26", false)])
        func whoSchedulesTasksHasNoFetches(policy: String, mayFetch: Bool) throws {
            try TestSystem.run(policy: policy) { system in
                try system.install(
                    "Counter", modes: Self.allModes, keys: "<key>BGTaskSchedulerPermittedIdentifiers</key><array/>")
                if !mayFetch {
                    try expectRefusals(system, of: [.backgroundFetch], saying: "BGTaskSchedulerPermittedIdentifiers")
                }
                try expectLaunches(system, for: Self.events.filter { mayFetch || $0 != .backgroundFetch })
            }
        }

        /// Where a generation asks for scenes, who has none is not launched for an event either.
        @Test func whereScenesAreRequired() throws {
            try TestSystem.run(policy: "iOS27") { system in
                try system.install("Counter", modes: Self.allModes)
                try expectRefusals(system, saying: "UIApplicationSceneManifest")
                try system.install("Counter", as: .second, withScene: true, modes: Self.allModes)
                try expectLaunches(system, for: Self.events, .second)
            }
        }

        /// One that takes its time over its end is not woken meanwhile, and is when it has ended: in iOS 6 also though
        /// the user has swiped it away.
        @Test func whatIsBeingEndedIsNotWoken() throws {
            try TestSystem.run(policy: "iOS4") { system in
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

        /// An app that takes its time over its end holds up the system's, and nobody else is launched meanwhile.
        @Test func nobodyIsLaunchedWhileTheSystemEnds() throws {
            try TestSystem.run { system in
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
