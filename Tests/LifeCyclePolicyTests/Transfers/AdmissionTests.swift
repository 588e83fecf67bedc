import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Transfers that begin, and the conditions that the others wait for.
@Suite struct AdmissionTests {
    /// One iteration of the event loop may begin and stop a transfer, before the body has acted on either. The body
    /// still needs the job.
    @Test func aStoppingTransferKeepsItsJob() {
        var bench = Bench.withSession()
        bench.download(1)
        let attempt = bench.attempt(transfer(1))
        #expect(bench.act(.suspend(1)).stopped == [transfer(1)])
        #expect(bench.device.transferJob(of: transfer(1))?.attempt == attempt)
        bench.engineStops(transfer(1))
        #expect(bench.device.transferJob(of: transfer(1)) == nil)
    }

    @Test func transfersAtOnceAreLimited() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 3 })
        for number: Int64 in 1...5 { bench.download(number, url: "https://host\(number)/") }
        #expect((1...5).map { bench.isRunning(transfer($0)) } == [true, true, true, false, false])
        #expect(bench.wait(transfer(4)) == .turn)
        #expect(bench.finish(transfer(2)).begun == [transfer(4)])
    }

    @Test func aHostHasSoManyConnectionsOfASession() {
        var bench = Bench.withSession { $0.connectionsPerHost = 2 }
        for number: Int64 in 1...4 { bench.download(number, url: "https://one.example/\(number)") }
        bench.download(5, url: "https://me@ONE.example:443/5")
        bench.download(6, url: "https://two.example/6")
        #expect((1...6).map { bench.isRunning(transfer($0)) } == [true, true, false, false, true, true])
        #expect(bench.wait(transfer(3)) == .connection)
        #expect(bench.finish(transfer(1)).begun == [transfer(3)])
        #expect(bench.open("podcasts") { $0.connectionsPerHost = 3 }.begun == [transfer(4)])
    }

    @Test func thePriorityCountsThenTheNumber() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 1 })
        for number: Int64 in 1...4 { bench.download(number) }
        bench.act(.setPriority(3, 900))
        bench.act(.setPriority(2, 0))
        bench.act(.setPriority(4, 1))
        var order: [TransferID] = []
        for _ in 0..<4 {
            guard let running = bench.device.transferSnapshots.first(where: { $0.state == .running }) else { break }
            order.append(running.id)
            bench.finish(running.id)
        }
        #expect(order == [transfer(1), transfer(3), transfer(4), transfer(2)])
    }

    /// The foreground app goes first. Among the others, the app with the fewest running transfers does.
    @Test func appsTakeTurns() {
        var bench = Bench(
            Policy.iOS26.with { $0.transfersAtOnce = 2 }, [.sample(1), .sample(2), .sample(3)])
        for number: Int32 in 1...3 {
            _ = bench.plays(.device(.appOpened(app(number))))
            bench.open("s", by: launch(number))
            for task: Int64 in 1...3 { bench.download(task, on: "s", by: launch(number)) }
        }
        let one = { (number: Int64) in transfer(number, of: session(of: 1)) }
        #expect(bench.isRunning(one(1)) && bench.isRunning(one(2)))
        #expect(bench.finish(one(1)).begun == [transfer(1, of: session(of: 3))], "app 3 is in the foreground")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.finish(transfer(1, of: session(of: 3))).begun == [transfer(1, of: session(of: 2))])
        #expect(bench.finish(one(2)).begun == [one(3)], "the other app has one running")
    }

    @Test func transfersStopWithoutNetworkAndResumeWithIt() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.passes(seconds(5))
        let gone = bench.effects(of: .device(.settingChanged(.network(.none))))
        #expect(gone.stopped == [transfer(1)])
        #expect(gone.decisions == [.stopped(transfer(1), because: .network)])
        _ = bench.passes(seconds(5))
        #expect(bench.engineStops(transfer(1), checkpoint(300)).begun.isEmpty)
        #expect(bench.wait(transfer(1)) == .network)
        #expect(bench.device.transferSnapshot(of: transfer(1))?.since == at(10), "since the end of the attempt")
        #expect(bench.transfersOnDisk[transfer(1)]?.checkpoint == checkpoint(300))
        #expect(bench.effects(of: .device(.settingChanged(.network(.wifi)))).begun == [transfer(1)])
    }

    /// Without a link only this machine is reachable, also if the network is set to cellular.
    @Test func withoutALinkOnlyThisMachineIsReached() {
        var bench = Bench.withSession()
        bench.download(1)
        let local = ["localhost", "a.LOCALHOST:80", "127.0.0.2:8080", "[::1]:80"]
        let elsewhere = ["127.example.org", "[::2]", "localhost.example.org"]
        for (index, host) in (local + elsewhere).enumerated() {
            bench.download(Int64(index + 2), url: "http://\(host)/")
        }
        let gone = bench.effects(of: .device(.networkChanged(isConnected: false)))
        #expect(gone.stopped == ([1] + [6, 7, 8]).map { transfer($0) })
        #expect(Set(gone.decisions) == Set(gone.stopped.map { .stopped($0, because: .network) }))
        for id in gone.stopped { #expect(bench.engineStops(id, nil).begun.isEmpty) }
        #expect(bench.effects(of: .device(.settingChanged(.network(.cellular)))).begun.isEmpty)
        #expect(
            bench.effects(of: .concern(.transfer(.userAction(transfer(1), .now)))).begun.isEmpty,
            "the server is unreachable")
        #expect(Set(bench.effects(of: .device(.networkChanged(isConnected: true))).begun) == Set(gone.stopped))
        #expect(bench.effects(of: .device(.networkChanged(isConnected: true))).isEmpty)
    }

    @Test func cellularIsUsedIfAllowed() {
        var bench = Bench.withSession()
        _ = bench.does(.device(.settingChanged(.network(.cellular))))
        var dear = TransferRequest(url: "https://example.org/1")
        dear.networks.cellular = false
        bench.act(.make(NewTransfer(number: 1, request: dear)))
        bench.act(.resume(1))
        bench.download(2)
        #expect(bench.wait(transfer(1)) == .wifi && bench.isRunning(transfer(2)))
        #expect(bench.effects(of: .device(.settingChanged(.network(.wifi)))).begun == [transfer(1)])
        #expect(bench.effects(of: .device(.settingChanged(.network(.cellular)))).stopped == [transfer(1)])
    }

    /// A session or a request forbids cellular, expensive and constrained networks separately.
    @Test func eachKindOfNetworkIsAllowedByItself() {
        let networks: [(settings: [DeviceSetting], waits: [TransferWait?])] = [
            ([], [nil, nil, nil, nil]), ([.network(.cellular)], [nil, .wifi, .wifi, nil]),
            ([.metered(true)], [nil, nil, .inexpensive, nil]), ([.lowDataMode(true)], [nil, nil, nil, .lowDataMode]),
            ([.metered(true), .lowDataMode(true)], [nil, nil, .inexpensive, .lowDataMode]),
            ([.network(.cellular), .lowDataMode(true)], [nil, .wifi, .wifi, .lowDataMode]),
        ]
        let forbidden: [WritableKeyPath<NetworkAccess, Bool>?] = [nil, \.cellular, \.expensive, \.constrained]
        for (settings, waits) in networks {
            for (what, wait) in zip(forbidden, waits) {
                for isOfSession in [true, false] {
                    var bench = Bench.withSession { configuration in
                        if isOfSession, let what { configuration.networks[keyPath: what] = false }
                    }
                    var request = TransferRequest(url: "https://example.org/")
                    if !isOfSession, let what { request.networks[keyPath: what] = false }
                    bench.act(.make(NewTransfer(number: 1, request: request)))
                    bench.act(.resume(1))
                    let place: Comment = "\(settings), \(String(describing: what))"
                    #expect(bench.isRunning(transfer(1)), place)
                    for setting in settings { _ = bench.does(.device(.settingChanged(setting))) }
                    if wait != nil { bench.engineStops(transfer(1), checkpoint(1)) }
                    #expect(bench.wait(transfer(1)) == wait, place)
                    #expect(bench.isRunning(transfer(1)) == (wait == nil), place)
                }
            }
        }
    }

    private static let conditions: [(settings: [DeviceSetting], wait: TransferWait?, patient: TransferWait?)] = [
        ([], nil, nil), ([.network(.cellular)], .wifi, .wifi), ([.network(.none)], .network, .network),
        ([.power(.battery), .batteryLevel(20)], nil, nil),
        ([.power(.battery), .batteryLevel(19)], .battery, .battery),
        ([.power(.external), .batteryLevel(5)], nil, nil), ([.lowPowerMode(true)], .lowPowerMode, nil),
        ([.metered(true)], .inexpensive, .inexpensive), ([.lowDataMode(true)], .lowDataMode, .lowDataMode),
    ]

    /// A discretionary task waits for unmetered Wi-Fi without Low Data Mode, and for a battery that is not low.
    /// The task also waits for Low Power Mode to end, but for a day at most.
    @Test(arguments: conditions.indices) func discretionaryTasksWaitForAGoodTime(_ index: Int) {
        let (settings, wait, patient) = Self.conditions[index]
        for isPatient in [false, true] {
            var bench = Bench.withSession { $0.isDiscretionary = true }
            for setting in settings { _ = bench.does(.device(.settingChanged(setting))) }
            bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/"))))
            bench.act(.resume(1))
            if isPatient { _ = bench.passes(seconds(86_400)) }
            #expect(bench.wait(transfer(1)) == (isPatient ? patient : wait), "\(settings) \(isPatient)")
            #expect(bench.isRunning(transfer(1)) == ((isPatient ? patient : wait) == nil))
        }
    }

    /// The condition that a task waits for before it begins is recorded once for each change, not with each event.
    @Test func theReasonOfAWaitIsRecordedOncePerChange() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 1 }) {
            $0.isDiscretionary = true
        }
        let newWaits = { (effects: [Effect]) in
            effects.decisions.compactMap { decision -> String? in
                guard case .waits(let id, let wait, let others) = decision else { return nil }
                return "\(id.number)+\(others) \(wait)"
            }
        }
        _ = bench.does(.device(.settingChanged(.network(.cellular))))
        #expect(newWaits(bench.download(1)) == ["1+0 wifi"])
        #expect(newWaits(bench.download(2)) == ["2+0 wifi"])
        #expect(newWaits(bench.effects(of: .device(.settingChanged(.network(.none))))) == ["1+1 network"])
        #expect(newWaits(bench.effects(of: .device(.settingChanged(.batteryLevel(99))))) == [])
        #expect(newWaits(bench.act(.setPriority(1, 900))) == [])
        _ = bench.does(.device(.settingChanged(.power(.battery))))
        #expect(
            newWaits(bench.effects(of: .device(.settingChanged(.batteryLevel(5))))) == [],
            "the battery is not the reason")
        #expect(newWaits(bench.effects(of: .device(.settingChanged(.network(.wifi))))) == ["1+1 battery"])
        let charged = bench.effects(of: .device(.settingChanged(.batteryLevel(50))))
        #expect(charged.begun == [transfer(1)] && newWaits(charged) == ["2+0 turn"])
        #expect(newWaits(bench.act(.suspend(2))) == [])
        #expect(newWaits(bench.act(.resume(2))) == ["2+0 turn"])
        bench.act(.make(NewTransfer(number: 3, request: TransferRequest(url: "https://example.org/"))))
        #expect(newWaits(bench.act(.setEarliestBegin(3, at(60)))) == [], "the app has not resumed the task")
        #expect(newWaits(bench.act(.resume(3))) == ["3+0 earliestBegin"])
        let stopped = bench.effects(of: .device(.settingChanged(.lowPowerMode(true))))
        #expect(stopped.decisions.first == .stopped(transfer(1), because: .lowPowerMode))
        #expect(newWaits(stopped) == ["2+0 lowPowerMode"])
        #expect(newWaits(bench.engineStops(transfer(1))) == [], "the reason was already reported")
    }

    /// After an attempt, a task may wait for the same condition again.
    @Test func aWaitAfterAnAttemptIsRecordedAgain() {
        var bench = Bench.withSession { $0.connectionsPerHost = 1 }
        let waits = TransferDecision.waits(transfer(2), for: .connection, others: 0)
        bench.download(1)
        #expect(bench.download(2).decisions.contains(waits))
        bench.finish(transfer(1))
        #expect(bench.isRunning(transfer(2)))
        bench.act(.suspend(2))
        bench.engineStops(transfer(2))
        bench.download(3)
        #expect(bench.act(.resume(2)).decisions.contains(waits))
    }

    /// A task that is begun in the background is discretionary until the user opens the app.
    @Test func transfersBegunInTheBackgroundAreDiscretionary() {
        var bench = Bench.withSession(.background)
        _ = bench.does(.device(.settingChanged(.lowPowerMode(true))))
        bench.download(1)
        #expect(bench.wait(transfer(1)) == .lowPowerMode)
        #expect(bench.transfersOnDisk[transfer(1)]?.isFromBackground == true)
        #expect(bench.effects(of: .device(.appOpened(app(1)))).begun == [transfer(1)])
        #expect(bench.transfersOnDisk[transfer(1)]?.isFromBackground == false)
    }

    @Test func aWaitCountsFromTheLastChangeOfTheDevice() throws {
        var bench = Bench.withSession { $0.networks.cellular = false }
        _ = bench.does(.device(.settingChanged(.network(.none))))
        bench.download(1)
        let before = try #require(bench.device.transferSnapshot(of: transfer(1)))
        _ = bench.passes(seconds(10))
        _ = bench.does(.device(.settingChanged(.network(.cellular))))
        let after = try #require(bench.device.transferSnapshot(of: transfer(1)))
        #expect(before.wait == .network && after.wait != .network && after.wait != nil)
        #expect(after.since - before.since == seconds(10) && after.until == nil)
    }

    @Test func aTransferWaitsForItsEarliestBeginDate() {
        var bench = Bench.withSession()
        bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/"))))
        bench.act(.setEarliestBegin(1, at(60)))
        #expect(bench.act(.resume(1)).begun.isEmpty)
        #expect(bench.wait(transfer(1)) == .earliestBegin)
        #expect(bench.device.nextDeadline == Deadline(at: at(60), reason: .transfer(transfer(1))))
        #expect(bench.device.transferSnapshot(of: transfer(1))?.until == at(60))
        _ = bench.passes(seconds(59))
        #expect(!bench.isRunning(transfer(1)))
        let count = bench.effects.count
        _ = bench.passes(seconds(1))
        #expect(bench.effects[count...].news == [.willBegin(1)])
        #expect(bench.wait(transfer(1)) == .answer)
        let answerDue = bench.now.awake + seconds(30)
        #expect(bench.device.nextDeadline == Deadline(at: answerDue, reason: .transfer(transfer(1))))
        #expect(
            bench.act(.proceed(1, .useNewRequest(TransferRequest(url: "https://other/")))).begun == [transfer(1)])
        #expect(bench.device.transferJob(of: transfer(1))?.request.url == "https://other/")
    }

    @Test func theFirstByteIsABeginning() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.responded(transfer(1), attempt: bench.attempt(transfer(1)), offset: 0, expected: 1000))
        bench.act(.suspend(1))
        bench.engineStops(transfer(1), checkpoint(1))
        bench.act(.setEarliestBegin(1, at(600)))
        #expect(bench.act(.resume(1)).begun == [transfer(1)])
    }

    /// A canceled task has no date to wait for, also before its app has acknowledged the end.
    @Test func aCanceledTaskWaitsForNoDate() {
        var bench = Bench.withSession()
        bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/"))))
        bench.act(.setEarliestBegin(1, at(60)))
        bench.act(.resume(1))
        #expect(bench.act(.cancel(1, keepsPartial: false)).failures.map(\.code) == [-999])
        #expect(bench.device.nextDeadline == nil)
    }

    /// A task from resume data has received bytes, but has not begun: its begin date still applies.
    @Test(arguments: [true, false]) func theDateHoldsForATaskFromResumeData(restarts: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        let request = TransferRequest(url: "https://example.org/1")
        bench.act(.make(NewTransfer(number: 2, request: request, resumes: transfer(1))))
        bench.act(.setEarliestBegin(2, at(60)))
        bench.act(.resume(2))
        if restarts {
            bench.restartsAndStarts()
            _ = bench.plays()
            bench.open()
        }
        #expect(bench.wait(transfer(2)) == .earliestBegin)
        _ = bench.passes(seconds(60))
        bench.act(.proceed(2, .continueLoading))
        #expect(bench.device.transferJob(of: transfer(2))?.checkpoint == checkpoint(500))
        bench.tell(.responded(transfer(2), attempt: bench.attempt(transfer(2)), offset: 500, expected: 1000))
        bench.act(.setEarliestBegin(2, at(600)))
        bench.act(.suspend(2))
        bench.engineStops(transfer(2), checkpoint(600))
        #expect(bench.act(.resume(2)).begun == [transfer(2)], "the task has already begun")
    }

    /// A new request keeps the bytes of the resume data only if its URL, method, header fields and body are unchanged.
    /// Otherwise the task begins without them.
    @Test(arguments: [nil, "url", "method", "fields", "body"] as [String?])
    func aDifferentRequestStartsFromTheBeginning(change: String?) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.acknowledge([1]))
        var request = TransferRequest(url: "https://example.org/1")
        bench.act(.make(NewTransfer(number: 2, request: request, resumes: transfer(1))))
        bench.act(.setEarliestBegin(2, at(60)))
        bench.act(.resume(2))
        _ = bench.passes(seconds(60))
        request.timeout = seconds(5)
        switch change {
        case "url": request.url = "https://example.org/2"
        case "method": request.method = "POST"
        case "fields": request.fields = [HTTPField(name: "Accept", value: "audio/mpeg")]
        case "body": request.body = "QQ=="
        default: break
        }
        let isSame = change == nil
        let used = bench.act(.proceed(2, .useNewRequest(request)))
        #expect(used.begun == [transfer(2)])
        let job = bench.device.transferJob(of: transfer(2))
        #expect(job?.request == request)
        #expect(job?.checkpoint == (isSame ? checkpoint(500) : nil))
        #expect(job?.resumes == (isSame ? [transfer(1)] : []))
        #expect(
            used.contains(.concern(.transfer(.discard(transfer(2))))) == !isSame, "it may hold the other task's bytes")
        #expect(bench.device.transferSnapshot(of: transfer(2))?.received == (isSame ? 500 : 0))
        #expect(
            bench.device.transferSnapshot(of: transfer(1))?.state == .retained, "another task can use the resume data")
        #expect(bench.transfersOnDisk[transfer(2)]?.checkpoint == job?.checkpoint)
    }

    @Test func unansweredOrSuspendedAppsDoNotDelayTransfers() {
        for isSuspended in [false, true] {
            var bench = Bench.withSession()
            bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/"))))
            bench.act(.setEarliestBegin(1, at(60)))
            bench.act(.resume(1))
            if isSuspended { _ = bench.plays(.device(.homePressed)) }
            _ = bench.passes(seconds(60))
            #expect(bench.isRunning(transfer(1)) == isSuspended)
            _ = bench.passes(seconds(30))
            #expect(bench.isRunning(transfer(1)))
        }
    }

    /// A task's begin date moves when the wall clock is set. A small drift between the clocks moves nothing.
    @Test func aClockThatIsSetMovesTheDate() {
        var bench = Bench.withSession()
        bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/"))))
        bench.act(.setEarliestBegin(1, at(60)))
        bench.act(.resume(1))
        bench.now.wall = bench.now.wall + seconds(50)
        _ = bench.plays(.device(.clockWasSet))
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .transfer(transfer(1))))
        bench.now.wall = bench.now.wall + .milliseconds(50)
        _ = bench.does(.device(.memoryRanLow))
        #expect(bench.device.nextDeadline?.at == at(10), "a small drift is ignored")
    }

    // MARK: The user

    @Test func theUserPausesAndResumes() {
        var bench = Bench.withSession()
        bench.download(1)
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .pause)))).stopped == [transfer(1)])
        bench.engineStops(transfer(1), checkpoint(5))
        #expect(bench.wait(transfer(1)) == .paused)
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .resume)))).begun == [transfer(1)])
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .cancel)))).stopped == [transfer(1)])
        #expect(bench.engineStops(transfer(1)).failures.map(\.code) == [-999])
        #expect(
            bench.effects(of: .concern(.transfer(.userAction(transfer(1), .now)))).decisions == [
                .userActionIgnored(transfer(1), .now)
            ])
    }

    @Test func theUserWantsItNow() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 1 }) {
            $0.isDiscretionary = true
        }
        bench.download(1)
        bench.download(2)
        _ = bench.does(.device(.settingChanged(.network(.cellular))))
        bench.engineStops(transfer(1))
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(2), .now)))).begun == [transfer(2)])
        #expect(bench.effects(of: .device(.settingChanged(.lowPowerMode(true)))).stopped.isEmpty)
        #expect(bench.effects(of: .device(.settingChanged(.network(.none)))).stopped == [transfer(2)])
        bench.engineStops(transfer(2))
        #expect(bench.effects(of: .device(.settingChanged(.network(.cellular)))).begun == [transfer(2)])
        bench.act(.make(NewTransfer(number: 3, request: TransferRequest(url: "https://a/"))))
        #expect(
            bench.effects(of: .concern(.transfer(.userAction(transfer(3), .now)))).decisions == [
                .userActionIgnored(transfer(3), .now)
            ],
            "the app has not resumed the task")
    }

    /// `roost transfers now all`: twice as many transfers run as usual. The rest of them begin before all others.
    @Test func theUserWantsAllOfManyNow() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 3 })
        let count: Int64 = 500
        for number in 1...count { bench.download(number, url: "https://one.example/\(number)") }
        let wanted = 1...(count - 1)
        for number in wanted { bench.handle(.concern(.transfer(.userAction(transfer(number), .now)))) }
        let running = { (bench: Bench) in
            bench.device.transferSnapshots.filter { $0.state == .running }.map(\.id.number)
        }
        #expect(running(bench) == Array(1...6))
        #expect(bench.wait(transfer(7)) == .turn)
        bench.act(.setPriority(count, 1000))
        for number in 1...(count - 7) {
            #expect(bench.finish(transfer(number)).begun == [transfer(number + 6)])
        }
        #expect(!bench.isRunning(transfer(count)), "without the user's action, a task waits for one of three places")
        _ = bench.effects(of: .device(.settingChanged(.network(.none))))
        for number in (count - 6)..<count { bench.engineStops(transfer(number)) }
        #expect(bench.effects(of: .device(.settingChanged(.network(.wifi)))).begun.count == 6)
        for number in (count - 6)..<(count - 3) { bench.finish(transfer(number)) }
        #expect(!bench.isRunning(transfer(count)))
        bench.finish(transfer(count - 1))
        #expect(bench.isRunning(transfer(count)))
    }
}
