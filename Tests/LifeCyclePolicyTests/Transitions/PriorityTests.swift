import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// K178: An app has the foreground's priority while it is in the foreground, or on its way there.
@Suite struct PriorityTests {
    private func shares(_ bench: Bench, _ number: Int32 = 1) -> [ProcessPriority] {
        bench.effects.compactMap { effect in
            if case .launch(launch(1, number), .prioritize(let priority)) = effect { priority } else { nil }
        }
    }

    @Test func k178AUsersLaunchHasTheForegroundsShare() {
        var bench = Bench()
        _ = bench.does(.device(.appOpened(app(1))))
        let start = bench.effects.firstIndex(of: .launch(launch(1), .start(.user)))
        let share = bench.effects.firstIndex(of: .launch(launch(1), .prioritize(.foreground)))
        #expect(start.flatMap { start in share.map { $0 == start + 1 } } == true, "from the first instruction")
    }

    @Test func k178AnEventsLaunchHasTheBackgrounds() {
        var bench = Bench.with(.notRunning)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(Set(shares(bench)) == [.background])
    }

    /// T28: The user does not wait for a process that was started early, until the app is opened.
    @Test func k178APrewarmedAppHasBackgroundPriorityUntilOpened() {
        var bench = Bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        _ = bench.plays(.device(.deviceStarted))
        #expect(shares(bench, 2) == [.background])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(shares(bench, 2) == [.background, .foreground])
    }

    @Test func k178ThereAndBack() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.homePressed))
        #expect(shares(bench) == [.foreground, .background])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(shares(bench) == [.foreground, .background, .foreground])
    }

    /// The app gets the background's priority when it has resigned, and at the latest with didEnterBackground.
    @Test func k178TheChangeComesWithTheTransition() {
        var bench = Bench.with(.active)
        #expect(bench.tells(.device(.homePressed)) == [])
        _ = bench.acknowledge(launch(1))
        let end = bench.effects.suffix(4)
        #expect(end.contains(.launch(launch(1), .prioritize(.background))))
        let thaw = Bench.with(.suspended).tellsOnOpening()
        #expect(thaw == ["1.1 has the share of the foreground"], "before willEnterForeground")
    }

    @Test func k178AnInterruptedAppKeepsItsShare() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.interruptionBegan(.call)))
        #expect(shares(bench) == [.foreground])
    }

    @Test func k178AnAdoptedAppHasBothShares() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        _ = bench.plays(.device(.homePressed))
        #expect(shares(bench) == [.foreground, .background])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(shares(bench).last == .foreground)
    }
}

extension Bench {
    fileprivate func tellsOnOpening() -> [String] {
        var copy = self
        return copy.tells(.device(.appOpened(app(1))))
    }
}
