import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Synchronization
import Testing

@testable import LifeCycleScenario
@testable import LifeCycleSimulation

@Suite struct WordTests {
    /// The list of decisions that a scenario may expect. Long random histories have all of them, and no others.
    @Test func everyKindOfDecisionIsKnown() {
        let found = Mutex<Set<String>>([])
        // Once all kinds have occurred, further histories show nothing new.
        for seed in UInt64(1)...300 where found.withLock({ $0.count }) < DecisionText.kinds.count {
            var history = History(seed: seed, policy: .iOS26)
            history.world.observer = { _, now, effects in
                for case .decided(let decision) in effects {
                    _ = found.withLock { $0.insert(DecisionText.kindAndText(decision, at: now).kind) }
                }
            }
            history.run(steps: 600)
            #expect(history.world.violation == nil)
        }
        let kinds = found.withLock { $0 }
        #expect(kinds.subtracting(DecisionText.kinds).isEmpty)
        #expect(Set(DecisionText.kinds).subtracting(kinds).sorted() == [])
    }

    /// Each occasion of a script is also a word that a scenario can expect.
    @Test func everyOccasionCanBeExpected() {
        let called = Set(Words.called)
        #expect(called.count == Words.called.count && Set(Words.posted).count == Words.posted.count)
        #expect(AppScript.Occasion.all.map(\.name).filter { !called.contains($0) } == [])
        #expect(Set(TerminationReason.words).count == TerminationReason.words.count)
        #expect(Set(TerminationReason.words) == Set(Expected.ends.map(\.word)))
    }

    /// Existing scenarios contain these names. If a case is renamed, its word has to stay.
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
        let ofConcerns = [
            "performFetch", "didReceiveLocalNotification", "didRegisterUserNotificationSettings",
            "didReceiveRemoteNotification", "didRegisterForRemoteNotifications",
            "didFailToRegisterForRemoteNotifications",
            "handleEventsForBackgroundURLSession",
        ]
        #expect(Words.called == calls + scene + ["expirationHandler"] + ConcernCall.names + sessions)
        #expect(Set(ConcernCall.names).isSuperset(of: ofConcerns))
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
