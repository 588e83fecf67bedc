public import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// Every sequence of what the user, the system and the apps can do, shortest first, by several alphabets: one is the life
/// cycle of two apps, and each two concerns meet in one. A state that was reached before is not gone on from again: what
/// can follow has been looked at, or will be.
public struct Exhaustive: Sendable {
    /// What came of it.
    public struct Report: Sendable {
        /// All sequences of up to this many letters of one alphabet were explored.
        public var length = 0
        /// How many of exactly that length there are; `UInt64.max` where that is no 64-bit number.
        public var sequences: UInt64 = 0
        /// Whether no state is left to go on from: sequences of any length were explored.
        public var isAll = false
        /// Different states reached.
        public var states = 0
        /// Letters performed, each with all checks.
        public var steps = 0
        /// How many states were first reached by sequences of each length.
        public var statesByLength: [Int] = []
        /// The first thing found wrong.
        public var failure: Failure?
    }

    /// A finding: one of the shortest sequences that show it.
    public struct Failure: Sendable {
        /// The alphabet's name.
        public let alphabet: String
        /// What happened, in order.
        public let letters: [String]
        /// What was found.
        public let violation: Violation
        /// The last events before it, each with its time and effects.
        public let trace: [String]
    }

    /// The longest sequences that may be asked for: no machine comes to them.
    public static let longest = 20

    private let policy: Policy
    private let alphabets: [Alphabet]

    /// The alphabets there are, or only those named.
    init(policy: Policy = .iOS26, alphabets: [Alphabet]) {
        var policy = policy
        // Neither is a matter of sequences this short; both would make every instant another state.
        policy.requestRate = nil
        policy.containerSize = nil
        // A second silent push is held back: a fourth one would take longer sequences.
        policy.silentPushes = 1
        self.policy = policy
        self.alphabets = alphabets
    }

    /// All alphabets.
    public init(policy: Policy = .iOS26) { self.init(policy: policy, alphabets: Alphabet.all) }

    /// The names of the alphabets.
    public var alphabetNames: [String] { alphabets.map(\.name) }

    func world(_ alphabet: Alphabet) -> SmallWorld {
        SmallWorld(policy: policy, manifests: alphabet.manifests, isNewsstand: alphabet.isNewsstand)
    }

    /// Calls the function once for each number below `count`, on as many threads as it likes, and returns when all calls
    /// have returned.
    public typealias Concurrently = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

    /// Explores all sequences as far as `bound` lets it come, by the time that `clock` reads; `hasReached` is called
    /// with the report of each length that was completed. The alphabets are searched `concurrently`, by default one after
    /// the other; the report is the same.
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
        let shared = alphabets.map { SharedSearch(Search(world: world($0), letters: $0.letters)) }
        var report = Report()
        report.states = shared.count
        while report.length < length, !report.isAll {
            concurrently(shared.count) { index in shared[index].search.withLock { $0.lengthen(until: isTimeUp) } }
            let searches = shared.map { $0.search.withLock { $0 } }
            report.steps = searches.reduce(0) { $0 + $1.steps }
            report.states = searches.reduce(0) { $0 + $1.states }
            for (alphabet, search) in zip(alphabets, searches) where report.failure == nil {
                report.failure = search.failure.map { failure(alphabet, $0.letters, $0.violation) }
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

    private func failure(_ alphabet: Alphabet, _ letters: [Letter], _ violation: Violation) -> Failure {
        let lines = Lines(limit: 20)
        var world = world(alphabet)
        world.observer = { event, now, effects in
            lines.append("\(now.awake) \(event)\n" + effects.map { "      \($0)" }.joined(separator: "\n"))
        }
        for letter in letters { _ = world.perform(letter) }
        return Failure(
            alphabet: alphabet.name, letters: letters.map(\.description), violation: violation, trace: lines.all)
    }
}

/// A search that one thread at a time goes on with.
private final class SharedSearch: Sendable {
    let search: Mutex<Search>

    init(_ search: Search) { self.search = Mutex(search) }
}

/// Breadth first. Of each state only is kept how it was reached; the world itself is made again from there, which costs
/// little, since neighbours were reached nearly alike.
private struct Search: Sendable {
    private let letters: [Letter]
    private var seen = SeenStates()
    /// By a state's number: the state before, and the letter that led from it.
    private var parents: [UInt32] = [0]
    private var lastLetters: [UInt8] = [0]
    /// Where the states of each length begin.
    private var firstOfLength = [0, 1]
    /// Where the letters lead, and where those of a state begin.
    private var edges: [UInt32] = []
    private var firstEdge: [Int] = [0]
    /// The worlds on the way to the state at hand, with their letters.
    private var way: [(letter: UInt8, world: SmallWorld)] = []
    private let root: SmallWorld
    private(set) var steps = 0
    private(set) var failure: (letters: [Letter], violation: Violation)?

    init(world: SmallWorld, letters: [Letter]) {
        root = world
        self.letters = letters
        _ = seen.number(of: world.fingerprint)
    }

    var states: Int { seen.count }
    var statesByLength: [Int] { zip(firstOfLength, firstOfLength.dropFirst()).map { $1 - $0 } }
    var isExhausted: Bool { statesByLength.last == 0 }

    /// Goes on by one letter from all states reached last, unless time is up or something found.
    mutating func lengthen(until isTimeUp: () -> Bool) {
        for number in firstOfLength[firstOfLength.count - 2]..<firstOfLength[firstOfLength.count - 1] {
            if number % 64 == 0, isTimeUp() { return }
            guard expand(number) else { return }
        }
        firstOfLength.append(seen.count)
    }

    private mutating func expand(_ number: Int) -> Bool {
        let path = path(to: number)
        let world = world(at: path)
        for (index, letter) in letters.enumerated() {
            var next = world
            guard next.perform(letter) else { continue }
            steps += 1
            if let violation = next.violation {
                failure = ((path + [UInt8(index)]).map { letters[Int($0)] }, violation)
                return false
            }
            let (reached, isNew) = seen.number(of: next.fingerprint)
            edges.append(reached)
            if isNew {
                parents.append(UInt32(number))
                lastLetters.append(UInt8(index))
            }
        }
        firstEdge.append(edges.count)
        return true
    }

    private func path(to number: Int) -> [UInt8] {
        var path: [UInt8] = []
        var number = number
        while number > 0 {
            path.append(lastLetters[number])
            number = Int(parents[number])
        }
        return path.reversed()
    }

    private mutating func world(at path: [UInt8]) -> SmallWorld {
        var shared = 0
        while shared < min(path.count, way.count), way[shared].letter == path[shared] { shared += 1 }
        way.removeSubrange(shared...)
        for letter in path[shared...] {
            var next = way.last?.world ?? root
            _ = next.perform(letters[Int(letter)])
            way.append((letter, next))
        }
        return way.last?.world ?? root
    }

    /// How many sequences of `length` letters there are.
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
