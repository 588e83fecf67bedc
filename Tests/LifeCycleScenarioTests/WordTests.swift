import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Synchronization
import Testing

@testable import LifeCycleScenario
@testable import LifeCycleSimulation

@Suite struct WordTests {
    /// The kinds a scenario may expect are those that come: no other comes in long random histories, and all that are in
    /// the list do, but for what takes two devices.
    @Test func everyKindOfDecisionIsKnown() {
        let found = Mutex<Set<String>>([])
        // Once each has been met, further histories show nothing.
        for seed in UInt64(1)...60 where found.withLock({ $0.count }) < DecisionText.kinds.count {
            var history = World(seed: seed, policy: .iOS26, manifests: manifests)
            history.observer = { _, now, effects in
                for case .decided(let decision) in effects {
                    _ = found.withLock { $0.insert(DecisionText.kindAndText(decision, at: now).kind) }
                }
            }
            var random = RandomSource(seed: seed)
            for _ in 0..<600 { act(&history, &random) }
            #expect(history.violation == nil)
        }
        let kinds = found.withLock { $0 }
        #expect(kinds.subtracting(DecisionText.kinds).isEmpty)
        #expect(Set(DecisionText.kinds).subtracting(kinds).sorted() == [])
    }

    private let manifests = (1...3).map {
        AppManifest(
            identifier: BundleIdentifier("org.example.app\($0)") ?? fallback, executable: "app",
            backgroundModes: [.fetch, .location], usesScenes: $0 > 1)
    }

    private func act(_ world: inout World, _ random: inout RandomSource) {
        let app = AppID(1 + Int32(random.below(4)))
        switch random.below(24) {
        case 0..<5: world.handle(.device(.appOpened(app)))
        case 5..<7: world.handle(.device(.homePressed))
        case 7: world.handle(.device(.interruptionBegan(.call)))
        case 8: world.handle(.device(.interruptionDismissed))
        case 9: world.handle(.device(.deviceLocked))
        case 10: world.handle(.device(.deviceUnlocked))
        case 11: world.handle(.device(.memoryRanLow))
        case 12:
            world.handle(.device(.wakeOccurred(app, random.chance(1, in: 2) ? .locationMonitoring : .backgroundFetch)))
        case 13:
            world.handle(.device(.settingChanged(.lowPowerMode(true))))
            let session = TransferSessionID(app: app, number: 1)
            world.handle(.concern(.transfer(.wished(TransferID(session: session, number: 1), .pause))))
        case 14: world.handle(.device(.inputOccurred(app, .text("x"))))
        case 15: world.handle(.device(.appForceQuit(app)))
        case 16: if random.chance(1, in: 10) { world.reboot() } else { world.restartSystem() }
        case 17:
            // Another process thaws it.
            world.thawFromOutside(app)
        case 18..<20: world.advance(by: .seconds(Int64(random.below(20))))
        default: for _ in 0..<5 { _ = world.step() }
        }
    }

    /// What an app can be scripted to do at, it can be expected to hear, by the same word.
    @Test func occasionsAreWhatIsHeard() {
        let heard = Set(Words.heard)
        #expect(heard.count == Words.heard.count && Set(Words.posted).count == Words.posted.count)
        #expect(AppScript.Occasion.all.map(\.name).filter { !heard.contains($0) } == [])
        #expect(Set(TerminationReason.words).count == TerminationReason.words.count)
        #expect(Set(TerminationReason.words) == Set(Expected.ends.map(\.word)))
    }

    /// Scenarios that people have written hold these names: who renames a case has to keep its word.
    @Test func namesStay() {
        let own = [
            "willFinishLaunching", "didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground",
            "willEnterForeground", "didReceiveMemoryWarning", "protectedDataWillBecomeUnavailable",
            "protectedDataDidBecomeAvailable", "significantTimeChange",
        ]
        let calls = own + ["didDiscardSceneSessions", "willTerminate"]
        let scene = [
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
            "sceneDidEnterBackground", "sceneDidDisconnect",
        ]
        let sessions = [
            "willBeginDelayedRequest", "didResumeAtOffset", "didFinishDownloadingTo", "didCompleteWithError",
            "urlSessionDidFinishEvents",
        ]
        let others = [
            "expirationHandler", "performFetch", "didReceiveLocalNotification", "didRegisterUserNotificationSettings",
            "didReceiveRemoteNotification", "didRegisterForRemoteNotifications",
            "didFailToRegisterForRemoteNotifications",
            "handleEventsForBackgroundURLSession",
        ]
        #expect(Words.heard == calls + scene + others + sessions)
        let device = [
            "backgroundRefreshStatusDidChange", "powerStateDidChange", "batteryStateDidChange", "batteryLevelDidChange",
        ]
        let sceneNotifications = [
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidActivate", "sceneWillDeactivate",
            "sceneDidEnterBackground", "sceneDidDisconnect",
        ]
        #expect(Words.posted == Array(own.dropFirst()) + device + ["willTerminate"] + sceneNotifications)
    }

    @Test(arguments: [
        ("plain 메모 📝", "plain 메모 📝"), ("a\u{1B}[0m", "a\\u{1b}[0m"), ("a\u{202E}b", "a\\u{202e}b"),
        ("👩\u{200D}👧", "👩\u{200D}👧"), ("line\nbreak", "line\\u{a}break"), ("\u{2028}", "\\u{2028}"),
    ])
    func textsAreMadeFit(text: String, shown: String) {
        #expect(Words.shown(text) == shown)
    }

    @Test func longTextsAreCut() {
        #expect(Words.shown(String(repeating: "x", count: 121)) == String(repeating: "x", count: 120) + "…")
    }
}

private let fallback: BundleIdentifier = {
    guard let identifier = BundleIdentifier("org.example.app") else {
        preconditionFailure("letters, digits and full stops only")
    }
    return identifier
}()
