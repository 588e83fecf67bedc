import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import RoostWire

/// Something that is told of: kept as it happened, and put into words only if somebody wants to read it.
struct Occurrence {
    /// What happened.
    enum What {
        /// The brain decided it.
        case decided(Decision)
        /// An app was sent a callback.
        case told(Callback, LaunchID)
        /// An app's first process ended and left so many others, which were ended.
        case left(Int, LaunchID)
    }

    let what: What
    let time: Moment
    /// The app's identifier, while it was installed.
    let app: BundleIdentifier?

    /// It in words.
    var line: DecisionLine {
        switch what {
        case .decided(let decision):
            let (kind, text) = DecisionText.kindAndText(decision, at: time)
            var line = DecisionLine(
                time: time.wall, app: app, launch: decision.launch?.number, kind: kind, text: text)
            if case .launch(_, .stateChanged(_, let to)) = decision { line.state = to }
            return line
        case .told(let callback, let launch):
            return DecisionLine(
                time: time.wall, app: app, launch: launch.number, kind: "callback", text: "told \(callback.name)")
        case .left(let count, let launch):
            let processes = count == 1 ? "its remaining process was" : "its \(count) remaining processes were"
            return DecisionLine(
                time: time.wall, app: app, launch: launch.number, kind: "left", text: processes + " ended")
        }
    }

    /// Whether it tells that the rules forbid what `event` asked for.
    func refuses(_ event: Event) -> Bool {
        if case .decided(let decision) = what { decision.refuses(event) } else { false }
    }

    /// The launch that began; nil if this tells of anything else.
    var launchBegun: LaunchID? {
        if case .decided(.launch(let launch, .launched(_))) = what { launch } else { nil }
    }

    /// Whether a launch ended.
    var isEnd: Bool {
        if case .decided(.launch(_, .ended)) = what { true } else { false }
    }
}
