public import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// An exhaustive search: every sequence of steps that the user, the system and the apps can take, shortest first. The
/// search uses several alphabets: one for the life cycle of two apps, and one for each pair of concerns. A state that
/// was reached before is not expanded again.
public struct Exhaustive: Sendable {
    /// The result of a search.
    public struct Report: Sendable {
        /// All sequences of up to this many steps of one alphabet were explored.
        public var length = 0
        /// How many sequences of exactly that length there are; `UInt64.max` if they are too many for 64 bits.
        public var sequences: UInt64 = 0
        /// Whether no state is left to expand. Then sequences of every length are explored.
        public var isAll = false
        /// How many different states were reached.
        public var states = 0
        /// How many steps were performed, each with all checks.
        public var steps = 0
        /// How many states were first reached by sequences of each length, from 0.
        public var statesByLength: [Int] = []
        /// The first failure; nil if there is none.
        public var failure: Failure?
    }

    /// A violation, with one of the shortest sequences that show it.
    public struct Failure: Sendable {
        /// The alphabet's name.
        public let alphabet: String
        /// The steps of the sequence, in order.
        public let searchSteps: [String]
        /// The broken invariant, and how it was broken.
        public let violation: Violation
        /// The last events before the violation, each with its time and effects.
        public let trace: [String]
    }

    /// The longest sequences that may be requested: more than any machine can explore.
    public static let longest = 20

    private let policy: Policy
    private let alphabets: [Alphabet]

    /// Switches off the limits that short sequences cannot reach.
    init(policy: Policy = .iOS26, alphabets: [Alphabet]) {
        var policy = policy
        // The short sequences reach neither limit, and both would make every instant a different state.
        policy.requestRate = nil
        policy.containerSize = nil
        // With this limit the second silent push is rate-limited. Reaching the usual limit would take longer sequences.
        policy.silentPushes = 1
        self.policy = policy
        self.alphabets = alphabets
    }

    /// A search with all alphabets.
    public init(policy: Policy = .iOS26) { self.init(policy: policy, alphabets: Alphabet.all) }

    /// For the report of a run, in the order of the search.
    public var alphabetNames: [String] { alphabets.map(\.name) }

    func world(_ alphabet: Alphabet) -> SmallWorld {
        SmallWorld(policy: policy, manifests: alphabet.manifests)
    }

    /// Calls the function once for each number below `count`, on any number of threads, and returns when all calls have
    /// returned.
    public typealias Concurrently = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

    /// Explores all sequences within `bound`, by the time of `clock`. `hasReached` gets a report for each completed
    /// length. `concurrently` expands the states, by default one after the other; it does not affect the report.
    public func explore(
        within bound: ExplorationRequest.Bound, clock: @escaping @Sendable () -> Nanoseconds,
        concurrently: Concurrently = { count, body in (0..<count).forEach(body) },
        hasReached: (Report) -> Void = { _ in }
    ) -> Report {
        switch bound {
        case .length(let length): return explore(length: length, until: { false }, concurrently, hasReached)
        case .time(let time):
            let end = clock() + time
            return explore(length: Self.longest, until: { clock() >= end }, concurrently, hasReached)
        }
    }

    private func explore(
        length: Int, until isTimeUp: @escaping @Sendable () -> Bool, _ concurrently: Concurrently,
        _ hasReached: (Report) -> Void
    ) -> Report {
        var searches = alphabets.map { Search(world: world($0), searchSteps: $0.searchSteps) }
        var report = Report()
        report.states = searches.count
        while report.length < length, !report.isAll {
            // The pieces are merged in order, so the report does not depend on which was done first.
            let pieces = searches.indices.flatMap { index in searches[index].pieces.map { (index, $0) } }
            let expansions = Self.expand(pieces, of: searches, until: isTimeUp, concurrently)
            for ((index, numbers), expansion) in zip(pieces, expansions) { searches[index].take(expansion, numbers) }
            for index in searches.indices { searches[index].endLength() }
            report.steps = searches.reduce(0) { $0 + $1.steps }
            report.states = searches.reduce(0) { $0 + $1.states }
            for (alphabet, search) in zip(alphabets, searches) where report.failure == nil {
                report.failure = search.failure.map { failure(alphabet, $0.searchSteps, $0.violation) }
            }
            guard searches.allSatisfy({ $0.statesByLength.count == report.length + 2 }) else { return report }
            report.length += 1
            report.statesByLength = (0...report.length).map { length in
                searches.reduce(0) { $0 + $1.statesByLength[length] }
            }
            report.isAll = searches.allSatisfy(\.isExhausted)
            report.sequences = searches.reduce(0) { Search.sum($0, $1.sequences(of: report.length)) }
            hasReached(report)
        }
        return report
    }

    private static func expand(
        _ pieces: [(search: Int, numbers: Range<Int>)], of searches: [Search],
        until isTimeUp: @escaping @Sendable () -> Bool, _ concurrently: Concurrently
    ) -> [Search.Expansion?] {
        let expansions = Expansions(count: pieces.count)
        concurrently(pieces.count) { index in
            if isTimeUp() { return }
            let expansion = searches[pieces[index].search].expand(pieces[index].numbers)
            expansions.all.withLock { $0[index] = expansion }
        }
        return expansions.all.withLock { $0 }
    }

    private func failure(_ alphabet: Alphabet, _ searchSteps: [SearchStep], _ violation: Violation) -> Failure {
        let lines = Lines(limit: 20)
        var world = world(alphabet)
        world.observer = { event, now, effects in
            lines.append("\(now.awake) \(event)\n" + effects.map { "      \($0)" }.joined(separator: "\n"))
        }
        for searchStep in searchSteps { _ = world.perform(searchStep) }
        return Failure(
            alphabet: alphabet.name, searchSteps: searchSteps.map(\.description), violation: violation, trace: lines.all
        )
    }
}

