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
    @Test(arguments: [("1", AppState.active), ("2", .background), ("3", .active), ("4", .suspended)])
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

    private func table(of policy: Policy, _ app: PlayApp) throws -> PlayTable {
        try #require(try shared.get().entries.first { $0.policy == policy && $0.app == app }).table
    }
}
