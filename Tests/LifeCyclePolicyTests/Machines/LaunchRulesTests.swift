import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The rules for launches and wakes: every reason by every obstacle.
@Suite struct LaunchRulesTests {
    private static let every = AppManifest.sample(modes: BackgroundMode.allCases)

    private func admit(
        _ reason: LaunchReason, _ manifest: AppManifest = every, isForceQuit: Bool = false, isEnding: Bool = false,
        isShuttingDown: Bool = false, device: DeviceRecord = DeviceRecord(), scenes: SceneRequirement = .none,
        allowsRefresh: Bool = true, taskSchedulerEndsFetch: Bool = true, policy: Policy = .iOS7
    ) -> WakeRefusal? {
        var record = AppRecord(app: app(1), manifest: manifest, isForceQuit: isForceQuit)
        record.allowsBackgroundRefresh = allowsRefresh
        let circumstances = LaunchRules.Circumstances(
            settings: device.settings, isLocked: device.isLocked, wasUnlockedSinceStart: device.wasUnlockedSinceStart,
            scenes: scenes, isShuttingDown: isShuttingDown,
            taskSchedulerEndsFetch: taskSchedulerEndsFetch, forceQuitBarsWakes: policy.forceQuitBarsWakes,
            forceQuitBarsLocation: policy.forceQuitBarsLocation,
            pushKitOvercomesForceQuit: policy.pushKitOvercomesForceQuit)
        if reason == .urlSession || reason == .voipPush {
            return LaunchRules.admitConcern(reason, app: record, isEnding: isEnding, circumstances: circumstances)
        }
        return LaunchRules.admit(reason, app: record, isEnding: isEnding, circumstances: circumstances)
    }

    static let wakes = LaunchReason.allCases.filter { $0 != .user }
    static let wakesByMode = wakes.filter { $0.requiredMode != nil }

    @Test(arguments: wakesByMode) func aDeclaredModeIsEnough(_ reason: LaunchReason) throws {
        #expect(admit(reason) == nil)
        let mode = try #require(reason.requiredMode)
        #expect(admit(reason, .sample(modes: [mode])) == nil)
    }

    /// The events of a background session need no entry in `UIBackgroundModes`.
    @Test func aSessionsEventsNeedNoMode() { #expect(admit(.urlSession, .sample()) == nil) }

    /// Only the system itself can report that a session has ended, or that a VoIP push has arrived.
    @Test(arguments: [LaunchReason.urlSession, .voipPush])
    func someEventsComeFromTheSystemOnly(_ reason: LaunchReason) {
        let circumstances = LaunchRules.Circumstances(
            settings: DeviceSettings(), isLocked: false, wasUnlockedSinceStart: true, scenes: .none,
            isShuttingDown: false, taskSchedulerEndsFetch: true,
            forceQuitBarsWakes: true, forceQuitBarsLocation: false, pushKitOvercomesForceQuit: true)
        let record = AppRecord(app: app(1), manifest: Self.every)
        #expect(LaunchRules.admit(reason, app: record, isEnding: false, circumstances: circumstances) == .notAWake)
    }

    /// Location monitoring needs no entry in `UIBackgroundModes`; a standard location update does.
    @Test func theMonitoringOfPlacesNeedsNoMode() {
        #expect(admit(.locationMonitoring, .sample()) == nil)
        #expect(admit(.locationUpdate, .sample()) == .modeNotDeclared)
        #expect(admit(.locationUpdate, .sample(modes: [.location])) == nil)
    }

    @Test(arguments: wakesByMode) func everyOtherModeIsRefused(_ reason: LaunchReason) {
        let others = BackgroundMode.allCases.filter { $0 != reason.requiredMode }
        #expect(admit(reason, .sample(modes: others)) == .modeNotDeclared)
        #expect(admit(reason, .sample()) == .modeNotDeclared)
    }

    /// An app that may schedule tasks does not fetch, if its generation has a task scheduler. The app has all
    /// other wakes.
    @Test(arguments: wakesByMode) func tasksTakeThePlaceOfFetches(_ reason: LaunchReason) {
        let manifest = AppManifest.sample(modes: BackgroundMode.allCases, taskIdentifiers: [])
        #expect(admit(reason, manifest) == (reason == .backgroundFetch ? .fetchDisabled : nil))
        #expect(admit(reason, manifest, taskSchedulerEndsFetch: false) == nil)
    }

    @Test(arguments: wakes) func everyObstacleRefuses(_ reason: LaunchReason) {
        #expect(admit(reason, isForceQuit: true, policy: Self.barring(.iOS7)) == .forceQuit)
        #expect(admit(reason, isEnding: true) == .ending)
        #expect(admit(reason, isShuttingDown: true) == .shuttingDown)
        #expect(
            admit(reason, .sample(modes: BackgroundMode.allCases, exitsOnSuspend: true)) == .exitsOnSuspend)
    }

