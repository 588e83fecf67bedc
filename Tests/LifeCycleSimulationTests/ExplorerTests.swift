import LifeCycleModel
import LifeCyclePolicy
import Synchronization
import Testing

@testable import LifeCycleSimulation

/// The explorer: its findings, and that a run can be repeated.
@Suite struct ExplorerTests {
    /// A sample for the debug build. The release build explores longer histories from many more seeds.
    @Test func findsNothing() {
        let report = Explorer(steps: 120).explore(seeds: 1...250)
        #expect(
            report.failure == nil, "seed \(report.failure?.seed ?? 0): \(report.failure?.violation.description ?? "")")
        #expect(report.seeds == 250)
        for name in [
            "callback expirationHandlers", "end force-quit signal 9", "end memory jetsam: vm-pageshortage",
            "found again frozen", "transition suspended → background", "wake refused: forceQuit",
            "end watchdog didEnterBackground 0x8badf00d", "end exits on suspend signal 15",
            "end updated signal 9", "end uninstalled signal 9",
        ] { #expect(report.reach.contains { $0.name == name }, "never reached: \(name)") }
        let unlisted = Set(report.reach.map(\.name)).subtracting(Expected.names)
        #expect(unlisted.isEmpty, "reached, but not listed: \(unlisted.sorted())")
    }

    /// The list comes from the cases that exist. The list also has the names that belong to no case.
    @Test func everyCaseIsExpected() {
        #expect(Set(Expected.names).count == Expected.names.count)
        for name in [
            "wake refused: noScenes", "wake refused: shuttingDown", "opening refused: shuttingDown",
            "opening refused: noScenes", "act refused: home, shuttingDown", "act refused: unlock, shuttingDown",
            "fault an app hangs", "fault an app crashes", "fault an app lies", "fault an app floods",
            "transition not running → inactive", "transition background → suspended", "launched for newsstand",
            "end watchdog didDiscardSceneSessions 0x8badf00d", "priority foreground", "launched for urlSession",
            "woken for urlSession", "end session events not handled 0x2182bad3", "transfer failed: -999, userForceQuit",
            "transfer act ignored: numberTaken", "transfer stopped: wifi", "session opened again",
            "woken for a session",
        ] { #expect(Expected.names.contains(name), "not expected: \(name)") }
    }

    /// Every event of a history with its effects, as text.
    private func digest(seed: UInt64, steps: Int = 200) -> [String] {
        let lines = Lines(limit: .max)
        var history = History(seed: seed, policy: .iOS26)
        history.world.observer = { event, now, effects in lines.append("\(now.awake) \(event) \(effects)") }
        history.run(steps: steps)
        return lines.all
    }

    @Test(arguments: [UInt64(1), 7, 4242, .max]) func aSeedIsAHistory(_ seed: UInt64) {
        let once = digest(seed: seed)
        #expect(once == digest(seed: seed))
        #expect(once.count > 100)
        #expect(once != digest(seed: seed &+ 1))
    }

    @Test func aReportIsRepeatable() {
        let once = Explorer(steps: 100).explore(seeds: 1...20)
        let again = Explorer(steps: 100).explore(seeds: 1...20)
        #expect(once.events == again.events)
        #expect(once.reach.map(\.name) == again.reach.map(\.name))
        #expect(once.reach.map(\.count) == again.reach.map(\.count))
    }

    @Test func aDigestIsOfEverything() {
        func digest(_ seeds: ClosedRange<UInt64>, steps: Int = 100) -> HistoryDigest {
            Explorer(steps: steps).digest(seeds: seeds)
        }
        let once = digest(1...5)
        #expect(once == digest(1...5))
        #expect(once.histories == 5 && once.brokenSeed == nil)
        #expect(once.events == Explorer(steps: 100).explore(seeds: 1...5).events)
        #expect(Set([once, digest(1...6), digest(2...6), digest(1...5, steps: 101)].map(\.value)).count == 4)
        func digest(_ turns: [(Int64, Event, [Effect])]) -> UInt64 {
            let digest = HistoryDigest.Growing()
            for (time, event, effects) in turns { digest.note(event, Moment.zero.advanced(by: at(time)), effects) }
            return digest.value
        }
        let (thaw, stay) = (Effect.launch(launch(), .thaw), Effect.device(.keepAwake(true)))
        let different: [[(Int64, Event, [Effect])]] = [
            [], [(0, .device(.homePressed), [])], [(1, .device(.homePressed), [])], [(0, .device(.deviceLocked), [])],
            [(0, .device(.homePressed), [thaw])], [(0, .device(.homePressed), [.launch(launch(1, 2), .thaw)])],
            [(0, .device(.homePressed), [thaw, stay])],
            [(0, .device(.homePressed), [stay, thaw])],
            [(0, .device(.homePressed), [thaw]), (0, .device(.homePressed), [])],
            [(0, .device(.appInstalled(app(1), manifest(1))), [])],
            [(0, .device(.appInstalled(app(1), manifest(2))), [])],
        ]
        #expect(Set(different.map(digest)).count == different.count)
    }

    /// Within a block the order of seeds counts. The sum of the blocks does not depend on their order.
    @Test func aDigestIsTheSumOfItsBlocks() {
        func value(_ seeds: ClosedRange<UInt64>) -> UInt64 { Explorer(steps: 5).digest(seeds: seeds).value }
        #expect(value(60...130) == value(128...130) &+ value(60...63) &+ value(64...127))
        #expect(value(1...4) != value(1...2) &+ value(3...4))
    }

    @Test func aReportEndsWithItsFailure() {
        var report = Explorer.Report()
        report.seeds = 2
        report.events = 30
        report.reach = [(name: "this", count: 3)]
        #expect(
            ExplorationReport.text(report) == "  3\tthis\n30 events in 2 histories\nno invariant was broken")
        let violation = Violation(invariant: "it", finding: "is not so", at: at(1))
        report.failures = [Explorer.Failure(seed: 9, violation: violation, trace: ["last"])]
        #expect(
            ExplorationReport.text(report)
                == "  3\tthis\n30 events in 2 histories\nlast\nFOUND with seed 9: it: is not so (at 1001 s)")
    }

    // MARK: The world

    @Test func aWorldOfOneGoodApp() {
        var world = World(seed: 3, policy: .iOS26, manifests: [manifest()], profiles: [BehaviorProfile()])
        world.areFaultsOn = false
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(30))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(30))
        #expect(world.device.snapshot(of: app(1))?.state == .suspended)
        world.restartSystem()
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(30))
        #expect(world.device.snapshot(of: app(1))?.state == .active)
        #expect(world.violation == nil)
        #expect(world.now.awake >= at(90))
    }

    @Test func nothingHappensAfterAFinding() {
        var world = World(seed: 3, policy: .iOS26, manifests: [manifest()])
        world.core.fail("it", "is not so")
        let count = world.eventCount
        world.handle(.device(.appOpened(app(1))))
        #expect(world.eventCount == count)
        #expect(world.step() == false)
        #expect(world.violation?.description == "it: is not so (at 1000 s)")
    }

    /// All invariants together. An action without effects breaks no invariant, and a kill without a reason breaks one.
    @Test func theInvariantsAreAskedTogether() {
        var invariants = Invariants()
        let device = Device()
        #expect(invariants.check(.device(.homePressed), [], device: device, now: .zero) == nil)
        let finding = invariants.check(
            .device(.homePressed), [.launch(launch(), .kill(.memory))], device: device, now: .zero)
        #expect(finding?.invariant == "kills have reasons")
    }
}
