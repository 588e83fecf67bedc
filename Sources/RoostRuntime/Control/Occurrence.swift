import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Something that is told of: kept as it happened, and put into words only if somebody wants to read it.
struct Occurrence {
    /// What happened.
    enum What {
        /// The brain decided it.
        case decided(Decision)
        /// An app was sent a callback.
        case told(Callback, LaunchID)
    }

    let what: What
    let time: Moment
    /// The app's identifier, while it was installed.
    let app: BundleIdentifier?

    /// It in words.
    var line: DecisionLine {
        switch what {
        case .decided(let decision): DecisionText.line(decision, of: app, at: time)
        case .told(let callback, let launch): DecisionText.line(told: callback, launch, of: app, at: time)
        }
    }

    /// Whether it tells that the rules forbid what was asked for by `event`.
    ///
    /// An act may bring about wakes that nobody has asked for, as the first unlocking does (T27): where one of those is
    /// refused the act was done all the same.
    func refuses(_ event: Event) -> Bool {
        switch (what, event) {
        case (.decided(.actRefused), _), (.decided(.inputDropped), _): true
        case (.decided(.wakeRefused), .appOpened), (.decided(.wakeRefused), .wakeOccurred),
            (.decided(.wakeRefused), .appSwitched), (.decided(.wakeRefused), .interruptionAccepted):
            true
        case (.decided, _), (.told, _): false
        }
    }

    /// Whether a launch ended.
    var isEnd: Bool {
        if case .decided(.ended) = what { true } else { false }
    }
}
