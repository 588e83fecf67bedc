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
        lines[app, default: []].append(line)
        // Many at once, since each removal moves all that stay.
        if let count = lines[app]?.count, count >= 2 * Self.perApp { lines[app]?.removeFirst(count - Self.perApp) }
        if case .ended = decision { lastEnd[app] = line.text }
    }

    func lines(about app: AppID) -> [DecisionLine] { lines[app].map { Array($0.suffix(Self.perApp)) } ?? [] }

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
