import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of tasks, background time and ends.
@Suite struct TaskInvariantTests {
    private static let granted = Effect.decided(.launch(launch(), .taskGranted(task())))
    private static let ended = Effect.decided(.launch(launch(), .taskEnded(TaskID(1), open: 0)))
    private static let terminating = Effect.decided(.launch(launch(), .terminating(.memory, open: [])))

    // MARK: Tasks come to an end

    private func tasks(_ steps: [([Effect], [AppSnapshot])]) -> String? {
        var tasks = TasksComeToAnEnd()
        return steps.compactMap { tasks.check(.device(.homePressed), $0.0, $0.1) }.first
    }

    @Test func everyTaskIsGrantedOnceAndEndedOnce() {
        let open = [snapshot(.background, open: [task()])]
        #expect(tasks([([Self.granted], open), ([Self.ended], [])]) == nil)
        #expect(tasks([([Self.granted, Self.granted], open)]) != nil)
        #expect(tasks([([Self.granted], open), ([Self.granted], open)]) != nil)
        #expect(tasks([([Self.ended], [])]) != nil)
        #expect(tasks([([Self.granted, Self.ended], []), ([Self.ended], [])]) != nil)
    }

    @Test func theAccountIsWhole() {
        #expect(tasks([([Self.granted], [])]) != nil, "granted, but not in the snapshot")
        #expect(tasks([([], [snapshot(.background, open: [task()])])]) != nil, "open, but never granted")
        #expect(tasks([([Self.granted], [snapshot(.background, open: [task()])]), ([Self.terminating], [])]) == nil)
    }

    // MARK: Background time

    private static let clock = Effect.decided(.launch(launch(), .backgroundTimeGranted(until: at(30))))
    private static let expiring = Effect.decided(.launch(launch(), .tasksExpiring([task()])))

    private static func killed(_ reason: TerminationReason = .tasksNotEnded(.taskNotCompleted)) -> Effect {
        .decided(.launch(launch(), .terminating(reason, open: [task()])))
    }

    private static let inTime = snapshot(.background, open: [task()], until: at(30), assertions: [.task(TaskID(1))])

    private func time(_ steps: [(Event, [Effect], [AppSnapshot], Int64)]) -> String? {
        var time = BackgroundTimeIsKept()
        return steps.compactMap { time.check($0.0, $0.1, $0.2, policy: .iOS26, now: at($0.3)) }.first
    }

    private static let begun: (Event, [Effect], [AppSnapshot], Int64) = (.device(.homePressed), [clock], [inTime], 0)

    @Test func theTimeIsThePolicys() {
        #expect(time([Self.begun]) == nil)
        #expect(time([(.device(.homePressed), [Self.clock], [Self.inTime], 1)]) != nil)
        #expect(time([(.device(.homePressed), [], [snapshot(.background, open: [task()], until: at(99))], 0)]) != nil)
    }

    @Test func noClockIsRenewedWithinAStretch() {
        let later = Effect.decided(.launch(launch(), .backgroundTimeGranted(until: at(40))))
        #expect(time([Self.begun, (.device(.homePressed), [later], [], 10)]) != nil)
        let suspended = Effect.decided(.launch(launch(), .stateChanged(from: .background, to: .suspended)))
        #expect(time([Self.begun, (.device(.homePressed), [suspended, later], [], 10)]) == nil)
        #expect(time([Self.begun, (.device(.homePressed), [send(5, .willEnterForeground), later], [], 10)]) == nil)
    }

