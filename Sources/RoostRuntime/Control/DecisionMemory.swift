import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// The newest decisions about each app, for `roost why`.
final class DecisionMemory {
    private static let perApp = 200
    private var lines: [AppID: [DecisionLine]] = [:]
    /// How each app's last launch ended, in words.
    private(set) var lastEnd: [AppID: String] = [:]
    /// Collects what is decided while a control call is carried out.
    private var collected: Collection?

    /// What was decided in the course of one act.
    struct Collection {
        var lines: [DecisionLine] = []
        /// The line that tells that the rules forbid it, if one does.
        var refusal: DecisionLine?
    }

    /// Keeps a line; `decision` is what it tells of, nil where it tells of something else.
    func remember(_ line: DecisionLine, of decision: Decision?, about app: AppID?) {
        collected?.lines.append(line)
        switch decision {
        case .wakeRefused, .actRefused, .inputDropped: collected?.refusal = line
        default: break
        }
        guard let app else { return }
        var lines = lines[app, default: []]
        if lines.count >= Self.perApp { lines.removeFirst(lines.count - Self.perApp + 1) }
        lines.append(line)
        self.lines[app] = lines
        if case .ended = decision { lastEnd[app] = line.text }
    }

    func lines(about app: AppID) -> [DecisionLine] { lines[app] ?? [] }

    func forget(_ app: AppID) {
        lines[app] = nil
        lastEnd[app] = nil
    }

    /// What is decided while `action` runs.
    func collect(_ action: () -> Void) -> Collection {
        collected = Collection()
        action()
        defer { collected = nil }
        return collected ?? Collection()
    }
}
