import LifeCycleModel
import LifeCyclePolicy
import Testing

/// A single download, from the app's request to its acknowledgment.
@Suite struct PathTests {
    @Test func aDownloadWhileTheAppRuns() {
        var bench = Bench.with(.active)
        #expect(bench.open().news == [.opened(session(), lowestFree: 1)])
        let made = bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/1"))))
        #expect(made.begun.isEmpty, "not before it is resumed")
        #expect(bench.transfersOnDisk[transfer(1)]?.isSuspended == true)
        #expect(bench.act(.resume(1)).begun == [transfer(1)])
        #expect(bench.device.transferJob(of: transfer(1))?.request.url == "https://example.org/1")
        let attempt = bench.attempt(transfer(1))
        #expect(
            bench.tell(.progressed(transfer(1), attempt: attempt, received: 10, expected: 1000)).news == [
                .progressed(1, received: 10, expected: 1000)
            ])
        let completed = bench.tell(.completed(transfer(1), attempt: attempt, response, size: 1000))
        #expect(completed.suffix(1) == [.concern(.transfer(.move(transfer(1))))], "after the store effects")
        #expect(completed.news.isEmpty, "not before the file is moved")
        #expect(
            bench.transfersOnDisk[transfer(1)]?.outcome == .downloaded(response, size: 1000, isMoved: false))
        #expect(
            bench.tell(.moved(transfer(1), errno: nil)).news == [
                .downloaded(1, file: TransferRecord.file(of: transfer(1)), response, size: 1000)
            ])
        let last = bench.act(.acknowledge([1]))
        #expect(
            last.contains(.store(.concern(.transfer(.taskRemoved(transfer(1))))))
                && last.contains(.concern(.transfer(.discard(transfer(1))))))
        #expect(bench.transfersOnDisk.isEmpty)
        #expect(bench.device.transferSnapshots.isEmpty)
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.act(.acknowledge([1])).refusals == [.noSuchTask])
    }

    @Test func anOutcomeIsSentUntilAcknowledged() {
        var bench = Bench.withSession()
        bench.download(1)
        #expect(bench.finish(transfer(1)).outcomes == [1])
        #expect(bench.open().outcomes == [1], "a new connection gets the outcome again")
        _ = bench.does(.process(launch(1), .exited(.signaled(11))))
        _ = bench.plays(.device(.appOpened(app(1))))
        let again = bench.open(by: launch(1, 2))
        #expect(again.news.first == .opened(session(), lowestFree: 2))
        #expect(again.outcomes == [1])
        bench.act(.acknowledge([1]), by: launch(1, 2))
        #expect(bench.open(by: launch(1, 2)).outcomes == [])
    }

    @Test func outcomesAreDeliveredInOrderWithinTheWindow() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transferWindow = 3 })
        for number: Int64 in [5, 4, 3, 2, 1] { bench.download(number) }
        for number: Int64 in [3, 5, 1, 2, 4] { bench.finish(transfer(number)) }
        #expect(bench.open().outcomes == [3, 5, 1])
        #expect(bench.act(.acknowledge([5])).outcomes == [2])
        #expect(bench.act(.acknowledge([3, 1])).outcomes == [4])
        #expect(bench.act(.acknowledge([2, 4])).outcomes == [])
        #expect(bench.device.transferSnapshots.isEmpty)
    }

    private static let badURLs: [(url: String, code: Int32)] = [
        ("ftp://example.org/1", -1002), ("file:///etc/passwd", -1002), ("example.org", -1000),
        ("https://", -1000), ("https:///1", -1000), ("http://a b/", -1000), ("http://127.0.0.1:70000/", -1000),
        ("http://%5B%5D/", -1000),
        ("https://example.org/" + String(repeating: "x", count: 9000), -1000),
    ]

    @Test(arguments: badURLs) func aBadURLFailsAtOnce(url: String, code: Int32) {
        var bench = Bench.withSession()
        let made = bench.act(.make(NewTransfer(number: 1, request: TransferRequest(url: url))))
        #expect(made.failures.map(\.code) == [code])
        #expect(bench.act(.resume(1)).begun.isEmpty)
        bench.act(.acknowledge([1]))
        #expect(bench.device.transferSnapshots.isEmpty)
    }

    @Test func invalidRequestsAreIgnoredWithAReason() {
        var bench = Bench.withSession()
        bench.download(1)
        let again = NewTransfer(number: 1, request: TransferRequest(url: "https://example.org/2"))
        #expect(bench.act(.make(again)).refusals == [.numberTaken])
        #expect(bench.device.transferSnapshot(of: transfer(1))?.record.request.url == "https://example.org/1")
        for number in [Int64.min, -1, 0, .max] {
            let act = TransferAct.make(NewTransfer(number: number, request: TransferRequest(url: "https://a/")))
            #expect(bench.act(act).refusals == [.badNumber])
        }
        #expect(bench.act(.resume(2)).refusals == [.noSuchTask])
        #expect(bench.act(.proceed(1, .continueLoading)).refusals == [.notAsked])
        #expect(bench.act(.resume(1), on: "other").refusals == [.sessionNotOpen])
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.act(.cancel(1, keepsPartial: false), by: launch(2)).refusals == [.sessionNotOpen])
        #expect(bench.isRunning(transfer(1)), "another app's session of this name is different")
    }

    @Test func lateReportsAreIgnored() {
        var bench = Bench.withSession()
        bench.download(1)
        let attempt = bench.attempt(transfer(1))
        let before = bench.device
        for report: TransferReport in [
            .completed(transfer(1), attempt: attempt + 1, response, size: 1),
            .failed(transfer(1), attempt: attempt - 1, transientProblem()), .stopped(transfer(1), attempt: 0, nil),
            .moved(transfer(1), errno: nil),
        ] {
            #expect(bench.tell(report).decisions == [.reportIgnored(transfer(1))])
            #expect(bench.device == before)
        }
        #expect(bench.tell(.moved(transfer(9), errno: nil)).decisions == [.reportIgnored(transfer(9))])
    }

    @Test func listsComeInPages() {
        var bench = Bench.withSession()
        for number: Int64 in 1...401 { bench.download(number) }
        bench.finish(transfer(1))
        var after: Int64 = 0
        var numbers: [Int64] = []
        var pages = 0
        while pages < 5, case .listed(let page, let isLast)? = bench.act(.list(after: after)).news.first {
            numbers += page.map(\.number)
            pages += 1
            after = page.last?.number ?? 0
            if isLast { break }
        }
        #expect(pages == 3)
        #expect(numbers == Array(1...401), "also the finished, unacknowledged task")
    }

    @Test func taskPropertiesArePersisted() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.setText(1, "news"))
        bench.act(.setPriority(1, 5000))
        bench.act(.setExpectedToReceive(1, 77))
        let record = bench.transfersOnDisk[transfer(1)]
        #expect(record?.text == "news" && record?.priority == 1000 && record?.expectedToReceive == 77)
        for priority in [0, -5] as [Int32] {
            bench.act(.setPriority(1, priority))
            #expect(bench.transfersOnDisk[transfer(1)]?.priority == 0)
        }
        bench.act(.suspend(1))
        #expect(bench.wait(transfer(1)) == .stop)
        bench.engineStops(transfer(1), checkpoint(500))
        #expect(bench.wait(transfer(1)) == .suspended)
        #expect(bench.act(.resume(1)).begun == [transfer(1)])
        #expect(bench.device.transferJob(of: transfer(1))?.checkpoint?.received == 500)
    }

    /// A task that waits for its retry does not wait any longer when the app has suspended and resumed it.
    @Test func suspendingEndsTheWaitForTheRetry() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), transientProblem()))
        #expect(bench.wait(transfer(1)) == .retry)
        bench.act(.suspend(1))
        #expect(bench.wait(transfer(1)) == .suspended)
        #expect(bench.act(.resume(1)).begun == [transfer(1)])
    }

    /// If no server has announced the length, the app's expected length counts until more bytes have arrived.
    @Test func theLengthThatTheAppExpects() {
        var bench = Bench.withSession()
        bench.download(1)
        let length = { (bench: Bench, reported: Int64?, received: Int64) in
            bench.device.transferSnapshot(of: transfer(1))?.length(reported: reported, received: received)
        }
        #expect(length(bench, nil, 0) == .some(nil) && length(bench, 9, 0) == 9)
        bench.act(.setExpectedToReceive(1, 77))
        #expect(length(bench, nil, 77) == 77 && length(bench, 9, 0) == 9)
        #expect(length(bench, nil, 78) == .some(nil), "more bytes than expected have arrived")
    }

    @Test(arguments: [true, false]) func cancellationKeepsReceivedBytesOnRequest(isWanted: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        let cancelled = bench.act(.cancel(1, keepsPartial: isWanted))
        #expect(cancelled.stopped == [transfer(1)])
        #expect(cancelled.outcomes == [], "not before the engine has stopped")
        let failures = bench.engineStops(transfer(1), checkpoint(500)).failures
        #expect(failures.map(\.code) == [-999])
        #expect(failures.first?.resumable == (isWanted ? checkpoint(500) : nil))
        let last = bench.act(.acknowledge([1]))
        #expect(last.contains(.concern(.transfer(.discard(transfer(1))))) == !isWanted)
    }

    /// The bytes of a task that was canceled with resume data are used by the task that resumes it.
    @Test func aTaskResumesFromAnothersPartialFile() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.acknowledge([1]))
        bench.act(
            .make(
                NewTransfer(number: 2, request: TransferRequest(url: "https://example.org/1"), resumes: transfer(1))))
        bench.act(.resume(2))
        #expect(bench.device.transferJob(of: transfer(2))?.resumes == [transfer(1)])
        #expect(bench.device.transferJob(of: transfer(2))?.checkpoint == checkpoint(500))
        let taken = bench.tell(
            .responded(transfer(2), attempt: bench.attempt(transfer(2)), offset: 500, expected: 1000))
        #expect(taken.news == [.resumed(2, offset: 500, expected: 1000)])
        #expect(taken.contains(.concern(.transfer(.discard(transfer(1))))), "the second task owns the file")
        #expect(bench.transfersOnDisk[transfer(2)]?.resumes == nil)
        #expect(bench.act(.finishTasksAndInvalidate).news == [], "the second task runs on")
    }

    /// The app still has the resume data, and has not acknowledged the failure. The bytes are gone all the same.
    @Test func aFailedTaskLosesItsBytesToTheTaskThatResumesIt() {
        var bench = Bench.withSession()
        let url = "https://example.org/1"
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.make(NewTransfer(number: 2, request: TransferRequest(url: url), resumes: transfer(1))))
        bench.act(.resume(2))
        bench.tell(.responded(transfer(2), attempt: bench.attempt(transfer(2)), offset: 500, expected: 1000))
        let failure = TransferFailure(code: -999, reason: "the app canceled it")
        #expect(bench.transfersOnDisk[transfer(1)]?.outcome == .failed(failure))
    }

    /// A task that is canceled before a response leaves the bytes with the task that it would have resumed.
    @Test(arguments: [true, false]) func resumeDataOfATaskThatNeverBeganIsWorthAsMuch(begins: Bool) {
        var bench = Bench.withSession()
        let url = "https://example.org/1"
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(.acknowledge([1]))
        bench.act(.make(NewTransfer(number: 2, request: TransferRequest(url: url), resumes: transfer(1))))
        if begins { bench.act(.resume(2)) }
        bench.act(.cancel(2, keepsPartial: true))
        // The engine may already have given the file to this task. The engine's report does not say so.
        if begins { bench.engineStops(transfer(2), checkpoint(500)) }
        bench.act(.acknowledge([2]))
        bench.act(.make(NewTransfer(number: 3, request: TransferRequest(url: url), resumes: transfer(2))))
        bench.act(.resume(3))
        #expect(bench.device.transferJob(of: transfer(3))?.checkpoint == checkpoint(500))
        #expect(bench.device.transferJob(of: transfer(3))?.resumes == [transfer(1), transfer(2)])
        let taken = bench.tell(
            .responded(transfer(3), attempt: bench.attempt(transfer(3)), offset: 500, expected: 1000))
        for number: Int64 in 1...2 { #expect(taken.contains(.concern(.transfer(.discard(transfer(number)))))) }
        #expect(bench.device.transferSnapshots.map(\.id) == [transfer(3)])
    }

    /// Resume data names a task. A request for another resource gets none of that task's bytes.
    @Test func resumeDataIsOfOneResource() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        bench.act(
            .make(
                NewTransfer(number: 2, request: TransferRequest(url: "https://example.org/2"), resumes: transfer(1))))
        bench.act(.resume(2))
        let job = bench.device.transferJob(of: transfer(2))
        #expect(job != nil && job?.resumes == [] && job?.checkpoint == nil)
        #expect(bench.device.transferSnapshot(of: transfer(1))?.record.checkpoint == checkpoint(500))
    }

    @Test func anAppCannotTakeAnothersPartialFile() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.act(.cancel(1, keepsPartial: true))
        bench.engineStops(transfer(1), checkpoint(500))
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        bench.act(
            .make(NewTransfer(number: 1, request: TransferRequest(url: "https://a/"), resumes: transfer(1))),
            by: launch(2))
        bench.act(.resume(1), by: launch(2))
        let job = bench.device.transferJob(of: transfer(1, of: session(of: 2)))
        #expect(job != nil && job?.resumes == [] && job?.checkpoint == nil)
    }

    @Test func eachTaskHasTheSessionsSettings() {
        var bench = Bench.withSession(.active) { configuration in
            configuration.fields = [HTTPField(name: "A", value: "session"), HTTPField(name: "B", value: "session")]
            configuration.networks.cellular = false
            configuration.requestTimeout = seconds(7)
        }
        var request = TransferRequest(url: "https://example.org/1")
        request.fields = [HTTPField(name: "a", value: "own")]
        request.networks.constrained = false
        bench.act(.make(NewTransfer(number: 1, request: request)))
        bench.act(.resume(1))
        let job = bench.device.transferJob(of: transfer(1))
        #expect(job?.request.fields.map(\.value) == ["own", "session"])
        #expect(job?.request.networks.cellular == false && job?.request.networks.constrained == false)
        #expect(job?.requestTimeout == seconds(7))
    }
}
