import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The invariant of kept sockets rejects wrong effects, and accepts right ones.
@Suite struct SocketInvariantTests {
    /// An event, its effects, its time in seconds, and the app's state after it.
    private typealias Turn = (Event, [Effect], Int64, AppState)

    private let id = SocketID.sample

    private func check(
        _ turns: [Turn], modes: [BackgroundMode] = [.voip], _ change: (inout Policy) -> Void = { _ in }
    ) -> String? {
        var invariant = SocketsKeepTheRules()
        var policy = Policy.iOS26
        change(&policy)
        let device = Device(policy: policy)
        var findings: [String] = []
        for (event, effects, time, state) in turns {
            let present = state == .notRunning ? nil : newest(effects) ?? launch()
            let snapshots = [snapshot(state, of: present, app: app(1), modes: modes)]
            let seen = state.isForeground ? app(1) : nil
            let turn = observe(event, effects, snapshots, device, foregroundApp: seen, at: at(time))
            if let finding = invariant.check(turn) { findings.append(finding) }
        }
        return findings.first
    }

    /// The launch that is started; nil if there is none.
    private func newest(_ effects: [Effect]) -> LaunchID? {
        for case .launch(let launch, .start) in effects { return launch }
        return nil
    }

    private func request(_ request: SocketRequest) -> Event { .app(launch(), .requested(.concern(.socket(request)))) }

    private func decided(_ decisions: SocketDecision...) -> [Effect] {
        decisions.map { .decided(.concern(.socket($0))) }
    }

    private func output(_ outputs: SocketOutput...) -> [Effect] { outputs.map { .concern(.socket($0)) } }

    private let refused = Effect.decided(.app(app(1), .wakeRefused(.voip, .shuttingDown)))
    private let woken = Effect.decided(.launch(launch(), .woken(.voip)))
    private let killed = Effect.launch(launch(), .kill(.wokenTooOften))

    private func socket(_ number: Int64) -> KeptSocket { KeptSocket(id: SocketID(rawValue: number), descriptor: 5) }

    /// The app asks the system to keep a socket, and the system does.
    private func kept(_ number: Int64 = 1) -> [Turn] {
        let socket = socket(number)
        return [
            (request(.keep(socket)), output(.take(launch(), socket)), 0, .active),
            (.concern(.socket(.taken(launch(), socket.id, nil))), decided(.kept(launch(), socket.id)), 0, .active),
        ]
    }

    private func suspended(_ effects: [Effect], at time: Int64 = 1) -> Turn {
        (.process(launch(), .froze(attempt: 1, footprint: 0)), effects, time, .suspended)
    }

    private func watched(at time: Int64 = 1) -> Turn { suspended(output(.watch(launch())), at: time) }

    /// Data arrives, with these effects.
    private func readable(_ effects: [Effect], at time: Int64 = 2, _ state: AppState = .background) -> Turn {
        (.concern(.socket(.readable(launch(), id, isOver: false))), effects, time, state)
    }

    /// Data wakes the app.
    private func wakes(at time: Int64 = 2) -> Turn {
        readable(decided(.readable(launch(), id, isOver: false)) + [woken] + output(.unwatch(launch())), at: time)
    }

    // MARK: Sockets

    @Test func aKeptSocketIsTakenFirst() {
        #expect(check(kept()) == nil)
        #expect(check(kept(), modes: [.fetch]) != nil, "the mode is missing")
        #expect(check([(request(.keep(socket(1))), decided(.kept(launch(), id)), 0, .active)]) != nil)
        let failed = Event.concern(.socket(.taken(launch(), id, .notOpen)))
        #expect(check([(failed, decided(.kept(launch(), id)), 0, .active)]) != nil)
        #expect(check([(failed, decided(.notKept(launch(), id, .notOpen)), 0, .active)]) == nil)
        #expect(check([(failed, decided(.notKept(launch(), id, .notTCP)), 0, .active)]) != nil, "another reason")
    }

    @Test func anAppKeepsAsManySocketsAsThePolicyAllows() {
        #expect(check(kept() + kept(2)) != nil)
        #expect(check(kept() + kept(2)) { $0.voipSockets = 2 } == nil)
        #expect(check(kept() + kept(2)) { ($0.voipSockets, $0.voipSocketsInAll) = (2, 1) } != nil)
        let refusal: Turn = (
            request(.keep(socket(2))), decided(.notKept(launch(), SocketID(rawValue: 2), .tooMany)), 0, .active
        )
        #expect(check(kept() + [refusal]) == nil)
        #expect(check([refusal]) != nil, "it has none")
        let other: Turn = (request(.keep(socket(1))), decided(.notKept(launch(), id, .modeNotDeclared)), 0, .active)
        #expect(check([other]) != nil)
        #expect(check([other], modes: []) == nil)
    }

    @Test func aSocketIsDroppedByItsApp() {
        let effects = decided(.dropped(launch(), id)) + output(.close(launch(), id))
        #expect(check(kept() + [(request(.drop(id)), effects, 1, .active)]) == nil)
        #expect(check(kept() + [(.deadlineReached, effects, 1, .active)]) != nil)
    }

