import LifeCycleModel
import LifeCycleSimulation
import Testing

@testable import LifeCyclePlay

@Suite struct TableTests {
    /// A table tells states apart only by what its key holds. Were two states one there that the brain treats differently,
    /// long walks of the device itself would sooner or later part from the table: they do not.
    @Test(arguments: Policy.presets)
    func longWalksOfTheDeviceGoAsTheTableSays(policy: Policy) throws {
        for entry in try shared.get().entries where entry.policy == policy {
            let (app, table) = (entry.app, entry.table)
            var random = RandomSource(seed: 20_261_122)
            for _ in 0..<6 {
                var world = PlayWorld(policy: policy, app: app)
                var place = 0
                var acts: [PlayAct] = []
                for _ in 0..<250 {
                    let number = random.below(PlayAct.allCases.count)
                    let act = PlayAct.allCases[number]
                    acts.append(act)
                    let edge = table.edges[place][number]
                    let lines = world.perform(act)
                    try #require(lines == table.runs[edge.run], "\(policy.name), \(app), after \(acts.suffix(12))")
                    try #require(world.facts == table.facts[edge.next], "\(policy.name), \(app), \(acts.suffix(12))")
                    place = edge.next
                }
            }
        }
    }

    /// The page's scenarios lead where they say they do.
    @Test(arguments: [
        ("1", AppState.active), ("2", .background), ("3", .active), ("4", .suspended), ("5", .suspended),
        ("6", .suspended), ("7", .active), ("8", .suspended),
    ])
    func scenariosEndWhereTheySay(word: String, state: AppState) throws {
        let table = try table(of: .iOS26, .scenes)
        let scenario = try #require(PlayScenario.all.first { $0.word == word })
        var place = 0
        for act in scenario.acts {
            let number = try #require(PlayAct.allCases.firstIndex(of: act))
            place = table.edges[place][number].next
        }
        #expect(table.facts[place].state == state)
    }

    /// What is refused changes nothing, and says why.
    @Test func refusalsChangeNothing() throws {
        let table = try table(of: .iOS26, .scenes)
        var refusals = 0
        for (place, row) in table.edges.enumerated() {
            for edge in row where table.runs[edge.run].contains(where: { $0.kind == .no }) {
                refusals += 1
                #expect(edge.next == place)
            }
        }
        #expect(refusals > 0)
    }

    /// Nobody sees a state that the lines before it do not lead to.
    @Test func theLinesLeadToTheStateThatIsShown() throws {
        for table in try shared.get().entries.map(\.table) {
            for (place, row) in table.edges.enumerated() {
                for edge in row {
                    let last = table.runs[edge.run].compactMap(\.state).last ?? table.facts[place].state
                    #expect(last == table.facts[edge.next].state)
                }
            }
        }
    }

    /// What wakes an app brings it to life in the background, and it sleeps again: suspended or gone, for a push or a fetch.
    @Test(arguments: [
        (PlayAct.push, "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"),
        (.fetch, "application(_:performFetchWithCompletionHandler:)"),
    ])
    func itIsWokenAndSleepsAgain(act: PlayAct, method: String) throws {
        let table = try table(of: .iOS26, .delegate)
        for start: [PlayAct] in [[.launch, .home], [.launch, .home, .memoryShort], [.launch, .lock]] {
            let lines = walk(table, start + [act]).lines
            #expect(lines.compactMap(\.state).suffix(2) == [.background, .suspended], "\(start)")
            let calls = lines.filter { $0.kind == .call }.map(\.text.english)
            #expect(calls.last == method, "\(start)")
        }
        // Swiped away, the app hears nothing of it; nor does it where this generation has no such thing.
        #expect(walk(table, [.launch, .swipe, act]).lines.map(\.kind) != [])
        #expect(!walk(table, [.launch, .swipe, act]).lines.contains { $0.kind == .call || $0.kind == .state })
        #expect(walk(try self.table(of: .iOS4, .delegate), [.launch, .home, act]).lines.map(\.kind) == [.no])
    }

    /// A push before the first unlocking waits for it, and is gone where the app is swiped away before.
    @Test func aPushWaitsForTheFirstUnlocking() throws {
        let table = try table(of: .iOS26, .scenes)
        let held = walk(table, [.launch, .home, .restart, .push])
        #expect(held.facts.isPushHeld && !held.lines.contains { $0.kind == .call })
        let unlocked = walk(table, [.launch, .home, .restart, .push, .unlock])
        #expect(!unlocked.facts.isPushHeld)
        #expect(
            unlocked.lines.contains { $0.text.english.contains("didReceiveRemoteNotification") && $0.kind == .call })
        #expect(!walk(table, [.launch, .home, .restart, .push, .swipe]).facts.isPushHeld)
    }

    /// A notification is shown to whom it does not run for as well, and handed to an app in front; it fires once.
    @Test func aNotificationIsShownOrHanded() throws {
        for policy in Policy.presets.dropLast() {
            let table = try table(of: policy, .delegate)
            for way: [PlayAct] in [[.home], [.swipe], [.crash], [.lock], [.home, .memoryShort], [.restart]] {
                let scheduled = walk(table, [.launch, .schedule] + way)
                #expect(scheduled.facts.notification == .scheduled, "\(way)")
                let shown = walk(table, [.launch, .schedule] + way + [.time])
                #expect(shown.facts.notification == .shown && !shown.lines.contains { $0.kind == .call }, "\(way)")
            }
            let front = walk(table, [.launch, .schedule, .time])
            #expect(front.facts.notification == .none)
            #expect(front.lines.filter { $0.kind == .call }.map(\.text.english) == ["application(_:didReceive:)"])
            #expect(walk(table, [.launch, .schedule, .time, .time]).lines.map(\.kind) == [.no])
            // A tap launches it, or calls it before it is active.
            let tapped = walk(table, [.launch, .schedule, .home, .time, .tap])
            #expect(tapped.facts.state == .active && tapped.facts.notification == .none)
            #expect(
                tapped.lines.filter { $0.kind == .call }.map(\.text.english) == [
                    "applicationWillEnterForeground(_:)", "application(_:didReceive:)",
                    "applicationDidBecomeActive(_:)",
                ])
            #expect(walk(table, [.launch, .schedule, .swipe, .time, .tap]).facts.state == .active)
        }
    }

    /// One thing at a time that time brings.
    @Test func aTaskAndANotificationAreNotThereAtOnce() throws {
        let table = try table(of: .iOS26, .scenes)
        for acts: [PlayAct] in [[.begin, .schedule], [.schedule, .begin], [.schedule, .schedule]] {
            #expect(walk(table, [.launch] + acts).lines.map(\.kind) == [.no], "\(acts)")
        }
    }

    /// Where acts lead, and what the last of them shows.
    private func walk(_ table: PlayTable, _ acts: [PlayAct]) -> (facts: PlayFacts, lines: [PlayLine]) {
        var (place, lines): (Int, [PlayLine]) = (0, [])
        for act in acts {
            let edge = table.edges[place][PlayAct.allCases.firstIndex(of: act) ?? 0]
            (place, lines) = (edge.next, table.runs[edge.run])
        }
        return (table.facts[place], lines)
    }

    private func table(of policy: Policy, _ app: PlayApp) throws -> PlayTable {
        try #require(try shared.get().entries.first { $0.policy == policy && $0.app == app }).table
    }
}
