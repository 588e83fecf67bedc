import LifeCycleModel
import Synchronization
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// Faults of the virtual world other than those of apps, and the work that must end when the faults stop.
@Suite struct FaultTests {
    // MARK: Everything ends

    /// Effects that leave work pending, and the events and effects that end it.
    private static let pending: [(effect: Effect, ends: [Event], endsBy: [Effect])] = [
        (.launch(launch(), .start(.user)), [.process(launch(), .started)], []),
        (.launch(launch(), .prewarm), [.process(launch(), .started)], []),
        (
            send(3, .didBecomeActive),
            [acknowledge(3), .app(launch(), .attached(attachment(3))), .app(launch(), .attached(attachment(4)))],
            [.launch(launch(1, 9), .kill(.memory))]
        ),
        (
            .launch(launch(), .freeze(attempt: 2)),
            [
                .process(launch(), .froze(attempt: 2, footprint: 0)),
                .process(launch(), .freezeFailed(attempt: 2, errno: 5)),
            ], [.launch(launch(), .thaw)]
        ),
        (.launch(launch(), .measureContainer), [.process(launch(), .containerMeasured(size: 0))], []),
        (.launch(launch(), .requestExit), [], []),
        (.launch(launch(), .kill(.memory)), [], []),
        (.device(.keepAwake(true)), [], [.device(.keepAwake(false))]),
    ]

    private static func attachment(_ last: Int32) -> LifeCycleModel.Attachment {
        LifeCycleModel.Attachment(
            lastCallback: CallbackID(last), phase: .rising, open: [], isIdleTimerDisabled: false,
            isSceneConnected: false)
    }

    private static func finding(_ turns: [(Event, [Effect])]) -> String? {
        var pending = EverythingEnds()
        for (event, effects) in turns { pending.note(event, effects) }
        return pending.check(Device())
    }

    @Test(arguments: pending.indices) func pendingWorkIsFound(_ row: Int) {
        let (effect, ends, endsBy) = Self.pending[row]
        let begun: (Event, [Effect]) = (.device(.homePressed), [effect])
        #expect(Self.finding([begun]) != nil)
        for end in ends { #expect(Self.finding([begun, (end, [])]) == nil, "\(end)") }
        for end in endsBy where end != .launch(launch(1, 9), .kill(.memory)) {
            #expect(Self.finding([begun, (.device(.homePressed), [end])]) == nil, "\(end)")
        }
        let isOfLaunch = effect != .device(.keepAwake(true))
        let ended = Effect.decided(.launch(launch(), .ended(.memory, nil)))
        #expect((Self.finding([begun, (.device(.homePressed), [ended])]) == nil) == isOfLaunch)
        let other = Effect.decided(.launch(launch(1, 2), .ended(.memory, nil)))
        #expect(Self.finding([begun, (.device(.homePressed), [other])]) != nil, "the end of another launch")
    }

    @Test func repliesToOtherWorkLeaveItPending() {
        let called: (Event, [Effect]) = (.device(.homePressed), [send(3, .didBecomeActive)])
        #expect(Self.finding([called, (acknowledge(2), [])]) != nil)
        #expect(Self.finding([called, (.app(launch(), .attached(Self.attachment(2))), [])]) != nil)
        let frozen: (Event, [Effect]) = (.device(.homePressed), [.launch(launch(), .freeze(attempt: 2))])
        #expect(Self.finding([frozen, (.process(launch(), .froze(attempt: 1, footprint: 0)), [])]) != nil)
        let measured = Effect.launch(launch(), .measureContainer)
        #expect(
            Self.finding([
                (.device(.homePressed), [measured, measured]), (.process(launch(), .containerMeasured(size: 0)), []),
            ]) != nil)
    }

    @Test func pendingWaitsOfTheBrainAreFound() {
        var device = Device()
        var effects: [Effect] = []
        var pending = EverythingEnds()
        func feed(_ event: Event, _ seconds: Int64) {
            effects = []
            device.handle(event, at: Moment.zero.advanced(by: at(seconds)), into: &effects)
            pending.note(event, effects)
        }
        feed(.device(.appInstalled(app(1), manifest())), 0)
        #expect(pending.check(device) == nil)
        feed(.device(.appOpened(app(1))), 0)
        feed(.process(launch(), .started), 0)
        #expect(pending.check(device) == "slowLaunch(1.1) is still waited for")
        feed(.device(.appUninstalled(app(1))), 1)
        #expect(pending.check(device) == "1.1 was killed and is there")
        pending.systemRestarted()
        #expect(pending.check(device) == "app 1 was uninstalled and is there", "also after a restart")
        feed(.process(launch(), .exited(.signaled(9))), 2)
        #expect(pending.check(device) == nil)
    }