    /// The policy under which VoIP pushes do not launch a force-quit app.
    private static func barring(_ policy: Policy) -> Policy { policy.with { $0.pushKitOvercomesForceQuit = false } }

    /// Until iOS 6 a force quit bars only the wakes for background sessions. iOS 7 bars all wakes.
    /// Since iOS 8, location monitoring still launches the app, and so do VoIP pushes, unless the policy bars them.
    @Test(arguments: wakes) func launchesOfForceQuitAppsDependOnTheGeneration(_ reason: LaunchReason) {
        let isPush = reason == .voipPush
        let isBarred: WakeRefusal? = reason == .urlSession ? .forceQuit : nil
        #expect(admit(reason, isForceQuit: true, policy: .iOS4) == isBarred)
        #expect(admit(reason, isForceQuit: true, policy: Self.barring(.iOS4)) == isBarred)
        for policy in [Policy.iOS13, .iOS26, .iOS27] {
            let monitoring: WakeRefusal? = reason == .locationMonitoring ? nil : .forceQuit
            #expect(admit(reason, isForceQuit: true, policy: policy) == (isPush ? nil : monitoring))
            #expect(admit(reason, isForceQuit: true, policy: Self.barring(policy)) == monitoring)
        }
        #expect(admit(reason, isForceQuit: true, policy: .iOS7) == (isPush ? nil : .forceQuit))
        #expect(admit(reason, isForceQuit: true, policy: Self.barring(.iOS7)) == .forceQuit)
    }

    @Test(arguments: wakes) func nothingWakesBeforeTheFirstUnlocking(_ reason: LaunchReason) {
        var device = DeviceRecord()
        device.wasUnlockedSinceStart = false
        #expect(admit(reason, device: device) == nil)
        device.settings.hasPasscode = true
        #expect(admit(reason, device: device) == .notUnlockedSinceStart)
    }

    @Test func backgroundAppRefreshGovernsTheAppsOwnWakes() {
        var off = DeviceRecord()
        off.settings.backgroundRefresh = false
        let governed: [LaunchReason] = [
            .locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand, .urlSession,
        ]
        for reason in Self.wakes {
            let expected: WakeRefusal? = governed.contains(reason) ? .backgroundRefresh : nil
            #expect(admit(reason, device: off) == expected)
            #expect(admit(reason, allowsRefresh: false) == expected)
        }
    }

    @Test(arguments: wakes) func requiredScenesBarAnAppWithoutScenes(_ reason: LaunchReason) {
        #expect(admit(reason, scenes: .advised) == nil)
        #expect(admit(reason, scenes: .required) == .noScenes)
        let modes = BackgroundMode.allCases
        #expect(admit(reason, .sample(modes: modes, usesScenes: true), scenes: .required) == nil)
        #expect(admit(reason, .sample(modes: modes, isAdopted: true), scenes: .required) == nil)
    }

    @Test func theUserIsNoWake() { #expect(admit(.user) == .notAWake) }

    /// VoIP pushes are not reported from outside, and need the same mode as the traffic on sockets.
    @Test func everyModeHasOneEventAtMost() {
        for mode in BackgroundMode.allCases {
            #expect(LaunchReason.allCases.filter { $0.isEvent && $0.requiredMode == mode }.count <= 1)
        }
        #expect(LaunchReason.voipPush.requiredMode == .voip)
    }
}
