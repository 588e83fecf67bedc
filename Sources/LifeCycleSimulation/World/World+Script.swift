public import LifeCycleModel
public import LifeCyclePolicy

/// Something that happened in a world without chance: enough to tell its whole story.
public struct Chronicled: Hashable, Sendable {
    /// What it was.
    public enum What: Hashable, Sendable {
        /// The brain heard of something, and put this out.
        case turn(Event, [Effect])
        /// An app's code did something.
        case note(LaunchID, AppNote)
    }

    /// When.
    public let time: Moment
    /// What.
    public let what: What

    init(_ time: Moment, _ what: What) {
        self.time = time
        self.what = what
    }
}

/// Worlds without chance.
extension World {
    /// Why an app's code could not do something.
    public enum Impossibility: Error, Hashable, Sendable {
        /// There is no process.
        case notRunning
        /// It is suspended.
        case suspended
        /// It was started early, and its own code does not run before its launch (T28).
        case prewarmed
        /// Its main thread hangs.
        case hangs
        /// No task of that name was begun.
        case unknownTask
        /// It was given no completion handler that it has not called.
        case noHandler
    }

    /// All that happened since this was last asked.
    public mutating func takeChronicle() -> [Chronicled] {
        defer { chronicle = [] }
        return chronicle
    }

    /// What the brain put out when it last heard of `event`; what followed from that is not in it.
    public func effects(of event: Event) -> [Effect] {
        for entry in chronicle.reversed() {
            if case .turn(event, let effects) = entry.what { return effects }
        }
        return []
    }

    /// The code of an app does something, outside any callback.
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

    /// The script of a launch's app; nil where chance decides.
    func script(of launch: LaunchID) -> AppScript? { scripts?[Int(launch.app.rawValue - 1)] }
}
