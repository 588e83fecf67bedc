import LifeCycleModel
import LifeCyclePolicy
import Testing

/// K008, K009: Only an active app receives input. Input for another app is dropped, with a reason.
@Suite struct EventTests {
    private static let touch = Event.device(.inputOccurred(app(1), .touch(x: 1500, y: 2000)))

    @Test func k008AnActiveAppGetsThemInOrder() {
        var bench = Bench.with(.active)
        #expect(bench.does(Self.touch) == "1.1 gets a touch at 1500, 2000")
        #expect(bench.does(.device(.inputOccurred(app(1), .text("né 👋")))) == "1.1 gets né 👋")
    }

    @Test(arguments: [AppState.notRunning, .inactive, .background, .suspended])
    func k009NoOtherAppReceivesEvents(_ state: AppState) {
        var bench = Bench.with(state)
        let before = bench.device
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: \(state.name)")
        #expect(bench.device == before)
    }

    @Test func inputForAnUnknownAppIsDropped() {
        var bench = Bench()
        #expect(bench.does(.device(.inputOccurred(app(9), .text("a")))) == "· app 9 unknown")
    }

    /// The app's own side delivers the input only after didBecomeActive has returned.
    @Test func inputIsDeliveredFromDidBecomeActive() {
        var bench = Bench()
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
        _ = bench.does(.process(launch(1), .started))
        _ = bench.does(.app(launch(1), .attached(.new)))
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
        _ = bench.acknowledge(launch(1))
        #expect(bench.does(Self.touch) == "1.1 gets a touch at 1500, 2000")
    }

    @Test func inputIsDroppedFromWillResignActive() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        #expect(bench.state(1) == .active, "the app has not acknowledged yet")
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
    }

    /// T09: Input is dropped as soon as the user acts. The app is notified later, because another callback is pending.
    @Test(arguments: [
        Event.device(.deviceLocked), .device(.homePressed), .device(.interruptionBegan(.call)),
        .device(.appOpened(app(2))),
    ])
    func inputIsDroppedBeforeAPendingWillResignActive(_ event: Event) {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.memoryRanLow))
        #expect(bench.does(Self.touch) == "1.1 gets a touch at 1500, 2000", "a warning changes nothing")
        _ = bench.does(event)
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
    }

    /// The user does not see an app in a transient activation.
    @Test func inputIsDroppedInATransientActivation() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.acknowledge(launch(1))
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
        _ = bench.plays()
        #expect(bench.state(2) == .active)
    }

    @Test func inputIsDroppedDuringAnInterruption() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.interruptionBegan(.notificationCenter)))
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
        _ = bench.plays(.device(.interruptionDismissed))
        #expect(bench.does(Self.touch) == "1.1 gets a touch at 1500, 2000")
    }

    @Test func inputIsDroppedWhileTheAppIsEnded() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
    }

    @Test func anAdoptedAppReceivesNoEvents() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        #expect(bench.state(1) == .active)
        #expect(bench.does(Self.touch).hasPrefix("· input for app 1 dropped"))
    }

    @Test func inputIsDeliveredAfterReconnection() {
        var bench = Bench.with(.active)
        _ = bench.restarts()
        #expect(bench.does(Self.touch) == "· input for app 1 dropped: inactive")
        _ = bench.plays()
        #expect(bench.does(Self.touch) == "1.1 gets a touch at 1500, 2000")
    }
}
