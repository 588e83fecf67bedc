import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The traces of a session's earlier wakes after a force quit, and after handled events.
@Suite struct LeftoverTests {
    private static let refused = Effect.decided(.app(app(1), .wakeRefused(.urlSession, .backgroundRefresh)))

    @Test func aForceQuitEndsPendingEvents() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == true)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == false)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.open(by: launch(1, 2)).outcomes == [1])
        #expect(bench.act(.acknowledge([1]), by: launch(1, 2)).news == [], "no events are finished")
    }

    /// The same refusal is reported once for each wake.
    @Test func aRefusalIsReportedAgainAfterAForceQuit() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        #expect(bench.finish(transfer(1)).contains(Self.refused))
        // The app is gone before the force quit, so that no other reason replaces this one.
        _ = bench.does(.process(launch(1), .exited(.signaled(9))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.plays(.device(.appOpened(app(1))))
        let again = launch(1, 2)
        bench.open(by: again)
        bench.act(.acknowledge([1]), by: again)
        bench.download(2, by: again)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.finish(transfer(2)).contains(Self.refused))
    }

    /// The pause before another wake grows with the wakes after which the events were not handled. Handled events end
    /// that.
    @Test func handledEventsShortenThePause() {
        var bench = Bench.withHandledEvents()
        #expect(bench.finish(transfer(2)).contains(.launch(launch(1), .thaw)))
        _ = bench.plays()
        let start = bench.now.awake
        _ = bench.does(.process(launch(1), .exited(.signaled(11))))
        #expect(bench.device.nextDeadline == Deadline(at: start + seconds(60), reason: .transfer(transfer(0))))
    }

    /// Once events are handled, later events need no handler: the app is told of them in the foreground.
    @Test func eventsInTheForegroundNeedNoHandler() {
        var bench = Bench.withHandledEvents()
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        #expect(bench.finish(transfer(2)).contains(Self.refused))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.act(.acknowledge([2])).news == [.eventsFinished])
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == false)
    }

    /// A launch that opens its session again is told all of its pending news again.
    @Test func aSessionThatIsOpenedAgainTellsItsNewsAgain() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        #expect(bench.act(.acknowledge([1])).news == [.eventsFinished])
        #expect(bench.open().news == [.opened(session(), lowestFree: 1), .eventsFinished])
    }

    /// An app that dies before it has handled the events is not woken for a session without tasks.
    @Test func aSessionWithoutTasksLeavesNoDeadline() {
        var bench = Bench.withSession()
        // The newest session stays.
        bench.open("other")
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        #expect(bench.act(.acknowledge([1])).news == [.eventsFinished])
        _ = bench.does(.process(launch(1), .exited(.signaled(11))))
        #expect(bench.sessionsOnDisk[session()] == nil && bench.sessionsOnDisk[session(2)] != nil)
        #expect(bench.device.nextDeadline == nil)
    }

    /// An app that was woken would be woken again after a pause.
    @Test func anAppThatIsRemovedLeavesNoDeadline() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        bench.finish(transfer(1))
        _ = bench.plays()
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.snapshot(of: app(1)) == nil && bench.device.nextDeadline == nil)
    }

    /// The app asks for a task that is refused, and opens the session again, while it is being suspended.
    @Test func aRefusedTaskOutlivesAnotherOpening() {
        var bench = Bench.withSession()
        _ = bench.does(.device(.homePressed))
        for _ in 1...2 { _ = bench.acknowledge(launch(1)) }
        #expect(bench.state(1) == .suspended || bench.assertions(1).isEmpty)
        let unusable = NewTransfer(number: 0, request: TransferRequest(url: "https://example.org/1"))
        #expect(bench.act(.make(unusable)).news == [])
        #expect(bench.open().news == [])
        _ = bench.plays()
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.effects[count...].failures == [.badNumber])
    }

    /// A store of an older version does not say for which outcomes the app was woken.
    @Test func anOlderStoreWakesForNoForceQuit() throws {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        bench.engineStops(transfer(1))
        var record = try #require(bench.sessionsOnDisk[session()])
        record.lastWokenPlace = nil
        bench.stored.store(.concern(.transfer(.session(record))))
        bench.restartsAndStarts()
        _ = bench.plays(.device(.appOpened(app(1))))
        let count = bench.effects.count
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        #expect(!bench.effects[count...].contains(.launch(launch(1, 2), .thaw)))
    }

    @Test func aRemovedAppLeavesNothing() {
        var bench = Bench.with(.active, .iOS26, [.sample(1), .sample(2)])
        bench.open()
        _ = bench.does(.device(.networkChanged(isConnected: false)))
        bench.download(1)
        _ = bench.does(.concern(.transfer(.userAction(transfer(1), .now))))
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        #expect(bench.device.concerns.transfers.forced.keys == [transfer(1)])
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.concerns.transfers.clients.keys == [app(2)])
        #expect(bench.device.concerns.transfers.forced.isEmpty)
    }

    /// The places of its running transfers are free, and without another app's session nothing is left at all.
    @Test(arguments: [true, false]) func aRemovedAppFreesItsPlaces(isAlone: Bool) {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.transfersAtOnce = 1 }, [.sample(1), .sample(2)])
        bench.open()
        bench.download(1)
        _ = bench.plays(.device(.appOpened(app(2))))
        let other = transfer(1, of: session(1, of: 2))
        if !isAlone {
            bench.open(by: launch(2))
            bench.download(1, by: launch(2))
            #expect(bench.wait(other) == .turn)
        }
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.concerns.transfers.active == (isAlone ? [] : [other]))
        if isAlone { #expect(bench.device.concerns.transfers == Transfers()) }
    }

    /// Once the app is told that all events are finished, the same refusal is news again.
    @Test func aRefusalIsReportedAgainAfterTheEventsAreFinished() {
        var bench = Bench.withSession()
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        for number: Int64 in 1...2 {
            bench.download(number)
            _ = bench.plays(.device(.homePressed))
            #expect(bench.finish(transfer(number)).contains(Self.refused))
            _ = bench.plays(.device(.appOpened(app(1))))
            #expect(bench.act(.acknowledge([number])).news == [.eventsFinished])
        }
    }

    /// A wake comes between two refusals for the same reason.
    @Test func aRefusalIsReportedAgainAfterAWake() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        #expect(bench.finish(transfer(1)).contains(Self.refused))
        let woken = bench.effects(of: .device(.settingChanged(.backgroundRefresh(true))))
        #expect(woken.contains(.launch(launch(1), .thaw)))
        _ = bench.does(.process(launch(1), .exited(.signaled(9))))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        let count = bench.effects.count
        _ = bench.passes(seconds(60))
        #expect(bench.effects[count...].contains(Self.refused))
    }

    /// The user's request ends a wait for good, also if the user then pauses the attempt.
    @Test func anAttemptThatTheUserWantsForgetsItsWait() {
        var bench = Bench.withSession()
        bench.download(1)
        let problem = transientProblem(retryAfter: seconds(1000))
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), problem))
        #expect(!bench.isRunning(transfer(1)))
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .now)))).begun == [transfer(1)])
        _ = bench.does(.concern(.transfer(.userAction(transfer(1), .pause))))
        bench.engineStops(transfer(1))
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .resume)))).begun == [transfer(1)])
    }

    /// The user's request ends the user's pause for good.
    @Test func aPausedTransferThatTheUserWantsIsNotPausedAnyMore() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.does(.concern(.transfer(.userAction(transfer(1), .pause))))
        bench.engineStops(transfer(1))
        #expect(bench.effects(of: .concern(.transfer(.userAction(transfer(1), .now)))).begun == [transfer(1)])
        #expect(bench.transfersOnDisk[transfer(1)]?.isPaused == false)
    }

    /// An app's `suspend()` comes after the user's request.
    @Test func aSuspendedTransferIsNotForcedAnyMore() {
        var bench = Bench.withSession()
        _ = bench.does(.device(.networkChanged(isConnected: false)))
        bench.download(1)
        _ = bench.does(.concern(.transfer(.userAction(transfer(1), .now))))
        bench.act(.suspend(1))
        #expect(bench.effects(of: .device(.networkChanged(isConnected: true))).begun == [])
        #expect(bench.act(.resume(1)).begun == [transfer(1)])
    }

    /// A partial file of one app does not count for another.
    @Test func partialFilesCountForTheirApp() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.partialsPerApp = 1 }, [.sample(1), .sample(2)])
        bench.open()
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        for number: Int64 in 1...2 {
            bench.download(number, by: launch(2))
            bench.act(.cancel(number, keepsPartial: true), by: launch(2))
            let id = transfer(number, of: session(1, of: 2))
            bench.engineStops(id, checkpoint(number))
            let taken = bench.act(.acknowledge([number]), by: launch(2))
            let first = transfer(1, of: session(1, of: 2))
            #expect(taken.contains(.concern(.transfer(.discard(first)))) == (number == 2))
        }
    }
}
