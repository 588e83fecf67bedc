import LifeCycleModel
import LifeCyclePolicy
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// Background transfers between the store, the brain, the engine and the callers.
@Suite(.serialized) struct TransferTests {
    private static let full = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")
    private static let session = TransferSessionID(app: AppID(1), number: 1)

    private static func id(_ number: Int64) -> TransferID { TransferID(session: session, number: number) }

    private static func record(_ number: Int64, host: String = "a.example") -> TransferRecord {
        var record = TransferRecord(
            id: id(number), request: TransferRequest(url: "http://\(host)/\(number)"), made: Moment.now.wall)
        record.isSuspended = false
        return record
    }

    /// A system that is started with an app that has a session and these transfers.
    private func bench(
        _ transfers: [TransferRecord], policy: Policy = .iOS26, hasEngine: Bool = true,
        surroundings: FakeSurroundings? = nil
    ) throws -> Bench {
        let identifier = try #require(BundleIdentifier("org.test.a"))
        let app = AppRecord(app: AppID(1), manifest: AppManifest(identifier: identifier, executable: "app"))
        var session = TransferSessionRecord(
            id: Self.session, identifier: try #require(SessionIdentifier("s")),
            configuration: TransferSessionConfiguration())
        session.configuration.fields = [HTTPField(name: "X-Session", value: "1")]
        return try Bench(
            policy: policy, kept: ([app], []),
            concerns: [.transfer(.session(session))] + transfers.map { .transfer(.task($0)) }, hasEngine: hasEngine,
            surroundings: surroundings)
    }

    private func index(_ call: String, in bench: Bench) throws -> Int {
        try #require(bench.log.calls.firstIndex(of: call), "\(bench.log.calls)")
    }

    private func complete(_ number: Int64, _ bench: Bench) throws {
        let job = try #require(bench.engine.jobs[Self.id(number)])
        bench.engine.report(
            .completed(
                job.id, attempt: job.attempt, TransferResponse(url: job.request.url, status: 200, fields: []), size: 9))
    }

    private func failure(_ bench: Bench, _ call: ControlCall) throws -> ControlFailure? {
        guard case .failed(let failure) = try bench.ask(call) else { return nil }
        return failure
    }

    private func list(_ bench: Bench, after: TransferID? = nil) throws -> TransferPage {
        let reply = try bench.ask(.transfer(.list(app: nil, after: after)))
        let page: TransferPage? = if case .transfers(let page) = reply { page } else { nil }
        return try #require(page, "\(reply)")
    }

    // MARK: Requests to the engine

