import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The virtual network and engine. Bytes arrive by virtual time, and received bytes are kept.
@Suite struct VirtualEngineTests {
    private let id = TransferID(session: TransferSessionID(app: AppID(1), number: 1), number: 1)
    private let url = "https://one.example.org/file"

    private func network(_ file: ServedFile? = nil) -> VirtualNetwork {
        var network = VirtualNetwork()
        network.bytesPerSecond = 1000
        network.serve(file ?? ServedFile(size: 12_000), at: url)
        return network
    }

    private func order(_ attempt: Int32 = 1, _ checkpoint: TransferCheckpoint? = nil) -> TransferJob {
        TransferJob(
            id: id, attempt: attempt, request: TransferRequest(url: url), checkpoint: checkpoint, resumes: [],
            requestTimeout: .seconds(60), isSuspect: false)
    }

    /// Runs the transfer until it ends or until `until`. Returns all reports, and the time of the last.
    private func run(
        _ engine: inout VirtualEngine, _ network: VirtualNetwork, attempt: Int32 = 1, from second: Int64 = 0,
        until: Int64 = .max
    ) -> (reports: [TransferReport], end: Nanoseconds) {
        var (now, reports) = (at(second), [TransferReport]())
        while true {
            let turn = engine.goOn(id, attempt: attempt, nil, network, at: now)
            reports += turn.reports
            guard let next = turn.next, until == .max || now + next <= at(until) else { return (reports, now) }
            now = now + next
        }
    }

    private func checkpoint(in reports: [TransferReport]) -> TransferCheckpoint? {
        reports.reversed().lazy.compactMap {
            switch $0 {
            case .checkpointed(_, _, let checkpoint): checkpoint
            case .failed(_, _, let problem): problem.checkpoint
            case .stopped(_, _, let checkpoint): checkpoint
            default: nil
            }
        }.first
    }

    @Test func aFileTakesItsTime() {
        var engine = VirtualEngine()
        engine.begin(order(), at: at(0))
        let (reports, end) = run(&engine, network())
        #expect(end == at(12))
        #expect(reports.first == .responded(id, attempt: 1, offset: 0, expected: 12_000))
        let response = TransferResponse(url: url, status: 200, fields: [])
        #expect(reports.last == .completed(id, attempt: 1, response, size: 12_000))
        #expect(reports.count { if case .checkpointed = $0 { true } else { false } } == 2, "each 5 s")
        #expect(engine.hasWhole(id) && !engine.isDelivered(id))
        #expect(engine.move(id) && engine.move(id) && engine.isDelivered(id))
        engine.discard(id)
        #expect(!engine.hasWhole(id) && !engine.move(id))
    }

    @Test func anOutagePauses() {
        var engine = VirtualEngine()
        var network = network()
        engine.begin(order(), at: at(0))
        _ = run(&engine, network, until: 5)
        network.outageUntil = at(40)
        let (_, end) = run(&engine, network, from: 10)
        #expect(end == at(47), "7 s are left after the outage")
        #expect(engine.hasWhole(id))
    }

    @Test func anOutageThatIsTooLongFails() {
        var engine = VirtualEngine()
        var network = network()
        engine.begin(order(), at: at(0))
        _ = run(&engine, network, until: 5)
        network.outageUntil = at(400)
        let (reports, end) = run(&engine, network, from: 10)
        guard case .failed(_, _, let problem) = reports.last else {
            Issue.record("\(reports)")
            return
        }
        #expect(problem.code == -1001 && problem.isRetryable && problem.checkpoint?.received == 5000)
        #expect(end == at(65))
    }

