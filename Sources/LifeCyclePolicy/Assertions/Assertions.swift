import LifeCycleModel

/// The table of reasons not to suspend an app. Every reason that keeps an app running is an entry here.
struct Assertions: Hashable, Sendable, Codable {
    /// The life cycle's own reasons not to suspend the app. They are bits, because all are set at once, at each
    /// callback.
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
        /// The first of the set, in the order of declaration.
        var first: Assertion? { isEmpty ? nil : Self.all.first { contains($0.bit) }?.assertion }
    }

    private var lifeCycle: LifeCycleHolds = []
    /// The reasons of all other machines, sorted and without duplicates.
    private var others: [Assertion] = []

    var isEmpty: Bool { lifeCycle.isEmpty && others.isEmpty }

    /// All entries; those of the life cycle come first.
    var entries: [Assertion] { lifeCycle.assertions + others }

    /// Whether an entry has no time limit.
    var isUnlimited: Bool { others.contains(where: \.isUnlimited) }

    mutating func launchBegan() { self = Assertions() }
    mutating func launchEnding() { self = Assertions() }

    /// The app is being ended: its tasks no longer count.
    mutating func tasksForgotten() { others.removeAll { if case .task = $0 { true } else { false } } }

    /// After a restart of the system, only the reconnection and what is restored count until the app has connected again.
    mutating func foundRunning() { lifeCycle = .reconnection }
    mutating func restored(_ assertion: Assertion) { others.insert(assertion, at: others.sortedIndex(of: assertion)) }
    mutating func foundFrozen() { self = Assertions() }

    /// Replaces the reasons of the life cycle.
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

extension Assertion {
    /// Whether the app may run for as long as it likes for this reason, so that the time of its tasks does not count.
    var isUnlimited: Bool {
        switch self {
        case .location, .locationWithIndicator, .audio, .call: true
        case .foreground, .callback, .termination, .wake, .adopted, .reconnection, .sessionEvents, .wakeEvent,
            .voipPush,
            .task:
            false
        }
    }
}
