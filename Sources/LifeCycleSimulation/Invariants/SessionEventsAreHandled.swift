import LifeCycleModel
import LifeCyclePolicy

/// Off the foreground an app that is told of a session's events calls the completion handler in time, or is killed for
/// not doing so, and for that only then.
struct SessionEventsAreHandled: Sendable {
    private struct Told: Sendable {
        let callback: CallbackID
        var until: Nanoseconds
    }

    /// How late a limit may be met.
    var slack: Nanoseconds
    /// Of each launch until when it has to be done with which sessions. In no order that matters: looked up, and of those
    /// that are late the first launch is told.
    private var open: [LaunchID: [SessionIdentifier: Told]] = [:]

    init(slack: Nanoseconds = .zero) { self.slack = slack }

    mutating func check(
        _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], policy: Policy, now: Nanoseconds
    ) -> String? {
        switch event {
        case .app(let launch, .requested(.concern(.transfer(let session, .handled)))): open[launch]?[session] = nil
        case .process(let launch, .exited(_)): open[launch] = nil
        default: break
        }
        for effect in effects {
            switch effect {
            case .launch(let launch, .send(.callback(let id, .concern(.transfer(.handleEvents(let session)))))):
                // Said again to a new connection, it is the same call, and its time goes on.
                let isBehind = snapshots.contains { $0.launch == launch && !$0.state.isForeground }
                guard isBehind, open[launch]?[session]?.callback != id else { break }
                open[launch, default: [:]][session] = Told(callback: id, until: now + policy.sessionEvents)
            case .launch(let launch, .send(.callback(_, .willEnterForeground))): open[launch] = nil
            case .launch(let launch, .kill(.sessionEventsNotHandled)):
                // Killed before the system's restart, it is killed again where it is found.
                if case .process(_, .found) = event { break }
                let earliest = open[launch]?.values.map(\.until).min()
                guard let earliest, earliest <= now else {
                    return "\(launch) is killed for a session's events, for which it has time until \(earliest as Any)"
                }
                open[launch] = nil
            case .launch(let launch, .kill(_)), .launch(let launch, .requestExit): open[launch] = nil
            case .decided(.launch(let launch, .ended(_, _))): open[launch] = nil
            default: break
            }
        }
        let late = open.filter { entry in
            entry.value.values.contains {
                $0.until + slack < now || ($0.until + slack == now && event == .deadlineReached)
            }
        }
        return late.keys.min().map { "\($0) has not called the handler of a session's events, and lives" }
    }

    /// Everyone has the full time again.
    mutating func loopStoodStill(leaving time: Nanoseconds, at now: Nanoseconds) {
        open = open.mapValues { $0.mapValues { Told(callback: $0.callback, until: now + time) } }
    }
}
