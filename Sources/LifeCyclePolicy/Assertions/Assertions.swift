import LifeCycleModel

/// The one table of reasons not to suspend an app. Everything that keeps an app running is an entry here.
struct Assertions: Hashable, Sendable, Codable {
    /// Those an app has at most one of, as a set of bits.
    struct Fixed: OptionSet, Hashable, Sendable, Codable {
        let rawValue: UInt8

        static let foreground = Fixed(rawValue: 1 << 0)
        static let callback = Fixed(rawValue: 1 << 1)
        static let termination = Fixed(rawValue: 1 << 2)
        static let wake = Fixed(rawValue: 1 << 3)
        static let adopted = Fixed(rawValue: 1 << 4)
        static let reconnection = Fixed(rawValue: 1 << 5)
        static let sessionEvents = Fixed(rawValue: 1 << 6)
        static let wakeEvent = Fixed(rawValue: 1 << 7)

        /// Those that the life cycle sets, all at once.
        static let lifeCycle: Fixed = [.foreground, .callback, .termination, .reconnection]

        static let all: [(bit: Fixed, assertion: Assertion)] = [
            (.foreground, .foreground), (.callback, .callback), (.termination, .termination), (.wake, .wake),
            (.adopted, .adopted), (.reconnection, .reconnection),
            (.sessionEvents, .sessionEvents), (.wakeEvent, .wakeEvent),
        ]

        /// The first of the set, in the order of their declaration.
        var first: Assertion? { Self.all.first { contains($0.bit) }?.assertion }
    }

    private var fixed: Fixed = []
    /// Sorted.
    private var tasks: [TaskID] = []

    var isEmpty: Bool { fixed.isEmpty && tasks.isEmpty }

    /// All entries: the fixed ones, then the tasks by their ids.
    var entries: [Assertion] {
        Fixed.all.filter { fixed.contains($0.bit) }.map(\.assertion) + tasks.map { .task($0) }
    }

    mutating func launchBegan() { self = Assertions() }
    mutating func launchEnding() { self = Assertions() }

    /// It is being ended, which holds it: its tasks do so no more.
    mutating func tasksForgotten() { tasks = [] }

    /// After the system's restart: until it has come back, that alone holds it.
    mutating func foundRunning() { fixed = .reconnection }
    mutating func foundFrozen() { self = Assertions() }

    /// Replaces what the life cycle holds.
    mutating func lifeCycleHolds(_ held: Fixed, into signals: inout [Signal]) {
        let old = fixed
        let wasEmpty = isEmpty
        fixed = fixed.subtracting(.lifeCycle).union(held)
        if wasEmpty, let first = fixed.first { signals.append(.firstAsserted(first)) }
        if !wasEmpty, isEmpty, let last = old.first { signals.append(.lastReleased(last)) }
    }

    mutating func asserted(_ assertion: Assertion, into signals: inout [Signal]) {
        let wasEmpty = isEmpty
        switch assertion {
        case .task(let id):
            let index = tasks.sortedIndex(of: id)
            if index == tasks.count || tasks[index] != id { tasks.insert(id, at: index) }
        case .foreground, .callback, .termination, .wake, .adopted, .reconnection, .sessionEvents, .wakeEvent:
            fixed.formUnion(Self.bit(of: assertion))
        }
        if wasEmpty { signals.append(.firstAsserted(assertion)) }
    }

    mutating func released(_ assertion: Assertion, into signals: inout [Signal]) {
        let wasEmpty = isEmpty
        switch assertion {
        case .task(let id):
            let index = tasks.sortedIndex(of: id)
            if index < tasks.count, tasks[index] == id { tasks.remove(at: index) }
        case .foreground, .callback, .termination, .wake, .adopted, .reconnection, .sessionEvents, .wakeEvent:
            fixed.subtract(Self.bit(of: assertion))
        }
        if !wasEmpty, isEmpty { signals.append(.lastReleased(assertion)) }
    }

    private static func bit(of assertion: Assertion) -> Fixed {
        Fixed.all.first { $0.assertion == assertion }?.bit ?? []
    }
}
