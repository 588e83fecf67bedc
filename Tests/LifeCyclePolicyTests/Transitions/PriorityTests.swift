import LifeCycleModel
import LifeCyclePolicy
import Testing

/// K178: whoever is in front, or on its way there, has the foreground's share.
@Suite struct PriorityTests {
    private func shares(_ bench: Bench, _ number: Int32 = 1) -> [ProcessPriority] {
        bench.effects.compactMap { effect in
            if case .prioritize(launch(1, number), let priority) = effect { priority } else { nil }
        }
    }

    @Test func k178AUsersLaunchHasTheForegroundsShare() {
        var bench = Bench()
        _ = bench.does(.appOpened(app(1)))
        let start = bench.effects.firstIndex(of: .start(launch(1), .user))
        let share = bench.effects.firstIndex(of: .prioritize(launch(1), .foreground))
        #expect(start.flatMap { start in share.map { $0 == start + 1 } } == true, "from its first instruction on")
    }

    @Test func k178AnEventsLaunchHasTheBackgrounds() {
        var bench = Bench.with(.notRunning)
        _ = bench.plays(.wakeOccurred(app(1), .locationMonitoring))
        #expect(Set(shares(bench)) == [.background])
    }

    /// T28: until it is opened, nobody waits for one that was started early.
    @Test func k178OneStartedEarlyHasTheBackgroundsUntilItIsOpened() {
        var bench = Bench()
        _ = bench.plays(.appOpened(app(1)))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        _ = bench.plays(.deviceStarted)
        #expect(shares(bench, 2) == [.background])
        _ = bench.plays(.appOpened(app(1)))
        #expect(shares(bench, 2) == [.background, .foreground])
    }

    @Test func k178ThereAndBack() {
        var bench = Bench.with(.active)
        _ = bench.plays(.homePressed)
        #expect(shares(bench) == [.foreground, .background])
        _ = bench.plays(.appOpened(app(1)))
        #expect(shares(bench) == [.foreground, .background, .foreground])
    }

    /// It has the background's share no earlier than it has resigned, and no later than didEnterBackground.
    @Test func k178TheChangeComesWithTheTransition() {
        var bench = Bench.with(.active)
        #expect(bench.tells(.homePressed) == [])
        _ = bench.acknowledge(launch(1))
        let end = bench.effects.suffix(4)
        #expect(end.contains(.prioritize(launch(1), .background)))
        let thaw = Bench.with(.suspended).tellsOnOpening()
        #expect(thaw == ["1.1 has the share of the foreground"], "before willEnterForeground")
    }

    @Test func k178AnInterruptedAppKeepsIt() {
        var bench = Bench.with(.active)
        _ = bench.plays(.interruptionBegan(.call))
        #expect(shares(bench) == [.foreground])
    }

    @Test func k178AnAdoptedAppToo() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, isAdopted: true)])
        _ = bench.plays(.homePressed)
        #expect(shares(bench) == [.foreground, .background])
        _ = bench.plays(.appOpened(app(1)))
        #expect(shares(bench).last == .foreground)
    }
}

extension Bench {
    fileprivate func tellsOnOpening() -> [String] {
        var copy = self
        return copy.tells(.appOpened(app(1)))
    }
}
