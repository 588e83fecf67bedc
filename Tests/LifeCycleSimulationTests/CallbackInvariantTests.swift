import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of an app's callbacks: their order, their time, and the silence of a suspended app.
@Suite struct CallbackInvariantTests {
    /// Sends and answers the callbacks one after the other. Returns the finding of the grammar for the last.
    private func grammar(_ callbacks: [Callback]) -> String? {
        var grammar = CallbackGrammar()
        _ = grammar.check(.app(launch(), .attached(.new)), [])
        var finding: String?
        for (index, callback) in callbacks.enumerated() {
            if finding != nil { return "before the last: \(finding ?? "")" }
            let id = Int32(index + 1)
            finding = grammar.check(.device(.homePressed), [send(id, callback)])
            _ = grammar.check(acknowledge(id), [])
        }
        return finding
    }

    static let right: [[Callback]] = [
        [
            .launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
            .didBecomeActive,
        ],
        [.launch(.user), .didBecomeActive, .willResignActive, .didBecomeActive, .willResignActive, .willTerminate],
        [.launch(.locationMonitoring), .didEnterBackground, .didEnterBackground, .expireTasks, .willEnterForeground],
        [.launch(.locationMonitoring), .expireTasks, .didEnterBackground, .willTerminate],
        [.launch(.user), .willTerminate],
    ]

    @Test(arguments: right) func acceptsTheOrdersOfTheTable(_ callbacks: [Callback]) {
        #expect(grammar(callbacks) == nil)
    }

    static let wrong: [[Callback]] = [
        [.didBecomeActive], [.launch(.user), .launch(.user)], [.launch(.user), .willResignActive],
        [.launch(.user), .didEnterBackground], [.launch(.locationMonitoring), .didBecomeActive],
        [.launch(.user), .didBecomeActive, .didEnterBackground], [.launch(.user), .didBecomeActive, .didBecomeActive],
        [.launch(.user), .didBecomeActive, .willTerminate], [.launch(.user), .didBecomeActive, .expireTasks],
        [.launch(.locationMonitoring), .willEnterForeground, .didEnterBackground],
        [.launch(.user), .didBecomeActive, .willResignActive, .willEnterForeground],
        [.launch(.user), .willTerminate, .didBecomeActive],
    ]

    @Test(arguments: wrong) func objectsToEveryOtherOrder(_ callbacks: [Callback]) {
        #expect(grammar(callbacks)?.contains("is sent \(callbacks.last?.name ?? "")") == true)
    }