    @Test func receivedBytesAreNotSentAgain() throws {
        var engine = VirtualEngine()
        let network = network()
        engine.begin(order(), at: at(0))
        _ = run(&engine, network, until: 5)
        let stop = engine.stop(id, network, at: at(7))
        let report = try #require(stop)
        let stopped = try #require(checkpoint(in: [report]))
        #expect(stopped.received == 7000)
        #expect(engine.stop(id, network, at: at(7)) == nil, "a transfer that is not running stays unchanged")
        engine.begin(order(2, stopped), at: at(100))
        let (reports, end) = run(&engine, network, attempt: 2, from: 100)
        #expect(reports.first == .responded(id, attempt: 2, offset: 7000, expected: 12_000))
        #expect(end == at(105))
    }

    @Test func anotherVersionStartsFromTheBeginning() throws {
        for (file, isChanged) in [
            (ServedFile(size: 12_000), true), (ServedFile(size: 12_000, hasValidator: false), false),
        ] {
            var engine = VirtualEngine()
            var network = network(file)
            engine.begin(order(), at: at(0))
            _ = run(&engine, network, until: 5)
            let stop = engine.stop(id, network, at: at(7))
            let report = try #require(stop)
            let partial = checkpoint(in: [report])
            #expect((partial == nil) == !isChanged)
            if isChanged { network.change(url) }
            engine.begin(order(2, partial), at: at(100))
            let (reports, _) = run(&engine, network, attempt: 2, from: 100)
            #expect(reports.first == .responded(id, attempt: 2, offset: 0, expected: isChanged ? 12_001 : 12_000))
            #expect(engine.received(id) == (isChanged ? 12_001 : 12_000))
        }
    }

    @Test func aLossOfPowerLosesUnsyncedBytes() {
        for isReboot in [false, true] {
            var engine = VirtualEngine()
            let network = network()
            engine.begin(order(), at: at(0))
            let known = checkpoint(in: run(&engine, network, until: 5).reports)
            #expect(known?.received == 5000)
            // The connection is lost in the middle, and no report says so.
            _ = engine.goOn(id, attempt: 1, .lost, network, at: at(8))
            if isReboot { engine.rebooted() }
            engine.systemRestarted(keeping: [id])
            engine.begin(order(2, known), at: at(100))
            let first = run(&engine, network, attempt: 2, from: 100).reports.first
            #expect(first == .responded(id, attempt: 2, offset: 8000, expected: 12_000), "synced at the disconnection")
        }
        var engine = VirtualEngine()
        engine.begin(order(), at: at(0))
        _ = run(&engine, network(), until: 5)
        engine.systemRestarted(keeping: [])
        #expect(engine.received(id) == 0, "no task needs the file")
    }

    @Test(arguments: VirtualEngine.Trouble.allCases) func troubleEndsAnAttempt(_ trouble: VirtualEngine.Trouble) {
        var engine = VirtualEngine()
        engine.begin(order(), at: at(0))
        let turn = engine.goOn(id, attempt: 1, trouble, network(), at: at(1))
        guard case .failed(id, attempt: 1, let problem) = turn.reports.last else {
            return #expect(Bool(false), "\(turn)")
        }
        #expect(turn.next == nil)
        #expect(problem.isRetryable == (trouble != .refused))
        #expect(problem.isForLackOfRoom == (trouble == .noRoom))
        #expect((problem.retryAfter != nil) == (trouble == .busy))
        #expect(engine.goOn(id, attempt: 1, nil, network(), at: at(2)) == VirtualEngine.Turn(), "the attempt is over")
    }

    // MARK: The world objects

