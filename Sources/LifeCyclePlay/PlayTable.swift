import LifeCycleModel

/// All states that the acts of the page can reach, and the result of each act in them.
struct PlayTable: Hashable, Sendable {
    /// An error for which the page is not made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The result of an act: the next state, and the lines to show.
    struct Edge: Hashable, Sendable {
        let next: Int
        let run: Int
    }

    /// The facts of each state; the first state is the beginning.
    private(set) var facts: [PlayFacts] = []
    /// The edges from each state, in the order of `PlayAct.all`.
    private(set) var edges: [[Edge]] = []
    /// All different sequences of lines, in the order in which they were found.
    private(set) var runs: [[PlayLine]] = []

    /// The most states of a page.
    static let mostStates = 5000

    /// Explores all states, breadth first.
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
                // Computing the key takes longer than performing the act.
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

    /// Merges all states that no reader can distinguish by any acts. At first, states with the same facts are one
    /// group. Then each group is divided again and again, until its states show the same lines for each act and lead to
    /// the same groups.
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
        // The first state of each group, so that the order is kept.
        let firsts = groups.indices.filter { place in groups[place] == (groups[..<place].max() ?? -1) + 1 }
        facts = firsts.map { facts[$0] }
        edges = firsts.map { place in edges[place].map { Edge(next: groups[$0.next], run: $0.run) } }
    }

    /// For each value the number of its first occurrence, counted over distinct values.
    private static func numbered<Value: Hashable>(_ values: [Value]) -> [Int] {
        var numbers: [Value: Int] = [:]
        return values.map { value in
            let number = numbers[value] ?? numbers.count
            numbers[value] = number
            return number
        }
    }
}