    @Test func activationDuringAShutdownIsFound() {
        let rises = [Effect.decided(.launch(launch(), .stateChanged(from: .inactive, to: .active)))]
        for begin in [Event.device(.shutdownBegan), .device(.deviceShutdownBegan)] {
            var shutdown = NoAppActivatesInShutdown()
            #expect(shutdown.check(.device(.homePressed), rises) == nil)
            #expect(shutdown.check(begin, []) == nil)
            #expect(
                shutdown.check(
                    .device(.homePressed), [.decided(.launch(launch(), .stateChanged(from: .active, to: .inactive)))])
                    == nil)
            #expect(shutdown.check(.device(.homePressed), rises) != nil)
        }
    }

    // MARK: Stalls of the event loop

    @Test func unreadMessagesCauseNoKillAfterAStall() {
        var world = World(seed: 5, policy: .iOS26, manifests: [manifest()], profiles: [BehaviorProfile()])
        world.areFaultsOn = false
        world.handle(.device(.appOpened(app(1))))
        world.stopLoop()
        world.startLoop(after: .seconds(60))
        world.advance(by: .seconds(3))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        #expect(world.violation == nil)
    }

    @Test func aHungAppHasItsFullTimeAfterAStall() {
        var world = World(seed: 5, policy: .iOS26, manifests: [manifest()], profiles: [BehaviorProfile(hangs: 100)])
        world.faultRate = 0
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(1))
        world.stopLoop()
        world.startLoop(after: .seconds(60))
        world.advance(by: .milliseconds(19_900))
        #expect(world.device.snapshot(of: app(1))?.isEnding == false)
        world.advance(by: .milliseconds(200))
        #expect(world.device.snapshot(of: app(1))?.launch == nil)
        #expect(world.violation == nil)
    }

    /// User actions during a stall are handled in one iteration of the event loop, and its effects are applied last.
    @Test func piledUpEventsShareOneTurn() {
        var world = World(
            seed: 5, policy: .iOS26, manifests: [manifest(1), manifest(2)],
            profiles: [BehaviorProfile(), BehaviorProfile()])
        world.areFaultsOn = false
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(5))
        world.handle(.device(.homePressed))
        world.stopLoop()
        let count = world.eventCount
        world.handle(.device(.appOpened(app(1))))
        world.handle(.device(.homePressed))
        world.handle(.device(.appOpened(app(2))))
        #expect(world.eventCount == count, "the event loop is stalled")
        world.startLoop(after: .seconds(1))
        #expect(world.eventCount > count + 3)
        world.advance(by: .seconds(60))
        #expect(world.device.snapshot(of: app(1))?.state == .suspended)
        #expect(world.device.snapshot(of: app(2))?.state == .active)
        #expect(world.violation == nil)
    }

    /// The invariants accept a journal in which the event loop stalled.
    @Test func anInvariantAllowsForAStall() {
        for seconds in [Int64(22), 60] {
            var invariants = Invariants()
            var device = Device()
            func feed(_ event: Event, _ second: Int64) -> Violation? {
                var effects: [Effect] = []
                device.handle(event, at: Moment.zero.advanced(by: at(second)), into: &effects)
                return invariants.check(event, effects, device: device, now: .zero.advanced(by: at(second)))
            }
            let events: [Event] = [
                .device(.appInstalled(app(1), manifest())), .device(.appOpened(app(1))), .process(launch(), .started),
            ]
            for event in events { #expect(feed(event, 0) == nil) }
            #expect(feed(.deadlineReached, 5) == nil)
            #expect(feed(.device(.memoryRanLow), seconds) == nil, "after \(seconds) s")
            #expect(feed(.deadlineReached, seconds) == nil)
            #expect(device.snapshot(of: app(1))?.isEnding == (seconds == 22), "a small delay is not a stall")
        }
    }

    // MARK: Delays and repetitions

    /// Delayed messages of an app arrive in the order in which it sent them, except for repetitions.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5]) func aStreamDoesNotReorder(_ seed: UInt64) {
        let received = Mutex<[LaunchID: [CallbackID]]>([:])
        var world = World(seed: seed, policy: .iOS26, manifests: [manifest()], profiles: [BehaviorProfile(begins: 80)])
        world.faultRate = 60
        world.observer = { event, _, _ in
            if case .app(let launch, .requested(.acknowledge(let id, _))) = event {
                received.withLock { $0[launch, default: []].append(id) }
            }
        }
        for _ in 0..<20 {
            world.handle(.device(.appOpened(app(1))))
            world.advance(by: .seconds(4))
            world.handle(.device(.homePressed))
            world.advance(by: .seconds(7))
        }
        #expect(world.violation == nil)
        let all = received.withLock { $0 }
        #expect(!all.isEmpty)
        for (launch, ids) in all { #expect(ids == ids.sorted(), "\(launch)") }
    }

    /// A few histories reach each of the faults.
    @Test func everyNewFaultIsMet() {
        let report = Explorer(steps: 200).explore(seeds: 1...120)
        #expect(report.failure == nil)
        for fault in [
            Fault.loopStall, .lateRequest, .lateReport, .repeatedReport, .repeatedRequest, .unreadRequests, .fork,
            .slowFreeze, .orphans,
        ] {
            #expect(report.reach.contains { $0.name == "fault \(fault.rawValue)" }, "\(fault.rawValue)")
        }
    }
}