/// The results of several threads. Thread-safe.
private final class Expansions: Sendable {
    let all: Mutex<[Search.Expansion?]>

    init(count: Int) { all = Mutex(Array(repeating: nil, count: count)) }
}

/// Breadth-first search, in pieces that are independent of each other. For each state only its predecessor and the last
/// step are stored. The world is made again from the path, at little cost, since neighbors have nearly the same path.
private struct Search: Sendable {
    private let searchSteps: [SearchStep]
    private var seen = SeenStates()
    /// The predecessor of each state, by the state's number, and below it the step that led from there.
    private var parents: [UInt32] = [0]
    private var lastSteps: [UInt8] = [0]
    /// The number of the first state of each length.
    private var firstOfLength = [0, 1]
    /// The states that the steps lead to, and the index of each state's first edge.
    private var edges: [UInt32] = []
    private var firstEdge: [Int] = [0]
    /// Whether all states of the last length were expanded.
    private var isWhole = true
    private let root: SmallWorld
    private(set) var steps = 0
    private(set) var failure: (searchSteps: [SearchStep], violation: Violation)?

    init(world: SmallWorld, searchSteps: [SearchStep]) {
        root = world
        self.searchSteps = searchSteps
        _ = seen.number(of: world.fingerprint)
    }

    var states: Int { seen.count }
    var statesByLength: [Int] { zip(firstOfLength, firstOfLength.dropFirst()).map { $1 - $0 } }
    var isExhausted: Bool { statesByLength.last == 0 }

    /// The result of one more step from a range of consecutive states.
    struct Expansion {
        /// The steps that could be performed, and the fingerprints of the resulting states.
        var reached: [(searchStep: UInt8, fingerprint: UInt64)] = []
        /// For each state the end of its part of `reached`.
        var ends: [Int] = []
        var failure: (searchSteps: [SearchStep], violation: Violation)?
    }

    /// The numbers of the states of the last length, in pieces that take a moment each.
    var pieces: [Range<Int>] {
        let (first, end) = (firstOfLength[firstOfLength.count - 2], firstOfLength[firstOfLength.count - 1])
        return stride(from: first, to: end, by: 64).map { $0..<min($0 + 64, end) }
    }

    /// Performs every step in each of these states, up to the first failure.
    func expand(_ numbers: Range<Int>) -> Expansion {
        var expansion = Expansion()
        var way: [(searchStep: UInt8, world: SmallWorld)] = []
        for number in numbers {
            let path = path(to: number)
            let world = world(at: path, by: &way)
            for (index, searchStep) in searchSteps.enumerated() {
                var next = world
                guard next.perform(searchStep) else { continue }
                expansion.reached.append((UInt8(index), next.fingerprint))
                if let violation = next.violation {
                    expansion.failure = ((path + [UInt8(index)]).map { searchSteps[Int($0)] }, violation)
                    return expansion
                }
            }
            expansion.ends.append(expansion.reached.count)
        }
        return expansion
    }

    /// Numbers the states that were reached from these; nil if the time was up before.
    mutating func take(_ expansion: Expansion?, _ numbers: Range<Int>) {
        guard failure == nil, isWhole, let expansion else { return isWhole = false }
        steps += expansion.reached.count
        failure = expansion.failure
        var first = 0
        for (number, end) in zip(numbers, expansion.ends) {
            for (searchStep, fingerprint) in expansion.reached[first..<end] {
                let (reached, isNew) = seen.number(of: fingerprint)
                edges.append(reached)
                if isNew {
                    parents.append(UInt32(number))
                    lastSteps.append(searchStep)
                }
            }
            firstEdge.append(edges.count)
            first = end
        }
    }

    /// Ends a length, when all its pieces are merged.
    mutating func endLength() {
        if isWhole, failure == nil { firstOfLength.append(seen.count) }
    }

    private func path(to number: Int) -> [UInt8] {
        var path: [UInt8] = []
        var number = number
        while number > 0 {
            path.append(lastSteps[number])
            number = Int(parents[number])
        }
        return path.reversed()
    }

    /// The world after the steps of `path`. `way` caches the worlds on the way to it, with their steps.
    private func world(at path: [UInt8], by way: inout [(searchStep: UInt8, world: SmallWorld)]) -> SmallWorld {
        var shared = 0
        while shared < min(path.count, way.count), way[shared].searchStep == path[shared] { shared += 1 }
        way.removeSubrange(shared...)
        for searchStep in path[shared...] {
            var next = way.last?.world ?? root
            _ = next.perform(searchSteps[Int(searchStep)])
            way.append((searchStep, next))
        }
        return way.last?.world ?? root
    }

    /// How many sequences of `length` steps there are.
    func sequences(of length: Int) -> UInt64 {
        var counts = Array(repeating: UInt64(0), count: seen.count)
        counts[0] = 1
        for _ in 0..<length {
            var next = Array(repeating: UInt64(0), count: seen.count)
            for number in counts.indices where counts[number] > 0 && number + 1 < firstEdge.count {
                for edge in edges[firstEdge[number]..<firstEdge[number + 1]] {
                    next[Int(edge)] = Self.sum(next[Int(edge)], counts[number])
                }
            }
            counts = next
        }
        return counts.reduce(0, Self.sum)
    }

    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflowed) = left.addingReportingOverflow(right)
        return overflowed ? .max : sum
    }
}
