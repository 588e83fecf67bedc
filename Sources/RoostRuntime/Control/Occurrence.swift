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

    /// Whether it tells that the rules forbid what was asked for.
    var isRefusal: Bool {
        switch what {
        case .decided(.wakeRefused), .decided(.actRefused), .decided(.inputDropped): true
        case .decided, .told: false
        }
    }

    /// Whether a launch ended.
    var isEnd: Bool {
        if case .decided(.ended) = what { true } else { false }
    }
}
