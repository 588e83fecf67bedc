import LifeCycleModel
import LifeCyclePolicy

/// Background time is as long as the policy says, once for each stretch in the background. Expiry begins neither
/// earlier nor later, and no task is granted after it. An app with an open task at the end is killed (R-37–R-43).
struct BackgroundTimeIsKept: Sendable {
    private struct Clock: Sendable {
        var until: Nanoseconds
        var isExpiring = false
    }

    /// The tolerated lateness of a deadline.
    var slack: Nanoseconds
    /// For look-up only, so the order does not matter.
    private var clocks: [LaunchID: Clock] = [:]
    /// Launches on their way to the foreground, where no time is counted. For look-up only.
    private var rising: Set<LaunchID> = []

    init(slack: Nanoseconds = .zero) { self.slack = slack }

    mutating func check(
        _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], policy: Policy, now: Nanoseconds
    ) -> String? {
        for effect in effects {
            switch effect {
            case .launch(let launch, .send(.callback(_, .willEnterForeground))):
                clocks[launch] = nil
                rising.insert(launch)
            case .decided(let decision):
                if let finding = check(decision, policy, now) { return finding }
            default: break
            }
        }
        for app in snapshots {
            guard let launch = app.launch, !app.isEnding else { continue }
            if let finding = check(app, launch, event, now) { return finding }
        }
        return nil
    }

    private mutating func check(_ decision: Decision, _ policy: Policy, _ now: Nanoseconds) -> String? {
        switch decision {
        case .launch(let launch, .backgroundTimeGranted(let until)):
            if clocks[launch] != nil { return "\(launch) is given time twice in one stretch" }
            clocks[launch] = Clock(until: until)
            return until == now + policy.backgroundTime ? nil : "\(launch) is given time until \(until)"
        case .launch(let launch, .tasksExpiring(let tasks)):
            guard let clock = clocks[launch], !tasks.isEmpty else { return "\(launch) has nothing that could expire" }
            clocks[launch]?.isExpiring = true
            return isDue(clock.until - policy.expirationLead, now) && !clock.isExpiring
                ? nil : "\(launch) expires at \(now), its time being up at \(clock.until)"
        case .launch(let launch, .taskGranted(let task)):
            return clocks[launch]?.isExpiring == true ? "\(launch) is granted \(task.id) while it expires" : nil
        case .launch(let launch, .taskRefused(let task)):
            let isOver = clocks[launch].map { $0.until - policy.expirationLead <= now } ?? false
            return isOver ? nil : "\(launch) is refused \(task.id) in its time"
        case .launch(let launch, .terminating(let reason, _)):
            guard let clock = clocks.removeValue(forKey: launch), case .tasksNotEnded = reason else { return nil }
            return isDue(clock.until, now) ? nil : "\(launch) is killed at \(now), its time being up at \(clock.until)"
        case .launch(let launch, .stateChanged(_, let to)):
            if to != .background { rising.remove(launch) }
            if to == .suspended || to == .notRunning { clocks[launch] = nil }
            return nil
        default:
            return nil
        }
    }

    /// The loop stalled. The time still counts, but enough is left for the expiration handlers (R-42).
    mutating func loopStalled(leaving lead: Nanoseconds, at now: Nanoseconds) {
        for (launch, clock) in clocks { clocks[launch]?.until = max(clock.until, now + lead) }
    }

    private func isDue(_ time: Nanoseconds, _ now: Nanoseconds) -> Bool { time <= now && now <= time + slack }

    private mutating func check(
        _ app: AppSnapshot, _ launch: LaunchID, _ event: Event, _ now: Nanoseconds
    ) -> String? {
        // Location updates, sound and calls keep the app running without a limit.
        if app.isKeptRunning { clocks[launch] = nil }
        let clock = clocks[launch]
        if app.backgroundTimeUntil != clock?.until {
            return "\(launch) has time until \(app.backgroundTimeUntil.map { "\($0)" } ?? "ever")"
        }
        guard !app.openTasks.isEmpty else { return nil }
        guard let clock else {
            let isCounted = app.state == .background && !rising.contains(launch) && !app.isKeptRunning
            return isCounted ? "\(launch) has tasks in the background, and no clock" : nil
        }
        let end = clock.until + slack
        let isOver = end < now || (end == now && event == .deadlineReached)
        return isOver ? "\(launch) goes on after its time, which was up at \(clock.until)" : nil
    }
}
