public import LifeCycleModel
public import LifeCyclePolicy

/// An entry in the chronicle of a deterministic world. The entries are enough to tell its whole story.
public struct Chronicled: Hashable, Sendable {
    /// The kind of entry.
    public enum What: Hashable, Sendable {
        /// The brain handled an event, with these effects.
        case turn(Event, [Effect])
        /// The app's code did something.
        case note(LaunchID, AppNote)
    }

    /// The time of the entry.
    public let time: Moment
    /// The content of the entry.
    public let what: What

    init(_ time: Moment, _ what: What) {
        self.time = time
        self.what = what
    }
}

/// Deterministic worlds.
extension World {
    /// The reason why an app's code could not do something.
    public enum Impossibility: Error, Hashable, Sendable {
        /// The app has no process.
        case notRunning
        /// The app is suspended.
        case suspended
        /// The app was prewarmed: its own code does not run before its launch (T28).
        case prewarmed
        /// The app's main thread hangs.
        case hangs
        /// No open task has that name.
        case unknownTask
        /// The app has no completion handler left to call.
        case noHandler
    }

    /// All entries since the last call of this method.
    public mutating func takeChronicle() -> [Chronicled] {
        defer { chronicle = [] }
        return chronicle
    }

    /// The effects of the newest `event` in the chronicle, without the effects of later events. Empty if the chronicle
    /// lacks the event.
    public func effects(of event: Event) -> [Effect] {
        for entry in chronicle.reversed() {
            if case .turn(event, let effects) = entry.what { return effects }
        }
        return []
    }

    /// Makes an app's code do something outside any callback. Throws `Impossibility`.
    public mutating func act(_ act: AppScript.Act, of app: AppID) throws(Impossibility) {
        guard violation == nil else { return }
        guard let snapshot = device.snapshot(of: app), let launch = snapshot.launch, let index = index(of: launch)
        else { throw .notRunning }
        guard !snapshot.isPrewarmed else { throw .prewarmed }
        guard !processes[index].isFrozen else { throw .suspended }
        switch act {
        case .take, .hang: if processes[index].app.isHung { throw .hangs }
        default: break
        }
        var acts: [ScriptedApp.Act] = []
        guard processes[index].app.perform(act, at: now.awake, into: &acts) else {
            if case .end = act { throw .unknownTask }
            throw .noHandler
        }
        for act in acts { perform(act, of: launch) }
    }

    /// The script of a launch's app; nil if the app's behavior is random.
    func script(of launch: LaunchID) -> AppScript? { scripts?[Int(launch.app.rawValue - 1)] }
}
