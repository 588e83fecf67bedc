import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// How often each name was reached: transitions, callbacks, ends with their codes, decisions. Thread-safe.
final class Reach: Sendable {
    private let counted = Mutex<[String: Int]>([:])

    /// Sorted by name.
    var counts: [(name: String, count: Int)] {
        counted.withLock { counts in counts.map { (name: $0.key, count: $0.value) } }.sorted { $0.name < $1.name }
    }

    func note(_ event: Event, _ effects: [Effect]) {
        counted.withLock { counts in
            for effect in effects {
                for name in Self.names(effect, event) { counts[name, default: 0] += 1 }
            }
        }
    }

    /// Counts a fault that the world caused.
    func note(fault: Fault) { counted.withLock { $0["fault \(fault.rawValue)", default: 0] += 1 } }

    private static func names(_ effect: Effect, _ event: Event) -> [String] {
        switch effect {
        case .launch(_, .send(.callback(_, let callback))): ["callback \(callback.name)"]
        case .launch(_, .send(.input)): ["event delivered"]
        case .launch(_, .send(.concern(.notification(.launchedByRemote)))): ["launched with a push"]
        case .device(.keepAwake(let isKept)): [isKept ? "kept awake" : "may sleep"]
        case .launch(_, .prioritize(let priority)): ["priority \(priority.rawValue)"]
        case .launch(_, .measureContainer) where event == .deadlineReached: ["container measured after the pause"]
        case .launch(_, .measureContainer): ["container measured"]
        case .decided(let decision): [name(of: decision)]
        case .launch, .device, .concern, .store: []
        }
    }

    static func name(of decision: Decision) -> String {
        switch decision {
        case .launch(_, .stateChanged(let from, let to)): "transition \(from.name) → \(to.name)"
        case .launch(_, .ended(let reason, _)): "end \(name(of: reason)) \(reason.code)"
        case .launch(_, .prewarmed): "prewarmed"
        case .launch(_, .launched(let reason)): "launched for \(reason.rawValue)"
        case .launch(_, .woken(let reason)): "woken for \(reason.rawValue)"
        case .app(_, .wakeRefused(.user, let refusal)): "opening refused: \(refusal.rawValue)"
        case .app(_, .wakeRefused(_, let refusal)): "wake refused: \(refusal.rawValue)"
        case .device(.actRefused(let act, let refusal)): "act refused: \(act.rawValue), \(refusal.word)"
        case .app(_, .inputDropped(let state)): "event dropped: \(state.name)"
        case .launch(_, .interrupted(let kind)): "interrupted by \(kind.rawValue)"
        case .launch(_, .interruptionEnded(_, let isAccepted)): "interruption \(isAccepted ? "accepted" : "over")"
        case .device(.locked(let isAutomatic)): isAutomatic ? "locked by itself" : "locked"
        case .launch(_, .foundAgain(let isFrozen)): "found again \(isFrozen ? "frozen" : "running")"
        case .launch(_, .scenesAdvised): "scenes advised"
        case .device(.unlocked): "unlocked"
        case .device(.settingChanged): "setting changed"
        case .device(.zoneChanged): "zone changed"
        case .app(_, .backgroundRefreshChanged): "background refresh changed"
        case .launch(_, .memoryWarning): "memory warning"
        case .launch(_, .sceneReclaimed): "scene reclaimed"
        case .launch(_, .launchIsSlow): "launch is slow"
        case .launch(_, .suspending): "suspending"
        case .launch(_, .resumed): "resumed"
        case .launch(_, .thawedFromOutside): "thawed from outside"
        case .launch(_, .thawFailed): "thaw failed"
        case .launch(_, .taskGranted): "task granted"
        case .launch(_, .taskRefused): "task refused"
        case .launch(_, .taskEnded): "task ended"
        case .launch(_, .unknownTaskEnded): "unknown task ended"
        case .launch(_, .backgroundTimeGranted): "background time granted"
        case .launch(_, .tasksExpiring): "tasks expiring"
        case .launch(_, .terminating): "terminating"
        case .launch(_, .ignoredLate): "ignored late"
        case .app(_, .unknown): "unknown app"
        case .launch(_, .eventHandled(let kind, let result, _)): "\(kind.rawValue) handled: \(result.rawValue)"
        case .concern(let reason): reason.simulated.name
        }
    }

    static func name(of reason: TerminationReason) -> String {
        switch reason {
        case .exited: "by itself"
        case .launchFailed: "launch failed"
        case .cutOff: "cut off"
        case .watchdog(let callback): "watchdog \(callback.name)"
        case .didNotExit: "did not exit"
        case .lostContact: "lost contact"
        case .tasksNotEnded: "tasks not ended"
        case .sessionEventsNotHandled: "session events not handled"
        case .eventNotHandled(let kind): "\(kind.rawValue) not handled"
        case .noCallReported: "no call reported"
        case .wokenTooOften: "woken too often"
        case .tooManyTasks: "too many tasks"
        case .forceQuit: "force-quit"
        case .memory: "memory"
        case .exitsOnSuspend: "exits on suspend"
        case .shutdown: "shutdown"
        case .deviceShutdown: "device shutdown"
        case .systemGone: "system gone"
        case .tooManyRequests: "too many requests"
        case .tooMuchDisk: "too much disk"
        case .uninstalled: "uninstalled"
        case .updated: "updated"
        case .notFreezable: "not freezable"
        case .fault(let fault): "fault \(fault.rawValue)"
        }
    }
}

/// The last `limit` lines. Thread-safe.
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
