import LifeCycleModel
import LifeCycleSimulation
import Testing

@testable import LifeCyclePlay

@Suite struct TableTests {
    /// One whole table. The tables of all generations are checked when the release build makes the page.
    @Test func theTableMatchesTheDevice() throws {
        let table = try PlayTable(policy: .iOS7, app: .optOut)
        try table.check(policy: .iOS7, app: .optOut)
        #expect(table.edges.joined().contains { edge in table.runs[edge.run].contains { $0.kind == .no } })
        #expect(Set(table.facts.map(\.state)).isSuperset(of: [.notRunning, .inactive, .active]))
    }

    /// The page's scenarios end in the states that they name.
    @Test(arguments: [
        ("1", AppState.active), ("2", .background), ("3", .active), ("4", .suspended), ("5", .suspended),
        ("6", .suspended), ("7", .active), ("8", .suspended),
    ])
    func scenariosEndWhereTheySay(word: String, state: AppState) throws {
        let scenario = try #require(PlayScenario.all.first { $0.word == word })
        #expect(walk(Start(.iOS26, .scenes), scenario.acts).facts.state == state)
    }

    /// A push or a fetch wakes a suspended app or launches one, and the app is suspended again.
    @Test(arguments: [
        (PlayAct.push, "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"),
        (.fetch, "application(_:performFetchWithCompletionHandler:)"),
    ])
    func theAppIsWokenAndSuspendedAgain(act: PlayAct, method: String) throws {
        let start = Start(.iOS26, .delegate)
        for before: [PlayAct] in [[.launch, .home], [.launch, .home, .memoryShort], [.launch, .lock]] {
            let lines = walk(start, before + [act]).lines
            #expect(lines.compactMap(\.state).suffix(2) == [.background, .suspended], "\(before)")
            let calls = lines.filter { $0.kind == .call }.map(\.text.english)
            #expect(calls.last == method, "\(before)")
        }
        // After a force quit the app is not called, and neither is it in a generation without pushes or fetches.
        #expect(walk(start, [.launch, .swipe, act]).lines.map(\.kind) != [])
        #expect(!walk(start, [.launch, .swipe, act]).lines.contains { $0.kind == .call || $0.kind == .state })
        #expect(walk(Start(.iOS4, .delegate), [.launch, .home, act]).lines.map(\.kind) == [.no])
    }

    /// A push before the first unlock waits for the unlock, and a force quit drops it.
    @Test func aPushWaitsForTheFirstUnlocking() throws {
        let start = Start(.iOS26, .scenes)
        let held = walk(start, [.launch, .home, .restart, .push])
        #expect(held.facts.isPushHeld && !held.lines.contains { $0.kind == .call })
        let unlocked = walk(start, [.launch, .home, .restart, .push, .unlock])
        #expect(!unlocked.facts.isPushHeld)
        #expect(
            unlocked.lines.contains { $0.text.english.contains("didReceiveRemoteNotification") && $0.kind == .call })
        #expect(!walk(start, [.launch, .home, .restart, .push, .swipe]).facts.isPushHeld)
    }

    /// A notification fires once. The notification is displayed, also if its app does not run, or delivered to the app
    /// in the foreground.
    @Test func aNotificationIsDisplayedOrDelivered() throws {
        for policy in Policy.presets.dropLast() {
            let start = Start(policy, .delegate)
            for way: [PlayAct] in [[.home], [.swipe], [.crash], [.lock], [.home, .memoryShort], [.restart]] {
                let scheduled = walk(start, [.launch, .schedule] + way)
                #expect(scheduled.facts.notification == .scheduled, "\(way)")
                let shown = walk(start, [.launch, .schedule] + way + [.time])
                #expect(shown.facts.notification == .shown && !shown.lines.contains { $0.kind == .call }, "\(way)")
            }
            let foreground = walk(start, [.launch, .schedule, .time])
            #expect(foreground.facts.notification == .none)
            #expect(foreground.lines.filter { $0.kind == .call }.map(\.text.english) == ["application(_:didReceive:)"])
            #expect(walk(start, [.launch, .schedule, .time, .time]).lines.map(\.kind) == [.no])
            // A tap launches the app, or calls it before it becomes active.
            let tapped = walk(start, [.launch, .schedule, .home, .time, .tap])
            #expect(tapped.facts.state == .active && tapped.facts.notification == .none)
            #expect(
                tapped.lines.filter { $0.kind == .call }.map(\.text.english) == [
                    "applicationWillEnterForeground(_:)", "application(_:didReceive:)",
                    "applicationDidBecomeActive(_:)",
                ])
            #expect(walk(start, [.launch, .schedule, .swipe, .time, .tap]).facts.state == .active)
        }
    }

    /// Only one thing at a time can wait for time to pass.
    @Test func aTaskAndANotificationAreNotThereAtOnce() throws {
        let start = Start(.iOS26, .scenes)
        for acts: [PlayAct] in [[.begin, .schedule], [.schedule, .begin], [.schedule, .schedule]] {
            #expect(walk(start, [.launch] + acts).lines.map(\.kind) == [.no], "\(acts)")
        }
    }

    /// The start of a game: an app and a generation.
    private struct Start {
        let policy: Policy
        let app: PlayApp

        init(_ policy: Policy, _ app: PlayApp) { (self.policy, self.app) = (policy, app) }
    }

    /// The facts after all actions, and the lines of the last.
    private func walk(_ start: Start, _ acts: [PlayAct]) -> (facts: PlayFacts, lines: [PlayLine]) {
        var world = PlayWorld(policy: start.policy, app: start.app)
        var lines: [PlayLine] = []
        for act in acts { lines = world.perform(act) }
        return (world.facts, lines)
    }
}