    @Test func socketsAreClosedByTheEndOfTheirLaunch() {
        let exited = Event.process(launch(), .exited(.exited(code: 0)))
        let ended = [Effect.decided(.launch(launch(), .ended(.exited(.exited(code: 0)), .exited(code: 0))))]
        #expect(check(kept() + [(exited, ended + output(.close(launch(), id)), 1, .notRunning)]) == nil)
        #expect(check(kept() + [(exited, ended, 1, .notRunning)]) != nil)
        let asked: [Turn] = [kept()[0], (exited, ended, 1, .notRunning)]
        #expect(check(asked) != nil, "the system is about to have it")
        let failed: Turn = (
            .concern(.socket(.taken(launch(), id, .notOpen))), decided(.notKept(launch(), id, .notOpen)), 0, .active
        )
        #expect(check([kept()[0], failed, (exited, ended, 1, .notRunning)]) == nil)
    }

    // MARK: The watch

    @Test func theSocketsOfSuspendedAppsAreWatched() {
        #expect(check(kept() + [watched()]) == nil)
        #expect(check(kept() + [suspended([])]) != nil)
        #expect(check([suspended([])]) == nil, "it has none")
        #expect(check(kept() + [(.device(.homePressed), output(.watch(launch())), 1, .background)]) != nil)
        #expect(check(kept() + [watched(), (.device(.appOpened(app(1))), [], 2, .background)]) != nil)
        let thawed: Turn = (.device(.appOpened(app(1))), output(.unwatch(launch())), 2, .background)
        #expect(check(kept() + [watched(), thawed]) == nil)
    }

    @Test func dataWakesTheApp() {
        let noted = decided(.readable(launch(), id, isOver: false))
        #expect(check(kept() + [watched(), wakes()]) == nil)
        #expect(check(kept() + [watched(), readable(noted, .suspended)]) != nil)
        #expect(check(kept() + [watched(), readable([], .suspended)]) != nil)
        #expect(check(kept() + [watched(), readable(noted + [refused], .suspended)]) == nil)
        #expect(check(kept() + [readable(noted + [woken])]) != nil, "it is not watched")
        #expect(check(kept() + [readable([])]) == nil, "the report is late")
        #expect(check([(.deadlineReached, [woken], 1, .background)]) != nil, "nothing can be read")
    }

    @Test func aRefusedWakeFollowsLater() {
        let noted = decided(.readable(launch(), id, isOver: false))
        let refusal = kept() + [watched(), readable(noted + [refused], .suspended)]
        let later: Turn = (.device(.deviceUnlocked), [woken] + output(.unwatch(launch())), 3, .background)
        #expect(check(refusal + [readable(noted, at: 3, .suspended)]) == nil, "one record is enough")
        #expect(check(refusal + [later]) == nil)
        #expect(check(refusal + [later, (.device(.deviceUnlocked), [woken], 4, .background)]) != nil, "twice")
    }

    @Test func tooManyWakesEndTheApp() {
        let noted = decided(.readable(launch(), id, isOver: false))
        func sequence(_ times: [Int64], _ last: Turn) -> [Turn] {
            kept() + times.flatMap { [watched(at: $0), wakes(at: $0)] } + [watched(at: last.2), last]
        }
        let one = { (policy: inout Policy) in policy.voipWakes = 1 }
        let end = readable(noted + [killed] + output(.unwatch(launch())), at: 9)
        #expect(check(sequence([2], end), one) == nil)
        #expect(check(sequence([], end), one) != nil, "too early")
        #expect(check(sequence([2], end)) != nil, "too early")
        #expect(check(sequence([2], wakes(at: 9)), one) != nil, "too late")
        #expect(check(sequence([2], wakes(at: 302)), one) == nil, "after the period")
        #expect(check([(.deadlineReached, [killed], 1, .background)], one) != nil, "no data")
        #expect(check([(.process(launch(), .found(isFrozen: true)), [killed], 1, .suspended)]) == nil, "again")
    }

    // MARK: Keep-alive

    private func handler(_ interval: Int64, at time: Int64 = 0, _ state: AppState = .background) -> Turn {
        let span = Nanoseconds.seconds(interval)
        return (request(.setKeepAlive(span)), decided(.keepAliveSet(launch(), span)), time, state)
    }

    private func due(at time: Int64, _ state: AppState = .background) -> Turn {
        (.deadlineReached, decided(.keepAliveDue(launch())) + [woken], time, state)
    }

    @Test func aHandlerIsSetByItsApp() {
        #expect(check([handler(600)]) == nil)
        #expect(check([handler(599)]) != nil, "too short")
        #expect(check([handler(600)], modes: []) != nil, "the mode is missing")
        #expect(check([(.deadlineReached, decided(.keepAliveSet(launch(), nil)), 0, .background)]) != nil)
    }

