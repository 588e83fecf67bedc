import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Late and repeated messages, which are normal. Such messages change nothing, and the reason is recorded.
@Suite struct LateMessageTests {
    static let reports: [Event] = [
        .process(launch(1), .started), .process(launch(1), .startFailed(errno: 2)),
        .process(launch(1), .exited(.exited(code: 0))), .process(launch(1), .froze(attempt: 1, footprint: 1)),
        .process(launch(1), .freezeFailed(attempt: 1, errno: 5)), .process(launch(1), .found(isFrozen: true)),
        .app(launch(1), .attached(.new)), .app(launch(1), .requested(.acknowledge(callback(1), open: [task(1)]))),
        .app(launch(1), .requested(.beginTask(task(1)))), .app(launch(1), .requested(.endTask(TaskID(1)))),
    ]

    @Test(arguments: reports) func messagesOfAnEndedLaunchAreIgnored(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.does(.process(launch(1), .exited(.exited(code: 0))))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    @Test(arguments: reports) func messagesOfAnEarlierLaunchAreIgnored(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.does(.process(launch(1), .exited(.exited(code: 0))))
        _ = bench.plays(.device(.appOpened(app(1))))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    @Test(arguments: reports) func messagesOfAnUninstalledAppAreIgnored(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.appUninstalled(app(1))))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    /// The messages of an app are ignored once a kill is pending, and so is another program's thaw.
    @Test(arguments: reports.suffix(4) + [.process(launch(1), .thawed)])
    func messagesOfAKilledAppAreIgnored(_ event: Event) {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        let before = bench.device
        #expect(bench.does(event) == "· 1.1 ignored, late")
        #expect(bench.device == before)
    }

    static let repeated: [(state: AppState, event: Event)] = [
        (.active, .app(launch(1), .requested(.acknowledge(callback(2), open: [])))),
        (.active, .app(launch(1), .requested(.acknowledge(callback(3), open: [])))),
        (.active, .app(launch(1), .requested(.acknowledge(callback(-1), open: [])))),
        (.suspended, .process(launch(1), .froze(attempt: 1, footprint: 9))),
        (.suspended, .process(launch(1), .froze(attempt: 2, footprint: 9))),
        (.suspended, .process(launch(1), .freezeFailed(attempt: 1, errno: 5))),
        (.background, .process(launch(1), .froze(attempt: 7, footprint: 9))),
        (.active, .process(launch(1), .found(isFrozen: false))), (.active, .process(launch(1), .found(isFrozen: true))),
        (.suspended, .process(launch(1), .found(isFrozen: true))),
    ]

    @Test(arguments: repeated) func repeatedOrInvented(state: AppState, event: Event) {
        // Each message counts against the request rate, which is not tested here.
        var bench = Bench.with(state, .iOS26.with { $0.requestRate = nil })
        let before = bench.device
        #expect(bench.does(event).hasSuffix("· 1.1 ignored, late"))
        #expect(bench.device == before)
    }

    @Test func anAcknowledgmentOfAnotherCallbackThanTheOneUnderWay() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        for id: Int32 in [0, 1, 2, 4, 99] {
            #expect(
                bench.does(.app(launch(1), .requested(.acknowledge(callback(id), open: [task(5)]))))
                    == "· 1.1 ignored, late")
        }
        #expect(bench.assertions(1) == [.foreground, .callback], "its list of tasks is ignored, too")
        #expect(bench.does(.app(launch(1), .requested(.acknowledge(callback(3), open: [])))).contains("1.1 #4"))
    }

    @Test func anAppBeingEndedHasNoTasksAnyMore() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.begin(1, launch(1)) == "· 1.1 ignored, late")
        #expect(bench.end(1, launch(1)) == "· 1.1 ignored, late")
        #expect(bench.acknowledge(launch(1)).contains("1.1 #4 willTerminate"), "an acknowledgement is still accepted")
    }

    @Test func startedTwice() {
        var bench = Bench.with(.active)
        let before = bench.device
        #expect(bench.does(.process(launch(1), .started)) == "")
        #expect(bench.device == before)
    }

    // MARK: Reconnections

    @Test func aNewConnectionRepeatsTheCallbackUnderWay() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        let again = Attachment(lastCallback: callback(2), phase: .active, open: [])
        #expect(bench.does(.app(launch(1), .attached(again))) == "1.1 #3 willResignActive")
        #expect(bench.does(.app(launch(1), .attached(again))) == "1.1 #3 willResignActive")
        #expect(bench.device.nextDeadline?.at == at(10), "the time limit is not renewed")
    }

    @Test func aNewConnectionThatHasAnsweredAlready() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        #expect(
            bench.does(
                .app(launch(1), .attached(Attachment(lastCallback: callback(3), phase: .falling, open: [])))
            )
            .contains("1.1 #4 didEnterBackground"))
    }

    @Test func aNewConnectionRepeatsTheBackgroundTime() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        #expect(
            bench.does(
                .app(launch(1), .attached(Attachment(lastCallback: callback(4), phase: .background, open: [task(1)]))))
                == "1.1 has time until +30 s")
    }

    @Test func aNewConnectionDeclaresItsTasks() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        #expect(
            bench.does(
                .app(launch(1), .attached(Attachment(lastCallback: callback(4), phase: .background, open: [task(2)]))))
                    == """
                    · 1.1 task 2 granted
                    · 1.1 task 1 ended, 1 open
                    1.1 has time until +30 s
                    """)
    }
}
