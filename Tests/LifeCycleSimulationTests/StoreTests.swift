import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// A store whose commits fail. Effects that depend on a record wait for it, and the rest continues. A restart finds
/// only the committed records.
@Suite struct StoreTests {
    private func world(_ policy: Policy = .iOS26) -> World {
        var world = World(
            seed: 1, policy: policy, manifests: [manifest(1), manifest(2)],
            profiles: [BehaviorProfile(), BehaviorProfile()])
        world.areFaultsOn = false
        return world
    }

    @Test func aStartWaitsForItsRecord() {
        var world = world()
        world.letStore(fail: true)
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(2))
        #expect(world.processes.isEmpty)
        world.letStore(fail: false)
        world.advance(by: .seconds(2))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        #expect(world.violation == nil)
    }

    /// The watchdog ends the launch. The launch has no process, and gets none later.
    @Test func aStartThatWaitsForTooLongIsDropped() {
        var world = world()
        world.letStore(fail: true)
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(60))
        #expect(world.device.snapshot(of: app(1))?.launch == nil)
        world.letStore(fail: false)
        world.advance(by: .seconds(60))
        #expect(world.processes.isEmpty && world.violation == nil)
    }

    @Test func aRunningAppContinuesIfTheStoreFails() {
        var world = world()
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(2))
        world.letStore(fail: true)
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(60))
        #expect(world.device.snapshot(of: app(1))?.state == .suspended)
        #expect(world.violation == nil)
    }

    /// A launch that was forgotten before its start leaves its number free.
    @Test func aRestartKnowsOnlyCommittedRecords() {
        var world = world()
        world.letStore(fail: true)
        world.handle(.device(.appOpened(app(1))))
        world.handle(.device(.appUninstalled(app(2))))
        world.restartSystem()
        #expect(world.device.snapshot(of: app(1))?.record.lastLaunch == 0)
        #expect(world.device.snapshot(of: app(2)) != nil)
        world.letStore(fail: false)
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(2))
        #expect(world.device.snapshot(of: app(1))?.launch == launch(1, 1))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        #expect(world.violation == nil)
    }

    /// The steps of a history record when the store fails. Replayed, they lead to the same device.
    @Test func stepsRecordStoreFailures() {
        var device = CheckedDevice(policy: .iOS26, keepsSteps: true)
        let now = Moment.zero.advanced(by: start)
        _ = device.handle(.device(.appInstalled(app(1), manifest())), at: now)
        device.letStore(fail: true)
        _ = device.handle(.device(.appInstalled(app(2), manifest(2))), at: now)
        device.restart()
        device.letStore(fail: false)
        _ = device.handle(.device(.appInstalled(app(3), manifest(3))), at: now)
        #expect(device.device.snapshots.map(\.record.app) == [app(1), app(3)])
        let again = CheckedDevice(policy: .iOS26, device.steps ?? [])
        #expect(again.device == device.device && again.violation == nil)
    }
}
