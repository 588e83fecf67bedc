import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Sessions that are opened again, invalidated, and removed.
@Suite struct SessionTests {
    @Test func openingAgainAttachesAndNeverDuplicates() {
        var bench = Bench.withSession()
        bench.download(1)
        let again = bench.open { $0.requestTimeout = seconds(9) }
        #expect(again.news == [.opened(session(), lowestFree: 2)] && again.begun.isEmpty && again.stopped.isEmpty)
        #expect(bench.device.sessionRecords.count == 1)
        #expect(bench.sessionsOnDisk[session()]?.configuration.requestTimeout == seconds(9))
        #expect(bench.open("other").news == [.opened(session(2), lowestFree: 1)])
        #expect(bench.device.sessionRecords.map(\.id) == [session(1), session(2)])
    }

    @Test func transfersForbiddenOnReopeningAreStopped() {
        var bench = Bench.withSession()
        bench.handle(.device(.settingChanged(.network(.cellular))))
        bench.download(1)
        #expect(bench.isRunning(transfer(1)))
        #expect(bench.open { $0.connectionsPerHost = 2 }.stopped.isEmpty)
        #expect(bench.open { $0.networks.cellular = false }.stopped == [transfer(1)])
        bench.engineStops(transfer(1))
        #expect(bench.wait(transfer(1)) == .wifi)
    }

    @Test func finishedItGoesWithItsLastTask() {
        var bench = Bench.withSession()
        bench.download(1)
        #expect(bench.act(.finishTasksAndInvalidate).news == [])
        let late = bench.download(2)
        #expect(late.refusals.first == .sessionIsFinishing && late.failures.map(\.code) == [-1])
        let again = NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/1"))
        #expect(bench.act(.make(again)).failures.isEmpty, "the task exists already")
        #expect(bench.finish(transfer(1)).outcomes == [1])
        #expect(bench.act(.acknowledge([1])).news == [.invalidated])
        #expect(bench.act(.list(after: 0)).refusals == [.sessionNotOpen])
    }

