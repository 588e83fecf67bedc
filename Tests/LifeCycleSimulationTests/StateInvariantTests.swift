import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of a single event. The invariants reject wrong effects, and accept right ones.
@Suite struct StateInvariantTests {
    private func change(_ from: AppState, _ to: AppState) -> Effect {
        .decided(.launch(launch(), .stateChanged(from: from, to: to)))
    }

    // MARK: One state per app

    /// The transitions of Apple's figure.
    private static let arrows: [(AppState, AppState)] = [
        (.notRunning, .inactive), (.notRunning, .background), (.inactive, .active), (.active, .inactive),
        (.inactive, .background), (.background, .inactive), (.background, .suspended), (.suspended, .background),
        (.inactive, .notRunning), (.active, .notRunning), (.background, .notRunning), (.suspended, .notRunning),
    ]

    @Test(arguments: AppState.allCases, AppState.allCases) func onlyListedTransitionsAreAllowed(
        from: AppState, to: AppState
    ) {
        let isArrow = Self.arrows.contains { $0 == (from, to) }
        #expect((OneStatePerApp.check([change(from, to)], []) == nil) == isArrow)
    }

    @Test func aLaunchAndAStateBelongTogether() {
        #expect(OneStatePerApp.check([], [snapshot(.notRunning)]) != nil)
        #expect(OneStatePerApp.check([], [snapshot(.background, of: nil)]) != nil)
        #expect(OneStatePerApp.check([], [snapshot(.notRunning, of: nil), snapshot(.suspended)]) == nil)
    }

    @Test func twoAreNotActive() {
        let one = snapshot(.active, of: launch(1))
        #expect(OneStatePerApp.check([], [one, snapshot(.active, of: launch(2))]) != nil)
        #expect(OneStatePerApp.check([], [one, snapshot(.inactive, of: launch(2))]) == nil)
    }

    // MARK: Assertions

    @Test func suspensionAndAssertionsExcludeEachOther() {
        #expect(AssertionsHold.check([snapshot(.suspended, assertions: [.wake])]) != nil)
        #expect(AssertionsHold.check([snapshot(.suspended)]) == nil)
    }

    @Test(arguments: [AppState.background, .inactive, .active]) func runningAppsNeedAnAssertion(_ state: AppState) {
        #expect(AssertionsHold.check([snapshot(state)]) != nil)
        #expect(AssertionsHold.check([snapshot(state, assertions: [.callback])]) == nil)
    }

    @Test func freezingAppsNeedNoAssertion() {
        let freeze = Deadline(at: at(1), reason: .freeze(launch()))
        #expect(AssertionsHold.check([snapshot(.background, deadline: freeze)]) == nil)
        let wake = Deadline(at: at(1), reason: .wake(launch()))
        #expect(AssertionsHold.check([snapshot(.background, deadline: wake)]) != nil)
    }

    @Test func openTasksAndTheirAssertionsAreTheSame() {
        #expect(AssertionsHold.check([snapshot(.background, open: [task(1)], assertions: [.callback])]) != nil)
        #expect(AssertionsHold.check([snapshot(.background, assertions: [.task(TaskID(1))])]) != nil)
        #expect(AssertionsHold.check([snapshot(.background, open: [task(1)], assertions: [.task(TaskID(1))])]) == nil)
    }

    // MARK: Deadlines

    @Test func aDeadlineIsNotInThePast() {
        let deadline = Deadline(at: at(1), reason: .wake(launch()))
        #expect(DeadlinesHaveOwners.check(deadline, [snapshot(.background)], now: at(2)) != nil)
        #expect(DeadlinesHaveOwners.check(deadline, [snapshot(.background)], now: at(1)) == nil)
        #expect(DeadlinesHaveOwners.check(nil, [], now: at(1)) == nil)
    }

    @Test func aDeadlineHasAnOwner() {
        let deadline = Deadline(at: at(1), reason: .wake(launch(1, 2)))
        #expect(DeadlinesHaveOwners.check(deadline, [snapshot(.background)], now: at(0)) != nil)
        #expect(DeadlinesHaveOwners.check(deadline, [], now: at(0)) != nil)
        #expect(DeadlinesHaveOwners.check(Deadline(at: at(1), reason: .shutdown), [], now: at(0)) == nil)
    }

