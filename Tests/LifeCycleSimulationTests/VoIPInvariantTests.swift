import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The invariant of VoIP pushes and calls rejects wrong effects, and accepts right ones.
@Suite struct VoIPInvariantTests {
    /// An event, its effects, and its time in seconds.
    private typealias Turn = (Event, [Effect], Int64)

    /// The state and the assertions are those after the last event.
    private func check(
        _ turns: [Turn], _ state: AppState = .background, assertions: [Assertion] = [],
        modes: [BackgroundMode] = [.voip], launches: [LaunchID] = [launch()], device: Device = Device(),
        foregroundApp: AppID? = nil
    ) -> String? {
        var invariant = VoIPKeepsTheRules()
        var findings: [String] = []
        for (index, (event, effects, time)) in turns.enumerated() {
            let isLast = index == turns.count - 1
            let snapshots = launches.map {
                snapshot(isLast ? state : .background, of: $0, assertions: isLast ? assertions : [], modes: modes)
            }
            let turn = observe(event, effects, snapshots, device, foregroundApp: foregroundApp, at: at(time))
            if let finding = invariant.check(turn) { findings.append(finding) }
        }
        return findings.first
    }

    private func request(_ request: VoIPRequest, by launch: LaunchID = launch()) -> Event {
        .app(launch, .requested(.concern(.voip(request))))
    }

    private func decided(_ decisions: VoIPDecision...) -> [Effect] {
        decisions.map { .decided(.concern(.voip($0))) }
    }

    private var registered: Turn { (request(.setRegistered(true)), decided(.asked(launch(), true)), 0) }

    private func delivered(_ number: Int64 = 1) -> Turn {
        (.concern(.voip(.pushArrived(app(1), payload: "{}"))), decided(.delivered(launch(), number)), 1)
    }

    private func reported(_ id: CallID = .sample, by launch: LaunchID = launch()) -> Turn {
        (request(.report(id, CallUpdate()), by: launch), decided(.reported(launch, id, nil)), 2)
    }

    private func chosen(_ action: CallAction, _ id: CallID = .sample, at time: Int64 = 3) -> Turn {
        let choice: CallChoice = action == .answer ? .answer : .end
        return (.concern(.voip(.chosen(choice))), decided(.chosen(launch(), id, action)), time)
    }

    private func performed(_ action: CallAction, _ decision: VoIPDecision, at time: Int64 = 4) -> Turn {
        (request(.performed(action, .sample, isFulfilled: true)), decided(decision), time)
    }

    private var connected: Turn { performed(.answer, .connected(launch(), .sample)) }

    private func user(_ choice: CallChoice, _ decision: VoIPDecision, at time: Int64 = 5) -> Turn {
        (.concern(.voip(.chosen(choice))), decided(decision), time)
    }

    private func transact(_ actions: [CallRequest], _ effects: [Effect], at time: Int64 = 2) -> Turn {
        (request(.transact(1, actions)), effects, time)
    }

    /// The app begins an outgoing call.
    private func started(_ id: CallID = .sample, at time: Int64 = 2) -> Turn {
        transact([.start(id, CallUpdate())], decided(.chosen(launch(), id, .start)), at: time)
    }

    private var dialing: Turn { performed(.start, .dialing(launch(), .sample), at: 3) }
    private var onHold: [Turn] {
        [
            reported(), chosen(.answer), connected, user(.hold, .chosen(launch(), .sample, .hold)),
            performed(.hold, .changed(launch(), .sample, .hold), at: 5),
        ]
    }

    private func kill(_ reason: TerminationReason = .noCallReported) -> Effect { .launch(launch(), .kill(reason)) }

    // MARK: Pushes

    @Test func pushesReachRegisteredLaunchesOnce() {
        #expect(check([registered, delivered()]) == nil)
        #expect(check([delivered()]) != nil, "the launch has not registered")
        #expect(check([registered, delivered(), delivered(2)]) == nil)
        #expect(check([registered, delivered(), delivered()]) != nil, "twice")
        let unregistered: Turn = (request(.setRegistered(false)), decided(.asked(launch(), false)), 0)
        #expect(check([unregistered, delivered()]) != nil)
    }

    @Test func aPushWithoutACallLeadsToTheKill() {
        let returned = request(.returned(1))
        let missed = decided(.missed(launch(), 1))
        #expect(check([registered, delivered(), (returned, missed + [kill()], 2)]) == nil)
        #expect(check([registered, delivered(), (returned, [], 2)]) != nil, "it lives")
        #expect(check([registered, delivered(), (returned, missed, 2)]) != nil, "it lives")
        #expect(check([registered, delivered(), reported(), (returned, [], 2)]) == nil)
        #expect(check([registered, delivered(), reported(), (returned, missed + [kill()], 2)]) != nil, "it has a call")
        #expect(check([registered, delivered(), (.deadlineReached, missed + [kill()], 31)]) == nil)
        #expect(check([registered, delivered(), (.deadlineReached, missed + [kill()], 30)]) != nil, "too early")
        #expect(check([registered, delivered(), (.deadlineReached, [], 32)]) != nil, "too late")
        #expect(check([(.deadlineReached, [kill()], 0)]) != nil, "for no push")
        #expect(check([(.process(launch(), .found(isFrozen: false)), [kill()], 0)]) == nil, "it is repeated")
    }