    /// The next launch may continue a session that was to go with its last task.
    @Test func anotherLaunchContinuesAFinishingSession() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.finishTasksAndInvalidate)
        _ = bench.does(.process(launch(1), .exited(.exited(code: 0))))
        _ = bench.plays(.device(.appOpened(app(1))))
        let again = launch(1, 2)
        bench.open(by: again)
        #expect(bench.sessionsOnDisk[session()]?.isFinishing == false)
        #expect(bench.download(2, by: again).refusals.isEmpty)
        #expect(bench.finish(transfer(1)).news.count == 1)
        #expect(bench.act(.acknowledge([1]), by: again).news.isEmpty, "the session stays valid")
    }

    /// The app has the resume data on its own disk, and may use it in its next session or launch.
    @Test(arguments: [true, false]) func resumeDataOutlivesItsSession(restarts: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.finishTasksAndInvalidate)
        let last = bench.act(.acknowledge([1]))
        #expect(last.news == [.invalidated] && !last.contains(.concern(.transfer(.discard(transfer(1))))))
        if restarts { bench.restartsAndStarts() }
        _ = bench.plays()
        #expect(bench.open().news.first == .opened(session(2), lowestFree: 1))
        let new = NewTransfer(
            number: 7, request: TransferRequest(url: "https://example.org/1"), resumes: transfer(1))
        bench.act(.make(new))
        bench.act(.resume(7))
        let id = transfer(7, of: session(2))
        #expect(bench.device.transferJob(of: id)?.checkpoint == checkpoint(500))
        #expect(bench.device.transferJob(of: id)?.resumes == [transfer(1)])
        bench.tell(.responded(id, attempt: bench.attempt(id), offset: 500, expected: 1000))
        #expect(bench.device.transferSnapshots.map(\.id) == [id])
    }

    @Test func partialFilesAreKeptForAWeekAndNotTooMany() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.partialsPerApp = 3 })
        bench.open("other")
        for number: Int64 in 1...4 {
            let (name, id) = number == 2 ? ("other", session(2)) : ("podcasts", session())
            bench.download(number, on: name)
            bench.act(.cancel(number, keepsPartial: true), on: name)
            bench.engineStops(transfer(number, of: id), checkpoint(number))
            let taken = bench.act(.acknowledge([number]), on: name)
            #expect(taken.contains(.concern(.transfer(.discard(transfer(1))))) == (number == 4), "oldest is evicted")
            _ = bench.passes(seconds(1))
        }
        bench.act(.finishTasksAndInvalidate, on: "other")
        #expect(bench.device.transferSnapshots.map(\.id.number) == [3, 4, 2])
        _ = bench.passes(seconds(604_800 - 3))
        #expect(bench.device.transferSnapshots.map(\.id.number) == [3, 4])
        _ = bench.passes(seconds(2))
        #expect(bench.device.transferSnapshots.isEmpty && bench.transfersOnDisk.isEmpty)
    }

    /// Records of older systems do not say until when a partial file is kept: it is a week from the making of the task.
    @Test func aPartialFileOfAnOlderSystemIsKeptForAWeek() throws {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.acknowledge([1]))
        var record = try #require(bench.transfersOnDisk[transfer(1)])
        record.keptUntil = nil
        bench.stored.store(.concern(.transfer(.task(record))))
        bench.restartsAndStarts()
        _ = bench.plays()
        #expect(bench.device.nextDeadline == Deadline(at: at(604_800), reason: .transfer(transfer(1))))
    }

    @Test func aCanceledSessionFailsItsTasks() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.make(NewTransfer(number: 2, request: TransferRequest(url: "https://a/"))))
        let gone = bench.act(.invalidateAndCancel)
        #expect(gone.stopped == [transfer(1)] && gone.failures.map(\.code) == [-999])
        #expect(bench.engineStops(transfer(1)).failures.map(\.code) == [-999])
        #expect(bench.act(.acknowledge([1, 2])).news == [.invalidated])
    }

    @Test func aNumberIsNeverGivenTwice() {
        var bench = Bench.withSession()
        for number: Int32 in [1, 3, 5] {
            #expect(bench.device.sessionRecords.map(\.id) == [session(number)])
            bench.act(.finishTasksAndInvalidate)
            #expect(bench.device.sessionRecords.map(\.id) == [session(number)], "the record reserves the number")
            bench.restartsAndStarts()
            _ = bench.plays()
            bench.open("another \(number)")
            bench.act(.finishTasksAndInvalidate, on: "another \(number)")
            bench.open()
            #expect(bench.device.sessionRecords.count == 1)
            #expect(bench.device.sessionRecords.first?.id == session(number + 2))
        }
    }

    @Test func aSessionThatIsIdleIsForgottenWithItsLaunch() {
        var bench = Bench.withSession()
        bench.open("b")
        bench.open("c")
        bench.download(1, on: "b")
        _ = bench.does(.process(launch(1), .exited(.exited(code: 0))))
        #expect(bench.device.sessionRecords.map(\.identifier) == [named("b"), named("c")])
        #expect(bench.sessionsOnDisk.keys.sorted() == [session(2), session(3)])
    }

    @Test func sessionsPerAppAreLimited() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.sessionsPerApp = 2 })
        bench.open("b")
        #expect(bench.open("c").refusals == [.tooManySessions])
        #expect(bench.open("b").refusals == [])
        // Requests for the refused session are also answered.
        #expect(bench.act(.list(after: 0), on: "c").news == [.listed([], isLast: true)])
        #expect(bench.download(1, on: "c").failures.map(\.code) == [-1])
        #expect(bench.act(.acknowledge([1]), on: "c").news == [])
        #expect(bench.act(.finishTasksAndInvalidate, on: "c").news == [.invalidated])
    }

    @Test func tasksPerAppAreLimited() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersPerApp = 2 })
        for number: Int64 in 1...2 { bench.download(number) }
        #expect(bench.download(3).failures.map(\.code) == [-1])
        bench.download(4)
        let refused = bench.download(5)
        #expect(refused.refusals.first == .tooManyTasks)
        #expect(refused.failures.map(\.code) == [-1], "the app is notified of the failure")
        #expect(bench.act(.list(after: 0)).news.count == 1)
        #expect(bench.device.transferSnapshots.count == 4)
        bench.act(.acknowledge([3, 4]))
        #expect(bench.download(5).failures.map(\.code) == [-1])
        bench.finish(transfer(1))
        bench.act(.acknowledge([1, 5]))
        #expect(bench.download(6).begun == [transfer(6)])
    }

    @Test func aSingleTaskMayBe() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersPerApp = 1 })
        #expect(bench.download(1).begun == [transfer(1)])
        let long = "https://example.org/" + String(repeating: "x", count: 500)
        #expect(bench.download(2, url: long).failures.map(\.code) == [-1])
        #expect(bench.transfersOnDisk[transfer(2)]?.request.url == String(long.prefix(200)))
    }

    /// The persisted bytes of an app are limited: its requests, its texts, and the servers' responses.
    @Test func bytesPerAppAreLimited() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transferBytesPerApp = 3000 })
        func large(_ number: Int64) -> NewTransfer {
            var request = TransferRequest(url: "https://example.org/\(number)" + String(repeating: "u", count: 200))
            request.fields = [HTTPField(name: "X-Large", value: String(repeating: "x", count: 600))]
            return NewTransfer(number: number, request: request)
        }
        for number: Int64 in 1...3 { #expect(bench.act(.make(large(number))).failures.isEmpty) }
        let effects = bench.act(.make(large(4)))
        #expect(effects.failures.map(\.code) == [-1])
        #expect(kept(effects).map(\.request) == [TransferRequest(url: String(large(4).request.url.prefix(200)))])
        #expect(bench.act(.setText(1, String(repeating: "t", count: 600))).refusals == [.tooMuchText])
        #expect(bench.act(.setText(1, "short")).refusals == [])
        bench.act(.cancel(2, keepsPartial: false))
        bench.act(.acknowledge([2, 4]))
        #expect(bench.act(.make(large(5))).failures.isEmpty, "space is available again")
    }

    /// The limit itself is allowed.
    @Test func bytesUpToTheLimitAreAllowed() {
        let new = NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/1"))
        for (bytes, failures) in [(new.request.weight, 0), (new.request.weight - 1, 1)] {
            var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transferBytesPerApp = bytes })
            #expect(bench.act(.make(new)).failures.count == failures)
        }
    }

    @Test func timeoutsAreAtLeastAMillisecond() {
        var bench = Bench.with(.active)
        bench.open { ($0.requestTimeout, $0.resourceTimeout) = (.zero, .zero) }
        let configuration = bench.sessionsOnDisk[session()]?.configuration
        #expect(configuration?.requestTimeout == .milliseconds(1))
        #expect(configuration?.resourceTimeout == .milliseconds(1))
    }

    /// Behind a full page only a partial file and a task are left.
    @Test func aListGoesOnBehindPartialFiles() {
        var bench = Bench.withSession()
        let page = Int64(TransferNews.mostListed)
        for number in 1...page + 2 { bench.download(number) }
        let id = transfer(page + 1)
        _ = bench.does(.concern(.transfer(.userAction(id, .now))))
        bench.act(.cancel(page + 1, keepsPartial: true))
        bench.engineStops(id, checkpoint(5))
        bench.act(.acknowledge([page + 1]))
        #expect(bench.device.transferSnapshot(of: id)?.state == .retained)
        let lists = bench.act(.list(after: 0)).news.compactMap {
            if case .listed(let tasks, let isLast) = $0 { (tasks.count, isLast) } else { nil }
        }
        #expect(lists.map(\.0) == [Int(page)] && lists.map(\.1) == [false])
    }

    /// A response that exceeds the limit is delivered without its header.
    @Test func anAnswerBeyondTheBytesLosesItsHeader() throws {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transferBytesPerApp = 3000 })
        bench.download(1)
        let long = HTTPField(name: "X-Large", value: String(repeating: "x", count: 4000))
        let response = TransferResponse(url: "https://example.org/1", status: 200, fields: [long])
        let effects = bench.tell(
            .completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 1000))
        let answers = kept(effects).compactMap { record -> TransferResponse? in
            if case .downloaded(let response, _, _) = record.outcome { response } else { nil }
        }
        #expect(answers.map(\.status) == [200] && answers.allSatisfy(\.fields.isEmpty))
    }

    private func kept(_ effects: [Effect]) -> [TransferRecord] {
        effects.compactMap { if case .store(.concern(.transfer(.task(let record)))) = $0 { record } else { nil } }
    }

    /// The transfers of an uninstalled app are removed without being written again.
    @Test func uninstallingWritesNoTransferRecords() {
        var bench = Bench.withSession(.active)
        for number: Int64 in 1...20 { bench.download(number) }
        let count = bench.effects.count
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(
            bench.effects[count...].filter { if case .store(.concern(.transfer(.task))) = $0 { true } else { false } }
                .isEmpty)
    }

    /// A failure that cannot be sent at once is sent as soon as the app can receive it.
    @Test func suspendedAppsReceiveRefusalsLater() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersPerApp = 0 })
        _ = bench.plays(.device(.homePressed))
        #expect(bench.download(1).news.isEmpty, "the request was in flight at the suspension")
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.effects[count...].failures.map(\.code) == [-1])
    }

    /// A request may be read on the old connection of the app, and again on its new one.
    @Test func aRepeatedRequestIsRefusedOnce() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersPerApp = 0 })
        _ = bench.plays(.device(.homePressed))
        for _ in 1...2 { bench.download(1) }
        bench.download(2)
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.effects[count...].failures.count == 2)
    }

    @Test func everyListIsAnswered() {
        var bench = Bench.withSession()
        _ = bench.plays(.device(.homePressed))
        for _ in 0..<20 { #expect(bench.act(.list(after: 0)).refusals == []) }
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.effects[count...].news == [.listed([], isLast: true)])
    }

    /// Opening a session twice does not cancel a pending list. An app calls its code for no task before it has received
    /// the list.
    @Test func reopeningASessionKeepsThePendingList() {
        var bench = Bench.withSession()
        _ = bench.plays(.device(.homePressed))
        #expect(bench.act(.list(after: 0)).refusals == [])
        bench.open("podcasts", by: launch(1))
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.effects[count...].news.contains(.listed([], isLast: true)))
    }

    @Test func anAppThatIsUninstalledTakesAllWithIt() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.download(2)
        bench.finish(transfer(2))
        let count = bench.effects.count
        _ = bench.plays(.device(.appUninstalled(app(1))))
        let effects = bench.effects[count...]
        #expect(effects.stopped == [transfer(1)])
        for number: Int64 in 1...2 { #expect(effects.contains(.concern(.transfer(.discard(transfer(number)))))) }
        #expect(bench.sessionsOnDisk.isEmpty && bench.transfersOnDisk.isEmpty)
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.tell(.stopped(transfer(1), attempt: 1, nil)).decisions.isEmpty == false)
    }

    @Test func aShutdownStopsRunningTransfers() {
        var bench = Bench.withSession()
        bench.download(1)
        #expect(bench.effects(of: .device(.shutdownBegan)).stopped == [transfer(1)])
        bench.engineStops(transfer(1), checkpoint(44))
        #expect(bench.transfersOnDisk[transfer(1)]?.checkpoint == checkpoint(44))
        #expect(bench.device.transferJob(of: transfer(1)) == nil)
    }

    /// Actions on transfers have their own rate limit: a hundred thousand tasks are no flood of requests.
    @Test func transferRequestsHaveTheirOwnRateLimit() {
        var bench = Bench.withSession(
            .active,
            Policy.iOS26.with {
                $0.requestRate = 1
                $0.requestBurst = 5
                $0.transferActRate = 10
                $0.transferActBurst = 100
            })
        _ = bench.passes(seconds(60))
        for number: Int64 in 1...50 { bench.download(number) }
        #expect(bench.state(1) == .active)
        #expect(bench.act(.list(after: 0)).contains(.launch(launch(1), .kill(.tooManyRequests))))
    }

    // MARK: The system's restart

    @Test func transfersResumeAfterARestart() {
        var bench = Bench.withSession()
        for number: Int64 in 1...3 { bench.download(number) }
        bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(64)))
        bench.tell(.completed(transfer(2), attempt: bench.attempt(transfer(2)), response, size: 9))
        bench.finish(transfer(3))
        _ = bench.restarts()
        #expect(bench.device.nextDeadline?.at == .zero, "the transfer is due at once")
        #expect(bench.device.transferSnapshots.allSatisfy { $0.state != .running })
        let count = bench.effects.count
        bench.handle(.deadlineReached)
        #expect(bench.effects[count...].begun == [transfer(1)])
        #expect(bench.effects[count...].contains(.concern(.transfer(.move(transfer(2))))))
        #expect(bench.device.transferJob(of: transfer(1))?.checkpoint == checkpoint(64))
        _ = bench.plays()
        #expect(bench.open().outcomes == [3])
        #expect(bench.tell(.moved(transfer(2), errno: nil)).outcomes == [2])
    }

    /// The app was notified before the restart. The app continues, and is not killed if the call of its handler is
    /// missing.
    @Test(arguments: [true, false]) func anAppHandlingEventsContinuesAfterARestart(handles: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        bench.restartsAndStarts()
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.assertions(1) == [.sessionEvents])
        #expect(bench.open().outcomes == [1])
        #expect(bench.act(.acknowledge([1])).news == [.eventsFinished])
        if handles { bench.act(.handled) } else { _ = bench.passes(seconds(30)) }
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(bench.effects[count...].callbacks.isEmpty, "the app is not called again")
    }

    @Test func aPendingWakeIsMadeUpAfterARestart() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        bench.finish(transfer(1))
        bench.restartsAndStarts()
        let count = bench.effects.count
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(true))))
        #expect(bench.effects[count...].callbacks.contains(.concern(.transfer(.handleEvents(named())))))
    }
}

extension Bench {
    /// Restarts the system, and meets its first deadline.
    mutating func restartsAndStarts() {
        _ = restarts()
        if device.nextDeadline?.at == .zero { handle(.deadlineReached) }
    }
}
