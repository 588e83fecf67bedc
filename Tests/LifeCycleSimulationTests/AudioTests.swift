import AppCore
import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The sound of apps with scripts. The reference model checks each event.
@Suite struct AudioTests {
    /// A world with an app for each sound that it begins in the foreground; nil is a sound without end.
    private func world(_ sounds: [Nanoseconds?], onDidEnterBackground: [AppScript.Act] = []) -> World {
        let scripts = sounds.map { length in
            var script = AppScript()
            script.reactions[.init(.didBecomeActive)] = [
                .setsAudio(AudioSession(category: .playback)), .playsAudio(length),
            ]
            script.reactions[.init(.didEnterBackground)] = onDidEnterBackground
            return script
        }
        var world = World(policy: .iOS26, scripts: scripts)
        for number in 1...sounds.count {
            world.handle(.device(.appInstalled(app(Int32(number)), manifest(number, modes: [.audio]))))
        }
        return world
    }

    private func open(_ number: Int32, in world: inout World) {
        world.handle(.device(.appOpened(app(number))))
        world.advance(by: .zero)
    }

    private func state(_ number: Int32, _ world: World) -> AppState? {
        world.device.snapshot(of: app(number))?.state
    }

    @Test func soundKeepsAnAppRunningUntilShortlyAfterItsEnd() {
        var world = world([.seconds(3)])
        open(1, in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .milliseconds(7999))
        #expect(state(1, world) == .background)
        world.advance(by: .milliseconds(1))
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func anAppWithoutTheModeIsSuspended() {
        var world = World(policy: .iOS26, scripts: [AppScript()])
        world.handle(.device(.appInstalled(app(1), manifest())))
        open(1, in: &world)
        world.handle(.app(launch(), .requested(.concern(.audio(.play(AudioPlayerID(1), until: nil))))))
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func aStoppedSoundKeepsNoAppRunning() {
        var world = world([nil], onDidEnterBackground: [.stopsAudio, .deactivatesAudio(notifiesOthers: false)])
        open(1, in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(6))
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func aCallOutranksSound() {
        var world = world([nil])
        open(1, in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(60))
        world.handle(.concern(.audio(.call(isOn: true))))
        world.advance(by: .seconds(29))
        #expect(state(1, world) == .background)
        world.advance(by: .seconds(1))
        #expect(state(1, world) == .suspended)
        world.handle(.concern(.audio(.call(isOn: false))))
        world.advance(by: .seconds(9))
        #expect(state(1, world) == .background)
        world.advance(by: .seconds(1))
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func theForegroundInterruptsTheBackground() {
        var world = world([nil, .seconds(3)])
        open(1, in: &world)
        open(2, in: &world)
        world.advance(by: .seconds(60))
        #expect(state(1, world) == .suspended && state(2, world) == .active)
        #expect(world.violation == nil)
    }

    @Test func soundOutlivesARestartOfTheSystem() {
        var world = world([nil])
        open(1, in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(60))
        world.restartSystem()
        world.advance(by: .seconds(60))
        #expect(state(1, world) == .background)
        #expect(world.violation == nil)
    }
}