    /// A world whose app is in the foreground and has resumed a task of a session.
    private func world(network: Network = .wifi) throws -> World {
        let name = try #require(SessionIdentifier("podcasts"))
        var world = World(seed: 3, policy: .iOS26, manifests: [manifest()], profiles: [BehaviorProfile()])
        world.areFaultsOn = false
        world.network.serve(ServedFile(size: 4000), at: url)
        world.setNetwork(network)
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(5))
        let acts: [TransferAct] = [
            .open(TransferSessionConfiguration()),
            .make(NewTransfer(number: 1, request: TransferRequest(url: url))), .resume(1),
        ]
        for act in acts { world.handle(.app(launch(), .requested(.concern(.transfer(name, act))))) }
        return world
    }

    @Test func forgottenTransfersAreFound() throws {
        var running = try world()
        running.checkTransfersAtRest(running.wantedTransfers)
        #expect(running.violation?.invariant == "transfers come to an end")
        var waiting = try world(network: .none)
        waiting.checkTransfersAtRest(waiting.wantedTransfers)
        #expect(waiting.violation?.invariant == "transfers come to an end")
        var done = try world()
        done.advance(by: .seconds(60))
        done.checkTransfersAtRest(done.wantedTransfers)
        #expect(done.violation == nil)
        #expect(done.device.transferSnapshot(of: id)?.state == .delivering, "the app has not opened the session")
    }

    @Test func lostOrRepeatedDeliveriesAreFound() throws {
        var lost = try world()
        lost.outcomeDelivered(of: id, hasFile: true, isSecond: false)
        #expect(lost.violation?.invariant == "bytes are never lost")
        var second = try world()
        second.outcomeDelivered(of: id, hasFile: false, isSecond: true)
        #expect(second.violation?.invariant == "nothing is delivered twice")
        var unmoved = try world()
        unmoved.perform(ConcernOutput.transfer(.move(id)))
        #expect(unmoved.violation?.invariant == "bytes are never lost")
        var right = try world()
        right.advance(by: .seconds(60))
        right.outcomeDelivered(of: id, hasFile: true, isSecond: false)
        #expect(right.violation == nil)
    }

    /// A task that is begun and canceled during a stall is handled in one iteration of the event loop, and must also
    /// end.
    @Test func aTransferBegunAndStoppedInOneTurnEnds() throws {
        let name = try #require(SessionIdentifier("podcasts"))
        var world = try world()
        world.advance(by: .seconds(60))
        world.stopLoop()
        let acts: [TransferAct] = [
            .make(NewTransfer(number: 2, request: TransferRequest(url: url))), .resume(2),
            .cancel(2, keepsPartial: false),
        ]
        for act in acts { world.handle(.app(launch(), .requested(.concern(.transfer(name, act))))) }
        world.startLoop(after: .milliseconds(1))
        world.advance(by: .seconds(60))
        #expect(world.device.transferSnapshot(of: TransferID(session: id.session, number: 2))?.state == .delivering)
        #expect(world.violation == nil)
    }

    @Test func aFullDiskIsWaitedFor() throws {
        var world = try world()
        world.fillDisk(for: .seconds(100))
        world.advance(by: .seconds(60))
        #expect(world.device.transferSnapshot(of: id)?.wait == .disk)
        world.advance(by: .seconds(600))
        #expect(world.device.transferSnapshot(of: id)?.state == .delivering)
        #expect(world.violation == nil)
    }

    /// An app begins a download and is suspended. The app is woken when the download is complete, takes the file, and
    /// calls the handler.
    @Test func anAppIsWokenForItsFile() {
        let reach = Reach()
        var world = World(
            seed: 11, policy: .iOS26, manifests: [manifest(modes: [.location, .newsstandContent])],
            profiles: [BehaviorProfile(downloads: 100)])
        world.faultRate = 0
        world.observer = { event, _, effects in reach.note(event, effects) }
        for entry in Downloads.catalog { world.network.serve(entry.file, at: entry.url) }
        world.handle(.device(.appOpened(app(1))))
        world.advance(by: .seconds(2))
        world.handle(.device(.homePressed))
        for _ in 0..<20 {
            world.advance(by: .seconds(600))
            world.handle(.device(.appOpened(app(1))))
            world.advance(by: .seconds(1))
            world.handle(.device(.homePressed))
        }
        #expect(world.violation == nil)
        for name in [
            "transfer completed", "transfer delivered", "woken for a session", "session handled",
            "callback handleEventsForBackgroundURLSession",
        ] { #expect(reach.counts.contains { $0.name == name }, "\(name)") }
    }
}
