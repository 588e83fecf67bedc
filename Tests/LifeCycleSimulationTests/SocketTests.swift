import AppCore
import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The kept sockets, keep-alive handlers and ends of apps with scripts. The reference model checks each event.
@Suite struct SocketTests {
    /// A world with an app that keeps a socket each time it becomes active. It was opened, and is suspended.
    private func world(
        _ policy: Policy = .iOS26, modes: [BackgroundMode] = [.voip], _ acts: [AppScript.Act] = [.keepsSocket()]
    ) -> World {
        var script = AppScript()
        script.reactions[.init(.didBecomeActive)] = acts
        var world = World(policy: policy, scripts: [script])
        world.handle(.device(.appInstalled(app(1), manifest(1, modes: modes))))
        open(&world)
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        return world
    }

    private func open(_ world: inout World) {
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .zero)
    }

    private func receive(_ world: inout World, isOver: Bool = false, by launch: LaunchID = launch()) {
        world.handle(.concern(.socket(.readable(launch, .sample, isOver: isOver))))
        world.advance(by: .zero)
    }

    private func state(_ world: World) -> AppState? { world.device.snapshot(of: app(1))?.state }

    private func decisions(_ world: inout World) -> [SocketDecision] {
        world.takeChronicle().flatMap { entry -> [SocketDecision] in
            guard case .turn(_, let effects) = entry.what else { return [] }
            return effects.compactMap {
                if case .decided(.concern(.socket(let decision))) = $0 { decision } else { nil }
            }
        }
    }

    // MARK: Sockets

    @Test func dataWakesASuspendedApp() {
        var world = world()
        #expect(state(world) == .suspended)
        receive(&world)
        #expect(state(world) == .background)
        receive(&world)
        world.advance(by: .seconds(10))
        #expect(state(world) == .suspended)
        receive(&world)
        #expect(state(world) == .background)
        let readable = SocketDecision.readable(launch(), .sample, isOver: false)
        #expect(decisions(&world) == [.kept(launch(), .sample), readable, readable], "a running app reads by itself")
        #expect(world.violation == nil)
    }

    @Test func aConnectionThatEndsWakesItsAppOnce() {
        var world = world()
        receive(&world, isOver: true)
        #expect(state(world) == .background)
        #expect(world.sockets.held.isEmpty)
        world.advance(by: .seconds(10))
        receive(&world)
        #expect(state(world) == .suspended)
        #expect(decisions(&world).last == .readable(launch(), .sample, isOver: true))
        #expect(world.violation == nil)
    }

    @Test func tooManyWakesEndTheApp() {
        var policy = Policy.iOS26
        policy.voipWakes = 2
        var world = world(policy)
        for _ in 1...2 {
            receive(&world)
            #expect(state(world) == .background)
            world.advance(by: .seconds(10))
        }
        receive(&world)
        #expect(state(world) == .notRunning)
        #expect(world.sockets.held.isEmpty)
        let ended = Effect.decided(.launch(launch(), .ended(.wokenTooOften, .signaled(9))))
        #expect(world.effects(of: .process(launch(), .exited(.signaled(9)))).contains(ended))
        #expect(world.violation == nil)
    }

    @Test func wakesCountForTheirPeriod() {
        var policy = Policy.iOS26
        (policy.voipWakes, policy.voipPeriod) = (1, .seconds(20))
        var world = world(policy)
        receive(&world)
        world.advance(by: .seconds(20))
        receive(&world)
        #expect(state(world) == .background)
        #expect(world.violation == nil)
    }

    @Test func theLimitIsOneSocketOfAnApp() {
        var world = world(.iOS26, [.keepsSocket(), .keepsSocket()])
        let two = SocketID(rawValue: 2)
        #expect(Set(decisions(&world)) == [.kept(launch(), .sample), .notKept(launch(), two, .tooMany)])
        var policy = Policy.iOS26
        policy.voipSockets = 2
        world = self.world(policy, [.keepsSocket(), .keepsSocket()])
        #expect(decisions(&world) == [.kept(launch(), .sample), .kept(launch(), two)])
        #expect(world.violation == nil)
    }

    @Test func aSocketThatIsNotOpenIsNotKept() {
        var world = world(.iOS26, [.keepsSocket(descriptor: -1)])
        #expect(decisions(&world) == [.notKept(launch(), .sample, .notOpen)])
        receive(&world)
        #expect(state(world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func theModeIsNeeded() {
        var world = world(.iOS26, modes: [.fetch], [.keepsSocket(), .setsKeepAlive(.seconds(600))])
        #expect(decisions(&world) == [.notKept(launch(), .sample, .modeNotDeclared)])
        world.advance(by: .seconds(3600))
        #expect(decisions(&world).isEmpty)
        #expect(world.violation == nil)
    }

    @Test func aDroppedSocketIsClosed() {
        var world = world(.iOS26, [.keepsSocket(), .dropsSocket])
        #expect(world.sockets.held.isEmpty)
        receive(&world)
        #expect(state(world) == .suspended)
        #expect(decisions(&world).contains(.dropped(launch(), .sample)))
        #expect(world.violation == nil)
    }

    /// The app is woken, because it could not be reached any longer.
    @Test func theKernelMayLoseASocket() {
        var world = world()
        world.loseSocket()
        #expect(state(world) == .background)
        receive(&world)
        #expect(decisions(&world).last == .notKept(launch(), .sample, .unavailable))
        #expect(world.violation == nil)
    }

    @Test func aSocketOutlivesARestartOfTheSystem() {
        var world = world()
        world.restartSystem()
        receive(&world)
        #expect(state(world) == .suspended, "nothing is watched yet")
        #expect(world.sockets.held == [VirtualSockets.Socket(launch: launch(), id: .sample)])
        receive(&world)
        #expect(state(world) == .background)
        world.advance(by: .seconds(10))
        #expect(state(world) == .suspended)
        #expect(world.violation == nil)
    }

    // MARK: Keep-alive

    @Test func theHandlerIsCalledInTheBackground() {
        var world = world(.iOS26, [.setsKeepAlive(.seconds(600))])
        world.advance(by: .seconds(589))
        #expect(state(world) == .suspended)
        world.advance(by: .seconds(1))
        #expect(state(world) == .background)
        world.advance(by: .seconds(10))
        #expect(state(world) == .suspended)
        world.advance(by: .seconds(580))
        #expect(state(world) == .background, "again")
        let due = SocketDecision.keepAliveDue(launch())
        #expect(decisions(&world) == [.keepAliveSet(launch(), .seconds(600)), due, due])
        open(&world)
        world.advance(by: .seconds(3600))
        #expect(decisions(&world).isEmpty, "the app is in the foreground")
        #expect(world.violation == nil)
    }

    @Test func theHandlerIsRemoved() {
        var world = world(.iOS26, [.setsKeepAlive(.seconds(600)), .setsKeepAlive(nil)])
        world.advance(by: .seconds(3600))
        let handlers: [SocketDecision] = [.keepAliveSet(launch(), .seconds(600)), .keepAliveSet(launch(), nil)]
        #expect(decisions(&world) == handlers)
        #expect(world.violation == nil)
    }

    @Test func theHandlerOutlivesARestartOfTheSystem() {
        var world = world(.iOS26, [.setsKeepAlive(.seconds(600))])
        world.advance(by: .seconds(300))
        world.restartSystem()
        world.advance(by: .seconds(589))
        #expect(state(world) == .suspended, "the interval begins again")
        world.advance(by: .seconds(1))
        #expect(state(world) == .background)
        #expect(world.violation == nil)
    }

    @Test func theAppsOfAHistoryComeToRest() {
        var world = world(.iOS26, [.setsKeepAlive(.seconds(600))])
        world.endKeepAlive()
        world.advance(by: .seconds(600))
        #expect(decisions(&world).last == .keepAliveSet(launch(), nil))
        world.advance(by: .seconds(3600))
        #expect(decisions(&world).isEmpty)
        #expect(world.violation == nil)
    }

    // MARK: Launches after an end

    private func wake(_ world: inout World) {
        world.handle(.device(.wakeOccurred(app(1), .voip)))
        world.advance(by: .zero)
    }

    private func end(_ world: inout World, _ act: AppScript.Act = .crash(11)) throws {
        try world.act(act, of: app(1))
        world.advance(by: .zero)
    }

    @Test func aCrashInTheBackgroundLaunchesTheAppAFewTimes() throws {
        var world = world()
        wake(&world)
        for _ in 1...3 {
            try end(&world)
            #expect(state(world) == .background)
        }
        #expect(decisions(&world).filter { $0 == .launchedAgain(app(1)) }.count == 3)
        try end(&world)
        #expect(state(world) == .notRunning)
        #expect(decisions(&world) == [.endedTooOften(app(1))])
        world.advance(by: .seconds(320))
        #expect(decisions(&world) == [.launchedAgain(app(1))])
        #expect(state(world) == .suspended, "the launches were long ago")
        #expect(world.violation == nil)
    }

    @Test func otherEndsLaunchNoApp() throws {
        var world = world()
        wake(&world)
        try end(&world, .exit(0))
        #expect(state(world) == .notRunning)
        wake(&world)
        world.handle(.device(.appForceQuit(app(1))))
        world.advance(by: .seconds(10))
        #expect(state(world) == .notRunning)
        open(&world)
        try end(&world)
        #expect(state(world) == .notRunning, "it was in the foreground")
        #expect(!decisions(&world).contains(.launchedAgain(app(1))))
        #expect(world.violation == nil)
    }

    @Test(arguments: [true, false]) func anEndForMemoryLaunchesTheApp(hasMode: Bool) {
        var world = world(.iOS26, modes: hasMode ? [.voip] : [.location])
        world.handle(.device(.memoryRanShort))
        world.advance(by: .zero)
        #expect(state(world) == (hasMode ? .background : .notRunning))
        #expect(world.violation == nil)
    }

    @Test(arguments: [[AppScript.Act.keepsSocket()], []]) func theStartOfTheDeviceLaunchesTheAppOnce(
        _ acts: [AppScript.Act]
    ) {
        var world = world(.iOS26, acts)
        world.reboot()
        world.advance(by: .zero)
        #expect(state(world) == .background)
        #expect(world.device.snapshot(of: app(1))?.launch == launch(1, 2))
        #expect(world.violation == nil)
    }
}
