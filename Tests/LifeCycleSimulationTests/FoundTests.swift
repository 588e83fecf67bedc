import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Histories that once found something wrong with the brain, shrunk, as the explorer printed them.
@Suite struct FoundTests {
    /// An app waiting for an answer was still held for what it no longer had.
    ///
    /// Seed 2, 500 steps: the reference model agrees.
    @Test func seed2Of500Steps() throws {
        let policy = Policy.iOS13
        let device = CheckedDevice(
            policy: policy,
            [
                .event(
                    .appInstalled(
                        AppID(1),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app1")), executable: "app",
                            displayName: "app",
                            backgroundModes: [
                                .audio, .bluetoothCentral, .bluetoothPeripheral, .externalAccessory, .fetch, .location,
                                .nearbyInteraction, .networkAuthentication, .newsstandContent, .processing, .pushToTalk,
                                .remoteNotification, .voip,
                            ], exitsOnSuspend: false, usesScenes: true, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(
                    .appInstalled(
                        AppID(3),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app3")), executable: "app",
                            displayName: "app", backgroundModes: [.fetch, .location], exitsOnSuspend: false,
                            usesScenes: true, principalClass: nil, isAdopted: true)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(.appOpened(AppID(1)), .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(1), open: [])),
                    .zero.advanced(by: Nanoseconds(1000344539951))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(2), open: [])),
                    .zero.advanced(by: Nanoseconds(1000357930381))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1000357930381))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(3), open: [])),
                    .zero.advanced(by: Nanoseconds(1000379065065))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(4), open: [])),
                    .zero.advanced(by: Nanoseconds(1000399375861))),
                .event(.appOpened(AppID(1)), .zero.advanced(by: Nanoseconds(1000399375861))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1000399375861))),
            ])
        #expect(device.violation == nil)
    }

    /// An app was free for a moment between what its tasks held and its end.
    ///
    /// Seed 6, 500 steps: the reference model agrees.
    @Test func seed6Of500Steps() throws {
        var policy = Policy.iOS7
        policy.requestBurst = 30
        let device = CheckedDevice(
            policy: policy,
            [
                .event(
                    .appInstalled(
                        AppID(1),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app1")), executable: "app",
                            displayName: "app",
                            backgroundModes: [
                                .audio, .bluetoothCentral, .bluetoothPeripheral, .externalAccessory, .fetch, .location,
                                .nearbyInteraction, .networkAuthentication, .newsstandContent, .processing, .pushToTalk,
                                .remoteNotification, .voip,
                            ], exitsOnSuspend: false, usesScenes: true, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(.appOpened(AppID(1)), .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(
                    .appRequested(
                        LaunchID(app: AppID(1), number: 1),
                        .acknowledge(
                            CallbackID(1),
                            open: [
                                BackgroundTask(id: TaskID(1), name: "work"),
                                BackgroundTask(id: TaskID(2), name: "work"),
                            ])), .zero.advanced(by: Nanoseconds(1000005197553))),
                .event(.appForceQuit(AppID(1)), .zero.advanced(by: Nanoseconds(1000005197553))),
            ])
        #expect(device.violation == nil)
    }
}
