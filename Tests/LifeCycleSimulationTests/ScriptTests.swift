import AppCore
import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// A world without random events, in which apps follow only their scripts.
@Suite struct ScriptTests {
    private func world(_ change: (inout AppScript) -> Void = { _ in }) -> World {
        var script = AppScript()
        change(&script)
        var world = World(policy: .iOS26, scripts: [script])
        world.handle(.device(.appInstalled(AppID(1), manifest())))
        return world
    }

    private func state(_ world: World) -> AppState? { world.device.snapshot(of: AppID(1))?.state }

    private func open(_ world: inout World) {
        world.handle(.device(.appOpened(AppID(1))))
        world.advance(by: .zero)
    }

    private func notes(_ world: inout World) -> [AppNote] {
        world.takeChronicle().compactMap { entry in
            if case .note(_, let note) = entry.what { note } else { nil }
        }
    }

    @Test func nothingTakesTimeByItself() {
        var world = world()
        open(&world)
        #expect(state(world) == .active)
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        #expect(state(world) == .suspended && world.violation == nil)
        #expect(world.now.awake == .seconds(1000))
    }

    @Test func aCallbackTakesAsLongAsItsScriptSays() {
        var world = world { $0.reactions[.init(.didEnterBackground)] = [.take(.seconds(3))] }
        open(&world)
        world.handle(.device(.homePressed))
        world.advance(by: Nanoseconds(2_999_999_999))
        #expect(state(world) == .background)
        world.advance(by: Nanoseconds(1))
        #expect(state(world) == .suspended)
        #expect(notes(&world).contains(.returned(.didEnterBackground, after: .seconds(3))))
    }

    @Test func aTaskEndsWhenItsScriptSays() throws {
        var world = world()
        open(&world)
        try world.act(.begin("save", ends: .seconds(4), hasHandler: true), of: AppID(1))
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(3))
        #expect(state(world) == .background)
        world.advance(by: .seconds(1))
        #expect(state(world) == .suspended)
        #expect(notes(&world).suffix(1) == [.ended("save")])
    }

    @Test func actionsOutsideACallbackWaitForTheMainThread() throws {
        var world = world { $0.reactions[.init(.didBecomeActive)] = [.take(.seconds(2))] }
        open(&world)
        try world.act(.take(.seconds(3)), of: AppID(1))
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(4))
        // The main thread handles willResignActive only after both.
        #expect(state(world) == .active)
        world.advance(by: .seconds(1))
        #expect(state(world) == .suspended)
    }

    @Test func aHangIsForEver() throws {
        var world = world()
        open(&world)
        try world.act(.hang, of: AppID(1))
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(60))
        #expect(state(world) == .notRunning)
        #expect(notes(&world).suffix(1) == [.hung])
    }

    @Test func impossibleActionsAreRefused() throws {
        var world = world()
        #expect(throws: World.Impossibility.notRunning) { try world.act(.hang, of: AppID(1)) }
        open(&world)
        #expect(throws: World.Impossibility.unknownTask) { try world.act(.end("x"), of: AppID(1)) }
        try world.act(.hang, of: AppID(1))
        #expect(throws: World.Impossibility.hangs) { try world.act(.hang, of: AppID(1)) }
        try world.act(.crash(6), of: AppID(1))
        world.advance(by: .zero)
        #expect(state(world) == .notRunning)
        open(&world)
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        #expect(throws: World.Impossibility.suspended) { try world.act(.keepScreenOn(true), of: AppID(1)) }
        world.reboot()
        world.advance(by: .zero)
        #expect(throws: World.Impossibility.prewarmed) { try world.act(.crash(6), of: AppID(1)) }
    }

    @Test func aProcessThatCannotBeStarted() {
        var world = world { $0.startError = 13 }
        open(&world)
        #expect(state(world) == .notRunning && world.violation == nil)
        let effects = world.effects(of: .process(launch(), .startFailed(errno: 13)))
        #expect(effects.contains(.decided(.launch(launch(), .ended(.launchFailed(errno: 13), nil)))))
    }
}