    @Test func recordedTransfersAreBegunAgain() throws {
        var first = Self.record(1)
        first.checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"v\"", boot: "b")
        var waiting = Self.record(2)
        waiting.isSuspended = true
        let bench = try bench([first, waiting])
        #expect(bench.engine.kept == [Self.id(1), Self.id(2)], "other files are leftovers of a crash")
        bench.run(until: { !bench.engine.jobs.isEmpty })
        let job = try #require(bench.engine.jobs[Self.id(1)])
        #expect(job.checkpoint == first.checkpoint)
        #expect(job.request.url == first.request.url)
        #expect(job.request.fields.first == HTTPField(name: "X-Session", value: "1"), "the session's header field")
        #expect(bench.engine.jobs.count == 1)
    }

    /// A request without a user agent gets the app's identifier, because many servers refuse anonymous clients.
    @Test func requestsHaveAUserAgent() throws {
        var own = Self.record(2)
        own.request.fields = [HTTPField(name: "user-agent", value: "Casts/7")]
        let bench = try bench([Self.record(1), own])
        bench.run(until: { bench.engine.jobs.count == 2 })
        func agents(_ number: Int64) -> [String]? {
            bench.engine.jobs[Self.id(number)]?.request.fields.filter { $0.name.lowercased() == "user-agent" }
                .map(\.value)
        }
        #expect(agents(1) == ["org.test.a Roost/\(RoostVersion.current)"])
        #expect(agents(2) == ["Casts/7"])
    }

    /// The file's end is persisted, the file is moved, and the move is persisted. Then the app is started for it, once.
    @Test func aFileIsMovedOnceItsEndIsPersisted() throws {
        let bench = try bench([Self.record(1)])
        bench.run(until: { !bench.engine.jobs.isEmpty })
        try complete(1, bench)
        let move = "move 1.1.1 to \(TransferRecord.file(of: Self.id(1))) below /containers/org.test.a"
        bench.run(until: { bench.log.calls.contains(move) })
        #expect(try index("store transfer 1.1.1 downloaded", in: bench) < index(move, in: bench))
        #expect(!bench.log.calls.contains("start 1.1"))
        bench.engine.report(.moved(Self.id(1), errno: nil))
        bench.run(until: { bench.log.calls.contains("start 1.1") })
        #expect(try index("store transfer 1.1.1 moved", in: bench) < index("start 1.1", in: bench))
        #expect(bench.engine.objections == [])
    }

    /// The next file begins while the commit is pending. Effects that depend on this commit wait.
    @Test func independentTransfersBeginBeforeTheCommit() throws {
        var policy = Policy.iOS26
        policy.transfersAtOnce = 1
        let bench = try bench([Self.record(1), Self.record(2)], policy: policy)
        bench.run(until: { !bench.engine.jobs.isEmpty })
        #expect(!bench.log.calls.contains("begin 1.1.2"))
        try complete(1, bench)
        bench.run(until: { bench.log.calls.contains("begin 1.1.2") })
        #expect(try index("begin 1.1.2", in: bench) < index("store transfer 1.1.1 downloaded", in: bench))
        #expect(bench.engine.objections == [])
    }

    /// An effect of a transfer stays behind earlier effects of the same transfer, and behind its records.
    @Test func beginningsAreTakenAhead() throws {
        func begin(_ number: Int64) -> Effect { .concern(.transfer(.begin(Self.id(number), attempt: 7))) }
        let stop = Effect.concern(.transfer(.stop(Self.id(2))))
        var effects = [begin(1), stop, begin(2), begin(3), .device(.keepAwake(true)), begin(4), begin(5)]
        let taken = effects.takeBeginnings(aheadOf: [.transfer(Self.id(3))]) { $0 != Self.id(4) }
        #expect(taken.map(\.id) == [Self.id(1), Self.id(5)])
        #expect(taken.map(\.attempt) == [7, 7])
        #expect(effects == [stop, begin(2), begin(3), .device(.keepAwake(true)), begin(4)])
    }

    /// A transfer whose record cannot be persisted is neither begun nor moved before it can. If the transfer is stopped
    /// meanwhile, it stays stopped until then.
    @Test func aFullDiskHoldsBackDependentEffects() throws {
        let bench = try bench([Self.record(1), Self.record(2)])
        bench.run(until: { bench.engine.jobs.count == 2 })
        bench.store.failure = Self.full
        try complete(1, bench)
        bench.run(until: { bench.supervisor.storeFailure != nil })
        _ = try bench.ask(.transfer(.userAction([Self.id(2)], .pause)))
        bench.run(until: { bench.engine.jobs.isEmpty })
        _ = try bench.ask(.transfer(.userAction([Self.id(2)], .resume)))
        #expect(!bench.log.calls.contains { $0.hasPrefix("move") })
        #expect(bench.engine.jobs.isEmpty, "not begun before the record is persisted")
        bench.store.failure = nil
        bench.run(until: { bench.engine.jobs.count == 1 && bench.log.calls.contains { $0.hasPrefix("move") } })
        #expect(bench.engine.jobs[Self.id(2)] != nil)
        #expect(bench.engine.objections == [])
    }

    @Test func withoutAnEngineTransfersFail() throws {
        let bench = try bench([Self.record(1)], hasEngine: false)
        bench.run(until: { bench.log.calls.contains("store transfer 1.1.1 failed -1") })
        #expect(try list(bench).transfers.map(\.failure).first??.contains("without roost-carry") == true)
    }

    @Test func anUninstalledAppsTransfersAreStoppedAndDiscarded() throws {
        let bench = try bench([Self.record(1)])
        bench.run(until: { !bench.engine.jobs.isEmpty })
        _ = try bench.ask(.uninstall(bench.id("a")))
        #expect(bench.log.calls.contains { $0.hasPrefix("discard 1.1.1") })
        #expect(try list(bench) == TransferPage(transfers: [], isLast: true))
    }

    // MARK: The machine

    @Test func networkAndPowerAreReadFromTheMachine() throws {
        let surroundings = try FakeSurroundings(isConnected: false, power: (.battery, 40))
        let bench = try bench([Self.record(1)], surroundings: surroundings)
        bench.run(until: { bench.supervisor.device.record.settings.batteryLevel == 40 })
        #expect(bench.supervisor.device.record.settings.power == .battery && bench.engine.jobs.isEmpty)
        #expect(try list(bench).transfers.map(\.wait) == ["network"])
        surroundings.links.set(true)
        bench.run(until: { !bench.engine.jobs.isEmpty })
        surroundings.links.set(false)
        bench.run(until: { bench.engine.jobs.isEmpty })
        surroundings.supplies.set(.external, 41)
        bench.run(until: { bench.supervisor.device.record.settings.batteryLevel == 41 })
        #expect(bench.supervisor.device.record.settings.power == .external)
    }

    // MARK: The end

    /// The received bytes are on disk and recorded before the system ends.
    @Test(arguments: [true, false]) func theShutdownWaitsForRunningTransfers(answers: Bool) throws {
        var record = Self.record(1)
        record.checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "v", boot: "b")
        let bench = try bench([record])
        bench.run(until: { !bench.engine.jobs.isEmpty })
        bench.engine.answersStops = answers
        bench.supervisor.submit(.device(.shutdownBegan))
        bench.supervisor.settle()
        #expect((bench.supervisor.transfersHaveUntil == nil) == answers, "stopped transfers are not waited for")
        // Returns by itself after two seconds; otherwise the test hangs.
        if !answers { bench.supervisor.loop.run() }
        #expect(bench.log.calls.contains("stop 1.1.1"))
        #expect(bench.engine.jobs.isEmpty == answers && bench.engine.takeReports().isEmpty)
        #expect(bench.log.calls.filter { $0.hasPrefix("begin") }.count == 1)
    }

    /// The system waits for the last report of an attempt, not only for its end.
    @Test func theLastReportOfAnAttemptIsPersisted() throws {
        var record = Self.record(1)
        record.checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "v", boot: "b")
        let bench = try bench([record])
        bench.run(until: { !bench.engine.jobs.isEmpty })
        let job = try #require(bench.engine.jobs[Self.id(1)])
        bench.engine.answersStops = false
        bench.supervisor.submit(.device(.shutdownBegan))
        bench.supervisor.settle()
        #expect(bench.supervisor.transfersHaveUntil != nil)
        bench.engine.report(.progressed(job.id, attempt: job.attempt, received: 7, expected: 9))
        bench.engine.forget(job.id)
        var last = record.checkpoint
        last?.received = 7
        bench.engine.late = .stopped(job.id, attempt: job.attempt, last)
        bench.supervisor.loop.run()
        #expect(bench.engine.late == nil && bench.engine.takeReports().isEmpty)
        let snapshots = bench.supervisor.device.transferSnapshots(of: nil, after: nil, limit: 9)
        #expect(snapshots.map(\.received) == [7] && bench.supervisor.transfersEnding.isEmpty)
    }

    @Test func nothingUnderWayNothingToWaitFor() throws {
        let bench = try bench([])
        bench.supervisor.leave(.restart)
        bench.supervisor.settle()
        bench.supervisor.loop.run(until: { true })
        #expect(bench.supervisor.transfersHaveUntil == nil)
    }

    // MARK: Readers and user actions

    @Test func transfersAreListedWithTheirWaits() throws {
        var waiting = Self.record(2)
        waiting.isSuspended = true
        waiting.expectedToReceive = 20
        var running = Self.record(1)
        running.expectedToReceive = 30
        let bench = try bench([running, waiting])
        bench.run(until: { !bench.engine.jobs.isEmpty })
        bench.engine.rates[Self.id(1)] = TransferProgress(received: 5, expected: 9, rate: 3)
        let page = try list(bench)
        #expect(page.transfers.map(\.id) == ["1.1.1", "1.1.2"] && page.isLast)
        #expect(page.transfers.map(\.state) == ["running", "waiting"])
        #expect(page.transfers.map(\.wait) == [nil, "suspended"])
        #expect(page.transfers[1].waitsFor?.isEmpty == false)
        #expect(page.transfers[0].received == 5 && page.transfers[0].expected == 9 && page.transfers[0].rate == 3)
        #expect(page.transfers.map(\.session) == ["s", "s"])
        #expect(page.transfers[1].expected == 20, "the length that the app expects")
        bench.engine.rates[Self.id(1)] = TransferProgress(received: 5, expected: nil, rate: 3)
        #expect(try list(bench).transfers[0].expected == 30)
        bench.engine.rates[Self.id(1)] = TransferProgress(received: 31, expected: nil, rate: 3)
        #expect(try list(bench).transfers[0].expected == nil, "more bytes than expected have arrived")
        #expect(try list(bench, after: Self.id(1)).transfers.map(\.id) == ["1.1.2"])
        #expect(try failure(bench, .transfer(.list(app: bench.id("none"), after: nil)))?.code == .noSuchApp)
        let own = try #require(try bench.ask(.transfer(.list(app: bench.id("a"), after: nil))).transfers)
        #expect(own.transfers.count == 2)
    }

    @Test func manyAreListedPageByPage() throws {
        let bench = try bench((1...1201).map { Self.record($0) })
        var ids: [String] = []
        var pages = 0
        var after: TransferID?
        repeat {
            let page = try list(bench, after: after)
            ids += page.transfers.map(\.id)
            pages += 1
            after = page.isLast ? nil : page.transfers.last.flatMap { TransferID($0.id) }
        } while after != nil
        #expect(ids == (1...1201).map { "1.1.\($0)" } && pages == 3)
    }

    @Test func userActionsApplyToEachTransfer() throws {
        let bench = try bench([Self.record(1), Self.record(2)])
        bench.run(until: { bench.engine.jobs.count == 2 })
        guard
            case .transferred(let done, _) = try bench.ask(
                .transfer(.userAction([Self.id(1), Self.id(2), Self.id(9)], .pause)))
        else {
            Issue.record("the action did not apply to two of three")
            return
        }
        #expect(done == 2)
        bench.run(until: { bench.engine.jobs.isEmpty })
        #expect(try list(bench).transfers.map(\.wait) == ["paused", "paused"])
        _ = try bench.ask(.transfer(.userAction([Self.id(1)], .cancel)))
        bench.run(until: { bench.log.calls.contains("store transfer 1.1.1 failed -999") })
        let none = try #require(try failure(bench, .transfer(.userAction([Self.id(9)], .pause))))
        #expect(none.code == .noSuchTransfer && none.message.contains("1.1.9"))
        let refused = try #require(try failure(bench, .transfer(.userAction([Self.id(1)], .pause))))
        #expect(refused.code == .refused && !refused.message.isEmpty)
    }

    // MARK: The journal

    /// The brain makes the same decisions again from the journal.
    @Test func theJournalReplays() throws {
        let bench = try bench([Self.record(1), Self.record(2)])
        bench.run(until: { bench.engine.jobs.count == 2 })
        bench.engine.report(.progressed(Self.id(2), attempt: 1, received: 5, expected: nil))
        for number: Int64 in [1, 2] {
            try complete(number, bench)
            bench.run(until: { bench.log.calls.contains { $0.hasPrefix("move \(Self.id(number)) ") } })
            bench.engine.report(.moved(Self.id(number), errno: nil))
        }
        bench.run(until: { bench.log.calls.contains("start 1.1") })
        bench.supervisor.settle()
        let entries = try JournalReader.entries(of: try #require(Journal.files(in: bench.directory + "/journal").last))
        guard case .start(_, var device)? = entries.first else {
            Issue.record("the journal does not begin with a device")
            return
        }
        var turns = 0
        for case .turn(let now, let event, let recorded) in entries {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            #expect(effects == recorded, "\(event)")
            turns += 1
        }
        #expect(turns >= 4)
        #expect(device == bench.supervisor.device)
    }

    // MARK: Held messages

    /// An app receives no news that cannot be persisted yet, and all other news. The order stays, except for outdated
    /// progress.
    @Test func unpersistedNewsIsHeldBack() throws {
        let (launch, other) = (LaunchID(app: AppID(1), number: 1), LaunchID(app: AppID(2), number: 1))
        let name = try #require(SessionIdentifier("s"))
        let unwritten = Set(Record.concern(.transfer(.task(Self.record(1)))).subjects)
        var held = HeldEffects()
        let news: [Effect] = [
            .launch(launch, .send(.concern(.transfer(name, .eventsFinished)))),
            .launch(launch, .send(.concern(.transfer(name, .progressed(1, received: 1, expected: nil))))),
            .concern(.transfer(.move(Self.id(1)))), .concern(.transfer(.stop(Self.id(1)))),
            .launch(launch, .send(.concern(.transfer(name, .invalidated)))),
        ]
        func takes(_ effect: Effect, _ unwritten: Set<RecordSubject>) -> Bool {
            held.takes(effect, waitingFor: unwritten)
        }
        for effect in news { #expect(takes(effect, unwritten), "\(effect)") }
        for effect in [
            .launch(launch, .send(.callback(CallbackID(1), .didBecomeActive))),
            .launch(other, .send(.concern(.transfer(name, .invalidated)))),
            .concern(.transfer(.move(Self.id(2)))), .concern(.transfer(.stop(Self.id(2)))),
            .launch(launch, .freeze(attempt: 1)),
        ] as [Effect] { #expect(!takes(effect, unwritten), "\(effect)") }
        let hadStart = held.drop(launch)
        #expect(!hadStart, "no start is held")
        let left = held.takeAll()
        #expect(left == [news[2], news[3]])
        for effect in news.reversed() { #expect(!takes(effect, []), "\(effect)") }
    }

    @Test func transferNumbersAreParsedStrictly() {
        #expect(TransferID("1.2.3") == TransferID(session: TransferSessionID(app: AppID(1), number: 2), number: 3))
        for text in ["", "1.2", "1.2.3.4", "+1.2.3", "01.2.3", "1.2.-3", "0.1.1", "1.2.99999999999999999999", "a.b.c"] {
            #expect(TransferID(text) == nil, "\(text)")
        }
    }
}
