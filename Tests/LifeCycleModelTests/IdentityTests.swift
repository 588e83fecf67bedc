import FoundationEssentials
import LifeCycleModel
import Testing

@Suite struct IdentityTests {
    @Test(arguments: ["a", "A-1", "com.example.Notes", "1.2.3", "a-", "a--b.c-d", String(repeating: "a", count: 155)])
    func takesBundleIdentifiers(text: String) throws {
        let identifier = try #require(BundleIdentifier(text))
        #expect(identifier.rawValue == text)
        #expect(identifier.description == text)
        let coded = try JSONDecoder().decode([BundleIdentifier].self, from: JSONEncoder().encode([identifier]))
        #expect(coded == [identifier])
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "a..b", ".a", "a.", "-a", "a.-b", "a b", "a_b", "é", "a\0", "a\n", "a*",
        String(repeating: "a", count: 156),
    ])
    func refusesInvalidIdentifiers(text: String) throws {
        #expect(BundleIdentifier(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([BundleIdentifier].self, from: json) }
    }

    @Test func sortsLaunchesByAppThenNumber() {
        let launches = [(2, 1), (1, 2), (1, 10), (1, 1)].map { LaunchID(app: AppID($0), number: $1) }
        #expect(launches.sorted().map(\.description) == ["1.1", "1.2", "1.10", "2.1"])
    }

    @Test func callbackNumbersStartAtOne() {
        #expect(CallbackID.none.next == CallbackID(1))
        #expect(CallbackID(1).description == "#1")
    }
}

@Suite struct StateTests {
    @Test func distinguishesForegroundStates() {
        #expect(AppState.allCases.filter(\.isForeground) == [.inactive, .active])
        #expect(AppState.allCases.map(\.name) == ["not running", "inactive", "active", "background", "suspended"])
    }

    /// Reasons without a background mode. These include sessions that the app has entrusted to the system, and
    /// location monitoring.
    @Test func someReasonsRequireNoMode() {
        #expect(LaunchReason.allCases.filter { $0.requiredMode == nil } == [.user, .locationMonitoring, .urlSession])
        #expect(LaunchReason.allCases.filter { !$0.isEvent } == [.user, .voipPush, .urlSession])
    }

    @Test func spellsApplesCodes() {
        #expect(TerminationReason.watchdog(.didEnterBackground).code.description == "0x8badf00d")
        #expect(TerminationReason.tasksNotEnded(.taskNotCompleted).code.description == "0x2182bad2")
        #expect(TerminationReason.noCallReported.code.description == "0xbaadca11")
        #expect(TerminationReason.wokenTooOften.code.description == "0xbad22222")
        #expect(TerminationReason.exited(.signaled(11)).code.description == "signal 11")
        // A force quit leaves no exception code (TN2151).
        #expect(TerminationReason.forceQuit.code == .signal(9))
        // Apple's table has no code for this reason, so this one is a choice of Roost.
        #expect(TerminationReason.eventNotHandled(.remoteNotification).code == .watchdog)
        #expect(TerminationReason.memory.code.description == "jetsam: vm-pageshortage")
    }

    @Test func keepsModesSortedAndOnce() {
        let manifest = AppManifest(
            identifier: BundleIdentifier("a.b")!, executable: "x", backgroundModes: [.voip, .audio, .voip])
        #expect(manifest.backgroundModes == [.audio, .voip])
        #expect(manifest.displayName == "x")
    }
}
