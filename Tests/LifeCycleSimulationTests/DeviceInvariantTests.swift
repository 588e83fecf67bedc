import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of the device: input, priorities, device changes, the lock, and the launch rules.
@Suite struct DeviceInvariantTests {
    private static let touch = UserInput.touch(x: 1, y: 2)
    private static let touched = Event.device(.inputOccurred(app(1), touch))
    private static let delivered = Effect.launch(launch(), .send(.input(touch)))

    // MARK: Events reach the active

    @Test func anEventReachesAnActiveAppAlone() {
        #expect(EventsReachTheActive.check(Self.touched, [Self.delivered], [snapshot(.active)]) == nil)
        for state in [AppState.inactive, .background, .suspended] {
            #expect(EventsReachTheActive.check(Self.touched, [Self.delivered], [snapshot(state)]) != nil)
        }
        let dying = snapshot(.active, isEnding: true)
        #expect(EventsReachTheActive.check(Self.touched, [Self.delivered], [dying]) != nil)
    }

    @Test func anEventIsAnswered() {
        #expect(EventsReachTheActive.check(Self.touched, [], [snapshot(.active)]) != nil)
        let dropped = Effect.decided(.app(app(1), .inputDropped(.background)))
        #expect(EventsReachTheActive.check(Self.touched, [dropped], [snapshot(.background)]) == nil)
        #expect(EventsReachTheActive.check(Self.touched, [.decided(.app(app(1), .unknown))], []) == nil)
        let other = Effect.decided(.app(app(2), .inputDropped(.background)))
        #expect(EventsReachTheActive.check(Self.touched, [other], []) != nil, "decision about another app")
    }

