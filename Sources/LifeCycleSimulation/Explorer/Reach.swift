import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// How often things were reached: transitions, callbacks, ends with their codes, decisions.
final class Reach: Sendable {
    private let counted = Mutex<[String: Int]>([:])

    /// All counts, by name.
    var counts: [(name: String, count: Int)] {
        counted.withLock { counts in counts.map { (name: $0.key, count: $0.value) } }.sorted { $0.name < $1.name }
    }

    func note(_ event: Event, _ effects: [Effect]) {
        counted.withLock { counts in
            for effect in effects {
                switch effect {
                case .send(_, .callback(_, let callback)): counts["callback \(callback.name)", default: 0] += 1
                case .decided(.stateChanged(_, let from, let to)):
                    counts["transition \(from.name) → \(to.name)", default: 0] += 1
                case .decided(.ended(_, let reason, _)):
                    counts["end \(Self.name(of: reason)) \(reason.code)", default: 0] += 1
                case .decided(.wakeRefused(_, _, let refusal)):
                    counts["wake refused: \(refusal.rawValue)", default: 0] += 1
                case .decided(.taskRefused): counts["task refused", default: 0] += 1
                case .decided(.tasksExpiring): counts["tasks expiring", default: 0] += 1
                case .decided(.foundAgain(_, let isFrozen)):
                    counts["found again \(isFrozen ? "frozen" : "running")", default: 0] += 1
                default: break
                }
            }
        }
    }

    private static func name(of reason: TerminationReason) -> String {
        switch reason {
        case .exited: "by itself"
        case .launchFailed: "launch failed"
        case .watchdog(let callback): "watchdog \(callback.name)"
        case .lostContact: "lost contact"
        case .tasksNotEnded: "tasks not ended"
        case .tooManyTasks: "too many tasks"
        case .forceQuit: "force-quit"
        case .memory: "memory"
        case .exitsOnSuspend: "exits on suspend"
        case .shutdown: "shutdown"
        case .uninstalled: "uninstalled"
        case .updated: "updated"
        case .notFreezable: "not freezable"
        }
    }
}

/// The last so many lines.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) {
        lines.withLock { lines in
            lines.append(line)
            if lines.count > limit { lines.removeFirst() }
        }
    }
}