    @Test func anExitIsAMiss() {
        let event = Event.process(launch(), .exited(.exited(code: 0)))
        let missed = decided(.missed(launch(), 1))
        func ended(_ reason: TerminationReason) -> [Effect] {
            [.decided(.launch(launch(), .ended(reason, .exited(code: 0))))]
        }
        let exited = ended(.exited(.exited(code: 0)))
        #expect(check([registered, delivered(), (event, missed + exited, 2)]) == nil)
        #expect(check([registered, delivered(), (event, exited, 2)]) != nil, "it escapes")
        #expect(check([registered, delivered(), (event, ended(.forceQuit), 2)]) == nil)
        let over = decided(.ended(launch(), .sample, .launchEnded))
        #expect(check([registered, delivered(), reported(), (event, over + exited, 3)]) == nil)
        #expect(check([registered, delivered(), reported(), (event, missed + over + exited, 3)]) != nil, "it has one")
    }

    @Test func oneCallIsReportedForEachPush() {
        let two = [registered, delivered(), delivered(2), reported()]
        #expect(check(two + [(request(.returned(1)), [], 2)]) == nil)
        #expect(check(two + [(request(.returned(2)), [], 2)]) != nil)
    }

    @Test func tooManyMissesEndThePushes() {
        func came(after misses: Int32, _ decision: VoIPDecision) -> String? {
            let missed: Turn = (request(.returned(1)), decided(.missed(launch(), misses)) + [kill()], 2)
            return check([
                registered, delivered(), missed,
                (.concern(.voip(.pushArrived(app(1), payload: "{}"))), decided(decision), 3),
            ])
        }
        #expect(came(after: 2, .waits(app(1))) == nil)
        #expect(came(after: 3, .waits(app(1))) != nil)
        #expect(came(after: 3, .delivered(launch(), 2)) != nil)
        #expect(came(after: 3, .dropped(app(1), .tooManyMisses)) == nil)
    }

    @Test func aPushKeepsAnAppRunningForItsTime() {
        let later: Turn = (.device(.memoryRanLow), [], 31)
        #expect(check([registered, delivered(), reported(), later], assertions: [.voipPush, .call]) == nil)
        let tooLate: Turn = (.device(.memoryRanLow), [], 32)
        #expect(check([registered, delivered(), reported(), tooLate], assertions: [.voipPush, .call]) != nil)
    }

    // MARK: Calls

    @Test func aCallKeepsItsAppRunning() {
        #expect(check([reported()]) == nil)
        #expect(check([reported()], modes: []) != nil, "the mode is missing")
        #expect(check([reported()], .suspended) != nil)
        #expect(check([reported()], launches: []) != nil, "the launch is over")
        #expect(check([reported()], assertions: [.call]) == nil)
        #expect(check([registered], assertions: [.call]) != nil, "there is no call")
    }

    @Test func aCallInterruptsTheForegroundApp() {
        var device = Device()
        var effects: [Effect] = []
        for event in [Event.device(.appInstalled(app(2), manifest(2))), .device(.appOpened(app(2)))] {
            device.handle(event, at: .zero, into: &effects)
        }
        #expect(check([reported()], device: device, foregroundApp: app(2)) != nil)
        device.handle(.device(.interruptionBegan(.call)), at: .zero, into: &effects)
        #expect(check([reported()], device: device, foregroundApp: app(2)) == nil)
    }

    @Test func onlyTheUsersAnswerConnectsACall() {
        #expect(check([reported(), chosen(.answer), connected]) == nil)
        #expect(check([reported(), connected]) != nil)
        #expect(check([chosen(.answer)]) != nil, "there is no call")
        let alone: Turn = (.deadlineReached, decided(.chosen(launch(), .sample, .answer)), 3)
        #expect(check([reported(), alone]) != nil, "the user did not choose")
        let declined: Turn = performed(.answer, .connected(launch(), .sample))
        #expect(check([reported(), chosen(.end), declined]) != nil)
        #expect(check([reported(), chosen(.answer), connected, chosen(.answer, at: 5)]) != nil, "it does not ring")
    }

    @Test func oneCallIsOnAtATime() {
        let (other, second) = (CallID.numbered(2), chosen(.answer, .numbered(2), at: 5))
        #expect(check([reported(), reported(other), chosen(.answer), connected, second]) != nil)
        let ended = performed(.end, .ended(launch(), .sample, .user), at: 5)
        #expect(check([reported(), reported(other), chosen(.answer), connected, chosen(.end), ended, second]) == nil)
    }

