import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of background sessions and transfers. The invariants reject wrong effects, and accept right ones.
@Suite struct TransferInvariantTests {
    private let name: SessionIdentifier
    private let id = TransferSessionID(app: AppID(1), number: 1)
    private let open = TransferAct.open(TransferSessionConfiguration())

    init() throws { name = try #require(SessionIdentifier("podcasts")) }

    private func task(_ number: Int64) -> TransferID { TransferID(session: id, number: number) }

    private func says(_ act: TransferAct, _ launch: LaunchID = launch()) -> Event {
        .app(launch, .requested(.concern(.transfer(name, act))))
    }

    private func tells(_ news: TransferNews, _ launch: LaunchID = launch()) -> Effect {
        .launch(launch, .send(.concern(.transfer(name, news))))
    }

    private func decided(_ decision: TransferDecision) -> Effect { .decided(.concern(.transfer(decision))) }

    private func checkpoint(_ received: Int64) -> TransferCheckpoint {
        TransferCheckpoint(received: received, expected: 100, validator: "v", boot: "b")
    }

    private let response = TransferResponse(url: "https://example.org/1", status: 200, fields: [])

    /// A device whose first app is in the foreground. The app has a session open, with one resumed task from each host.
    private func device(
        hosts: [String] = ["one"], network: Network = .wifi,
        _ change: (inout TransferSessionConfiguration) -> Void = { _ in }
    ) -> Device {
        var configuration = TransferSessionConfiguration()
        change(&configuration)
        var events: [Event] = [
            .device(.settingChanged(.network(network))), .device(.appInstalled(app(1), manifest())),
            .device(.appOpened(app(1))),
            says(.open(configuration)),
        ]
        for (index, host) in hosts.enumerated() {
            let request = TransferRequest(url: "https://\(host)/file")
            events.append(says(.make(NewTransfer(number: Int64(index + 1), request: request))))
            events.append(says(.resume(Int64(index + 1))))
        }
        var device = Device()
        feed(events, &device)
        return device
    }

    private func feed(_ events: [Event], _ device: inout Device) {
        for event in events {
            var effects: [Effect] = []
            device.handle(event, at: Moment.zero.advanced(by: at(0)), into: &effects)
        }
    }

    // MARK: Session events

    private func handled(_ steps: [(Event, [Effect], Int64)], _ state: AppState = .background) -> String? {
        var invariant = SessionEventsAreHandled()
        return steps.compactMap {
            invariant.check(observe($0.0, $0.1, [snapshot(state)], at: at($0.2)))
        }.first
    }

    @Test func unhandledSessionEventsMustCauseAKill() {
        let called: (Event, [Effect], Int64) = (
            .device(.homePressed), [send(3, .concern(.transfer(.handleEvents(name))))], 0
        )
        let kill = Effect.launch(launch(), .kill(.sessionEventsNotHandled))
        #expect(handled([called, (.deadlineReached, [], 29)]) == nil)
        #expect(handled([called, (.deadlineReached, [], 30)]) != nil)
        #expect(handled([called, (.device(.homePressed), [], 31)]) != nil)
        #expect(handled([called, (says(.handled), [], 29), (.deadlineReached, [], 40)]) == nil)
        #expect(handled([called, (.deadlineReached, [kill], 30), (.deadlineReached, [], 40)]) == nil)
        #expect(handled([called, (.deadlineReached, [kill], 29)]) != nil, "the time limit is not reached")
        #expect(handled([(.deadlineReached, [kill], 30)]) != nil, "the app was not called")
        let again: (Event, [Effect], Int64) = (
            .device(.homePressed), [send(3, .concern(.transfer(.handleEvents(name))))], 10
        )
        #expect(handled([called, again, (.deadlineReached, [kill], 30)]) == nil, "a repetition of the same call")
        let other: (Event, [Effect], Int64) = (
            .device(.homePressed), [send(4, .concern(.transfer(.handleEvents(name))))], 10
        )
        #expect(handled([called, other, (.deadlineReached, [kill], 30)]) != nil)
        #expect(
            handled([called, (.device(.homePressed), [send(4, .willEnterForeground)], 5), (.deadlineReached, [], 40)])
                == nil)
        #expect(handled([called, (.deadlineReached, [], 40)], .active) == nil, "no time limit in the foreground")
    }

