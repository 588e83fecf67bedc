import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// Wakes of apps when all tasks of a session have ended, and the time they have (R-56–R-61, T02, T11).
@Suite struct WakeTests {
    private static let events = Callback.concern(.transfer(.handleEvents(named())))

    @Test func aSuspendedAppIsWokenWhenAllIsDone() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.download(2)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        #expect(!bench.finish(transfer(1)).contains(.launch(launch(1), .thaw)), "one transfer is still running")
        let done = bench.finish(transfer(2))
        #expect(done.contains(.launch(launch(1), .thaw)))
        #expect(done.contains(.decided(.launch(launch(1), .woken(.urlSession)))))
        #expect(done.callbacks == [Self.events], "no didEnterBackground: X-03")
        #expect(done.outcomes == [1, 2])
        _ = bench.plays()
        #expect(bench.assertions(1) == [.sessionEvents])
        #expect(bench.act(.acknowledge([1, 2])).news == [.eventsFinished])
        #expect(bench.assertions(1) == [.sessionEvents], "until the handler is called")
        _ = bench.act(.handled)
        #expect(bench.assertions(1) == [])
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == false)
        #expect(bench.device.nextDeadline?.reason == .containerCheck(launch(1)))
    }

    /// Each wake of a launch ends with the message that all outcomes were delivered, also if the app has resumed other
    /// tasks meanwhile. Without this message the app would not call its handler, and would be killed.
    @Test func eachWakeOfALaunchReceivesItsEnd() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        for number: Int64 in 1...3 {
            #expect(bench.finish(transfer(number)).callbacks == [Self.events])
            _ = bench.plays()
            bench.download(number + 1)
            #expect(bench.act(.acknowledge([number])).news.contains(.eventsFinished), "wake \(number)")
            _ = bench.act(.handled)
            _ = bench.plays()
            #expect(bench.state(1) == .suspended)
            // The task may have to wait before it begins.
            while !bench.isRunning(transfer(number + 1)), let deadline = bench.device.nextDeadline,
                deadline.at < at(100_000)
            {
                _ = bench.passes(deadline.at - bench.now.awake)
            }
        }
    }

    /// An app that has not opened its session in this launch is notified once it is suspended, not on its way there.
    @Test func aDueSuspensionPrecedesTheWake() throws {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanShort))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.finish(transfer(1)).decisions == [.completed(transfer(1), size: 1000)], "it is in the foreground")
        let count = bench.effects.count
        _ = bench.plays(.device(.homePressed))
        let effects = Array(bench.effects[count...])
        let again = launch(1, 2)
        let suspended = Effect.decided(.launch(again, .stateChanged(from: .background, to: .suspended)))
        let order = try [.launch(again, .freeze(attempt: 1)), suspended, .launch(again, .thaw)].map {
            try #require(effects.firstIndex(of: $0), "\($0)")
        }
        #expect(order == order.sorted())
        #expect(effects.contains(.decided(.concern(.transfer(.sessionWakes(session()))))))
    }

    @Test func anAppWithoutAProcessIsLaunched() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.finish(transfer(1)).contains(.launch(launch(1, 2), .start(.urlSession))))
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == true)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.effects[count...].callbacks == [.launch(.urlSession), .didEnterBackground, Self.events])
        #expect(bench.effects[count...].news == [], "the app opens the session first")
        #expect(bench.open(by: launch(1, 2)).news.count == 2)
        #expect(bench.act(.acknowledge([1]), by: launch(1, 2)).news == [.eventsFinished])
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == true, "until the handler is called")
        bench.act(.handled, by: launch(1, 2))
        #expect(bench.sessionsOnDisk[session()]?.areEventsPending == false)
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    /// The exception code is 0x2182bad3.
    @Test func appsThatNeverCallTheHandlerAreKilled() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        bench.act(.acknowledge([1]))
        #expect(bench.device.nextDeadline == Deadline(at: at(30), reason: .sessionEvents(launch(1))))
        #expect(bench.passes(seconds(30)).contains("kill 1.1"))
        #expect(
            bench.effects.contains(.launch(launch(1), .kill(.sessionEventsNotHandled)))
                && TerminationReason.sessionEventsNotHandled.code == .exception(0x2182_bad3))
        let count = bench.effects.count
        _ = bench.plays()
        _ = bench.passes(seconds(7200))
        #expect(!bench.effects[count...].contains(.launch(launch(1, 2), .start(.urlSession))), "all were acknowledged")
    }

    @Test func appsThatHandledAllEventsAreNotWokenAgain() {
        var bench = Bench.withHandledEvents(Policy.iOS26.with { $0.containerSize = nil })
        #expect(bench.state(1) == .suspended)
        #expect(bench.device.nextDeadline == Deadline(at: at(86_400), reason: .transfer(transfer(2))), "its patience")
        #expect(bench.finish(transfer(2)).contains(.launch(launch(1), .thaw)), "later outcomes wake the app")
    }

    /// The app called the handler without making the session. The outcome waits, and the app is not launched for it
    /// again.
    @Test func handledEventsDoNotWakeTheAppAfterARestart() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanShort))
        bench.finish(transfer(1))
        _ = bench.plays()
        bench.act(.handled, by: launch(1, 2))
        _ = bench.plays()
        let count = bench.effects.count
        bench.restartsAndStarts()
        _ = bench.plays()
        #expect(
            !bench.effects[count...].contains {
                if case .decided(.concern(.transfer(.sessionWakes))) = $0 { true } else { false }
            })
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.open(by: launch(1, 2)).outcomes == [1], "no outcome is lost")
    }

    @Test func appsThatEndWithPendingOutcomesAreRelaunched() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        for (number, length) in zip(Int32(1)..., [Int64(60), 240, 960, 3600, 3600]) {
            let start = bench.now.awake
            _ = bench.does(.process(launch(1, number), .exited(.signaled(11))))
            bench.helpers[launch(1, number)] = nil
            #expect(bench.state(1) == .notRunning)
            let deadline = bench.device.nextDeadline
            #expect(deadline == Deadline(at: start + seconds(length), reason: .transfer(transfer(0))))
            _ = bench.passes((deadline?.at ?? start) - start)
            #expect(bench.effects.contains(.launch(launch(1, number + 1), .start(.urlSession))))
            _ = bench.does(.process(launch(1, number + 1), .started))
        }
    }

    @Test func theHandlerHasNoLimitInTheForeground() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.assertions(1) == [.foreground])
        _ = bench.passes(seconds(100))
        #expect(bench.state(1) == .active)
    }

    @Test func aRunningAppReceivesOutcomesWithoutAWake() {
        var bench = Bench.withSession(.background)
        bench.download(1)
        let done = bench.finish(transfer(1))
        #expect(done.outcomes == [1] && done.callbacks.isEmpty)
        #expect(bench.act(.acknowledge([1])).news == [])
    }

    @Test func suspensionWithPendingOutcomesWakesTheApp() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.finish(transfer(1))
        let count = bench.effects.count
        _ = bench.plays(.device(.homePressed))
        #expect(bench.effects[count...].contains(.decided(.launch(launch(1), .woken(.urlSession)))))
        bench.act(.handled)
        _ = bench.plays()
        #expect(bench.state(1) == .suspended, "the app is woken only once")
        #expect(bench.device.transferSnapshots.count == 1, "no outcome is lost")
    }

    @Test(arguments: [true, false]) func aSessionMayWantNoLaunches(wantsThem: Bool) {
        var bench = Bench.withSession { $0.sendsLaunchEvents = wantsThem }
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.finish(transfer(1)).contains(.launch(launch(1), .thaw)) == wantsThem)
        if !wantsThem {
            let count = bench.effects.count
            _ = bench.plays(.device(.appOpened(app(1))))
            #expect(bench.effects[count...].outcomes == [1], "the app is notified at its next resumption")
        }
    }

    @Test func aTaskTheAppHasSuspendedIsNotDone() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.make(NewTransfer(number: 2, request: TransferRequest(url: "https://a/"))))
        _ = bench.plays(.device(.homePressed))
        #expect(!bench.finish(transfer(1)).contains(.launch(launch(1), .thaw)))
    }

    // MARK: Obstacles

    @Test func aPasscodePreventsWakesUntilTheFirstUnlock() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.does(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanShort))
        _ = bench.does(.device(.deviceStarted))
        let done = bench.finish(transfer(1))
        #expect(done.contains(.decided(.app(app(1), .wakeRefused(.urlSession, .notUnlockedSinceStart)))))
        #expect(
            bench.effects(of: .device(.deviceUnlocked)).contains(
                .decided(.launch(launch(1, 2), .launched(.urlSession)))))
    }

    @Test func withoutBackgroundRefreshTheAppIsNotWoken() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        let done = bench.finish(transfer(1))
        #expect(done.contains(.decided(.app(app(1), .wakeRefused(.urlSession, .backgroundRefresh)))))
        let again = bench.effects(of: .device(.settingChanged(.batteryLevel(50))))
        #expect(!again.contains(.decided(.app(app(1), .wakeRefused(.urlSession, .backgroundRefresh)))), "reported once")
        #expect(
            bench.effects(of: .device(.settingChanged(.backgroundRefresh(true)))).contains(.launch(launch(1), .thaw)))
    }

    @Test func anAppThatExitsOnSuspendIsNotLaunched() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, exitsOnSuspend: true)])
        bench.open()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.finish(transfer(1)).contains(.decided(.app(app(1), .wakeRefused(.urlSession, .exitsOnSuspend)))))
    }

    /// The tasks are canceled and no app is woken. The app is notified when the user opens it.
    @Test func aForceQuitCancelsAll() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.download(2)
        bench.finish(transfer(2))
        let quit = bench.effects(of: .device(.appForceQuit(app(1))))
        #expect(quit.stopped == [transfer(1)])
        bench.engineStops(transfer(1), checkpoint(5))
        _ = bench.plays()
        _ = bench.passes(seconds(100))
        #expect(!bench.effects.contains(.launch(launch(1, 2), .start(.urlSession))))
        _ = bench.plays(.device(.appOpened(app(1))))
        let received = bench.open(by: launch(1, 2))
        #expect(received.outcomes == [2, 1])
        #expect(received.failures.map(\.code) == [-999])
        #expect(received.failures.map(\.cancelledReason) == [.userForceQuit])
        #expect(received.failures.map(\.resumable) == [checkpoint(5)], "with resume data (R-62)")
        bench.act(.acknowledge([2, 1]), by: launch(1, 2))
        #expect(bench.device.transferSnapshots.map(\.state) == [.retained])
        _ = bench.passes(seconds(604_800))
        #expect(bench.device.transferSnapshots.isEmpty, "for one week")
    }

    /// After a week, resume data is also discarded if its app was never notified. An app that is never opened again
    /// holds no disk space.
    @Test(arguments: [true, false]) func resumeDataOfAForceQuitExpiresAfterAWeek(restarts: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        bench.engineStops(transfer(1), checkpoint(5))
        let week = at(604_800)
        if restarts {
            bench.now = bench.now.advanced(by: seconds(10))
            bench.restartsAndStarts()
        }
        #expect(bench.device.nextDeadline == Deadline(at: week, reason: .transfer(transfer(1))))
        let count = bench.effects.count
        _ = bench.passes(week - bench.now.awake)
        #expect(bench.effects[count...].contains(.concern(.transfer(.discard(transfer(1))))))
        #expect(bench.device.nextDeadline == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        let received = bench.open(by: launch(1, 2)).failures
        #expect(received.map(\.cancelledReason) == [.userForceQuit] && received.map(\.resumable) == [nil])
    }

    @Test func refreshOffCancelsTransfersBegunInTheBackground() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.toBackground()
        bench.download(2)
        let off = bench.effects(of: .device(.backgroundRefreshChanged(app(1), false)))
        #expect(off.stopped == [transfer(2)])
        let failures = bench.engineStops(transfer(2), checkpoint(5)).failures
        #expect(failures.map(\.cancelledReason) == [.backgroundUpdatesDisabled])
        #expect(failures.map(\.resumable) == [checkpoint(5)])
        #expect(bench.download(3).failures.map(\.cancelledReason) == [.backgroundUpdatesDisabled])
        #expect(bench.isRunning(transfer(1)))
    }

    /// A restart of the system ends no delay, and loses no wake.
    @Test func theDelayOutlivesARestart() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        for number: Int64 in 1...2 {
            bench.finish(transfer(number))
            _ = bench.plays()
            bench.download(number + 1)
            bench.act(.acknowledge([number]))
            bench.act(.handled)
            _ = bench.plays()
        }
        #expect(bench.wait(transfer(3)) == .resumptionDelay)
        let until = bench.device.transferSnapshot(of: transfer(3))?.until
        bench.now = bench.now.advanced(by: seconds(10))
        bench.restartsAndStarts()
        _ = bench.plays()
        #expect(bench.wait(transfer(3)) == .resumptionDelay)
        #expect(bench.device.transferSnapshot(of: transfer(3))?.until == until)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        bench.open()
        bench.download(4)
        #expect(bench.wait(transfer(4)) == .resumptionDelay)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.isRunning(transfer(3)) && bench.isRunning(transfer(4)))
        #expect(bench.sessionsOnDisk[session()]?.wakes == nil)
    }

    /// After the next delay's length without a wake, there is no delay.
    @Test func aLongPauseEndsTheDelay() {
        var delay = ResumptionDelay([])
        for time in [at(0), at(10)] { delay.woken(policy: .iOS26, at: time) }
        #expect(delay.length(policy: .iOS26, at: at(249)) == seconds(60))
        #expect(delay.length(policy: .iOS26, at: at(250)) == .zero)
    }

    /// Each app has its own delay.
    @Test func openingAnAppEndsItsOwnDelay() {
        var bench = Bench.with(.active, .iOS26, [.sample(1), .sample(2)])
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        bench.download(1, by: launch(2))
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1, of: session(1, of: 2)))
        _ = bench.plays()
        #expect(bench.device.concerns.transfers.clients[app(2)]?.delay != ResumptionDelay([]))
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.device.concerns.transfers.clients[app(2)]?.delay == ResumptionDelay([]))
    }

    /// Two wakes at the same time count as two, also after a restart.
    @Test func wakesAtTheSameTimeOutliveARestart() throws {
        var bench = Bench.withSession()
        bench.open("maps")
        bench.download(1)
        bench.download(1, on: "maps")
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.settingChanged(.backgroundRefresh(false))))
        for number: Int32 in 1...2 { bench.finish(transfer(1, of: session(number))) }
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(true))))
        let delay = try #require(bench.device.concerns.transfers.clients[app(1)]?.delay)
        #expect(delay.kept?.count == 2)
        bench.restartsAndStarts()
        #expect(bench.device.concerns.transfers.clients[app(1)]?.delay == delay)
    }

    /// Each wake lengthens the delay of tasks that are resumed in the background.
    @Test func resumptionsInTheBackgroundAreDelayedMoreWithEachWake() {
        var bench = Bench.withSession()
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        var delays: [Int64] = []
        for number: Int64 in 1...4 {
            bench.finish(transfer(number))
            _ = bench.plays()
            bench.download(number + 1)
            if bench.wait(transfer(number + 1)) == .resumptionDelay {
                let until = bench.device.transferSnapshot(of: transfer(number + 1))?.until ?? .zero
                delays.append((until - bench.now.wall).rawValue / 1_000_000_000)
            } else {
                delays.append(0)
            }
            bench.act(.acknowledge([number]))
            bench.act(.handled)
            _ = bench.plays()
            while !bench.isRunning(transfer(number + 1)), let deadline = bench.device.nextDeadline,
                deadline.at < at(100_000)
            {
                _ = bench.passes(deadline.at - bench.now.awake)
            }
        }
        #expect(delays == [0, 60, 240, 960])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.finish(transfer(5))
        bench.toBackground()
        bench.download(6)
        #expect(bench.isRunning(transfer(6)), "opening the app clears the delay")
    }
}
