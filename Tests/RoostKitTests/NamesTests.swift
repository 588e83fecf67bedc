import Foundation
import LifeCycleModel
import Testing

@testable import RoostKit

/// Names and numbers that must be exactly Apple's.
@Suite struct NamesTests {
    @Test func statesHaveApplesNumbers() {
        #expect(UIApplication.State.active.rawValue == 0)
        #expect(UIApplication.State.inactive.rawValue == 1)
        #expect(UIApplication.State.background.rawValue == 2)
        #expect(UIBackgroundTaskIdentifier.invalid.rawValue == 0)
        let scene: [UIScene.ActivationState] = [.unattached, .foregroundActive, .foregroundInactive, .background]
        #expect(scene.map(\.rawValue) == [-1, 0, 1, 2])
        let refresh: [UIBackgroundRefreshStatus] = [.restricted, .denied, .available]
        #expect(refresh.map(\.rawValue) == [0, 1, 2])
        let battery: [UIDevice.BatteryState] = [.unknown, .unplugged, .charging, .full]
        #expect(battery.map(\.rawValue) == [0, 1, 2, 3])
        #expect(UISceneError(.multipleScenesNotSupported).errorCode == 0)
        #expect((UISceneError(.requestDenied) as NSError).domain == "UISceneErrorDomain")
        #expect(ScenePhase.background < .inactive && ScenePhase.inactive < .active)
    }

    @Test func notificationsHaveApplesNames() {
        let names: [(Notification.Name, String)] = [
            (UIApplication.didFinishLaunchingNotification, "UIApplicationDidFinishLaunchingNotification"),
            (UIApplication.didBecomeActiveNotification, "UIApplicationDidBecomeActiveNotification"),
            (UIApplication.willResignActiveNotification, "UIApplicationWillResignActiveNotification"),
            (UIApplication.didEnterBackgroundNotification, "UIApplicationDidEnterBackgroundNotification"),
            (UIApplication.willEnterForegroundNotification, "UIApplicationWillEnterForegroundNotification"),
            (UIApplication.willTerminateNotification, "UIApplicationWillTerminateNotification"),
            (UIApplication.didReceiveMemoryWarningNotification, "UIApplicationDidReceiveMemoryWarningNotification"),
            (UIApplication.significantTimeChangeNotification, "UIApplicationSignificantTimeChangeNotification"),
            (
                UIApplication.protectedDataWillBecomeUnavailableNotification,
                "UIApplicationProtectedDataWillBecomeUnavailable"
            ),
            (
                UIApplication.protectedDataDidBecomeAvailableNotification,
                "UIApplicationProtectedDataDidBecomeAvailable"
            ),
            (
                UIApplication.backgroundRefreshStatusDidChangeNotification,
                "UIApplicationBackgroundRefreshStatusDidChangeNotification"
            ),
            (.NSProcessInfoPowerStateDidChange, "NSProcessInfoPowerStateDidChangeNotification"),
            (UIScene.willConnectNotification, "UISceneWillConnectNotification"),
            (UIScene.didDisconnectNotification, "UISceneDidDisconnectNotification"),
            (UIScene.didActivateNotification, "UISceneDidActivateNotification"),
            (UIScene.willDeactivateNotification, "UISceneWillDeactivateNotification"),
            (UIScene.willEnterForegroundNotification, "UISceneWillEnterForegroundNotification"),
            (UIScene.didEnterBackgroundNotification, "UISceneDidEnterBackgroundNotification"),
        ]
        for (name, text) in names { #expect(name.rawValue == text) }
    }

    @Test(arguments: LaunchReason.allCases) func launchOptionsCarryTheReason(_ reason: LaunchReason) {
        let expected: [LaunchReason: UIApplication.LaunchOptionsKey] = [
            .locationUpdate: .location, .locationMonitoring: .location, .remoteNotification: .remoteNotification,
            .bluetoothCentral: .bluetoothCentrals,
            .bluetoothPeripheral: .bluetoothPeripherals, .newsstand: .newsstandDownloads,
        ]
        let options = UIApplication.launchOptions(for: reason)
        #expect(options.map { Array($0.keys) } == expected[reason].map { [$0] })
    }

    @Test(arguments: [LaunchReason.bluetoothCentral, .bluetoothPeripheral])
    func launchOptionsHoldTheRestoreIdentifiers(_ reason: LaunchReason) {
        let options = UIApplication.launchOptions(for: reason, restoreIdentifiers: ["left", "right"])
        #expect(options?.values.map { $0 as? [String] } == [["left", "right"]])
    }

    @Test func aTaskWithoutANameIsNamedAfterItsCaller() {
        let name = TaskName.made(function: "applicationDidEnterBackground(_:)", file: "App/AppDelegate.swift", line: 7)
        #expect(name == "Called by applicationDidEnterBackground(_:), from AppDelegate.swift:7")
    }

    @Test func longNamesAreCutAfterAWholeCharacter() {
        let name = TaskName.shortened(String(repeating: "👩‍👩‍👧", count: 100))
        #expect(name.utf8.count <= 1024 && !name.isEmpty)
        #expect(name.allSatisfy { $0 == "👩‍👩‍👧" })
        #expect(TaskName.shortened("short") == "short")
    }
}
