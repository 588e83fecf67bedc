import LifeCycleModel

/// The one table of reasons not to suspend an app. Everything that keeps an app running is an entry here.
struct Assertions: Hashable, Sendable, Codable {
    /// The reasons of the life cycle itself not to suspend the app. All are set at once, at each callback, so they are bits.
    struct LifeCycleHolds: OptionSet, Hashable, Sendable, Codable {
        let rawValue: UInt8

        static let foreground = LifeCycleHolds(rawValue: 1 << 0)
        static let callback = LifeCycleHolds(rawValue: 1 << 1)
        static let termination = LifeCycleHolds(rawValue: 1 << 2)
        static let reconnection = LifeCycleHolds(rawValue: 1 << 3)

        private static let all: [(bit: LifeCycleHolds, assertion: Assertion)] = [
            (.foreground, .foreground), (.callback, .callback), (.termination, .termination),
            (.reconnection, .reconnection),
        ]

        var assertions: [Assertion] { isEmpty ? [] : Self.all.filter { contains($0.bit) }.map(\.assertion) }
        /// The first of the set, in the order of their declaration.
        var first: Assertion? { isEmpty ? nil : Self.all.first { contains($0.bit) }?.assertion }
    }

    private var lifeCycle: LifeCycleHolds = []
    /// The reasons of all other machines, sorted, each once.
    private var others: [Assertion] = []

    var isEmpty: Bool { lifeCycle.isEmpty && others.isEmpty }

    /// All entries: those of the life cycle first.
    var entries: [Assertion] { lifeCycle.assertions + others }

    mutating func launchBegan() { self = Assertions() }
    mutating func launchEnding() { self = Assertions() }

    /// It is being ended, which holds it: its tasks do so no more.
    mutating func tasksForgotten() { others.removeAll { if case .task = $0 { true } else { false } } }

    /// After the system's restart: until it has come back, that alone holds it.
    mutating func foundRunning() {
        self = Assertions()
        lifeCycle = .reconnection
    }
    mutating func foundFrozen() { self = Assertions() }

    /// Replaces what the life cycle holds.
    mutating func lifeCycleHolds(_ held: LifeCycleHolds, into signals: inout [Signal]) {
        let old = lifeCycle
        lifeCycle = held
        guard others.isEmpty else { return }
        if old.isEmpty, let first = held.first { signals.append(.firstAsserted(first)) }
        if held.isEmpty, let last = old.first { signals.append(.lastReleased(last)) }
    }

    mutating func asserted(_ assertion: Assertion, into signals: inout [Signal]) {
        let wasEmpty = isEmpty
        let index = others.sortedIndex(of: assertion)
        if index == others.count || others[index] != assertion { others.insert(assertion, at: index) }
        if wasEmpty { signals.append(.firstAsserted(assertion)) }
    }

    mutating func released(_ assertion: Assertion, into signals: inout [Signal]) {
        let index = others.sortedIndex(of: assertion)
        guard index < others.count, others[index] == assertion else { return }
        others.remove(at: index)
        if isEmpty { signals.append(.lastReleased(assertion)) }
    }
}
