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

    /// A second app that came back active heard of its closed scenes before it gave way.
    ///
    /// Seed 2551, 500 steps: the reference model agrees.
    @Test func seed2551Of500Steps() throws {
        let policy = Policy.iOS7
        let device = CheckedDevice(
            policy: policy,
            [
                .event(
                    .appInstalled(
                        AppID(2),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app2")), executable: "app",
                            displayName: "app", backgroundModes: [.fetch, .location], exitsOnSuspend: false,
                            usesScenes: true, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(
                    .appInstalled(
                        AppID(3),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app3")), executable: "app",
                            displayName: "app", backgroundModes: [.fetch, .location], exitsOnSuspend: false,
                            usesScenes: true, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(.appOpened(AppID(2)), .zero.advanced(by: Nanoseconds(1003863121487))),
                .event(
                    .processExited(LaunchID(app: AppID(2), number: 1), .signaled(9)),
                    .zero.advanced(by: Nanoseconds(1003868577444))),
                .event(.appForceQuit(AppID(3)), .zero.advanced(by: Nanoseconds(1003981871351))),
                .event(
                    .processExited(LaunchID(app: AppID(3), number: 1), .signaled(9)),
                    .zero.advanced(by: Nanoseconds(1003986270426))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1003986270426))),
                .event(.appOpened(AppID(2)), .zero.advanced(by: Nanoseconds(1004016460327))),
                .restart,
                .event(
                    .processFound(LaunchID(app: AppID(2), number: 2), isFrozen: false),
                    .zero.advanced(by: Nanoseconds(1004339671620))),
                .event(
                    .processFound(LaunchID(app: AppID(3), number: 2), isFrozen: false),
                    .zero.advanced(by: Nanoseconds(1004339671620))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1004339756305))),
                .event(
                    .appAttached(
                        LaunchID(app: AppID(2), number: 2),
                        Attachment(
                            lastCallback: CallbackID(2), phase: .active, open: [], isIdleTimerDisabled: false,
                            isSceneConnected: true)), .zero.advanced(by: Nanoseconds(1004339769945))),
                .event(
                    .appAttached(
                        LaunchID(app: AppID(3), number: 2),
                        Attachment(
                            lastCallback: CallbackID(2), phase: .active,
                            open: [BackgroundTask(id: TaskID(1), name: "work")], isIdleTimerDisabled: false,
                            isSceneConnected: true)), .zero.advanced(by: Nanoseconds(1004359756305))),
            ])
        #expect(device.violation == nil)
    }
    /// An app that was ended for what it came back with kept the one in front from becoming active until it was gone.
    ///
    /// Seed 972, 1000 steps: the reference model agrees.
    @Test func seed972Of1000Steps() throws {
        var policy = Policy.iOS13
        policy.taskCap = 2
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
                .event(
                    .appInstalled(
                        AppID(2),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app2")), executable: "app",
                            displayName: "app", backgroundModes: [.fetch, .location], exitsOnSuspend: false,
                            usesScenes: true, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(
                    .appInstalled(
                        AppID(3),
                        AppManifest(
                            identifier: try #require(BundleIdentifier("org.example.app3")), executable: "app",
                            displayName: "app", backgroundModes: [.fetch, .location], exitsOnSuspend: true,
                            usesScenes: false, principalClass: nil, isAdopted: false)),
                    .zero.advanced(by: Nanoseconds(1000000000000))),
                .event(.appOpened(AppID(1)), .zero.advanced(by: Nanoseconds(1000672152066))),
                .event(
                    .appRequested(
                        LaunchID(app: AppID(1), number: 1),
                        .acknowledge(CallbackID(1), open: [BackgroundTask(id: TaskID(1), name: "work")])),
                    .zero.advanced(by: Nanoseconds(1000772037596))),
                .event(.appOpened(AppID(3)), .zero.advanced(by: Nanoseconds(1001012692470))),
                .event(
                    .processExited(LaunchID(app: AppID(3), number: 1), .exited(code: 0)),
                    .zero.advanced(by: Nanoseconds(1001012809676))),
                .event(
                    .appRequested(
                        LaunchID(app: AppID(1), number: 1),
                        .acknowledge(CallbackID(2), open: [BackgroundTask(id: TaskID(1), name: "work")])),
                    .zero.advanced(by: Nanoseconds(1001036376679))),
                .event(
                    .appRequested(
                        LaunchID(app: AppID(1), number: 1),
                        .acknowledge(CallbackID(3), open: [BackgroundTask(id: TaskID(1), name: "work")])),
                    .zero.advanced(by: Nanoseconds(1001061481970))),
                .event(
                    .appRequested(
                        LaunchID(app: AppID(1), number: 1),
                        .acknowledge(CallbackID(4), open: [BackgroundTask(id: TaskID(1), name: "work")])),
                    .zero.advanced(by: Nanoseconds(1001119655654))),
                .event(.deadlineReached, .zero.advanced(by: Nanoseconds(1026061481970))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(5), open: [])),
                    .zero.advanced(by: Nanoseconds(1026103399071))),
                .event(.wakeOccurred(AppID(1), .location), .zero.advanced(by: Nanoseconds(1026712691469))),
                .event(.appOpened(AppID(2)), .zero.advanced(by: Nanoseconds(1026712943086))),
                .event(
                    .processStartFailed(LaunchID(app: AppID(2), number: 1), errno: 2),
                    .zero.advanced(by: Nanoseconds(1026712943086))),
                .event(
                    .appRequested(LaunchID(app: AppID(1), number: 1), .acknowledge(CallbackID(6), open: [])),
                    .zero.advanced(by: Nanoseconds(1026837020300))),
                .event(
                    .processFroze(LaunchID(app: AppID(1), number: 1), attempt: 2, footprint: 0),
                    .zero.advanced(by: Nanoseconds(1026837528216))),
                .event(.appOpened(AppID(2)), .zero.advanced(by: Nanoseconds(1086395846916))),
                .event(
                    .appRequested(LaunchID(app: AppID(2), number: 2), .acknowledge(CallbackID(1), open: [])),
                    .zero.advanced(by: Nanoseconds(1086401131472))),
                .event(.appSwitched(AppID(1)), .zero.advanced(by: Nanoseconds(1086425290284))),
                .restart,
                .event(
                    .processFound(LaunchID(app: AppID(1), number: 1), isFrozen: false),
                    .zero.advanced(by: Nanoseconds(1086427811207))),
                .event(
                    .processFound(LaunchID(app: AppID(2), number: 2), isFrozen: false),
                    .zero.advanced(by: Nanoseconds(1086427811207))),
                .event(
                    .appAttached(
                        LaunchID(app: AppID(1), number: 1),
                        Attachment(
                            lastCallback: CallbackID(7), phase: .rising, open: [], isIdleTimerDisabled: false,
                            isSceneConnected: true)), .zero.advanced(by: Nanoseconds(1086429725996))),
                .event(
                    .appAttached(
                        LaunchID(app: AppID(2), number: 2),
                        Attachment(
                            lastCallback: CallbackID(3), phase: .active,
                            open: [
                                BackgroundTask(id: TaskID(2), name: "work"),
                                BackgroundTask(id: TaskID(3), name: "work"),
                                BackgroundTask(id: TaskID(4), name: "work"),
                            ], isIdleTimerDisabled: false, isSceneConnected: true)),
                    .zero.advanced(by: Nanoseconds(1086447878897))),
            ])
        #expect(device.violation == nil)
    }
}