    @Test func expiryBeginsNeitherEarlierNorLater() {
        #expect(time([Self.begun, (.deadlineReached, [Self.expiring], [Self.inTime], 25)]) == nil)
        #expect(time([Self.begun, (.deadlineReached, [Self.expiring], [Self.inTime], 24)]) != nil)
        #expect(time([Self.begun, (.deadlineReached, [Self.expiring], [Self.inTime], 26)]) != nil)
        #expect(time([Self.begun, (.deadlineReached, [Self.expiring, Self.expiring], [Self.inTime], 25)]) != nil)
        #expect(time([(.deadlineReached, [Self.expiring], [], 25)]) != nil)
        #expect(
            time([Self.begun, (.deadlineReached, [.decided(.launch(launch(), .tasksExpiring([])))], [], 25)]) != nil)
    }

    @Test func appsBeyondTheirTimeAreFound() {
        #expect(time([Self.begun, (.deadlineReached, [], [Self.inTime], 30)]) != nil)
        #expect(time([Self.begun, (.device(.homePressed), [], [Self.inTime], 31)]) != nil)
        let dying = snapshot(.background, isEnding: true)
        #expect(time([Self.begun, (.deadlineReached, [Self.killed()], [dying], 30)]) == nil)
        #expect(time([Self.begun, (.deadlineReached, [Self.killed()], [dying], 29)]) != nil)
        #expect(time([Self.begun, (.deadlineReached, [Self.killed(.forceQuit)], [dying], 3)]) == nil)
    }

    @Test func grantsAndRefusalsGoByTheClock() {
        let refused = Effect.decided(.launch(launch(), .taskRefused(task(2))))
        #expect(time([Self.begun, (.device(.homePressed), [refused], [Self.inTime], 20)]) != nil)
        let expired: (Event, [Effect], [AppSnapshot], Int64) = (.deadlineReached, [Self.expiring], [Self.inTime], 25)
        #expect(time([Self.begun, expired, (.device(.homePressed), [refused], [Self.inTime], 26)]) == nil)
        #expect(time([Self.begun, expired, (.device(.homePressed), [Self.granted], [Self.inTime], 26)]) != nil)
    }

    @Test func noTaskInTheBackgroundWithoutAClock() {
        let uncounted = snapshot(.background, open: [task()])
        #expect(time([(.device(.homePressed), [], [uncounted], 0)]) != nil)
        #expect(
            time([(.device(.homePressed), [send(5, .willEnterForeground)], [uncounted], 0)]) == nil,
            "the app is entering the foreground")
        #expect(time([(.device(.homePressed), [], [snapshot(.active, open: [task()])], 0)]) == nil)
    }

    // MARK: Kills

    private func kills(_ effects: [Effect]) -> String? {
        var kills = KillsHaveReasons()
        return kills.check(effects)
    }

    @Test func aKillIsAnnouncedAndFiled() {
        #expect(kills([.launch(launch(), .kill(.memory))]) != nil, "unannounced")
        #expect(kills([Self.terminating, .launch(launch(), .kill(.forceQuit))]) != nil, "announced for something else")
        #expect(kills([Self.terminating, .launch(launch(), .kill(.memory))]) == nil)
        let exited = TerminationReason.exited(.exited(code: 0))
        #expect(
            kills([.decided(.launch(launch(), .terminating(exited, open: []))), .launch(launch(), .kill(exited))])
                != nil,
            "the reason has no code")
        #expect(kills([Self.terminating, .decided(.launch(launch(), .ended(.shutdown, nil)))]) != nil)
        #expect(kills([Self.terminating, .decided(.launch(launch(), .ended(.memory, nil)))]) == nil)
    }

    private func doomed(_ effects: [Effect], _ snapshots: [AppSnapshot] = []) -> String? {
        var doomed = KilledAppsHoldNothing()
        return doomed.check(.device(.homePressed), [.launch(launch(), .kill(.memory))] + effects, snapshots)
    }

    @Test func effectsOnKilledAppsAreFound() {
        #expect(doomed([]) == nil)
        for effect in [
            Effect.launch(launch(), .kill(.memory)), send(4, .willTerminate), .launch(launch(), .freeze(attempt: 1)),
            .launch(launch(), .thaw),
            .launch(launch(), .requestExit), .launch(launch(), .send(.taskRefused(TaskID(1)))),
        ] { #expect(doomed([effect]) != nil, "\(effect)") }
        #expect(doomed([.launch(launch(2), .thaw)]) == nil)
    }

    @Test func resourcesHeldByKilledAppsAreFound() {
        #expect(doomed([], [snapshot(.suspended, isEnding: true)]) == nil)
        #expect(doomed([], [snapshot(.suspended)]) != nil)
        #expect(doomed([], [snapshot(.background, isEnding: true, open: [task()])]) != nil)
        #expect(doomed([], [snapshot(.background, isEnding: true, assertions: [.task(TaskID(1))])]) != nil)
    }

    // MARK: Launches and wakes

    private func launches(_ steps: [(Event, [Effect])]) -> String? {
        var launches = OneLaunchPerApp()
        return steps.compactMap { launches.check($0.0, $0.1) }.first
    }

    @Test func anAppHasOneProcessAndEachLaunchItsNumber() {
        let first: (Event, [Effect]) = (.device(.appOpened(app(1))), [.launch(launch(), .start(.user))])
        #expect(launches([first, (.device(.appOpened(app(1))), [.launch(launch(1, 2), .start(.user))])]) != nil)
        #expect(launches([first, (.process(launch(), .exited(.unknown)), [.launch(launch(), .start(.user))])]) != nil)
        #expect(
            launches([first, (.process(launch(), .exited(.unknown)), [.launch(launch(1, 2), .start(.user))])]) == nil)
        #expect(
            launches([first, (.process(launch(), .startFailed(errno: 2)), [.launch(launch(1, 2), .start(.user))])])
                == nil)
        #expect(launches([first, (.device(.appOpened(app(2))), [.launch(launch(2), .start(.user))])]) == nil)
    }

    private static let wake = Event.device(.wakeOccurred(app(1), .locationUpdate))
    private static let run: [Effect] = [.launch(launch(), .start(.locationUpdate))]

    private func wakes(_ manifest: AppManifest, _ before: [(Event, [Effect])] = [], _ last: (Event, [Effect]))
        -> String?
    {
        var wakes = WakesFollowTheRules()
        let steps = [(.device(.appInstalled(app(1), manifest)), [])] + before + [last]
        return steps.compactMap { wakes.check($0.0, $0.1, policy: .iOS7) }.first
    }

    private func refused(_ why: WakeRefusal) -> [Effect] {
        [.decided(.app(app(1), .wakeRefused(.locationUpdate, why)))]
    }

    static let obstacles: [(manifest: AppManifest, before: [(Event, [Effect])], why: WakeRefusal)] = [
        (manifest(modes: [.fetch]), [], .modeNotDeclared), (manifest(exitsOnSuspend: true), [], .exitsOnSuspend),
        (manifest(), [(.device(.appForceQuit(app(1))), [])], .forceQuit),
        (manifest(), [(.device(.shutdownBegan), [])], .shuttingDown),
        (
            manifest(),
            [
                (.device(.appOpened(app(1))), [.launch(launch(), .start(.user))]),
                (.device(.memoryRanShort), [terminating]),
            ], .ending
        ),
    ]

    @Test(arguments: obstacles)
    func everyObstacleIsHeeded(manifest: AppManifest, before: [(Event, [Effect])], why: WakeRefusal) {
        #expect(wakes(manifest, before, (Self.wake, refused(why))) == nil)
        #expect(
            wakes(manifest, before, (Self.wake, [.launch(launch(1, 2), .start(.locationUpdate))])) != nil, "launched")
        #expect(wakes(manifest, before, (Self.wake, refused(.notAWake))) != nil, "another obstacle is named")
        #expect(
            wakes(manifest, before, (Self.wake, refused(why) + [.launch(launch(), .thaw)])) != nil,
            "refused, but the app is thawed")
    }

    @Test func unjustifiedRefusalsAreFound() {
        #expect(wakes(manifest(), (Self.wake, Self.run)) == nil)
        #expect(wakes(manifest(), (Self.wake, [])) != nil)
        #expect(wakes(manifest(), (Self.wake, refused(.forceQuit))) != nil)
        #expect(
            wakes(
                manifest(), [(.device(.appOpened(app(1))), [.launch(launch(), .start(.user))])], (Self.wake, Self.run))
                != nil)
        #expect(
            wakes(
                manifest(), [(.device(.appForceQuit(app(1))), []), (.device(.appOpened(app(1))), [])],
                (Self.wake, Self.run)) == nil)
    }

    @Test func anAppThatIsNotInstalledIsUnknown() {
        let gone: [(Event, [Effect])] = [(.device(.appUninstalled(app(1))), [])]
        #expect(wakes(manifest(), gone, (Self.wake, [.decided(.app(app(1), .unknown))])) == nil)
        #expect(wakes(manifest(), gone, (Self.wake, Self.run)) != nil)
    }

    @Test func nothingElseLaunchesAnApp() {
        #expect(wakes(manifest(), (.device(.homePressed), Self.run)) != nil)
        #expect(wakes(manifest(), (.device(.wakeOccurred(app(1), .backgroundFetch)), Self.run)) != nil)
        #expect(wakes(manifest(), (.device(.wakeOccurred(app(2), .locationUpdate)), Self.run)) != nil)
    }
}

extension TaskInvariantTests {
    private func wakes(_ manifest: AppManifest, _ last: (Event, [Effect])) -> String? { wakes(manifest, [], last) }
}
