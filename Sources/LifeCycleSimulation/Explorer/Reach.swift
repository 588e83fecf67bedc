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
                for name in Self.names(effect, event) { counts[name, default: 0] += 1 }
            }
        }
    }

    /// Counts something that the world did of itself.
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
        case .device(.actRefused(let act, let refusal)): "act refused: \(act.rawValue), \(refusal.rawValue)"
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
        case .concern(.fetch(let decision)): name(of: decision)
        case .concern(.notification(let decision)): name(of: decision)
        case .concern(.push(let decision)): name(of: decision)
        case .concern(.transfer(let decision)): name(of: decision)
        }
    }

    static func name(of decision: NotificationDecision) -> String {
        switch decision {
        case .scheduled(_, let due): due == nil ? "notification scheduled for whenever" : "notification scheduled"
        case .discarded: "notification discarded"
        case .zoneUnknown: "notification in no zone"
        case .canceled: "notifications canceled"
        case .fired(_, let late): late == .zero ? "notification fired" : "notification fired late"
        case .shown: "notification shown"
        case .notShown(_, let reason): "notification not shown: \(reason.rawValue)"
        case .soundReplaced(_, let fault): "sound replaced: \(fault.rawValue)"
        case .answered(_, let answer): "notification \(answer.rawValue)"
        case .badge: "badge set"
        case .badgeRefused: "badge refused"
        case .registered: "notifications registered for"
        case .allowed(_, let isAllowed): isAllowed ? "notifications allowed" : "notifications forbidden"
        }
    }

    private static func name(of decision: PushDecision) -> String {
        switch decision {
        case .asked(_, let isWanted): isWanted ? "pushes asked for" : "pushes asked for no more"
        case .registered(_, let isDone): isDone ? "device token made" : "device token not made"
        case .notRegistered: "push without registration"
        case .delivered: "push handed over"
        case .held(_, let hold, let isOther): "push held: \(hold)\(isOther ? ", another before it" : "")"
        case .dropped(_, .refused): "push refused"
        case .dropped(_, let loss): "push dropped: \(loss)"
        case .forPeople(_, nil): "push for people"
        case .forPeople(_, .refused): "push for people, and its app refused"
        case .forPeople(_, let loss?): "push for people, and its app not woken: \(loss)"
        }
    }

    private static func name(of decision: FetchDecision) -> String {
        switch decision {
        case .asked(_, let interval): interval == nil ? "fetch asked for no more" : "fetch asked for"
        case .declined(_, let refusal): "fetch asked for in vain: \(refusal.rawValue)"
        case .barred(_, .refused(let refusal)?): "fetch barred: \(refusal.rawValue)"
        case .barred(_, .held(let hold)?): "fetch held: \(hold.rawValue)"
        case .barred(_, nil): "fetch barred no more"
        case .offered: "fetch offered"
        case .missed(_, let refusal): "fetch missed: \(refusal.rawValue)"
        case .spent: "fetch time spent"
        }
    }

    static func name(of decision: TransferDecision) -> String {
        switch decision {
        case .sessionOpened(_, let isNew): isNew ? "session made" : "session opened again"
        case .sessionDone: "session done"
        case .sessionWakes: "woken for a session"
        case .sessionHandled: "session handled"
        case .sessionInvalidated: "session invalidated"
        case .actIgnored(_, let refusal): "transfer act ignored: \(refusal.rawValue)"
        case .began: "transfer began"
        case .stopped(_, let wait): "transfer stopped: \(wait.rawValue)"
        case .waits(_, let wait, _): "transfer waits: \(wait.rawValue)"
        case .retries: "transfer tried again"
        case .delayed: "transfer delayed"
        case .completed: "transfer completed"
        case .failed(_, let failure):
            "transfer failed: \(failure.code)" + (failure.cancelledReason.map { ", \($0)" } ?? "")
        case .delivered: "transfer delivered"
        case .reportIgnored: "transfer report ignored"
        case .wishIgnored(_, let wish): "transfer wish ignored: \(wish.rawValue)"
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
