public import LifeCycleModel

/// Effects that wait, in their order, for a record to be written, or for an app's files.
public struct HeldEffects: Hashable, Sendable {
    private var effects: [Effect] = []
    private var launches: Set<LaunchID> = []  // ordered: looked up only
    private var subjects: Set<RecordSubject> = []  // ordered: looked up only

    /// Nothing waits.
    public init() {}

    /// Takes an effect in if it builds on what could not be written, on the files of a launch that are not ready, or on
    /// another that waits for either.
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

    /// Takes an effect in.
    public mutating func hold(_ effect: Effect) {
        effects.append(effect)
        if let subject = effect.subjectInOrder { subjects.insert(subject) }
        if effect.startsProcess, let launch = effect.launchInOrder { launches.insert(launch) }
    }

    /// How many wait.
    public var count: Int { effects.count }

    /// All of them, to be looked at again.
    public mutating func takeAll() -> [Effect] {
        defer { self = HeldEffects() }
        return effects
    }

    /// Whether a launch's start is among them; it is dropped with the launch's other effects.
    public mutating func drop(_ launch: LaunchID) -> Bool {
        effects.removeAll { $0.launchInOrder == launch }
        return launches.remove(launch) != nil
    }
}