    @Test func aStallRenewsTheTimeForSessionEvents() {
        var invariant = SessionEventsAreHandled()
        let called = [send(3, .concern(.transfer(.handleEvents(name))))]
        #expect(invariant.check(observe(.device(.homePressed), called, [snapshot(.background)], at: at(0))) == nil)
        let late = observe(.deadlineReached, [], at: at(60))
        late.isAfterStall = true
        #expect(invariant.check(late) == nil)
        #expect(invariant.check(observe(.deadlineReached, [], at: at(90))) != nil)
    }

    // MARK: Limits

    private func carried(_ device: Device, _ steps: [(Event, [Effect])]) -> String? {
        var invariant = TransfersKeepLimits()
        return steps.compactMap { invariant.check(observe($0.0, $0.1, [], device)) }.first
    }

    private func begin(_ number: Int64, attempt: Int32 = 1) -> (Event, [Effect]) {
        (.device(.homePressed), [.concern(.transfer(.begin(task(number), attempt: attempt)))])
    }

    @Test func nothingIsBegunTwiceAtOnce() {
        let device = device()
        #expect(carried(device, [begin(1)]) == nil)
        #expect(carried(device, [begin(1), begin(1, attempt: 2)]) != nil)
        for report in [
            TransferReport.stopped(task(1), attempt: 1, nil), .completed(task(1), attempt: 1, response, size: 1),
            .failed(task(1), attempt: 1, TransferProblem(code: -1, reason: "", isRetryable: true)),
        ] {
            #expect(
                carried(device, [begin(1), (.concern(.transfer(.reported(report))), []), begin(1, attempt: 2)]) == nil)
        }
        let late = TransferReport.stopped(task(1), attempt: 7, nil)
        #expect(carried(device, [begin(1), (.concern(.transfer(.reported(late))), []), begin(1, attempt: 2)]) != nil)
        #expect(carried(device, [begin(9)]) != nil, "the task does not exist")
    }

    @Test func nothingIsBegunThatMayNotBe() {
        #expect(carried(device(network: .none), [begin(1)]) != nil)
        #expect(carried(device(network: .cellular), [begin(1)]) == nil)
        let dear: [(inout TransferSessionConfiguration) -> Void] = [
            { $0.networks.cellular = false }, { $0.networks.expensive = false }, { $0.isDiscretionary = true },
        ]
        for change in dear {
            #expect(carried(device(network: .wifi, change), [begin(1)]) == nil)
            #expect(carried(device(network: .cellular, change), [begin(1)]) != nil)
            let action: (Event, [Effect]) = (.concern(.transfer(.userAction(task(1), .now))), [])
            #expect(carried(device(network: .cellular, change), [action, begin(1)]) == nil, "the user requested it")
            #expect(carried(device(network: .none, change), [action, begin(1)]) != nil)
        }
        var suspended = device()
        feed([says(.suspend(1))], &suspended)
        #expect(carried(suspended, [begin(1)]) != nil)
        var paused = device()
        feed([.concern(.transfer(.userAction(task(1), .pause)))], &paused)
        #expect(carried(paused, [begin(1)]) != nil)
        var over = device()
        feed([says(.cancel(1, keepsPartial: false))], &over)
        #expect(carried(over, [begin(1)]) != nil)
    }

    @Test func noLimitIsExceeded() {
        let two = device(hosts: ["one", "one"]) { $0.connectionsPerHost = 1 }
        #expect(carried(two, [begin(1), begin(2)]) != nil)
        let apart = device(hosts: ["one", "two"]) { $0.connectionsPerHost = 1 }
        #expect(carried(apart, [begin(1), begin(2)]) == nil)
        let many = device(hosts: (1...17).map { "host\($0)" })
        #expect(carried(many, (1...16).map { begin($0) }) == nil)
        #expect(carried(many, (1...17).map { begin($0) }) != nil)
        let most = device(hosts: (1...33).map { "host\($0)" })
        let actions = (1...33).map { (Event.concern(.transfer(.userAction(task($0), .now))), [Effect]()) }
        #expect(carried(most, actions + (1...32).map { begin($0) }) == nil, "the user requested them")
        #expect(carried(most, actions + (1...33).map { begin($0) }) != nil)
    }

    @Test func disallowedTransfersMustBeStopped() {
        let gone = (Event.device(.settingChanged(.network(.none))), [Effect.concern(.transfer(.stop(task(1))))])
        var invariant = TransfersKeepLimits()
        #expect(
            invariant.check(
                observe(.device(.homePressed), [.concern(.transfer(.begin(task(1), attempt: 1)))], [], device())) == nil
        )
        var other = invariant
        #expect(invariant.check(observe(gone.0, gone.1, [], device(network: .none))) == nil)
        #expect(other.check(observe(gone.0, [], [], device(network: .none))) != nil)
    }

    // MARK: Outcomes

    private func outcomes(_ steps: [(Event, [Effect])]) -> String? {
        var invariant = OutcomesAreDeliveredOnce()
        let device = device()
        return steps.compactMap { invariant.check(observe($0.0, $0.1, [], device)) }.first
    }

    @Test func repeatedOutcomesAreFound() {
        let failed = tells(.failed(1, TransferFailure(code: -1, reason: "")))
        let downloaded = tells(.downloaded(1, file: "f", response, size: 1))
        for outcome in [failed, downloaded] {
            let delivered: (Event, [Effect]) = (.device(.homePressed), [outcome])
            #expect(outcomes([delivered]) == nil)
            #expect(outcomes([delivered, delivered]) != nil)
            #expect(outcomes([delivered, (says(open), []), delivered]) == nil, "the app may not have received it")
            #expect(
                outcomes([
                    delivered, (.device(.homePressed), [tells(.failed(2, TransferFailure(code: 1, reason: "")))]),
                ]) == nil)
            let taken: (Event, [Effect]) = (says(.acknowledge([1])), [decided(.delivered(task(1)))])
            #expect(outcomes([delivered, taken, (says(open), []), delivered]) != nil, "the app has acknowledged it")
            let made: (Event, [Effect]) = (
                says(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://a/")))), []
            )
            #expect(outcomes([delivered, taken, made, delivered]) == nil, "a new task with the same number")
        }
    }

    // MARK: Bytes

    private func bytes(_ device: Device, _ steps: [(Event, [Effect])]) -> String? {
        var invariant = BytesAreKept()
        return steps.compactMap { invariant.check(observe($0.0, $0.1, [], device)) }.first
    }

    @Test func requestsForPersistedBytesAreFound() {
        var device = device()
        let saved = Event.concern(.transfer(.reported(.checkpointed(task(1), attempt: 1, checkpoint(40)))))
        #expect(bytes(device, [(saved, []), begin(1)]) != nil, "the brain does not know the checkpoint")
        let restarted = Event.concern(.transfer(.reported(.responded(task(1), attempt: 1, offset: 0, expected: 100))))
        #expect(bytes(device, [(saved, []), (restarted, []), begin(1)]) == nil, "the server started over")
        #expect(bytes(device, [(saved, [decided(.reportIgnored(task(1)))]), begin(1)]) == nil)
        let bad = Event.concern(.transfer(.reported(.stopped(task(1), attempt: 1, nil))))
        #expect(bytes(device, [(saved, []), (bad, []), begin(1)]) == nil, "the persisted bytes are invalid")
        feed([saved], &device)
        #expect(bytes(device, [(saved, []), begin(1)]) == nil)
        let further = Event.concern(.transfer(.reported(.stopped(task(1), attempt: 1, checkpoint(60)))))
        #expect(bytes(device, [(saved, []), (further, []), begin(1)]) != nil)
    }

    @Test func aCompleteFileMustStayUntilDelivered() {
        let device = device()
        let whole: (Event, [Effect]) = (.device(.homePressed), [decided(.completed(task(1), size: 100))])
        let gone = Effect.concern(.transfer(.discard(task(1))))
        #expect(bytes(device, [whole, (.device(.homePressed), [gone])]) != nil)
        #expect(bytes(device, [whole, (.device(.homePressed), [decided(.delivered(task(1))), gone])]) == nil)
        #expect(bytes(device, [whole, (.device(.homePressed), [gone, .store(.appRemoved(app(1)))])]) == nil)
        #expect(bytes(device, [whole, (.device(.homePressed), [.store(.appRemoved(app(2))), gone])]) != nil)
        #expect(bytes(device, [whole, begin(1)]) != nil)
        #expect(bytes(device, [(.device(.homePressed), [gone])]) == nil)
    }

    // MARK: Sessions

    private func sessions(_ steps: [(Event, [Effect])]) -> String? {
        var invariant = SessionsAreNotDoubled()
        return steps.compactMap { invariant.check(observe($0.0, $0.1)) }.first
    }

    private func opened(_ number: Int32, isNew: Bool = true) -> (Event, [Effect]) {
        (says(open), [decided(.sessionOpened(TransferSessionID(app: AppID(1), number: number), isNew: isNew))])
    }

    @Test func aNameIsOneSession() {
        #expect(sessions([opened(1), opened(1, isNew: false)]) == nil)
        #expect(sessions([opened(1), opened(2)]) != nil)
        #expect(sessions([opened(1), opened(2, isNew: false)]) != nil)
        #expect(sessions([opened(1), opened(1)]) != nil)
        for end in [decided(.sessionInvalidated(id)), .store(.concern(.transfer(.sessionRemoved(id))))] {
            #expect(sessions([opened(1), (.device(.homePressed), [end]), opened(2)]) == nil)
            #expect(sessions([opened(1), (.device(.homePressed), [end]), opened(1)]) != nil, "the number was used")
        }
        #expect(sessions([(.device(.homePressed), opened(1).1)]) != nil, "no app opened it")
        let (event, effects) = opened(2)
        #expect(
            sessions([opened(1), (event, effects + [.store(.concern(.transfer(.sessionRemoved(id))))])]) == nil,
            "the old session is evicted")
    }

    /// No record says whether the app was notified of the end of a session.
    @Test func aFinishingSessionMayEndInARestart() throws {
        var record = TransferSessionRecord(
            id: id, identifier: try #require(SessionIdentifier("films")), configuration: TransferSessionConfiguration())
        func isDoubled(isFinishing: Bool) -> Bool {
            record.isFinishing = isFinishing
            var invariant = SessionsAreNotDoubled()
            _ = invariant.check(observe(opened(1).0, opened(1).1))
            _ = invariant.check(observe(.device(.homePressed), [.store(.concern(.transfer(.session(record))))]))
            invariant.systemRestarted()
            return invariant.check(observe(opened(2).0, opened(2).1)) != nil
        }
        #expect(isDoubled(isFinishing: false) && !isDoubled(isFinishing: true))
    }

    @Test func noSessionGoesWithTasksInIt() {
        let record = TransferRecord(id: task(1), request: TransferRequest(url: "https://a/"), made: at(0))
        let kept: (Event, [Effect]) = (.device(.homePressed), [.store(.concern(.transfer(.task(record))))])
        let gone: (Event, [Effect]) = (.device(.homePressed), [.store(.concern(.transfer(.sessionRemoved(id))))])
        #expect(sessions([opened(1), gone]) == nil)
        #expect(sessions([opened(1), kept, gone]) != nil)
        #expect(
            sessions([
                opened(1), kept, (.device(.homePressed), [.store(.concern(.transfer(.taskRemoved(task(1)))))]), gone,
            ]) == nil)
    }
}
