import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The one way to life: every reason by every obstacle.
@Suite struct LaunchRulesTests {
    private static let every = AppManifest.sample(modes: BackgroundMode.allCases)

    private func admit(
        _ reason: LaunchReason, _ manifest: AppManifest = every, isForceQuit: Bool = false, isEnding: Bool = false,
        isShuttingDown: Bool = false
    ) -> WakeRefusal? {
        LaunchRules.admit(
            reason, app: AppRecord(app: app(1), manifest: manifest, isForceQuit: isForceQuit), isEnding: isEnding,
            isShuttingDown: isShuttingDown)
    }

    static let wakes = LaunchReason.allCases.filter { $0 != .user }

    @Test(arguments: wakes) func aDeclaredModeIsEnough(_ reason: LaunchReason) throws {
        #expect(admit(reason) == nil)
        let mode = try #require(reason.requiredMode)
        #expect(admit(reason, .sample(modes: [mode])) == nil)
    }

    @Test(arguments: wakes) func everyOtherModeIsNot(_ reason: LaunchReason) {
        let others = BackgroundMode.allCases.filter { $0 != reason.requiredMode }
        #expect(admit(reason, .sample(modes: others)) == .modeNotDeclared)
        #expect(admit(reason, .sample()) == .modeNotDeclared)
    }

    @Test(arguments: wakes) func everyObstacleRefuses(_ reason: LaunchReason) {
        #expect(admit(reason, isForceQuit: true) == .forceQuit)
        #expect(admit(reason, isEnding: true) == .ending)
        #expect(admit(reason, isShuttingDown: true) == .shuttingDown)
        #expect(
            admit(reason, .sample(modes: BackgroundMode.allCases, exitsOnSuspend: true)) == .exitsOnSuspend)
    }

    @Test func theUserIsNoWake() { #expect(admit(.user) == .notAWake) }

    @Test func everyModeHasOneReasonAtMost() {
        for mode in BackgroundMode.allCases {
            #expect(LaunchReason.allCases.filter { $0.requiredMode == mode }.count <= 1)
        }
    }
}