    @Test func actionsArePerformedInTime() {
        let timedOut = decided(.ended(launch(), .sample, .timedOut(.answer)))
        #expect(check([reported(), chosen(.answer), (.deadlineReached, timedOut, 63)]) == nil)
        #expect(check([reported(), chosen(.answer), (.deadlineReached, timedOut, 62)]) != nil, "too early")
        #expect(check([reported(), chosen(.answer), (.deadlineReached, [], 64)]) != nil, "too late")
        #expect(check([reported(), (.deadlineReached, timedOut, 63)]) != nil, "no action")
    }

    @Test func aCallEndsForAReason() {
        let remote = decided(.ended(launch(), .sample, .reported(.remoteEnded)))
        #expect(check([reported(), (request(.ended(.sample, .remoteEnded)), remote, 3)]) == nil)
        #expect(check([reported(), (.deadlineReached, remote, 3)]) != nil)
        #expect(check([(request(.ended(.sample, .remoteEnded)), remote, 3)]) != nil, "there is no call")
        let user = performed(.end, .ended(launch(), .sample, .user))
        #expect(check([reported(), chosen(.end), user]) == nil)
        #expect(check([reported(), user]) != nil, "the user has not ended it")
        let failure = request(.performed(.answer, .sample, isFulfilled: false))
        let failed = decided(.ended(launch(), .sample, .failed))
        #expect(check([reported(), chosen(.answer), (failure, failed, 4)]) == nil)
        #expect(check([reported(), (failure, failed, 4)]) != nil)
    }

    // MARK: Outgoing calls, hold and mute

    @Test func anAppStartsItsOutgoingCalls() {
        #expect(check([started(), dialing]) == nil)
        #expect(check([started()], modes: []) != nil, "the mode is missing")
        #expect(check([started()], launches: []) != nil, "the launch is over")
        #expect(check([started(), started()]) != nil, "twice")
        let alone: Turn = (.deadlineReached, decided(.chosen(launch(), .sample, .start)), 2)
        #expect(check([alone]) != nil, "the app has not asked")
        let event = started().0
        var effects = started().1
        effects.append(.decided(.launch(launch(2), .interrupted(.call))))
        #expect(check([(event, effects, 2)]) != nil, "it does not ring")
        #expect(check([started(), started(.numbered(2))]) != nil, "another call is on")
        #expect(check([started()], .suspended) != nil)
        #expect(check([started()], assertions: [.call]) == nil)
    }

    @Test func anOutgoingCallIsConnectedAfterItsStart() {
        let report: Turn = (request(.connected(.sample)), decided(.connected(launch(), .sample)), 4)
        #expect(check([started(), dialing, report]) == nil)
        #expect(check([started(), report]) == nil)
        #expect(check([reported(), report]) != nil, "it comes in")
        #expect(check([report]) != nil, "there is no call")
        #expect(check([started(), dialing, (.deadlineReached, decided(.connected(launch(), .sample)), 4)]) != nil)
        #expect(check([dialing]) != nil, "there is no call")
        #expect(check([reported(), dialing]) != nil, "it comes in")
        #expect(check([started(), (.deadlineReached, decided(.dialing(launch(), .sample)), 4)]) != nil)
        let failure = request(.performed(.start, .sample, isFulfilled: false))
        let failed = decided(.ended(launch(), .sample, .failed))
        #expect(check([started(), (failure, failed, 3)]) == nil)
        #expect(check([started(), dialing, (failure, failed, 3)]) != nil, "it is dialing")
        let timedOut = decided(.ended(launch(), .sample, .timedOut(.start)))
        #expect(check([started(), (.deadlineReached, timedOut, 62)]) == nil)
        #expect(check([started(), (.deadlineReached, timedOut, 61)]) != nil, "too early")
    }

    @Test func allActionsOfATransactionBeginOrNone() {
        let end = CallRequest.act(.end, .sample)
        let chosen = decided(.chosen(launch(), .sample, .end))
        #expect(check([reported(), transact([end], chosen)]) == nil)
        #expect(check([reported(), transact([.act(.answer, .sample)], chosen)]) != nil, "another action")
        #expect(check([reported(), transact([end, .act(.mute, .sample)], chosen)]) != nil, "a part")
        #expect(check([reported(), transact([end, .act(.mute, .sample)], [])]) == nil)
        let refused = decided(.transactionRefused(launch(), .invalidAction))
        #expect(check([reported(), transact([end], refused)]) == nil)
        #expect(check([reported(), transact([end], chosen + refused)]) != nil, "it begins")
        #expect(check([(.deadlineReached, refused, 2)]) != nil, "there is no transaction")
        #expect(check([transact([end], refused)], modes: []) != nil, "the reason is the mode")
        let unentitled = decided(.transactionRefused(launch(), .unentitled))
        #expect(check([transact([end], unentitled)], modes: []) == nil)
        #expect(check([transact([end], unentitled)]) != nil, "it has the mode")
    }