    @Test func aHandlerIsCalledNearTheEndOfItsInterval() {
        #expect(check([handler(600), due(at: 540)]) == nil)
        #expect(check([handler(600), due(at: 539)]) != nil, "too early")
        #expect(check([handler(600), (.device(.memoryRanLow), [], 589, .background)]) == nil)
        #expect(check([handler(600), (.device(.memoryRanLow), [], 590, .background)]) != nil, "too late")
        #expect(check([handler(600), due(at: 540), due(at: 1080)]) == nil)
        #expect(check([handler(600), due(at: 540), due(at: 1079)]) != nil)
        #expect(check([due(at: 540)]) != nil, "there is none")
        let again: Turn = (request(.setKeepAlive(.seconds(600))), [], 100, .background)
        #expect(check([handler(600), again, due(at: 600)]) != nil, "the interval began again")
        #expect(check([handler(600), again, due(at: 640)]) == nil)
        let skipped: Turn = (.deadlineReached, [refused], 590, .background)
        #expect(check([handler(600), skipped, due(at: 1130)]) == nil)
        #expect(check([handler(600), skipped, due(at: 1129)]) != nil)
    }

    @Test func aHandlerIsCalledInTheBackground() {
        let later: Turn = (.device(.homePressed), [], 1000, .background)
        #expect(check([handler(600, .active), later]) == nil)
        #expect(check([handler(600, .active), later, due(at: 1539)]) != nil, "the interval begins in the background")
        #expect(check([handler(600, .active), later, due(at: 1540)]) == nil)
        #expect(check([handler(600), due(at: 540, .active)]) != nil)
    }

    // MARK: Launches after an end

    /// The app ends in the background, with these effects. A launch starts it.
    private func ended(_ reason: TerminationReason, _ effects: [Effect], at time: Int64 = 1) -> [Turn] {
        let isLaunched = newest(effects) != nil
        let ended = Effect.decided(.launch(launch(), .ended(reason, nil)))
        return [
            (.device(.homePressed), [], time, .background),
            (.process(launch(), .exited(.unknown)), [ended] + effects, time, isLaunched ? .background : .notRunning),
        ]
    }

    private var launched: [Effect] { decided(.launchedAgain(app(1))) + [.launch(launch(1, 2), .start(.voip))] }

    @Test func aCrashLaunchesTheAppAgain() {
        let crash = TerminationReason.exited(.signaled(11))
        #expect(check(ended(crash, launched)) == nil)
        #expect(check(ended(crash, [])) != nil)
        #expect(check(ended(crash, [refused])) == nil)
        #expect(check(ended(crash, []), modes: []) == nil)
        #expect(check(ended(crash, launched), modes: []) != nil)
        #expect(check(ended(crash, [])) { $0.launchesVoIPAtStart = false } == nil)
        let seen: Turn = (.device(.appOpened(app(1))), [], 0, .active)
        #expect(check([seen, ended(crash, [])[1]]) == nil, "it was in the foreground")
        #expect(check([seen, ended(crash, launched)[1]]) != nil)
    }

    @Test(arguments: [
        TerminationReason.exited(.exited(code: 0)), .forceQuit, .updated, .uninstalled, .shutdown, .deviceShutdown,
    ])
    func anEndThatIsMeantLaunchesNoApp(_ reason: TerminationReason) {
        #expect(check(ended(reason, [])) == nil)
        #expect(check(ended(reason, launched)) != nil)
    }

    @Test func anAppIsLaunchedAFewTimesInAWhile() {
        let crash = TerminationReason.exited(.signaled(11))
        let often = decided(.endedTooOften(app(1)))
        let one = { (policy: inout Policy) in policy.voipRelaunches = 1 }
        #expect(check(ended(crash, launched) + ended(crash, often, at: 2), one) == nil)
        #expect(check(ended(crash, often), one) != nil, "it was never launched")
        let late = ended(crash, launched) + ended(crash, often, at: 2)
        #expect(check(late + [(.deadlineReached, launched, 302, .background)], one) == nil)
        #expect(check(late + [(.deadlineReached, launched, 300, .background)], one) != nil, "too early")
        let opened: Turn = (.device(.appOpened(app(1))), [], 3, .active)
        #expect(check(late + [opened, (.deadlineReached, launched, 302, .background)], one) != nil)
        #expect(check(ended(crash, launched) + ended(crash, launched, at: 300), one) != nil)
        #expect(check(ended(crash, launched) + ended(crash, launched, at: 301), one) == nil)
        #expect(check([(.deadlineReached, launched, 1, .background)]) != nil, "nothing has ended")
    }

    // MARK: A restart of the system

    @Test func theRulesOutliveARestartOfTheSystem() {
        var invariant = SocketsKeepTheRules()
        func check(_ turn: Turn) -> String? {
            invariant.check(observe(turn.0, turn.1, [snapshot(turn.3, modes: [.voip])], at: at(turn.2)))
        }
        for turn in kept() + [watched()] { #expect(check(turn) == nil) }
        invariant.systemRestarted()
        #expect(check((.device(.homePressed), [], 3, .suspended)) == nil, "not started")
        let take = output(.take(launch(), socket(1)))
        #expect(check((.deadlineReached, take + output(.watch(launch())), 3, .suspended)) == nil)
        #expect(check(wakes(at: 4)) == nil)
        #expect(check(suspended([], at: 5)) != nil)
    }
}
