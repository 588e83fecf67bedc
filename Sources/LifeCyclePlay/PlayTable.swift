import LifeCycleModel

/// Every state that the acts of the page lead to, and what each act does there.
struct PlayTable: Hashable, Sendable {
    /// Something that must not be: the page is not made then.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Where an act leads, and what there is to see of it.
    struct Edge: Hashable, Sendable {
        let next: Int
        let run: Int
    }

    /// What there is to see in each state; the first is the beginning.
    private(set) var facts: [PlayFacts] = []
    /// Where the acts lead from each state, in the order of `PlayAct.all`.
    private(set) var edges: [[Edge]] = []
    /// Every different sequence of lines, in the order they were first met.
    private(set) var runs: [[PlayLine]] = []

    /// More than this is no page to play with.
    static let mostStates = 5000

    /// Explores all there is, breadth first.
    init(policy: Policy, app: PlayApp) throws(Failure) {
        let first = PlayWorld(policy: policy, app: app)
        var worlds = [first]
        var numbers = [first.key: 0]
        var runNumbers: [[PlayLine]: Int] = [:]
        facts = [first.facts]
        var place = 0
        while place < worlds.count {
            var row: [Edge] = []
            for act in PlayAct.all {
                var world = worlds[place]
                let lines = world.perform(act)
                if let violation = world.violation {
                    throw Failure(description: "\(policy.name), \(app): \(act) breaks the rules: \(violation)")
                }
                var next = place
                // To tell where it leads takes longer than to go there.
                if !world.isAsBefore {
                    let key = world.key
                    next = numbers[key] ?? worlds.count
                    if next == worlds.count {
                        numbers[key] = next
                        worlds.append(world)
                        facts.append(world.facts)
                    }
                }
                let run = runNumbers[lines] ?? runs.count
                if run == runs.count {
                    runNumbers[lines] = run
                    runs.append(lines)
                }
                row.append(Edge(next: next, run: run))
            }
            edges.append(row)
            place += 1
            guard worlds.count <= Self.mostStates else {
                throw Failure(description: "\(policy.name), \(app): there are more than \(Self.mostStates) states")
            }
        }
        merge()
    }

    /// Makes one of all states that no reader can tell apart, whatever acts follow: at first those that look alike, then,
    /// again and again, of those only such whose acts show the same and lead to the same.
    private mutating func merge() {
        struct Sign: Hashable {
            let group: Int
            let edges: [Edge]
        }
        var groups = Self.numbered(facts)
        while true {
            let signs = edges.indices.map { place in
                Sign(group: groups[place], edges: edges[place].map { Edge(next: groups[$0.next], run: $0.run) })
            }
            let finer = Self.numbered(signs)
            let isDone = finer.max() == groups.max()
            groups = finer
            if isDone { break }
        }
        // Of each group its first state, so that they keep their order.
        let firsts = groups.indices.filter { place in groups[place] == (groups[..<place].max() ?? -1) + 1 }
        facts = firsts.map { facts[$0] }
        edges = firsts.map { place in edges[place].map { Edge(next: groups[$0.next], run: $0.run) } }
    }

    /// For each value the number of the first like it, in the order of their appearance.
    private static func numbered<Value: Hashable>(_ values: [Value]) -> [Int] {
        var numbers: [Value: Int] = [:]
        return values.map { value in
            let number = numbers[value] ?? numbers.count
            numbers[value] = number
            return number
        }
    }
}
