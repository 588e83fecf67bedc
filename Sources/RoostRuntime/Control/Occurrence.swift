import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import RoostWire

/// An entry of `roost why`. It is stored as a value, and becomes text only when it is read.
struct Occurrence {
    /// The kinds of occurrences.
    enum What {
        /// A decision of the brain.
        case decided(Decision)
        /// A callback was sent to an app.
        case sent(Callback, LaunchID)
        /// An app's first process exited and left this many other processes, which were ended.
        case left(Int, LaunchID)
    }

    let what: What
    let time: Moment
    /// The app's identifier, as long as it is installed.
    let app: BundleIdentifier?

    /// Whether this is the same callback as before, to the same launch.
    func repeats(_ other: Occurrence) -> Bool {
        guard case .sent(let callback, let launch) = what, case .sent(let old, launch) = other.what else {
            return false
        }
        return callback.name == old.name
    }

    /// The occurrence as text.
    var line: DecisionLine {
        switch what {
        case .decided(let decision):
            let (kind, text) = DecisionText.kindAndText(decision, at: time)
            var line = DecisionLine(
                time: time.wall, app: app, launch: decision.launch?.number, kind: kind, text: text)
            if case .launch(_, .stateChanged(_, let to)) = decision { line.state = to }
            return line
        case .sent(let callback, let launch):
            return DecisionLine(
                time: time.wall, app: app, launch: launch.number, kind: "callback", text: "receives \(callback.name)")
        case .left(let count, let launch):
            let processes = count == 1 ? "its remaining process was" : "its \(count) remaining processes were"
            return DecisionLine(
                time: time.wall, app: app, launch: launch.number, kind: "left", text: processes + " ended")
        }
    }

    /// Whether the occurrence is the refusal of the request in `event`.
    func refuses(_ event: Event) -> Bool {
        if case .decided(let decision) = what { decision.refuses(event) } else { false }
    }

    /// The launch that began; nil for any other occurrence.
    var launchBegun: LaunchID? {
        if case .decided(.launch(let launch, .launched(_))) = what { launch } else { nil }
    }

    /// Whether a launch ended.
    var isEnd: Bool {
        if case .decided(.launch(_, .ended)) = what { true } else { false }
    }
}
