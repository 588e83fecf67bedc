import LifeCycleModel
import LifeCycleSimulation

extension PlayTable {
    /// Checks the table against the device that it was made from.
    ///
    /// A table distinguishes states only by its keys. If the brain treated two states with the same key differently,
    /// long walks on the device would soon differ from the table. Throws at the first difference.
    func check(policy: Policy, app: PlayApp) throws(Failure) {
        func fail(_ what: String) -> Failure { Failure(description: "\(policy.name), \(app): \(what)") }
        for (place, row) in edges.enumerated() {
            for edge in row {
                let lines = runs[edge.run]
                let last = lines.compactMap(\.state).last ?? facts[place].state
                guard last == facts[edge.next].state else { throw fail("the lines of state \(place) lead elsewhere") }
                guard edge.next == place || !lines.contains(where: { $0.kind == .no }) else {
                    throw fail("what is refused in state \(place) changes it")
                }
            }
        }
        var random = RandomSource(seed: 20_261_122)
        for _ in 0..<6 {
            var world = PlayWorld(policy: policy, app: app)
            var place = 0
            var acts: [PlayAct] = []
            for _ in 0..<250 {
                let number = random.below(PlayAct.all.count)
                let act = PlayAct.all[number]
                acts.append(act)
                let edge = edges[place][number]
                guard world.perform(act) == runs[edge.run], world.facts == facts[edge.next] else {
                    throw fail("the device and the table differ after \(acts.suffix(12))")
                }
                place = edge.next
            }
        }
    }
}
