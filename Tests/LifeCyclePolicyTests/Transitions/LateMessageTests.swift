import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Late and repeated messages are normal: they change nothing, and the reason is recorded.
@Suite struct LateMessageTests {
    static let reports: [Event] = [
        .processStarted(launch(1)), .processStartFailed(launch(1), errno: 2),
        .processExited(launch(1), .exited(code: 0)), .processFroze(launch(1), attempt: 1, footprint: 1),
        .freezeFailed(launch(1), attempt: 1, errno: 5), .processFound(launch(1), isFrozen: true),
        .appAttached(launch(1), .new), .appRequested(launch(1), .acknowledge(callback(1), open: [task(1)])),
        .appRequested(launch(1), .beginTask(task(1))), .appRequested(launch(1), .endTask(TaskID(1))),
    ]

    @Test(arguments: reports) func ofALaunchThatIsOver(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.does(.processExited(launch(1), .exited(code: 0)))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    @Test(arguments: reports) func ofAnEarlierLaunchWhileALaterOneRuns(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.does(.processExited(launch(1), .exited(code: 0)))
        _ = bench.plays(.appOpened(app(1)))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    @Test(arguments: reports) func ofAnAppThatIsGone(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.plays(.appUninstalled(app(1)))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    /// Whatever an app says once a kill is on its way means nothing.
    @Test(arguments: reports.suffix(4)) func ofAnAppThatIsBeingKilled(_ event: Event) {
        var bench = Bench.with(.suspended)
        _ = bench.does(.memoryRanShort)
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    static let repeated: [(state: AppState, event: Event)] = [
        (.active, .appRequested(launch(1), .acknowledge(callback(2), open: []))),
        (.active, .appRequested(launch(1), .acknowledge(callback(3), open: []))),
        (.active, .appRequested(launch(1), .acknowledge(callback(-1), open: []))),
        (.suspended, .processFroze(launch(1), attempt: 1, footprint: 9)),
        (.suspended, .processFroze(launch(1), attempt: 2, footprint: 9)),
        (.suspended, .freezeFailed(launch(1), attempt: 1, errno: 5)),
        (.background, .processFroze(launch(1), attempt: 7, footprint: 9)),
        (.active, .processFound(launch(1), isFrozen: false)), (.active, .processFound(launch(1), isFrozen: true)),
        (.suspended, .processFound(launch(1), isFrozen: true)),
    ]

    @Test(arguments: repeated) func repeatedOrInvented(state: AppState, event: Event) {
        // Each counts against the rate of requests, which is beside the point here.
        var bench = Bench.with(state, .iOS26.with { $0.requestRate = nil })
        let before = bench.device
        #expect(bench.does(event).hasSuffix("· 1.1 ignored, late"))
        #expect(bench.device == before)
    }

    @Test func anAcknowledgementOfAnotherCallbackThanTheOneUnderWay() {
        var bench = Bench.with(.active)
        _ = bench.does(.homePressed)
        for id: Int32 in [0, 1, 2, 4, 99] {
            #expect(
                bench.does(.appRequested(launch(1), .acknowledge(callback(id), open: [task(5)])))
                    == "· 1.1 ignored, late")
        }
        #expect(bench.assertions(1) == [.foreground, .callback], "and its tasks are not taken either")
        #expect(bench.does(.appRequested(launch(1), .acknowledge(callback(3), open: []))).contains("1.1 #4"))
    }

    @Test func anAppBeingEndedHasNoTasksAnyMore() {
        var bench = Bench.with(.active)
        _ = bench.does(.appForceQuit(app(1)))
        #expect(bench.begin(1, launch(1)) == "· 1.1 ignored, late")
        #expect(bench.end(1, launch(1)) == "· 1.1 ignored, late")
        #expect(bench.acknowledge(launch(1)).contains("1.1 #4 willTerminate"), "but it may acknowledge")
    }

    @Test func startedTwice() {
        var bench = Bench.with(.active)
        let before = bench.device
        #expect(bench.does(.processStarted(launch(1))) == "")
        #expect(bench.device == before)
    }

    // MARK: Connections that come again

    @Test func aNewConnectionIsToldTheCallbackUnderWayAgain() {
        var bench = Bench.with(.active)
        _ = bench.does(.homePressed)
        let again = Attachment(lastCallback: callback(2), phase: .active, open: [])
        #expect(bench.does(.appAttached(launch(1), again)) == "1.1 #3 willResignActive")
        #expect(bench.does(.appAttached(launch(1), again)) == "1.1 #3 willResignActive")
        #expect(bench.device.nextDeadline?.at == at(10), "its time is not renewed by that")
    }

    @Test func aNewConnectionThatHasAnsweredAlready() {
        var bench = Bench.with(.active)
        _ = bench.does(.homePressed)
        #expect(
            bench.does(
                .appAttached(launch(1), Attachment(lastCallback: callback(3), phase: .falling, open: []))
            )
            .contains("1.1 #4 didEnterBackground"))
    }

    @Test func aNewConnectionIsToldItsTimeAgain() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        #expect(
            bench.does(
                .appAttached(
                    launch(1), Attachment(lastCallback: callback(4), phase: .background, open: [task(1)])))
                == "1.1 has time until +30 s")
    }

    @Test func aNewConnectionDeclaresItsTasks() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        #expect(
            bench.does(
                .appAttached(
                    launch(1), Attachment(lastCallback: callback(4), phase: .background, open: [task(2)]))) == """
                    · 1.1 task 2 granted
                    · 1.1 task 1 ended, 1 open
                    1.1 has time until +30 s
                    """)
    }
}
