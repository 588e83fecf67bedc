import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Histories that once found something wrong with the brain, shrunk, as the explorer printed them, in shorter words.
@Suite struct FoundTests {
    private func after(_ nanoseconds: Int64) -> Moment { .zero.advanced(by: Nanoseconds(nanoseconds)) }

    /// An app waiting for an answer was still held for what it no longer had.
    ///
    /// Seed 2, 500 steps: the reference model agrees.
    @Test func seed2Of500Steps() throws {
        let policy = Policy.iOS13
        let device = CheckedDevice(
            policy: policy,
            [
                .event(
                    .appInstalled(app(1), manifest(1, modes: BackgroundMode.allCases, usesScenes: true)),
                    after(1000000000000)),
                .event(
                    .appInstalled(app(3), manifest(3, modes: [.fetch, .location], usesScenes: true, isAdopted: true)),
                    after(1000000000000)),
                .event(.appOpened(app(1)), after(1000000000000)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(1), open: [])), after(1000344539951)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(2), open: [])), after(1000357930381)),
                .event(.appOpened(app(3)), after(1000357930381)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(3), open: [])), after(1000379065065)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(4), open: [])), after(1000399375861)),
                .event(.appOpened(app(1)), after(1000399375861)),
                .event(.appOpened(app(3)), after(1000399375861)),
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
                    .appInstalled(app(1), manifest(1, modes: BackgroundMode.allCases, usesScenes: true)),
                    after(1000000000000)),
                .event(.appOpened(app(1)), after(1000000000000)),
                .event(
                    .appRequested(launch(1, 1), .acknowledge(CallbackID(1), open: [task(1), task(2)])),
                    after(1000005197553)),
                .event(.appForceQuit(app(1)), after(1000005197553)),
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
                    .appInstalled(app(2), manifest(2, modes: [.fetch, .location], usesScenes: true)),
                    after(1000000000000)),
                .event(
                    .appInstalled(app(3), manifest(3, modes: [.fetch, .location], usesScenes: true)),
                    after(1000000000000)),
                .event(.appOpened(app(3)), after(1000000000000)),
                .event(.appOpened(app(2)), after(1003863121487)),
                .event(.processExited(launch(2, 1), .signaled(9)), after(1003868577444)),
                .event(.appForceQuit(app(3)), after(1003981871351)),
                .event(.processExited(launch(3, 1), .signaled(9)), after(1003986270426)),
                .event(.appOpened(app(3)), after(1003986270426)),
                .event(.appOpened(app(2)), after(1004016460327)),
                .restart,
                .event(.processFound(launch(2, 2), isFrozen: false), after(1004339671620)),
                .event(.processFound(launch(3, 2), isFrozen: false), after(1004339671620)),
                .event(.appOpened(app(3)), after(1004339756305)),
                .event(
                    .appAttached(
                        launch(2, 2),
                        Attachment(
                            lastCallback: CallbackID(2), phase: .active, open: [], isIdleTimerDisabled: false,
                            isSceneConnected: true)), after(1004339769945)),
                .event(
                    .appAttached(
                        launch(3, 2),
                        Attachment(
                            lastCallback: CallbackID(2), phase: .active, open: [task(1)], isIdleTimerDisabled: false,
                            isSceneConnected: true)), after(1004359756305)),
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
                    .appInstalled(app(1), manifest(1, modes: BackgroundMode.allCases, usesScenes: true)),
                    after(1000000000000)),
                .event(
                    .appInstalled(app(2), manifest(2, modes: [.fetch, .location], usesScenes: true)),
                    after(1000000000000)),
                .event(
                    .appInstalled(app(3), manifest(3, modes: [.fetch, .location], exitsOnSuspend: true)),
                    after(1000000000000)),
                .event(.appOpened(app(1)), after(1000672152066)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(1), open: [task(1)])), after(1000772037596)),
                .event(.appOpened(app(3)), after(1001012692470)),
                .event(.processExited(launch(3, 1), .exited(code: 0)), after(1001012809676)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(2), open: [task(1)])), after(1001036376679)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(3), open: [task(1)])), after(1001061481970)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(4), open: [task(1)])), after(1001119655654)),
                .event(.deadlineReached, after(1026061481970)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(5), open: [])), after(1026103399071)),
                .event(.wakeOccurred(app(1), .location), after(1026712691469)),
                .event(.appOpened(app(2)), after(1026712943086)),
                .event(.processStartFailed(launch(2, 1), errno: 2), after(1026712943086)),
                .event(.appRequested(launch(1, 1), .acknowledge(CallbackID(6), open: [])), after(1026837020300)),
                .event(.processFroze(launch(1, 1), attempt: 2, footprint: 0), after(1026837528216)),
                .event(.appOpened(app(2)), after(1086395846916)),
                .event(.appRequested(launch(2, 2), .acknowledge(CallbackID(1), open: [])), after(1086401131472)),
                .event(.appSwitched(app(1)), after(1086425290284)),
                .restart,
                .event(.processFound(launch(1, 1), isFrozen: false), after(1086427811207)),
                .event(.processFound(launch(2, 2), isFrozen: false), after(1086427811207)),
                .event(
                    .appAttached(
                        launch(1, 1),
                        Attachment(
                            lastCallback: CallbackID(7), phase: .rising, open: [], isIdleTimerDisabled: false,
                            isSceneConnected: true)), after(1086429725996)),
                .event(
                    .appAttached(
                        launch(2, 2),
                        Attachment(
                            lastCallback: CallbackID(3), phase: .active, open: [task(2), task(3), task(4)],
                            isIdleTimerDisabled: false, isSceneConnected: true)), after(1086447878897)),
            ])
        #expect(device.violation == nil)
    }

    /// One that was killed before its start had failed was said to end for that, and not for what it was killed for.
    ///
    /// Seed 810932, 2000 steps: kills have reasons.
    @Test func seed810932Of2000Steps() throws {
        let device = CheckedDevice(
            policy: .iOS13,
            [
                .event(
                    .appInstalled(app(2), manifest(2, modes: [.fetch, .location], usesScenes: true)),
                    after(1000000000000)),
                .event(.appOpened(app(2)), after(1000017589419)),
                .event(.appForceQuit(app(2)), after(1000017589419)),
                .event(.processStartFailed(launch(2, 1), errno: 2), after(1000017589419)),
            ])
        #expect(device.violation == nil)
    }
}