    @Test func inputsThatDidNotOccurAreFound() {
        let active = [snapshot(.active)]
        #expect(EventsReachTheActive.check(.device(.homePressed), [Self.delivered], active) != nil)
        #expect(
            EventsReachTheActive.check(.device(.inputOccurred(app(1), .text("a"))), [Self.delivered], active) != nil)
        #expect(
            EventsReachTheActive.check(.device(.inputOccurred(app(2), Self.touch)), [Self.delivered], active) != nil)
    }

    // MARK: Priorities follow states

    private func shares(_ given: ProcessPriority, _ state: AppState, isEnding: Bool = false) -> String? {
        var shares = PrioritiesFollowStates()
        return shares.check([.launch(launch(), .prioritize(given))], [snapshot(state, isEnding: isEnding)])
    }

    @Test func theForegroundGoesFirst() {
        for state in [AppState.inactive, .active] {
            #expect(shares(.foreground, state) == nil)
            #expect(shares(.background, state) != nil)
            #expect(shares(.background, state, isEnding: true) == nil, "the app is ending")
        }
        #expect(shares(.foreground, .suspended) != nil)
        #expect(shares(.background, .suspended) == nil)
        #expect(shares(.background, .background) == nil)
    }

    @Test func aShareLastsUntilTheNext() {
        var shares = PrioritiesFollowStates()
        #expect(shares.check([.launch(launch(), .prioritize(.foreground))], [snapshot(.active)]) == nil)
        #expect(shares.check([], [snapshot(.suspended)]) != nil)
        #expect(shares.check([.launch(launch(), .prioritize(.background))], [snapshot(.suspended)]) == nil)
        #expect(shares.check([], [snapshot(.active, of: launch(1, 2))]) == nil, "nothing is known about another launch")
    }

    // MARK: Containers are measured

    private static let suspended = Effect.decided(.launch(launch(), .stateChanged(from: .background, to: .suspended)))
    private static let measured = Effect.launch(launch(), .measureContainer)

    /// Checks the effects of each time, one after the other.
    private func containers(_ turns: [(at: Int64, effects: [Effect])], _ policy: Policy = .iOS26) -> [Bool] {
        var containers = ContainersAreMeasured()
        return turns.map { containers.check($0.effects, policy: policy, now: .seconds($0.at)) == nil }
    }

    @Test func suspendedAppsAreMeasured() {
        #expect(containers([(1, [Self.suspended, Self.measured]), (9000, [])]) == [true, true])
        #expect(containers([(1, [Self.measured, Self.suspended]), (2, [])]) == [true, true])
        #expect(containers([(1, [Self.suspended]), (2, [])]) == [true, false])
        #expect(containers([(1, [Self.suspended, .launch(launch(), .kill(.memory))]), (2, [])]) == [true, true])
        #expect(
            containers([(1, [.decided(.launch(launch(), .foundAgain(isFrozen: true)))]), (2, [])]) == [true, false])
        #expect(
            containers([(1, [.decided(.launch(launch(), .foundAgain(isFrozen: false)))]), (2, [])]) == [true, true])
    }

    @Test func aPauseLiesBetweenTwoMeasurements() {
        let first: (at: Int64, effects: [Effect]) = (1, [Self.suspended, Self.measured])
        #expect(containers([first, (30, [Self.measured])]) == [true, false])
        #expect(
            containers([first, (30, [Self.suspended]), (61, [Self.measured]), (99, [])]) == [true, true, true, true])
        #expect(containers([first, (30, [Self.suspended]), (61, []), (62, [])]) == [true, true, true, false])
        #expect(
            containers([first, (30, [Self.suspended]), (40, [.launch(launch(), .thaw)]), (99, [])]) == [
                true, true, true, true,
            ])
        var unlimited = Policy.iOS26
        unlimited.containerSize = nil
        #expect(containers([(1, [Self.suspended]), (99, [])], unlimited) == [true, true])
        #expect(containers([(1, [Self.measured])], unlimited) == [false])
    }

    // MARK: News is delivered

    private func news(_ sentFacts: DeviceFacts?, _ settings: [DeviceSetting] = []) -> String? {
        var device = Device()
        var effects: [Effect] = []
        let events: [Event] =
            [.device(.appInstalled(app(1), manifest())), .device(.appOpened(app(1))), .process(launch(), .started)]
            + [.app(launch(), .attached(.new)), acknowledge(1), acknowledge(2)]
            + settings.map { .device(.settingChanged($0)) }
        for event in events { device.handle(event, at: .zero, into: &effects) }
        return NewsIsDelivered.check(sentFacts.map { [launch(): $0] } ?? [:], device: device)
    }

    @Test func anActiveAppKnowsItsDevice() {
        #expect(news(DeviceFacts()) == nil)
        #expect(news(nil) != nil)
        #expect(news(DeviceFacts(), [.lowPowerMode(true)]) != nil)
        #expect(news(DeviceFacts(), [.batteryLevel(3)]) != nil)
        #expect(news(DeviceFacts(), [.backgroundRefresh(false)]) != nil)
        var facts = DeviceFacts()
        facts.isLowPowerModeEnabled = true
        #expect(news(facts, [.lowPowerMode(true)]) == nil)
    }

    @Test func sentFactsAreKeptUntilTheEnd() {
        var sentFacts: [LaunchID: DeviceFacts] = [:]
        var facts = DeviceFacts()
        NewsIsDelivered.note([.launch(launch(), .send(.device(facts)))], in: &sentFacts)
        #expect(sentFacts == [launch(): facts])
        facts.batteryLevel = 1
        NewsIsDelivered.note([send(3, .deviceChanged(facts))], in: &sentFacts)
        #expect(sentFacts == [launch(): facts])
        NewsIsDelivered.note([.decided(.launch(launch(), .ended(.memory, nil)))], in: &sentFacts)
        #expect(sentFacts == [:])
    }

    // MARK: Wakes and the device

    private func wakes(
        _ before: [Event], _ last: (Event, [Effect]), modes: [BackgroundMode] = [.location, .voip],
        scenes: SceneRequirement = .none
    ) -> String? {
        var wakes = WakesFollowTheRules()
        let steps = [(.device(.appInstalled(app(1), manifest(modes: modes))), [])] + before.map { ($0, []) } + [last]
        var policy = Policy.iOS26
        policy.scenes = scenes
        return steps.compactMap { wakes.check($0.0, $0.1, policy: policy) }.first
    }

    private func wake(_ why: WakeRefusal?) -> (Event, [Effect]) {
        let effect =
            why.map { Effect.decided(.app(app(1), .wakeRefused(.locationMonitoring, $0))) }
            ?? .launch(launch(), .start(.locationMonitoring))
        return (.device(.wakeOccurred(app(1), .locationMonitoring)), [effect])
    }

    static let obstacles: [(before: [Event], why: WakeRefusal)] = [
        ([.device(.settingChanged(.backgroundRefresh(false)))], .backgroundRefresh),
        ([.device(.backgroundRefreshChanged(app(1), false))], .backgroundRefresh),
        ([.device(.settingChanged(.passcode(true))), .device(.deviceStarted)], .notUnlockedSinceStart),
        ([.device(.deviceShutdownBegan)], .shuttingDown),
    ]

    @Test(arguments: obstacles) func theDevicesObstaclesAreHeeded(before: [Event], why: WakeRefusal) {
        #expect(wakes(before, wake(why)) == nil)
        #expect(wakes(before, wake(nil)) != nil)
        #expect(wakes([], wake(why)) != nil, "the obstacle does not exist")
    }

    @Test func requiredScenesAreAnObstacle() {
        #expect(wakes([], wake(.noScenes), scenes: .required) == nil)
        #expect(wakes([], wake(nil), scenes: .required) != nil)
        #expect(wakes([], wake(.noScenes), scenes: .advised) != nil)
    }

    @Test func anObstacleMayPass() {
        let refreshed: [Event] = [
            .device(.backgroundRefreshChanged(app(1), false)), .device(.backgroundRefreshChanged(app(1), true)),
        ]
        #expect(wakes(refreshed, wake(nil)) == nil)
        #expect(wakes([.device(.appForceQuit(app(1))), .device(.deviceStarted)], wake(nil)) == nil, "R-126")
        #expect(
            wakes([.device(.appForceQuit(app(1))), .device(.interruptionAccepted(app(1)))], wake(nil)) == nil,
            "the app was opened")
    }

    @Test func theStartLaunchesForCallsAndForNothingElse() {
        for event in [Event.device(.deviceStarted), .device(.deviceUnlocked)] {
            #expect(wakes([], (event, [.launch(launch(), .start(.voip))])) == nil)
            #expect(wakes([], (event, [.launch(launch(), .start(.locationMonitoring))])) != nil)
        }
        #expect(wakes([], (.device(.deviceLocked), [.launch(launch(), .start(.voip))])) != nil)
    }

    @Test func aVoIPPushLaunchesByTheRules() {
        let came = Event.concern(.voip(.pushArrived(app(1), payload: "{}")))
        let launched: [Effect] = [
            .decided(.launch(launch(), .launched(.voipPush))), .launch(launch(), .start(.voipPush)),
        ]
        let waits = Effect.decided(.concern(.voip(.waits(app(1)))))
        #expect(wakes([], (came, [waits] + launched)) == nil)
        #expect(wakes([], (came, launched)) != nil, "no push waits")
        #expect(wakes([.device(.appForceQuit(app(1)))], (came, [waits] + launched)) == nil, "R-130")
        #expect(wakes([.device(.settingChanged(.backgroundRefresh(false)))], (came, [waits] + launched)) == nil)
        #expect(wakes([], (came, [waits] + launched), modes: []) != nil, "the mode is missing")
        #expect(wakes([.device(.deviceShutdownBegan)], (came, [waits] + launched)) != nil)
    }

    @Test func anEndLaunchesByTheRules() {
        let exited = Event.process(launch(), .exited(.signaled(11)))
        let launched: [Effect] = [
            .decided(.concern(.socket(.launchedAgain(app(1))))), .launch(launch(1, 2), .start(.voip)),
        ]
        #expect(wakes([], (exited, launched)) == nil)
        #expect(wakes([], (exited, Array(launched.dropFirst()))) != nil, "for no reason")
        #expect(wakes([.device(.appForceQuit(app(1)))], (exited, launched)) != nil)
        #expect(wakes([.device(.deviceShutdownBegan)], (exited, launched)) != nil)
        #expect(wakes([], (exited, launched), modes: []) != nil, "the mode is missing")
        #expect(wakes([], (exited, launched), scenes: .required) != nil)
    }

    @Test func aKeepAliveHandlerIsCalledByTheRules() {
        let due = Effect.decided(.concern(.socket(.keepAliveDue(launch()))))
        #expect(wakes([], (.deadlineReached, [due])) == nil)
        #expect(wakes([.device(.appForceQuit(app(1)))], (.deadlineReached, [due])) != nil)
        let refused = Effect.decided(.app(app(1), .wakeRefused(.voip, .notUnlockedSinceStart)))
        let (before, (event, effects)) = (Self.obstacles[2].before, wake(.notUnlockedSinceStart))
        #expect(wakes(before, (event, effects + [refused])) == nil, "the time has come, too")
    }

    // MARK: The foreground app

    private func foreground(_ steps: [(Event, [Effect])]) -> ExpectedForeground {
        var user = ExpectedForeground()
        for number: Int32 in [1, 2] { user.note(.device(.appInstalled(app(number), manifest())), []) }
        for (event, effects) in [(.device(.appOpened(app(1))), [])] + steps { user.note(event, effects) }
        return user
    }

    private static let locked: (Event, [Effect]) = (
        .device(.deviceLocked), [.decided(.device(.locked(isAutomatic: false)))]
    )
    private static let unlocked: (Event, [Effect]) = (.device(.deviceUnlocked), [.decided(.device(.unlocked))])
    private static let interrupted: (Event, [Effect]) = (
        .device(.interruptionBegan(.call)), [.decided(.launch(launch(), .interrupted(.call)))]
    )
    private static let ended = Effect.decided(.launch(launch(), .ended(.memory, nil)))

    @Test func theUnlockReturnsTheSameForegroundApp() {
        #expect(foreground([Self.locked]).app == nil)
        #expect(foreground([Self.locked, Self.unlocked]).app == app(1))
        let dead: (Event, [Effect]) = (.process(launch(), .exited(.unknown)), [Self.ended])
        #expect(foreground([Self.locked, dead, Self.unlocked]).app == nil)
        let dying: (Event, [Effect]) = (
            .device(.memoryRanShort), [.decided(.launch(launch(), .terminating(.memory, open: [])))]
        )
        #expect(foreground([Self.locked, dying, Self.unlocked]).app == nil)
        let refused: (Event, [Effect]) = (
            .device(.appOpened(app(2))), [.decided(.app(app(2), .wakeRefused(.user, .locked)))]
        )
        #expect(foreground([Self.locked, refused]).app == nil)
        #expect(foreground([Self.locked, (.device(.appForceQuit(app(1))), []), Self.unlocked]).app == nil)
    }

    @Test func anInterruptionLastsUntilDismissedOrItsAppEnds() {
        #expect(foreground([Self.interrupted]).isInterrupted)
        let over: (Event, [Effect]) = (
            .device(.interruptionDismissed), [.decided(.launch(launch(), .interruptionEnded(.call, isAccepted: false)))]
        )
        #expect(!foreground([Self.interrupted, over]).isInterrupted)
        #expect(!foreground([Self.interrupted, (.process(launch(), .exited(.unknown)), [Self.ended])]).isInterrupted)
        #expect(!foreground([Self.interrupted, (.device(.deviceStarted), [])]).isInterrupted)
        #expect(foreground([Self.interrupted, (.device(.interruptionAccepted(app(2))), [])]).app == app(2))
        #expect(foreground([Self.interrupted, (.device(.interruptionAccepted(nil)), [])]).app == nil)
    }

    @Test func theSwitcherGoesToTheLast() {
        #expect(foreground([(.device(.appOpened(app(2))), []), (.device(.appSwitched(nil)), [])]).app == app(1))
        #expect(
            foreground([
                (.device(.appSwitched(app(2))), [.decided(.device(.actRefused(.switchApp, .notInSwitcher)))])
            ]).app == app(1))
        #expect(
            foreground([
                (.device(.appOpened(app(2))), []), (.device(.appForceQuit(app(1))), []),
                (.device(.appSwitched(nil)), []),
            ]).app == app(2))
    }

    @Test func anInterruptedFrontIsInactive() {
        #expect(ForegroundIsHonored.check([snapshot(.inactive)], foregroundApp: app(1), isInterrupted: true) == nil)
        #expect(ForegroundIsHonored.check([snapshot(.active)], foregroundApp: app(1), isInterrupted: true) != nil)
        #expect(ForegroundIsHonored.check([snapshot(.suspended)], foregroundApp: app(1), isInterrupted: true) != nil)
        #expect(
            ForegroundIsHonored.check([snapshot(.notRunning, of: nil)], foregroundApp: app(1), isInterrupted: true)
                == nil)
    }

    // MARK: The world

    private func world(_ policy: Policy) -> World {
        var world = World(
            seed: 5, policy: policy, manifests: [manifest()], profiles: [BehaviorProfile(begins: 150, forgets: 100)])
        world.areFaultsOn = true
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(3))
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(3))
        return world
    }

    @Test func r48BackgroundTimePassesWhileAwakeAlone() throws {
        var world = world(.iOS7)
        let before = try #require(world.device.snapshot(of: app(1)))
        try #require(before.state == .background && !before.openTasks.isEmpty)
        let now = world.now
        world.fallAsleep(for: .seconds(3600))
        #expect(world.now.elapsed == now.elapsed + .seconds(3600))
        #expect(world.now.awake == now.awake)
        #expect(world.device.snapshot(of: app(1)) == before, "the remaining time is unchanged")
        world.advance(by: .seconds(100))
        #expect(world.device.snapshot(of: app(1))?.state == .background)
        #expect(world.violation == nil)
    }

    @Test func r48UntilIOS6ATaskKeepsTheDeviceAwake() throws {
        var world = world(.iOS4)
        try #require(world.device.snapshot(of: app(1))?.openTasks.isEmpty == false)
        #expect(world.isKeptAwake)
        let now = world.now
        world.fallAsleep(for: .seconds(3600))
        #expect(world.now == now)
        world.advance(by: .seconds(700))
        #expect(!world.isKeptAwake, "the background time is over")
        world.fallAsleep(for: .seconds(3600))
        #expect(world.now.elapsed > now.elapsed + .seconds(4000))
    }

    @Test func aRebootEndsAppsWithoutACallback() {
        var world = world(.iOS26)
        world.reboot()
        #expect(world.device.snapshot(of: app(1))?.state == .notRunning)
        #expect(world.device.record.wasUnlockedSinceStart)
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(30))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        #expect(world.violation == nil)
    }

    // MARK: Names that must be reached

    @Test func aReportNamesUnreachedCases() {
        let report = Explorer(steps: 1).explore(seeds: 1...1)
        #expect(report.missing.contains("callback didEnterRegion"))
        #expect(ExplorationReport.text(report).contains("NEVER REACHED: "))
        #expect(ExplorationReport.text(report).hasSuffix(report.missing.joined(separator: "; ")))
    }

    @Test func expectedNamesAreUnique() {
        #expect(Set(Expected.names).count == Expected.names.count)
        #expect(Expected.names.count > 100)
    }
}