    // MARK: Freezes, the foreground

    @Test func aFreezeIsMeant() {
        #expect(FreezesAreMeant.check([.launch(launch(), .freeze(attempt: 1)), .launch(launch(), .thaw)]) != nil)
        #expect(FreezesAreMeant.check([.launch(launch(1), .freeze(attempt: 1)), .launch(launch(2), .thaw)]) == nil)
    }

    @Test func theForegroundAppMustBeActive() {
        #expect(ForegroundIsHonored.check([snapshot(.inactive)], foregroundApp: app(1)) != nil)
        #expect(ForegroundIsHonored.check([snapshot(.suspended)], foregroundApp: app(1)) != nil)
        #expect(ForegroundIsHonored.check([snapshot(.active)], foregroundApp: app(1)) == nil)
        #expect(
            ForegroundIsHonored.check([snapshot(.notRunning, of: nil)], foregroundApp: app(1)) == nil,
            "it has no process")
        #expect(ForegroundIsHonored.check([snapshot(.active)], foregroundApp: nil) != nil)
        #expect(ForegroundIsHonored.check([snapshot(.background)], foregroundApp: app(2)) == nil)
    }

    // MARK: The foreground app

    private func foreground(_ steps: [(Event, [Effect])]) -> AppID? {
        var user = ExpectedForeground()
        for number: Int32 in [1, 2] { user.note(.device(.appInstalled(app(number), manifest())), []) }
        for (event, effects) in steps { user.note(event, effects) }
        return user.app
    }

    private static let opened: (Event, [Effect]) = (.device(.appOpened(app(1))), [.launch(launch(), .start(.user))])
    private static let updated: (Event, [Effect]) = (
        .device(.appInstalled(app(1), manifest())), [.launch(launch(), .kill(.updated))]
    )
    private static let ended = Effect.decided(.launch(launch(), .ended(.updated, .signaled(9))))

    private func exited(_ effects: [Effect]) -> (Event, [Effect]) {
        (.process(launch(), .exited(.signaled(9))), effects)
    }

    @Test func theLastActionDecidesTheForegroundApp() {
        #expect(foreground([]) == nil)
        #expect(foreground([Self.opened]) == app(1))
        #expect(foreground([Self.opened, (.device(.appOpened(app(2))), [])]) == app(2))
        #expect(foreground([Self.opened, (.device(.homePressed), [])]) == nil)
        #expect(foreground([Self.opened, (.device(.appForceQuit(app(1))), [])]) == nil)
        #expect(foreground([Self.opened, (.device(.appForceQuit(app(2))), [])]) == app(1))
        #expect(
            foreground([Self.opened, (.device(.appOpened(app(9))), [])]) == app(1),
            "an app that is not installed cannot be opened")
    }

    @Test func noAppIsInTheForegroundAfterItsEnd() {
        #expect(foreground([Self.opened, exited([Self.ended])]) == nil)
        #expect(
            foreground([Self.opened, exited([.decided(.launch(launch(), .ignoredLate))])]) == app(1),
            "the end of an earlier launch")
        #expect(foreground([Self.opened, (.device(.appOpened(app(2))), []), exited([Self.ended])]) == app(2))
        #expect(foreground([Self.opened, (.device(.appUninstalled(app(1))), [])]) == nil)
        #expect(
            foreground([Self.opened, (.device(.appUninstalled(app(1))), []), (.device(.appOpened(app(1))), [])]) == nil)
        #expect(foreground([Self.opened, Self.updated, exited([Self.ended])]) == nil)
    }

    @Test func anAppOpenedAgainIsInTheForeground() {
        let again = Effect.launch(launch(1, 2), .start(.user))
        #expect(
            foreground([Self.opened, Self.updated, (.device(.appOpened(app(1))), []), exited([Self.ended, again])])
                == app(1))
        #expect(
            foreground([Self.opened, Self.updated, exited([Self.ended]), (.device(.appOpened(app(1))), [again])])
                == app(1))
        #expect(
            foreground([Self.opened, (.device(.homePressed), []), exited([Self.ended, again])]) == nil,
            "the user did not open it")
    }
}