    @Test func objectsToASecondCallbackBeforeTheFirstIsAnswered() {
        var grammar = CallbackGrammar()
        #expect(grammar.check(.app(launch(), .attached(.new)), [send(1, .launch(.user))]) == nil)
        #expect(
            grammar.check(.device(.homePressed), [send(1, .launch(.user))]) == nil, "repeated to a new connection")
        #expect(grammar.check(acknowledge(9), [send(2, .didBecomeActive)]) != nil)
    }

    // MARK: Silence

    private func silence(_ events: [(Event, [Effect])]) -> String? {
        var silence = SuspendedAppsReceiveNothing()
        return events.compactMap { silence.check($0.0, $0.1) }.first
    }

    private static let freezing: (Event, [Effect]) = (.device(.homePressed), [.launch(launch(), .freeze(attempt: 1))])
    private static let found: (Event, [Effect]) = (.process(launch(), .found(isFrozen: true)), [])

    @Test(arguments: [
        [send(3, .willTerminate)], [.launch(launch(), .send(.backgroundTime(until: nil)))],
        [.launch(launch(), .requestExit)],
        [send(3, .willEnterForeground), .launch(launch(), .thaw)],
    ]) func objectsToMessagesToAFrozenApp(_ effects: [Effect]) {
        #expect(silence([Self.freezing, (.device(.homePressed), effects)]) != nil)
        #expect(silence([Self.found, (.device(.homePressed), effects)]) != nil)
        #expect(silence([(.device(.homePressed), Self.freezing.1 + effects)]) != nil)
        #expect(silence([Self.freezing, (.process(launch(), .froze(attempt: 1, footprint: 0)), effects)]) != nil)
    }

    @Test func aThawEndsTheSilence() {
        #expect(
            silence([
                Self.freezing, (.device(.homePressed), [.launch(launch(), .thaw), send(3, .willEnterForeground)]),
            ]) == nil)
        #expect(silence([Self.freezing, (.device(.homePressed), [send(3, .willTerminate, to: launch(2))])]) == nil)
        let failed = Event.process(launch(), .freezeFailed(attempt: 1, errno: 5))
        #expect(silence([Self.freezing, (failed, [send(3, .willTerminate)])]) == nil)
        #expect(silence([Self.freezing, (.process(launch(), .exited(.unknown)), [send(3, .willTerminate)])]) == nil)
        let running = Event.process(launch(), .found(isFrozen: false))
        #expect(silence([Self.freezing, (running, [send(3, .willTerminate)])]) == nil)
        #expect(
            silence([
                Self.freezing, (.device(.homePressed), [.launch(launch(), .thaw), .launch(launch(), .requestExit)]),
            ]) == nil)
        #expect(
            silence([
                Self.freezing, (.device(.homePressed), [.launch(launch(2), .thaw), send(3, .willEnterForeground)]),
            ]) != nil)
    }

    /// A late report does not suspend an app that was thawed meanwhile.
    @Test func aLateReportIsNoFreeze() {
        let froze = Event.process(launch(), .froze(attempt: 1, footprint: 0))
        let thawed: (Event, [Effect]) = (.device(.homePressed), [.launch(launch(), .thaw)])
        let late: (Event, [Effect]) = (froze, [.decided(.launch(launch(), .ignoredLate))])
        #expect(silence([Self.freezing, thawed, late, (.device(.homePressed), [send(3, .willTerminate)])]) == nil)
    }

    // MARK: Limits

    private func limits(
        _ steps: [(Event, [Effect], Nanoseconds)], policy: Policy = .iOS26
    ) -> String? {
        var limits = LimitsAreKept()
        return steps.compactMap { limits.check($0.0, $0.1, [], policy: policy, now: $0.2) }.first
    }

    private static let opened: (Event, [Effect], Nanoseconds) = (
        .device(.appOpened(app(1))), [.launch(launch(), .start(.user))], at(0)
    )

    @Test func objectsToALaunchThatIsNotEnded() {
        #expect(limits([Self.opened, (.deadlineReached, [], at(19))]) == nil)
        #expect(limits([Self.opened, (.deadlineReached, [], at(20))]) != nil)
        #expect(
            limits([Self.opened, (.device(.homePressed), [], at(20))]) == nil, "the deadline may come at the same time")
        #expect(limits([Self.opened, (.device(.homePressed), [], at(21))]) != nil)
    }

    static let lengths: [(callback: Callback, length: Int64)] = [
        (.willResignActive, 10), (.didEnterBackground, 5), (.willEnterForeground, 10), (.didBecomeActive, 10),
        (.expireTasks, 5), (.willTerminate, 5),
    ]

    @Test(arguments: lengths) func objectsToAHangAndToAnEarlyKill(callback: Callback, length: Int64) {
        let sent: (Event, [Effect], Nanoseconds) = (.device(.homePressed), [send(3, callback)], at(0))
        let kill = Effect.launch(launch(), .kill(.watchdog(callback)))
        #expect(limits([sent, (.deadlineReached, [], at(length))]) != nil)
        #expect(limits([sent, (.deadlineReached, [kill], at(length))]) == nil)
        #expect(limits([sent, (.deadlineReached, [kill], at(length) - Nanoseconds(1))]) != nil)
        #expect(
            limits([sent, (.process(launch(), .exited(.unknown)), [], at(1)), (.deadlineReached, [], at(99))]) == nil)
        let answered = limits([sent, (acknowledge(3), [], at(1)), (.deadlineReached, [], at(99))])
        #expect((answered == nil) == (callback != .willTerminate), "the limit also covers the exit")
    }

    @Test func objectsToAKillForACallbackThatIsNotUnderWay() {
        #expect(limits([(.deadlineReached, [.launch(launch(), .kill(.watchdog(.didBecomeActive)))], at(0))]) != nil)
        let sent: (Event, [Effect], Nanoseconds) = (.device(.homePressed), [send(3, .willResignActive)], at(0))
        #expect(
            limits([sent, (.deadlineReached, [.launch(launch(), .kill(.watchdog(.didBecomeActive)))], at(10))]) != nil)
    }

    @Test func theRiseSharesOneLimit() {
        let rise: [(Event, [Effect], Nanoseconds)] = [
            (.device(.homePressed), [send(3, .willEnterForeground)], at(0)),
            (acknowledge(3), [send(4, .didBecomeActive)], at(7)),
        ]
        #expect(limits(rise + [(.deadlineReached, [], at(9))]) == nil)
        #expect(limits(rise + [(.deadlineReached, [], at(10))]) != nil)
    }

    @Test func aRepeatedCallbackHasNoNewLimit() {
        let sent: (Event, [Effect], Nanoseconds) = (.device(.homePressed), [send(3, .willResignActive)], at(0))
        let again: (Event, [Effect], Nanoseconds) = (.device(.homePressed), [send(3, .willResignActive)], at(9))
        #expect(limits([sent, again, (.deadlineReached, [], at(10))]) != nil)
    }
}
