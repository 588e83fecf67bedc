public import LifeCycleModel

/// Effects that wait, in their order, for a record to be written, or for an app's files.
public struct HeldEffects: Hashable, Sendable {
    private var effects: [Effect] = []
    private var launches: Set<LaunchID> = []  // ordered: looked up only
    private var subjects: Set<RecordSubject> = []  // ordered: looked up only

    /// Makes an empty list.
    public init() {}

    /// Takes an effect if it has to wait, and returns whether it does. An effect waits for unwritten records, for the
    /// files of a launch, or for another waiting effect.
    public mutating func takes(
        _ effect: Effect, waitingFor unwritten: Set<RecordSubject>, orFilesOf unready: Set<LaunchID> = []
    ) -> Bool {
        let waits =
            effect.subjectBuiltUpon.map(unwritten.contains) ?? false
            || effect.launchInOrder.map { launches.contains($0) || unready.contains($0) } ?? false
            || effect.subjectInOrder.map(subjects.contains) ?? false
        guard waits else { return false }
        if !effect.isProgress { hold(effect) }
        return true
    }

    /// Takes an effect unconditionally.
    public mutating func hold(_ effect: Effect) {
        effects.append(effect)
        if let subject = effect.subjectInOrder { subjects.insert(subject) }
        if effect.startsProcess, let launch = effect.launchInOrder { launches.insert(launch) }
    }

    /// The number of waiting effects.
    public var count: Int { effects.count }

    /// Removes and returns all waiting effects, so that the caller looks at them again.
    public mutating func takeAll() -> [Effect] {
        defer { self = HeldEffects() }
        return effects
    }

    /// Drops a launch's waiting effects. Returns whether the launch's start was among them.
    public mutating func drop(_ launch: LaunchID) -> Bool {
        effects.removeAll { $0.launchInOrder == launch }
        return launches.remove(launch) != nil
    }
}
