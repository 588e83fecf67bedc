import Foundation
import LifeCycleModel
import Testing

@testable import RoostKit

/// What must be as Apple has it, to the letter and the number.
@Suite struct NamesTests {
    @Test func statesHaveApplesNumbers() {
        #expect(UIApplication.State.active.rawValue == 0)
        #expect(UIApplication.State.inactive.rawValue == 1)
        #expect(UIApplication.State.background.rawValue == 2)
        #expect(UIBackgroundTaskIdentifier.invalid.rawValue == 0)
    }

    @Test func notificationsHaveApplesNames() {
        let names: [(Notification.Name, String)] = [
            (UIApplication.didFinishLaunchingNotification, "UIApplicationDidFinishLaunchingNotification"),
            (UIApplication.didBecomeActiveNotification, "UIApplicationDidBecomeActiveNotification"),
            (UIApplication.willResignActiveNotification, "UIApplicationWillResignActiveNotification"),
            (UIApplication.didEnterBackgroundNotification, "UIApplicationDidEnterBackgroundNotification"),
            (UIApplication.willEnterForegroundNotification, "UIApplicationWillEnterForegroundNotification"),
            (UIApplication.willTerminateNotification, "UIApplicationWillTerminateNotification"),
        ]
        for (name, text) in names { #expect(name.rawValue == text) }
    }

    @Test(arguments: LaunchReason.allCases) func launchOptionsCarryTheReason(_ reason: LaunchReason) {
        let expected: [LaunchReason: UIApplication.LaunchOptionsKey] = [
            .location: .location, .remoteNotification: .remoteNotification, .bluetoothCentral: .bluetoothCentrals,
            .bluetoothPeripheral: .bluetoothPeripherals, .newsstand: .newsstandDownloads,
        ]
        let options = UIApplication.launchOptions(for: reason)
        #expect(options.map { Array($0.keys) } == expected[reason].map { [$0] })
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