    @Test func aCallOnHoldLeavesTheUserToAnother() {
        let (other, answer) = (CallID.numbered(2), chosen(.answer, .numbered(2), at: 6))
        #expect(check(onHold + [reported(other), answer]) == nil)
        #expect(check(onHold + [started(other, at: 6)]) == nil)
        let holdAndStart = transact(
            [.act(.hold, .sample), .start(other, CallUpdate())],
            decided(.chosen(launch(), .sample, .hold), .chosen(launch(), other, .start)), at: 5)
        #expect(check([reported(), chosen(.answer), connected, holdAndStart]) == nil)
        let hold = user(.hold, .chosen(launch(), .sample, .hold))
        let two = [reported(), reported(other), chosen(.answer), connected]
        #expect(check(two + [hold, answer]) != nil, "it is not yet on hold")
        let resume = user(.resume, .chosen(launch(), .sample, .resume), at: 7)
        #expect(check(onHold + [resume]) == nil)
        #expect(check(onHold + [reported(other), answer, resume]) != nil, "the other call is on")
        #expect(check(onHold + [hold]) != nil, "it is on hold")
        #expect(check([started(), dialing, hold]) != nil, "it is not connected")
        #expect(check([reported(), chosen(.answer), connected, resume]) != nil, "it is not on hold")
        #expect(check([reported(), chosen(.answer), connected, hold, hold]) != nil, "twice")
    }

    @Test func aCallIsChangedByItsApp() {
        let on = [reported(), chosen(.answer), connected]
        let mute = user(.mute, .chosen(launch(), .sample, .mute))
        let muted = performed(.mute, .changed(launch(), .sample, .mute), at: 6)
        let unmute = user(.unmute, .chosen(launch(), .sample, .unmute), at: 7)
        #expect(check(on + [mute, muted, unmute]) == nil)
        #expect(check(on + [muted]) != nil, "it was not asked to")
        #expect(check(on + [mute, unmute]) != nil, "it is not muted")
        #expect(check(on + [mute, muted, mute]) != nil, "it is muted")
        #expect(check([reported(), mute]) != nil, "it rings")
        #expect(check(on + [user(.hold, .chosen(launch(), .sample, .mute))]) != nil, "another act")
        let alone: Turn = (.deadlineReached, decided(.changed(launch(), .sample, .mute)), 6)
        #expect(check(on + [mute, alone]) != nil, "the app has not performed it")
        let failed = decided(.changeFailed(launch(), .sample, .mute))
        let failure = request(.performed(.mute, .sample, isFulfilled: false))
        #expect(check(on + [mute, (failure, failed, 6)]) == nil)
        #expect(check(on + [(failure, failed, 6)]) != nil, "it was not asked to")
        #expect(check(on + [mute, (.deadlineReached, failed, 65)]) == nil)
        #expect(check(on + [mute, (.deadlineReached, failed, 64)]) != nil, "too early")
        #expect(check(on + [mute, (.deadlineReached, [], 66)]) != nil, "too late")
        let over = decided(.ended(launch(), .sample, .timedOut(.mute)))
        #expect(check(on + [mute, (.deadlineReached, over, 65)]) != nil, "the call continues")
        let ending = chosen(.end, at: 6)
        #expect(check(on + [mute, ending, (failure, failed, 7)]) != nil, "it is being ended")
    }

    @Test func callsEndWithTheirLaunch() {
        let over = decided(.ended(launch(), .sample, .launchEnded))
        let event = Event.process(launch(), .exited(.signaled(9)))
        #expect(check([reported(), (event, [kill(.memory)] + over, 3)]) == nil)
        #expect(check([reported(), (event, [kill(.memory)], 3)]) != nil)
    }

    @Test func callsOutliveARestartOfTheSystem() {
        var invariant = VoIPKeepsTheRules()
        func check(_ turn: Turn, _ snapshots: [AppSnapshot]) -> String? {
            invariant.check(observe(turn.0, turn.1, snapshots, at: at(turn.2)))
        }
        #expect(check(reported(), [snapshot(.background, modes: [.voip])]) == nil)
        invariant.systemRestarted()
        #expect(check((.device(.homePressed), [], 3), [snapshot(.suspended, modes: [.voip])]) == nil, "not started")
        #expect(check((.deadlineReached, [], 3), [snapshot(.background, modes: [.voip])]) == nil)
        #expect(check((.device(.homePressed), [], 3), [snapshot(.suspended, modes: [.voip])]) != nil)
    }
}
