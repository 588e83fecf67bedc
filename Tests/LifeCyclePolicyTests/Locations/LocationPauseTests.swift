import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The pause of standard updates in the background, and the wakes of iOS 4 to 8.
@Suite struct LocationPauseTests {
    private static let paused = "· 1.1 paused\n1.1 paused\n· 1.1 ends a session\nstore app 1: whenInUse"

    /// A bench whose first app has updated its location in the background since now, at the position 0.
    private static func tracking(_ options: StandardUpdates = StandardUpdates(allowsBackground: true)) -> Bench {
        var bench = LocationSessionTests.tracking(.whenInUse, options)
        _ = bench.locates(.device(.homePressed))
        return bench
    }

    // MARK: The pause

    @Test func r140UpdatesThatTellNothingNewArePaused() {
        var bench = Self.tracking()
        #expect(bench.waits(.seconds(899)) == "")
        #expect(bench.device.nextDeadline?.reason == .location)
        #expect(bench.waits(.seconds(1)) == Self.paused)
        #expect(bench.state(1) == .suspended)
        #expect(bench.moves(100_000) == "", "no later position resumes it")
        _ = bench.waits(bench.device.policy.receiverLinger)
        #expect(bench.device.nextDeadline == nil, "the receiver is off")
    }

    /// A device that stays within fifty metres has not moved.
    @Test(arguments: [5000, 5010] as [Int64])
    func r140ASmallChangeIsNone(distance: Int64) {
        var bench = Self.tracking()
        _ = bench.waits(.seconds(600))
        #expect(bench.moves(distance) == "1.1 updates \(distance)")
        #expect(bench.waits(.seconds(300)) == (distance == 5000 ? Self.paused : ""))
        #expect(bench.waits(.seconds(600)) == (distance == 5000 ? "" : Self.paused))
    }

    @Test func r140WithoutThePropertyThereIsNoPause() {
        var bench = Self.tracking(StandardUpdates(allowsBackground: true, pausesAutomatically: false))
        #expect(bench.waits(.seconds(7200)) == "")
        #expect(bench.state(1) == .background)
    }

    @Test func r140ThereIsNoPauseInTheForeground() {
        var bench = LocationSessionTests.tracking()
        #expect(bench.waits(.seconds(7200)) == "")
        _ = bench.locates(.device(.homePressed))
        #expect(bench.waits(.seconds(899)) == "", "the time counts from the background")
    }

    @Test func r140AnUnknownPositionIsNotPaused() {
        var bench = Bench(.iOS26, [.sample(modes: [.location])])
        _ = bench.permits(.whenInUse)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setUpdates(StandardUpdates(allowsBackground: true)))
        _ = bench.locates(.device(.homePressed))
        #expect(bench.waits(.seconds(7200)) == "")
    }

    @Test func r140TheForegroundResumesTheUpdates() {
        var bench = Self.tracking()
        _ = bench.waits(.seconds(900))
        _ = bench.moves(20)
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n· 1.1 resumed\n1.1 resumed\n1.1 updates 20")
        _ = bench.locates(.device(.homePressed))
        #expect(bench.state(1) == .background)
        #expect(bench.waits(.seconds(899)) == "")
    }

    /// A start ends the pause, also in the background.
    @Test func r140AStartResumesTheUpdates() {
        var bench = Self.tracking()
        _ = bench.waits(.seconds(900))
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationUpdate)))
        #expect(bench.assertions(1) == [.wake])
        let start = bench.asks(.setUpdates(StandardUpdates(allowsBackground: true)))
        #expect(start == "· 1.1 resumed\n1.1 resumed\n· 1.1 begins a session\nstore app 1: whenInUse, session of 1.1")
    }

    /// Nothing else of the event makes the system look at the receiver.
    @Test func r140AStartNeedsTheReceiverAgain() {
        var bench = LocationSessionTests.tracking(.always, StandardUpdates(), .iOS7)
        _ = bench.locates(.device(.homePressed))
        _ = bench.waits(.seconds(900))
        _ = bench.waits(.seconds(100))
        let count = bench.effects.count
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.effects[count...].contains(.concern(.location(.setReceiver(true)))))
    }

    /// A wall clock that is set starts the time again.
    @Test func r140AClockThatIsSetStartsTheTimeAgain() {
        var bench = Self.tracking()
        _ = bench.waits(.seconds(600))
        bench.now.wall += .seconds(3600)
        _ = bench.plays(.device(.clockWasSet))
        #expect(bench.waits(.seconds(899)) == "")
        #expect(bench.waits(.seconds(1)) == Self.paused)
    }

    // MARK: iOS 4 to 8

    @Test func r137EachUpdateWakesTheApp() {
        var bench = LocationSessionTests.tracking(.always, StandardUpdates(), .iOS7)
        #expect(bench.locates(.device(.homePressed)) == "")
        #expect(bench.state(1) == .suspended)
        #expect(bench.moves(20) == "thaw 1.1\n1.1 updates 20")
        #expect(bench.assertions(1) == [.wake])
        #expect(bench.moves(40) == "1.1 updates 40", "it runs already")
        _ = bench.waits(bench.device.policy.eventSlice)
        #expect(bench.state(1) == .suspended)
        #expect(bench.moves(60) == "thaw 1.1\n1.1 updates 60")
    }

    @Test func r137WithoutTheModeTheUpdatesWait() {
        var bench = LocationSessionTests.tracking(.always, StandardUpdates(), modes: [], .iOS7)
        _ = bench.locates(.device(.homePressed))
        #expect(bench.moves(20) == "")
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 updates 20")
    }

    @Test func r137TheReceiverStaysOn() {
        var bench = LocationSessionTests.tracking(.whenInUse, StandardUpdates(), .iOS7)
        let count = bench.effects.count
        _ = bench.locates(.device(.homePressed))
        _ = bench.waits(.seconds(100))
        #expect(!bench.effects[count...].contains(.concern(.location(.setReceiver(false)))))
        _ = bench.waits(.seconds(900))
        #expect(bench.effects[count...].contains(.concern(.location(.setReceiver(false)))), "after the pause")
    }
}
